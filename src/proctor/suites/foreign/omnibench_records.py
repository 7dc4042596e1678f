"""OmniBench's five kinds of records, found in the files of a folder; nothing in them is run."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from proctor.errors import SpecError
from proctor.graphs.omnibench.evaluations import FUNCTION
from proctor.graphs.omnibench.records import (
    OmniBenchRecord,
    SubtaskMetadata,
    SubtaskTrajectory,
    TaskMetadata,
    TaskTrajectory,
)
from proctor.suites.foreign.faults import kind_of
from proctor.suites.foreign.json_file import read_file

RecordKind = Literal["task", "subtask", "evaluation", "task trajectory", "subtask trajectory"]

FORMS: Mapping[RecordKind, type[OmniBenchRecord]] = {
    "task": TaskMetadata,
    "subtask": SubtaskMetadata,
    "task trajectory": TaskTrajectory,
    "subtask trajectory": SubtaskTrajectory,
}
MOST_RECORDS = 500_000
MOST_LINE = 2**20
MOST_PROGRAM = 64 * 2**20
MOST_NAMED = 10
"""Of more ids than these, the rest are counted."""


@dataclass(frozen=True)
class FoundRecord:
    """A record, as far as it could be read, and where it stands."""

    kind: RecordKind | Literal[""]
    path: Path
    place: str
    id: str = ""
    record: OmniBenchRecord | None = None
    text: str = ""
    """Of an evaluation."""
    faults: tuple[str, ...] = ()


@dataclass
class RecordsFound:
    """All records of a folder, in the order of their files; those that tasks look up, by id."""

    listed: list[FoundRecord] = field(default_factory=list)
    tasks: dict[str, TaskMetadata] = field(default_factory=dict)
    subtasks: dict[str, SubtaskMetadata] = field(default_factory=dict)
    evaluations: dict[str, str] = field(default_factory=dict)

    def add(self, found: FoundRecord) -> None:
        """Add a record; the first of an id is the one that others mean."""
        if found.id in self._ids(found.kind):
            why = f"another {found.kind} has the id {found.id!r} already"
            found = FoundRecord(found.kind, found.path, found.place, found.id, faults=(*found.faults, why))
        elif isinstance(found.record, TaskMetadata):
            self.tasks[found.id] = found.record
        elif isinstance(found.record, SubtaskMetadata):
            self.subtasks[found.id] = found.record
        elif found.kind == "evaluation":
            self.evaluations[found.id] = found.text
        self.listed.append(found)

    def _ids(self, kind: str) -> Collection[str]:
        if kind == "evaluation":
            return self.evaluations
        return self.tasks if kind == "task" else self.subtasks if kind == "subtask" else ()


def read_records(folder: Path) -> RecordsFound:
    """Read every record below a folder, or in a file; raises SpecError where there is none."""
    if not folder.exists():
        raise SpecError(f"there is no folder {folder}", remedy="name the folder that holds the records")
    found = RecordsFound()
    for path in _files(folder):
        for record in _read(path, folder if folder.is_dir() else folder.parent):
            if len(found.listed) >= MOST_RECORDS:
                raise SpecError(f"{folder} holds more than {MOST_RECORDS:,} records", remedy="name a smaller folder")
            found.add(record)
    return found


def first_names(names: Iterable[str]) -> str:
    """Name the first few of some ids, and say how many more there are."""
    every = list(dict.fromkeys(names))
    more = len(every) - MOST_NAMED
    return ", ".join(every[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_file():
        yield folder
        return
    for place, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix in (".json", ".jsonl", ".txt", ".py"):
                yield Path(place) / name


def _read(path: Path, home: Path) -> Iterator[FoundRecord]:
    if path.suffix == ".json":
        file = read_file(path, home)
        if file.fault:
            yield FoundRecord("", path, str(path), path.stem, faults=(file.fault,))
        else:
            yield from _in_data(file.data, path)
    elif path.is_symlink() and not path.resolve().is_relative_to(home.resolve()):
        yield FoundRecord("", path, str(path), path.stem, faults=(f"it is a link that leads out of {home}",))
    elif path.suffix == ".jsonl":
        yield from _in_lines(path)
    else:
        yield from _in_program(path)


def _in_lines(path: Path) -> Iterator[FoundRecord]:
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MOST_LINE + 1), b""), 1):
            place = f"{path}:{number}"
            if len(line) > MOST_LINE:
                yield FoundRecord("", path, place, faults=(f"it is longer than {MOST_LINE:,} bytes; no more is read",))
                return
            if not line.strip():
                continue
            try:
                data = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield FoundRecord("", path, place, faults=(f"it is not valid JSON: {error}"[:200],))
            else:
                yield _record(data, path, place, str(number - 1))


def _in_data(data: object, path: Path) -> Iterator[FoundRecord]:
    """Yield what a file holds: a record, a list of them, or records by their ids."""
    if isinstance(data, list):
        for number, each in enumerate(data):
            yield _record(each, path, f"{path}, entry {number + 1}", str(number))
    elif isinstance(data, dict) and not _kind(data) and data and all(isinstance(each, dict) for each in data.values()):
        for id, each in data.items():
            yield _record(each, path, f"{path}, {id!r}", str(id))
    else:
        yield _record(data, path, str(path), path.stem)


def _in_program(path: Path) -> Iterator[FoundRecord]:
    try:
        if path.stat().st_size > MOST_PROGRAM:
            return
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    if FUNCTION in text:  # other texts are no records
        yield FoundRecord("evaluation", path, str(path), path.stem, text=text)


def _kind(data: Mapping[str, object]) -> RecordKind | Literal[""]:
    if "dag" in data:
        return "task"
    if "instruction_template" in data:
        return "subtask"
    if "trajectory_id" not in data:
        return ""
    return "subtask trajectory" if "subtask_id" in data else "task trajectory"


def _record(data: object, path: Path, place: str, name: str) -> FoundRecord:
    if not isinstance(data, dict):
        return FoundRecord("", path, place, name, faults=(f"a record is an object, not {kind_of(data)}",))
    kind = _kind(data)
    if not kind:
        why = "it is none of OmniBench's records, which have a 'dag', an 'instruction_template' or a 'trajectory_id'"
        return FoundRecord("", path, place, name, faults=(why,))
    key = {"task": "task_id", "subtask": "id"}.get(kind, "trajectory_id")
    id = data.get(key)
    known = str(id) if isinstance(id, str | int) and str(id) else name
    try:
        record = FORMS[kind].model_validate({**data, **_plain_texts(data), key: known})
    except ValidationError as error:
        said = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_url=False)]
        return FoundRecord(kind, path, place, known, faults=(first_names(said),))
    return FoundRecord(kind, path, place, known, record)


def _plain_texts(data: Mapping[str, object]) -> dict[str, object]:
    """Return parameters as texts; elsewhere they may be numbers."""
    sets = data.get("available_parameters")
    if not isinstance(sets, list):
        return {}
    told = [{str(key): str(value) for key, value in each.items()} if isinstance(each, dict) else each for each in sets]
    return {"available_parameters": told}
