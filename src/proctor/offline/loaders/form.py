"""What readers of public forms share: columns, defects, and how columns tell a form."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import RecordError, SpecError
from proctor.offline.pictures import PictureFinder
from proctor.offline.rows import Row
from proctor.offline.sample import Defect, GroundSample, Keep, OfflineSample, Shot, Task
from proctor.offline.target import CONVENTIONS, AnswerTarget, Boxes, box_target, clip, fault
from proctor.store.bounds import load_json


class UnfitRecord(SpecError):
    """A record cannot be used; its text says why, in words that do not name the record."""


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What a reader is told besides the record."""

    pictures: PictureFinder
    boxes: str
    """The convention, by its name in CONVENTIONS; empty where there are no boxes."""
    last: int = 5
    """Of a sequence, at most so many actions, the last."""
    keep: Keep = "answerable"

    def shot(self, named: object, row: Row) -> Shot:
        """Return a picture; raises UnfitRecord where it is nowhere."""
        own = row.pictures.get(named) if isinstance(named, str) else None
        if (found := own or self.pictures.find(named, row.folder)) is None:
            raise UnfitRecord("a picture is missing")
        return found


@dataclass(frozen=True, slots=True)
class PublicForm:
    """A public form of records."""

    name: str
    about: str
    task: Task
    columns: tuple[str, ...]
    """Those that a record must have; the first one that all are there of is taken, most special form first."""
    read: Callable[[Row, ReadingContext], Iterable[OfflineSample | Defect]]
    """Raises UnfitRecord or RecordError for a record that cannot be used as a whole."""
    boxes: str = ""


_ALSO_CALLED = {
    "image": ("img", "screenshot", "picture", "img_path", "file"),
    "bbox": ("box", "bounding_box", "rect", "boundingbox", "coordinates"),
    "instruction": ("caption", "query", "text", "prompt", "command", "question", "description"),
    "is_success": ("success", "label", "reward", "passed"),
    "action_space": ("options", "choices"),
    "operation": ("action", "answer", "label"),
}
"""What other people call a column, where that is spelt quite differently."""


def missing_columns(form: PublicForm, data: dict[str, object]) -> dict[str, str]:
    """Return the columns that are not there, each with the one that was probably meant, or nothing."""
    # A column of a table may be empty in some rows.
    missing = [name for name in form.columns if data.get(name) is None]
    others = [key for key in data if key not in form.columns] if missing else []
    found = {}
    for name in missing:
        near = difflib.get_close_matches(name, others, n=1, cutoff=0.5)
        near = [key for key in others if key.lower() in _ALSO_CALLED.get(name, ())] or near
        found[name] = near[0] if near else ""
    return found


def has_other_names(form: PublicForm, data: dict[str, object]) -> bool:
    """Tell whether every column that is missing is there under a name that other people give it."""
    known = {str(key).lower() for key in data}
    return all(known.intersection(_ALSO_CALLED.get(name, ())) for name in missing_columns(form, data))


def in_words(missing: dict[str, str]) -> list[str]:
    """Return what is to be said of columns that are missing."""
    return [f"{name} (did you mean {near!r}?)" if near else name for name, near in missing.items()]


def text(row: Row, *names: str, needed: bool = False) -> str:
    """Return the first of some columns that holds a text; raises UnfitRecord where one is needed."""
    for name in names:
        value = row.data.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    if needed:
        raise UnfitRecord(f"there is no {names[0]}")
    return ""


def defect(id: str, error: UnfitRecord | RecordError | OSError) -> Defect:
    """Return what is to be noted of a record that cannot be used."""
    if isinstance(error, UnfitRecord):
        return Defect(id, error.message)
    missing = isinstance(error, RecordError) and "missing" in error.message
    return Defect(id, "a picture is missing" if missing else "a picture cannot be read")


def numbers(value: object, count: int | None = None, *, what: str = "the box") -> list[float]:
    """Return a list of finite numbers, also written as texts or nested; raises UnfitRecord otherwise."""
    if isinstance(value, str):
        value = [each for each in _BETWEEN.split(value.strip("[](){} ")) if each]
    if isinstance(value, list | tuple) and value and all(isinstance(each, list | tuple) for each in value):
        value = [each for inner in value for each in inner]
    found = [_number(each) for each in value] if isinstance(value, list | tuple) else [None]
    good = [each for each in found if each is not None]
    if len(good) < len(found) or (count is not None and len(good) != count):
        raise UnfitRecord(f"{what} is not a list of numbers" if count is None else f"{what} is not {count} numbers")
    return good


_BETWEEN = re.compile(r"[\s,;x]+")


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def groups(row: Row, **names: str) -> dict[str, str]:
    """Return what results are broken down by: the name of each group, and the column it is in."""
    return {group: found for group, column in names.items() if (found := text(row, column))}


