"""Auditing a made set: labels hold, names are told apart, and nothing is in two splits."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from proctor.actions.in_words import label
from proctor.errors import RecordError, SpecError
from proctor.offline.sample import TASKS, PictureFile, Shot
from proctor.store.bounds import load_json
from proctor.store.files import read_packed_json

_NUMBERED = re.compile(r", number (\d+) of (\d+) from the (?:top|left)$")
_IN_WINDOW = re.compile(r" in the window \"[^\"]+\"$")
_NEAR = 1.5
"""Pixels by which a box in a list of elements may differ: both are rounded."""


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What an audit came to."""

    looked_at: int
    """Grounding samples, drawn by lot."""
    steps_looked_at: int
    """Samples for inverse dynamics and for critics, drawn by lot."""
    unique: int
    """Those of which no other element had the role and name."""
    told_apart: int
    """Those whose words say which of several it is."""
    unchecked: int
    """Those that have no list of elements to check them against."""
    wrong: dict[str, str]
    """By the id of a sample: what is wrong with its label."""
    leaks: tuple[str, ...]
    """Pictures and tasks that are in two splits."""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong and not self.leaks

    def plain(self) -> dict[str, object]:
        """Return it as plain data."""
        return {**vars(self), "leaks": list(self.leaks), "good": self.good}


def audit(folder: Path, *, count: int = 200, seed: int = 0) -> Audit:
    """Look at random samples of each kind in a set, and at the splits of all its samples."""
    rows = {task: _rows(folder / f"{task}.jsonl") for task in TASKS}
    if not any(rows.values()):
        raise SpecError(
            f"{folder} contains no data set that was made here",
            remedy="name the --out of `proctor offline make` or `harvest`",
        )
    ground = rows["ground"]
    drawn = random.Random(seed).sample(ground, min(count, len(ground)))
    outcomes, wrong = Counter[str](), dict[str, str]()
    for row in drawn:
        problem, kind = _check_sample(folder, row)
        outcomes[kind] += 1
        if problem:
            wrong[str(row.get("id"))] = problem
    steps = [
        (task, row)
        for task in ("idm", "critic")
        for row in random.Random(f"{seed}/{task}").sample(rows[task], min(count, len(rows[task])))
    ]
    for task, row in steps:
        if problem := _check_steps(folder, task, row):
            wrong[str(row.get("annotation_id") or row.get("id"))] = problem
    return Audit(
        looked_at=len(drawn),
        steps_looked_at=len(steps),
        unique=outcomes["unique"],
        told_apart=outcomes["told apart"],
        unchecked=outcomes["unchecked"],
        wrong=wrong,
        leaks=tuple(_leaks([row for each in rows.values() for row in each])),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = load_json(line)
        except ValueError as error:
            raise RecordError(f"{path}:{number} is damaged: {error}", remedy="make the set again") from error
        if not isinstance(row, dict):
            raise RecordError(f"{path}:{number} is no record: {json.dumps(row)[:60]}", remedy="make the set again")
        found.append(row)
    return found


def _check_sample(folder: Path, row: Mapping[str, object]) -> tuple[str, str]:
    box, point = row.get("bbox"), row.get("point")
    if not _numbers(box, 4) or not _numbers(point, 2):
        return "it has no box, or no point", ""
    assert isinstance(box, list) and isinstance(point, list)
    left, top, right, bottom = box
    if not (left <= point[0] <= right and top <= point[1] <= bottom):
        return "its box does not hold the point", ""
    try:
        width, height = Shot(PictureFile(folder / str(row.get("image")))).size
    except RecordError as error:
        return error.message, ""
    if left < 0 or top < 0 or right > width or bottom > height or right <= left or bottom <= top:
        return "its box sticks out of the picture", ""
    if not row.get("elements"):
        return "", "unchecked"
    try:
        listed = read_packed_json(folder / str(row["elements"]))
    except (OSError, ValueError, RecordError) as error:
        return f"its elements cannot be read: {error}", ""
    return _check_element(row, listed if isinstance(listed, list) else [])


def _check_element(row: Mapping[str, Any], listed: list[object]) -> tuple[str, str]:
    """Look for the element of a sample among those that were showing, and for others like it."""
    left, top, right, bottom = row["bbox"]
    own = [each for each in listed if isinstance(each, dict) and each.get("role") == row.get("role")]
    here = [each for each in own if _same(each.get("box"), (left, top, right - left, bottom - top))]
    words = str(row.get("instruction"))
    # Where an element is told by its place or its purpose, the sample names it beside the words.
    name = row.get("name")
    named = [each for each in here if (_label(each) == name if name else f'"{_label(each)}"' in words)]
    if row.get("wordings") and words not in row["wordings"].values():
        return "its words are none of its wordings", ""
    if not named:
        return "no element of its role and name is where its box is", ""
    alike = [each for each in own if _label(each) == _label(named[0])]
    if len(alike) == 1:
        return "", "unique"
    numbered = _NUMBERED.search(words)
    if numbered and int(numbered[2]) == len(alike) and 1 <= int(numbered[1]) <= len(alike):
        return "", "told apart"
    # Older sets do not say in which window an element is.
    if _IN_WINDOW.search(words) and (
        "window" not in named[0] or sum(each.get("window") == named[0]["window"] for each in alike) == 1
    ):
        return "", "told apart"
    return f"{len(alike)} elements have its role and name, and its words fit all of them", ""


def _check_steps(folder: Path, task: str, row: Mapping[str, Any]) -> str:
    steps = row.get("actions", [row])
    if not isinstance(steps, list) or not steps:
        return "it has no actions"
    if task == "critic" and not isinstance(row.get("is_success"), bool):
        return "it does not say whether it was a success"
    for step in steps:
        pictures = (step.get("obs_before"), step.get("obs_after"))
        try:
            sizes = [Shot(PictureFile(folder / str(picture))).size for picture in pictures]
        except RecordError as error:
            return error.message
        if sizes[0] != sizes[1]:
            return "the pictures before and after an action are of two sizes"
        if task == "idm" and pictures[0] == pictures[1]:
            return "an action changed nothing on the screen"
        if step.get("operation") not in (row.get("action_space") or ()):
            return f"{step.get('operation')!r} is not among the actions to choose from"
    return ""


def _label(element: Mapping[str, object]) -> str:
    return label(str(element.get("name") or ""), str(element.get("text") or ""))


def _same(box: object, other: tuple[float, ...]) -> bool:
    return _numbers(box, 4) and all(abs(a - b) <= _NEAR for a, b in zip(box, other, strict=True))


def _numbers(value: object, count: int) -> TypeGuard[list[float]]:
    return isinstance(value, list) and len(value) == count and all(isinstance(each, int | float) for each in value)


def _leaks(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    splits: dict[str, set[str]] = {}
    for row in rows:
        shown = [row[name] for name in ("image", "obs_before", "obs_after") if name in row]
        shown += [each.get(name) for each in row.get("actions") or () for name in ("obs_before", "obs_after")]
        for what in (*shown, f"task {row.get('task')}"):
            splits.setdefault(str(what), set()).add(str(row.get("split")))
    return sorted(what for what, found in splits.items() if len(found) > 1)
