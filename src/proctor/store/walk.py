"""Walking a run for one's own analysis: episodes, steps, and pictures read when looked at."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from proctor.errors import RecordError
from proctor.observations.tree import Tree
from proctor.records import Result, Step
from proctor.store.plain import tree_from
from proctor.store.read import RecordedEpisode
from proctor.store.run import RunRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedStep(Step):
    """A step with what was seen before it; pictures and trees are read when they are asked for."""

    episode: RecordedEpisode = field(repr=False, compare=False)

    @property
    def screenshot(self) -> Image.Image | None:
        """What was on the screen before the action; None where the record has no picture."""
        return self._picture(self.saw.screenshot if self.saw else "")

    @property
    def marks(self) -> Image.Image | None:
        """The marked picture that the agent was shown; None where it was shown none."""
        return self._picture(self.saw.marks if self.saw else "")

    @property
    def clip(self) -> Image.Image | None:
        """The last seconds before it as a picture of several frames; None where the agent wanted none."""
        return self._picture(self.saw.clip if self.saw else "")

    @property
    def tree(self) -> Tree | None:
        """The accessibility tree that the agent was shown; None where it was shown none."""
        return tree_from(self.episode.read_packed(self.saw.tree)) if self.saw and self.saw.tree else None

    def _picture(self, name: str) -> Image.Image | None:
        if not name:
            return None
        data = self.episode.picture(name)
        try:
            image = Image.open(io.BytesIO(data))
            image.seek(0)
            return image
        except (OSError, ValueError, Image.DecompressionBombError) as error:
            raise RecordError(
                f"{self.episode.folder / name} is not a picture", remedy="see `proctor runs verify`"
            ) from error


class WalkedEpisode(RecordedEpisode):
    """One try at an episode, with its result."""

    def __init__(self, folder: Path, result: Result) -> None:
        super().__init__(folder)
        self._result = result

    @property
    def result(self) -> Result:
        """What came of it."""
        return self._result

    def steps(self) -> Iterator[RecordedStep]:
        """Walk its steps; the last one (`end`) is what was seen when all was over."""
        for step in super().steps():
            yield RecordedStep(**{name: getattr(step, name) for name in _FIELDS}, episode=self)


class RecordedRun:
    """A run on disk, going on or done."""

    def __init__(self, record: RunRecord) -> None:
        self._record = record

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._record.folder

    @property
    def config(self) -> dict[str, object]:
        """What it is: plan, rules, versions, facts of the host."""
        return self._record.config

    @property
    def sealed(self) -> bool:
        """Whether it was done."""
        return self._record.sealed

    def results(self, *, every_try: bool = False) -> Iterator[Result]:
        """Walk the results of the last tries at each episode, or of every try, in the order they ended."""
        return self._record.results() if every_try else self._record.final()

    def episodes(self, *, every_try: bool = False) -> Iterator[WalkedEpisode]:
        """Walk the last try at each episode, or every try; void ones that left no record are passed over."""
        for result in self.results(every_try=every_try):
            if result.folder:
                yield WalkedEpisode(self._record.paths.at(result.folder), result)

    def __repr__(self) -> str:
        return f"RecordedRun({str(self.folder)!r})"


def open_run(path: Path | str) -> RecordedRun:
    """Open the folder of a run to look at it, while it goes on or later; nothing in it is changed.

    Raises RecordError where there is no run, and later at the first file that is damaged.
    """
    return RecordedRun(RunRecord.open(Path(path)))


_FIELDS = tuple(Step.__dataclass_fields__)