def derive_id(*parts: object) -> str:
    """Return an id for a record that has none: the same for the same content, whatever its place."""
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:16]


def size_of(row: Row, shot: Shot, *columns: str) -> tuple[int, int]:
    """Return the size of a picture, as the record says; raises UnfitRecord where it makes no sense."""
    for column in columns:
        if given := row.data.get(column):
            if isinstance(given, dict):
                given = [given.get("width"), given.get("height")]
            width, height = (round(each) for each in numbers(given, 2, what="the size of the picture"))
            if width < 1 or height < 1:
                raise UnfitRecord("the size of the picture makes no sense")
            return width, height
    return shot.size


def ground(
    row: Row, reading: ReadingContext, *, id: str, shot: Shot, size: tuple[int, int], target: AnswerTarget,
    instruction: str, **more: Any,
) -> GroundSample:  # fmt: skip
    """Return a sample that can be answered, or any that is kept; raises UnfitRecord."""
    parts = {"resolution": f"{size[0]}x{size[1]}", "element size": _share(target, size)}
    if found := fault(target, size):
        if reading.keep != "all":
            raise UnfitRecord(found)
        target = clip(target, size)
        parts[BOX] = f"cannot be hit: {still}" if (still := fault(target, size)) else f"cut off: {found}"
    named = {**more.pop("groups", {}), **parts}
    # In a table each row holds a copy of its picture; the name of the file says which are the same.
    cluster = text(row, "img_filename", "file_name", "image_path") or shot.name
    return GroundSample(
        id=id, instruction=instruction, shot=shot, size=size, target=target, groups=named, cluster=cluster, **more
    )


BOX = "box"
"""The group of samples that are kept though something is wrong with their boxes."""


def target_of_box(value: object, reading: ReadingContext, size: tuple[int, int]) -> AnswerTarget:
    """Return the target of a box in the set's convention, unless the names of its sides say more."""
    written = CONVENTIONS[reading.boxes]
    if isinstance(value, dict):
        lowered = {str(name).lower(): each for name, each in value.items()}
        for sides, corners in _SIDES.items():
            if set(sides) <= lowered.keys():
                value, written = [lowered[side] for side in sides], Boxes(corners=corners, scale=written.scale)
                break
    return box_target(numbers(value, 4), written, size)


_SIDES = {
    ("left", "top", "right", "bottom"): True,
    ("x1", "y1", "x2", "y2"): True,
    ("xmin", "ymin", "xmax", "ymax"): True,
    ("x_min", "y_min", "x_max", "y_max"): True,
    ("x", "y", "width", "height"): False,
    ("x", "y", "w", "h"): False,
    ("left", "top", "width", "height"): False,
}
"""The names of the sides of boxes, and whether the last two are corners."""


def unpack(given: object) -> object:
    """Return what a column holds, where a table has it as JSON in a text; None for what is none."""
    if not isinstance(given, str):
        return given
    try:
        return load_json(given.encode())
    except ValueError:
        return None


def records_in(given: object) -> list[dict[str, object]] | None:
    """Return a list of records, also where a table holds it as JSON or as one list for each field.

    `datasets` writes a `Sequence` of records as a record of lists. None for what is no list of records.
    """
    given = unpack(given)
    if isinstance(given, dict) and given and (count := _common_length(given)) is not None:
        given = [_at(given, place) for place in range(count)]
    return given if isinstance(given, list) and all(isinstance(each, dict) for each in given) else None


def _common_length(columns: dict[str, object]) -> int | None:
    """Return how many items each list has, however deep in records it lies; None where they differ."""
    found = {
        _common_length(each) if isinstance(each, dict) else len(each) if isinstance(each, list) else None
        for each in columns.values()
        if each is not None
    }
    return found.pop() if len(found) == 1 else None


def _at(columns: dict[str, object], place: int) -> dict[str, object]:
    return {
        name: _at(each, place) if isinstance(each, dict) else each[place] if isinstance(each, list) else None
        for name, each in columns.items()
    }


_SHARES = ((0.0005, "under 0.05 % of the picture"), (0.005, "0.05 to 0.5 %"), (0.05, "0.5 to 5 %"))


def _share(target: AnswerTarget, size: tuple[int, int]) -> str:
    if target.kind == "refusal":
        return "refusal"
    share = target.area / (size[0] * size[1])
    return next((words for most, words in _SHARES if share < most), "5 % and more")


def below(row: Row, named: object) -> Path | None:
    """Return a file that a record names inside its own folder; None where there is none."""
    if not isinstance(named, str) or not named or Path(named).is_absolute() or ".." in Path(named).parts:
        return None
    path = row.folder / named
    return path if path.is_file() else None
