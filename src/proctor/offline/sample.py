"""The samples of the three benchmarks, with pictures that are read when they are looked at."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol

from PIL import Image

from proctor.errors import RecordError
from proctor.offline.target import AnswerTarget

Task = Literal["ground", "idm", "critic"]
TASKS: tuple[Task, ...] = ("ground", "idm", "critic")

Keep = Literal["answerable", "all"]
"""Which records of a set are asked about: those that can be answered, or all, as papers count."""

MOST_PIXELS = 100_000_000
"""A picture with more is not a screen."""


class PictureSource(Protocol):
    """Where the bytes of a picture are."""

    @property
    def name(self) -> str:
        """What it is called in messages and records."""

    def read(self) -> bytes:
        """Return the bytes; raises OSError or RecordError."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that is a file."""

    path: Path

    @property
    def name(self) -> str:
        """Its path."""
        return str(self.path)

    def read(self) -> bytes:
        """Return its content."""
        return self.path.read_bytes()


@dataclass(frozen=True)
class Shot:
    """A picture of a screen, read when it is looked at."""

    source: PictureSource

    @property
    def name(self) -> str:
        """What it is called."""
        return self.source.name

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height, read from its head; raises RecordError where it cannot be."""
        with self._open() as image:
            return image.size

    def load(self) -> Image.Image:
        """Return the picture in colours; raises RecordError where it is missing, cut off or no picture."""
        with self._open() as image:
            try:
                return image.convert("RGB")
            except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
                raise RecordError(f"the picture {self.name} is damaged: {error}", remedy=_REMEDY) from error

    def _open(self) -> Image.Image:
        try:
            opened = Image.open(
                self.source.path if isinstance(self.source, PictureFile) else io.BytesIO(self.source.read())
            )
        except FileNotFoundError as error:
            raise RecordError(f"the picture {self.name} is missing", remedy=_REMEDY) from error
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise RecordError(f"the picture {self.name} cannot be read: {error}", remedy=_REMEDY) from error
        if opened.width * opened.height > MOST_PIXELS:
            opened.close()
            raise RecordError(f"the picture {self.name} has more than {MOST_PIXELS:,} pixels", remedy=_REMEDY)
        return opened


_REMEDY = "fetch the pictures of the set again, or name their folder with --pictures"


@dataclass(frozen=True, kw_only=True)
class OfflineSample:
    """What all kinds of samples have."""

    id: str
    instruction: str
    groups: dict[str, str | list[str]] = field(default_factory=dict)
    """What results are broken down by, such as `platform`; a sample may be in several of one kind."""
    cluster: str = ""
    """What it shares with others, such as a picture or a task: they are repeats of each other, not independent."""

    @property
    def pictures(self) -> tuple[Shot, ...]:
        """What is shown of the screen, in order."""
        return ()


@dataclass(frozen=True, kw_only=True)
class GroundSample(OfflineSample):
    """Find the place on a picture that an instruction speaks of."""

    shot: Shot
    size: tuple[int, int]
    target: AnswerTarget
    raw_instruction: str = ""
    elements: Path | None = None
    """A file with what was on the screen: role, name and box of each element."""

    @property
    def pictures(self) -> tuple[Shot, ...]:
        """The one picture."""
        return (self.shot,)


@dataclass(frozen=True, kw_only=True)
class IdmSample(OfflineSample):
    """Say which actions led from each picture to the next."""

    shots: tuple[Shot, ...]
    options: tuple[str, ...]
    answer: tuple[int, ...]
    """Places in `options`; one for each two pictures that follow each other."""
    several: bool = False
    """Whether a sequence is asked for, also where it has one action only."""

    @property
    def pictures(self) -> tuple[Shot, ...]:
        """Before each action, and after the last."""
        return self.shots


@dataclass(frozen=True, kw_only=True)
class CriticSample(OfflineSample):
    """Say whether a trajectory did what the instruction asks for."""

    shots: tuple[Shot, ...]
    actions: tuple[str, ...]
    """In words, one after each picture; the last picture may have none after it."""
    success: bool

    @property
    def pictures(self) -> tuple[Shot, ...]:
        """Before each action, and after the last where it was kept."""
        return self.shots


@dataclass(frozen=True, slots=True)
class Defect:
    """A record that cannot be used, and why."""

    id: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set as it was read."""

    task: Task
    form: str
    boxes: str = ""
    samples: tuple[OfflineSample, ...]
    defects: tuple[Defect, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def records(self) -> int:
        """How many there are in all, with those that were left out."""
        return len(self.samples) + len(self.defects)

    @property
    def reasons(self) -> Counter[str]:
        """How many records were left out, by the reason."""
        return Counter(defect.reason for defect in self.defects)

    def plain(self) -> dict[str, object]:
        """Return what it is, without the samples themselves."""
        return {
            "form": self.form,
            "boxes": self.boxes,
            "samples": len(self.samples),
            "records": self.records,
            "defects": len(self.defects),
            "defects_by_reason": dict(self.reasons),
            "remarks": list(self.remarks),
        }
