"""Exporting a run: choosing the episodes, writing a folder that appears only when it is complete."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from proctor.errors import SpecError, UnknownName
from proctor.records import Result
from proctor.store.files import disk_trouble, parse_json, write_new
from proctor.store.read import RecordedEpisode, open_episode
from proctor.store.run import RunRecord
from proctor.store.tree import task_digests

FORMATS = {
    "agentnet": "proctor.store.exports.agentnet",
    "atif": "proctor.store.exports.atif",
    "inspect": "proctor.store.exports.inspect_log",
    "omnibench": "proctor.store.exports.omnibench",
    "osworld": "proctor.store.exports.osworld",
    "parquet": "proctor.store.exports.huggingface",
    "sft": "proctor.store.exports.conversations",
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """The last try at an episode."""

    result: Result
    episode: RecordedEpisode
    run: RunRecord

    @property
    def task(self) -> dict[str, Any]:
        """The task as it was set, answer key included; what of it is exported is for the format to say."""
        found = parse_json(self.run.task(self.result.digest).encode(), f"the task {self.result.digest}")
        return found if isinstance(found, dict) else {}


class Format(Protocol):
    """What each module of a format has."""

    def wanted(self, result: Result, everything: bool) -> bool:
        """Tell whether an episode belongs into an export."""

    def write(self, recorded: Iterator[Recorded], out: Path) -> list[str] | None:
        """Write episodes into an empty folder, one after the other; may return remarks for whoever asked."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export holds."""

    episodes: int
    left_out: int
    """Episodes that do not belong into this format, such as failed ones into training data."""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """What whoever reads it should know."""


def export(
    folder: Path,
    form: str,
    out: Path,
    *,
    everything: bool = False,
    with_keys: bool = False,
    on_episode: Callable[[], None] = lambda: None,
) -> Exported:
    """Export the last try at each episode of a run.

    Args:
        folder: The run.
        form: One of FORMATS.
        out: A folder that does not exist yet.
        everything: Also episodes that did not pass, where the format leaves them out.
        with_keys: Also the tasks, which hold their answer keys.
        on_episode: Called before each episode.
    """
    if form not in FORMATS:
        raise UnknownName("export format", form, FORMATS)
    if os.path.lexists(out):
        raise SpecError(f"{out} exists already", remedy="name a folder that does not exist yet")
    writer = cast(Format, importlib.import_module(FORMATS[form]))
    record = RunRecord.open(folder)
    counts = {True: 0, False: 0}

    def chosen() -> Iterator[Recorded]:
        for result in record.final():
            on_episode()
            # A void try without any record has nothing to show.
            kept = bool(result.folder) and writer.wanted(result, everything)
            counts[kept] += 1
            if kept:
                yield Recorded(result, open_episode(record.paths.at(result.folder)), record)

    part = out.absolute().with_name(f".{out.name}.part-{os.getpid()}")
    with disk_trouble(out):
        try:
            part.mkdir(parents=True)
            remarks = writer.write(chosen(), part)
            if with_keys:
                _copy_tasks(record, part)
            part.rename(out)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return Exported(counts[True], counts[False], tuple(remarks or ()))


def _copy_tasks(record: RunRecord, out: Path) -> None:
    """Copy the tasks that are what their names say, and nothing else that lies in their folder."""
    digests = task_digests(record.paths)
    if digests:
        (out / "tasks").mkdir()
    for digest in digests:
        write_new(str(out / "tasks"), f"{digest}.json", record.task(digest).encode())
