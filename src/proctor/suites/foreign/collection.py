"""Folders of foreign tasks: which files are tasks, what each is called here, and how it stands."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from proctor.errors import SpecError
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.faults import Reason, Status, worst
from proctor.suites.foreign.json_file import ForeignFile, read_file
from proctor.suites.foreign.translation import NeededFirst, NotJudgedYet
from proctor.tasks.call import DataPath, Kind
from proctor.tasks.shelves import problems
from proctor.tasks.task import Tags, Task

MOST_TASKS = 100_000
MOST_DEPTH = 12

Make = Callable[[], Task]
"""Returns the task in our words, its expected files read."""


@dataclass(frozen=True)
class ForeignTask:
    """One task of another system, as far as it was understood."""

    format: str
    file: ForeignFile
    id: str = ""
    domain: str = ""
    instruction: str = ""
    reasons: tuple[Reason, ...] = ()
    remarks: tuple[str, ...] = ()
    missing: dict[str, str] = field(default_factory=dict)
    """Addresses of files that are not there, with what they are called."""
    tags: Tags | None = None
    """How it is classified; None where it cannot be read."""
    make: Make | None = None
    """None where it cannot be run."""
    kind: str = "task"
    """What it is, where other records lie beside tasks, such as trajectories."""

    @property
    def status(self) -> Status:
        """How it stands."""
        return worst(self.reasons)

    @property
    def name(self) -> str:
        """What its tasks are called here: its domain and its id."""
        return slug(f"{self.domain}-{self.id or self.file.path.stem}")

    def to_json(self) -> dict[str, object]:
        """Return its line of a report."""
        line: dict[str, object] = {
            "id": self.id or self.file.path.stem,
            "domain": self.domain,
            "status": self.status,
            "reasons": [f"{reason.status}: {reason}" for reason in self.reasons],
            "file": str(self.file.path),
            "task": f"{self.format}/{self.name}-v1",
        }
        return {**line, **({"remarks": list(self.remarks)} if self.remarks else {})}


Read = Callable[[ForeignFile, str, Assets], ForeignTask]
"""Reads one file of a domain; never raises for what stands in it."""
MISFITS = (KeyError, TypeError, ValueError, AttributeError, IndexError, SpecError)
"""Errors that a file can give whose values are of other kinds than they must be."""
_NO_NUMBER = re.compile(r"(?:invalid literal for int\(\)[^:]*|could not convert string to float): (.*)")
_NAMED_BY = ("type", "function", "func")
OpenFile = Callable[[Path, Path], ForeignFile]
"""Opens a file that must lie in a folder."""


def read_folder(
    folder: Path, read: Read, assets: Assets, *, called: str = "*.json", open_file: OpenFile = read_file
) -> Iterator[ForeignTask]:
    """Yield every task in a folder, those that are none with the reason; index files are left out."""
    if not folder.exists():
        raise SpecError(f"there is no folder {folder}", remedy="name the folder that holds the task files")
    home = folder if folder.is_dir() else folder.parent
    taken: dict[str, Path] = {}
    ids: dict[str, Path] = {}
    for path in _files(folder, called):
        file = open_file(path, home)
        if "*" in called and is_index(file.data):
            continue
        found = read(file, path.parent.name, assets)
        remarks = list(found.remarks)
        first = taken.setdefault(found.name, path)
        if first != path:
            why = f"the id {found.id!r} belongs to {first} already, in the same domain"
            found = replace(found, reasons=(Reason("malformed", why, f"{path}:1"), *found.reasons), make=None)
        elif found.id and (other := ids.setdefault(found.id, path)) != path:
            remarks.append(f"{other} has the same id, in another domain")
        yield replace(found, remarks=tuple(remarks))


def with_fault_of_files(task: ForeignTask) -> ForeignTask:
    """Return a task as needing a file where one that is there cannot be used."""
    if task.make is None:
        return task
    try:
        task.make()
    except SpecError as error:
        return replace(task, reasons=(*task.reasons, Reason("needs asset", error.message)), make=None)
    except MISFITS as error:
        return replace(task, reasons=(*task.reasons, misfit(error, (), task.file)), make=None)
    return task


def told_by(put: Callable[[], object], at: DataPath, kind: Kind, file: ForeignFile) -> Iterator[Reason]:
    """Yield what of a part cannot be said in our words: why it cannot, or what is wrong with it."""
    try:
        found = put()
    except NeededFirst:
        return  # said among its needs
    except NotJudgedYet as error:
        yield Reason("not judged yet", str(error))
    except MISFITS as error:
        yield misfit(error, at, file)
    else:
        # What no word of ours takes is the file's fault: names were looked up before.
        for problem in problems(found, at, kind):
            yield Reason("malformed", problem.message, file.place(at))


def misfit(error: Exception, at: DataPath, file: ForeignFile) -> Reason:
    """Return what is wrong with a part that gave an error, in words for who wrote the file."""
    said = ""
    if isinstance(error, KeyError):
        said = f": {error.args[0]!r} is missing"
    elif found := _NO_NUMBER.search(str(error)):
        said = f": {found[1]} is no number"
    elif isinstance(error, ValueError | SpecError) and not str(error).startswith("dictionary update"):
        said = f": {error}"
    whose = _name_at(file.data, at)
    what = f"a value of {whose!r}" if whose else "a value in it"
    return Reason("malformed", f"{what} is not of the kind that belongs there{said}", file.place(at))


def _name_at(data: object, at: DataPath) -> str:
    """Return the name of a part: itself, or what stands in it or around it; empty where none does."""
    named = next((key for key in reversed(at) if isinstance(key, str)), "")
    part = data
    for key in (*at, None):
        if isinstance(part, str):
            named = part
        elif isinstance(part, dict):
            named = next((part[word] for word in _NAMED_BY if isinstance(part.get(word), str)), named)
        try:
            part = part[key]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            break
    return named[:80]


def is_index(data: object) -> bool:
    """Tell whether a file is no task but a list of tasks, or of what they are about."""
    if not isinstance(data, dict) or not data or {"id", "task_id", "instruction", "evaluator"} & data.keys():
        return False
    return all(isinstance(value, dict | list) for value in data.values()) and "config" not in data


def slug(text: str) -> str:
    """Return a text as ids are written: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:150].strip("-") or "task"


def _files(folder: Path, called: str) -> Iterator[Path]:
    if folder.is_file():
        yield folder
        return
    count = 0
    for place, folders, names in os.walk(folder, followlinks=False):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if depth < MOST_DEPTH else []
        for name in sorted(names):
            if fnmatch.fnmatchcase(name, called) and not name.startswith((".", "__")):
                count += 1
                if count > MOST_TASKS:
                    raise SpecError(
                        f"{folder} holds more than {MOST_TASKS:,} files {called}", remedy="name a smaller folder"
                    )
                yield Path(place) / name
