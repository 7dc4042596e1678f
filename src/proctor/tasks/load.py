"""Reading task files: everything is checked at once, and every fault is named with its line."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from proctor.errors import SpecError, UnknownName
from proctor.tasks import positions
from proctor.tasks.call import Call, DataPath, Kind
from proctor.tasks.events import Event, Undo, When
from proctor.tasks.machine import Machine
from proctor.tasks.person import Reply, Respondent, User
from proctor.tasks.provenance import NamedResource, Provenance
from proctor.tasks.shelf import Problem
from proctor.tasks.shelves import problems as call_problems
from proctor.tasks.task import Admission, Limits, NearMiss, Source, Tags, Task, TaskFields, Way, count

Model = TypeVar("Model", bound=BaseModel)

_VERSION = re.compile(r"-v[1-9][0-9]*$")
MOST_BYTES = 8 * 2**20
"""The largest task file; what is larger belongs into an asset."""
MODELS: dict[tuple[str, ...], type[BaseModel]] = {
    (): Task,
    ("tags",): Tags,
    ("limits",): Limits,
    ("machine",): Machine,
    ("source",): Source,
    ("user",): User,
    ("user", "replies"): Reply,
    ("near_misses",): NearMiss,
    ("other_ways",): Way,
    ("cheats",): Way,
    ("may_differ",): Admission,
    ("people",): Respondent,
    ("people", "facts"): Reply,
    ("events",): Event,
    ("events", "when"): When,
    ("events", "until"): When,
    ("events", "undo"): Undo,
    ("events", "undo", "when"): When,
    ("provenance",): Provenance,
    ("provenance", "takes"): NamedResource,
    ("provenance", "gives"): NamedResource,
}
"""The parts of a task that have fields of their own, by their place without positions in lists."""
CALLS: dict[str, tuple[Kind, ...]] = {
    "setup": ("setup",),
    "ready": ("check",),
    "finish": ("setup", "move"),
    "check": ("check",),
    "solution": ("move",),
}
"""The fields that hold calls, and of which kinds."""
INNER_CALLS: dict[str, dict[tuple[str, ...], tuple[Kind, ...]]] = {
    **{field: {("moves",): ("move",)} for field in ("near_misses", "other_ways", "cheats")},
    "events": {
        ("do",): ("setup",),
        ("undo", "do"): ("setup",),
        **{(*at, "check"): ("check",) for at in (("when",), ("until",), ("undo", "when"))},
    },
}
"""The lists whose members hold calls, where in them, and of which kinds."""


def load_task(path: str | Path) -> Task:
    """Read a task file with its assets.

    Raises SpecError that lists every fault as `file:line: message`.
    """
    task, faults = _read(Path(path))
    if task is None or faults:
        raise _refusal(faults)
    return task


def load_files(files: Sequence[Path]) -> tuple[Task, ...]:
    """Read task files; raises SpecError with the faults of all, doubled ids among them."""
    tasks, faults = [], []
    ids: dict[str, Path] = {}
    for file in files:
        task, found = _read(file)
        faults += found
        if task is not None:
            tasks.append(task)
            first = ids.setdefault(task.id, file)
            if first != file:
                faults.append(f"{file}:1: the id {task.id!r} belongs to {first} already")
    if faults:
        raise _refusal(faults)
    return tuple(tasks)


def task_from_json(data: object) -> Task:
    """Read plain data; raises SpecError that lists every fault with its place."""
    found = list(_problems(data))
    if found:
        listed = "".join(f"\n  - {'.'.join(map(str, problem.path)) or 'task'}: {problem.message}" for problem in found)
        raise SpecError(f"the task has {count(found)}:{listed}", remedy="correct each of them")
    return _validate(Task, data)


def _read(path: Path) -> tuple[Task | None, list[str]]:
    """Return the task in a file, or everything that is wrong with it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None, [f"{path}:1: a task file has at most {MOST_BYTES:,} bytes; put large data into an asset"]
        document = positions.read(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SpecError(f"the task file {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        return None, [f"{path}:1: it is not a text in UTF-8: {error.reason} at byte {error.start}"]
    except json.JSONDecodeError as error:
        return None, [f"{path}:{error.lineno}: it is not valid JSON: {error.msg} (column {error.colno})"]
    found = [Problem(place, message) for place, message in document.doubles]
    data = _with_whole_id(document.data, path)
    found += _problems(data)
    assets, faults = _assets(data, path.parent)
    found += faults
    if found:
        ordered = sorted(found, key=lambda problem: document.line(problem.path))
        return None, list(dict.fromkeys(f"{path}:{document.line(each.path)}: {each.message}" for each in ordered))
    return _validate(Task, {**data, "assets": assets} if assets else data), []


def _with_whole_id(data: Any, path: Path) -> Any:
    """Return a task whose id has its suite and version, where the file has a short one or none.

    The suite is then the name of its folder, the name that of the file, and the version the first.
    """
    if not isinstance(data, dict) or not isinstance(given := data.get("id", path.stem), str):
        return data
    suite, slash, name = given.rpartition("/")
    folder = re.sub(r"[^a-z0-9]+", "-", path.resolve().parent.name.lower()).strip("-") or "mine"
    version = "" if _VERSION.search(name) else "-v1"
    return {**data, "id": f"{suite if slash else folder}/{name}{version}"}


def _refusal(faults: list[str]) -> SpecError:
    return SpecError("\n".join(faults), remedy="correct each of these")


def _validate(model: type[Model], data: object) -> Model:
    # JSON is read strictly: lists may stand for tuples, but no text for a number.
    return model.model_validate_json(json.dumps(data, allow_nan=False), strict=True)


def _problems(data: object) -> Iterator[Problem]:
    """Yield everything wrong with a task as plain data, files beside it excepted."""
    if not isinstance(data, dict):
        yield Problem((), f"a task is an object with fields such as 'id' and 'instruction', not {_show(data)}")
        return
    try:
        fields = _validate(TaskFields, data)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            yield _field_problem(fault)
        # The rest of it may still be looked at.
        yield from _part_problems(data)
    except (TypeError, ValueError) as error:
        yield Problem((), f"it is not plain data: {error}")
    else:
        yield from fields.problems()


def _field_problem(fault: ErrorDetails) -> Problem:
    place: DataPath = tuple(fault["loc"])
    where = ".".join(map(str, place[:-1])) or "the task"
    if fault["type"] == "missing":
        return Problem(place, f"{where} lacks the field {place[-1]!r}")
    if fault["type"] == "extra_forbidden":
        model = MODELS.get(tuple(step for step in place[:-1] if isinstance(step, str)), Task)
        unknown = UnknownName("field", str(place[-1]), model.model_fields)
        return Problem(place, f"{unknown.message} of {where}; {unknown.remedy}")
    said = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "value_error":
        return Problem(place, f"{'.'.join(map(str, place))} {said}")
    return Problem(place, f"{'.'.join(map(str, place))}: {_show(fault['input'])} is wrong: {said}")


def _part_problems(data: Mapping[str, object]) -> Iterator[Problem]:
    """Yield what is wrong inside the parts that can be read although the whole cannot."""
    try:
        tags = _validate(Tags, data.get("tags"))
    except ValidationError:
        pass  # reported with the fields
    else:
        machine = data.get("machine")
        elsewhere = "source" in data or (isinstance(machine, dict) and bool(machine.get("image")))
        found = tags.problems(elsewhere=elsewhere)
        yield from (Problem(("tags", *problem.path), problem.message) for problem in found)
    for name, kinds in CALLS.items():
        yield from _calls_problems(data.get(name), (name,), kinds)
    for field, inner in INNER_CALLS.items():
        listed = data.get(field)
        for place, item in enumerate(listed if isinstance(listed, list) else ()):
            for where, kinds in inner.items():
                yield from _calls_problems(_inside(item, where), (field, place, *where), kinds)


def _inside(data: object, where: Sequence[str]) -> object:
    """Return what lies at a place in plain data; None where nothing does."""
    for name in where:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _calls_problems(value: object, at: DataPath, kinds: tuple[Kind, ...]) -> Iterator[Problem]:
    listed = [((*at, place), item) for place, item in enumerate(value)] if isinstance(value, list) else [(at, value)]
    for place, item in listed:
        try:
            call = Call.from_json(item)
        except ValueError:
            continue  # reported with the fields
        yield from call_problems(call, place, *kinds)


def _assets(data: object, folder: Path) -> tuple[dict[str, str], list[Problem]]:
    """Return the digests of the files that setup takes from a task's folder, and what is wrong."""
    if not isinstance(data, dict):
        return {}, []
    declared = data.get("assets") if isinstance(data.get("assets"), dict) else {}
    wanted: dict[str, DataPath] = {name: ("assets", name) for name in declared or {}}
    for at, step in _setup_steps(data):
        if isinstance(step, dict) and isinstance(step.get("asset"), str):
            wanted.setdefault(step["asset"], (*at, "asset"))
    digests, problems = {}, []
    for name, place in wanted.items():
        file = (folder / name).resolve()
        if not file.is_relative_to(folder.resolve()) or not file.is_file():
            problems.append(Problem(place, f"there is no asset {name!r} next to the task file"))
            continue
        with file.open("rb") as content:
            digests[name] = hashlib.file_digest(content, "sha256").hexdigest()
        if (declared or {}).get(name, digests[name]) != digests[name]:
            problems.append(Problem(place, f"the asset {name!r} is not the one the task was made with"))
    return digests, problems


def _setup_steps(data: Mapping[str, object]) -> Iterator[tuple[DataPath, object]]:
    """Yield the steps that prepare a task, and those of its events, with their places."""
    events = data.get("events")
    lists: list[tuple[DataPath, object]] = [(("setup",), data.get("setup"))]
    for number, event in enumerate(events if isinstance(events, list) else ()):
        lists += [(("events", number, *where), _inside(event, where)) for where in (("do",), ("undo", "do"))]
    for at, steps in lists:
        for place, step in enumerate(steps if isinstance(steps, list) else ()):
            yield (*at, place), step


def _show(value: object, most: int = 80) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= most else f"{text[:most]}..."
