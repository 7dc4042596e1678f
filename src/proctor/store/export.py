"""Exporting runs: choosing the episodes, writing a folder that appears only when it is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proctor.errors import SpecError
from proctor.records import Result
from proctor.store.collection import EVERYTHING, EpisodeFilter, Recorded, find_runs, walk
from proctor.store.exports import EXPORTS
from proctor.store.files import folder_at_once, write_new
from proctor.store.run import RunRecord
from proctor.store.tree import task_digests

_Write = Callable[[Iterator[Recorded], Path], Sequence[str] | None]
_Takes = Callable[[Result, bool], bool]


def take_passed(result: Result, everything: bool) -> bool:
    """Take episodes that passed by doing the work, or all that were not void, which teach nothing."""
    return not result.void if everything else result.passed and result.goal != "game"


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export holds."""

    episodes: int
    left_out: int
    """Episodes that do not belong into this format, such as failed ones into training data."""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """What whoever reads it should know."""


def export(
    folders: Path | Sequence[Path],
    form: str,
    out: Path,
    *,
    choice: EpisodeFilter = EVERYTHING,
    everything: bool = False,
    with_keys: bool = False,
    on_episode: Callable[[], None] = lambda: None,
) -> Exported:
    """Export the last try at each episode of runs, as one collection.

    Args:
        folders: Runs, folders of runs, or the folder of a studio.
        form: The name of a format; see EXPORTS.
        out: A folder that does not exist yet.
        choice: Which of their episodes.
        everything: Also episodes that did not pass, where the format leaves them out.
        with_keys: Also the tasks, which hold their answer keys.
        on_episode: Called before each episode.
    """
    write, takes = _open_format(form)
    runs = find_runs([folders] if isinstance(folders, Path) else folders)
    counts = {True: 0, False: 0}

    def choose() -> Iterator[Recorded]:
        for item in walk(runs, choice):
            on_episode()
            # A void try without any record has nothing to show.
            kept = bool(item.result.folder) and takes(item.result, everything)
            counts[kept] += 1
            if kept:
                yield item

    with folder_at_once(out) as part:
        remarks = write(choose(), part)
        if with_keys:
            _copy_tasks(runs, part)
    return Exported(counts[True], counts[False], tuple(remarks or ()))


def _open_format(form: str) -> tuple[_Write, _Takes]:
    """Return what writes a format, and what chooses the episodes (None for `module:function`)."""
    found = EXPORTS.get(form)
    write = getattr(found, "write", found)
    takes = getattr(found, "takes", lambda result, everything: True)
    if not callable(write) or not callable(takes):
        raise SpecError(f"export {form!r} cannot write", remedy="name a module with write(recorded, out)")
    return write, takes


def _copy_tasks(runs: Sequence[Path], out: Path) -> None:
    """Copy the tasks that are what their names say, and nothing else that lies in their folder."""
    for record in map(RunRecord.open, runs):
        for digest in task_digests(record.paths):
            name = f"{digest}.json"
            if not (out / "tasks" / name).exists():
                (out / "tasks").mkdir(exist_ok=True)
                write_new(str(out / "tasks"), name, record.task(digest).encode())
