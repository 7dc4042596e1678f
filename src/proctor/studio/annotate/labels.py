"""What an annotator says of an item: boxes, the action between pictures, or how it went."""

from __future__ import annotations

import math
import re
from typing import Any, Literal, get_args

from proctor.studio.annotate.items import AnnotationItem

Kind = Literal["ground", "idm", "critic"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST_BOXES = 500
MOST_TEXT = 2_000
MOST_ROLE = 80
SMALLEST = 1.0
"""Pixels of a side; less is a slip of the hand."""
SLACK = 1.0
"""Pixels by which a box may stick out of its picture before it is refused; it is cut to the picture."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)


class Unusable(ValueError):
    """What was sent is no label; its text says why."""


def checked_label(
    kind: Kind, item: AnnotationItem, options: tuple[str, ...], data: dict[str, object]
) -> dict[str, object]:
    """Return a label as it is kept; raises Unusable for one that makes no sense."""
    common = {"done": _flag(data, "done"), "note": _text(data, "note", MOST_TEXT)}
    if kind == "ground":
        given = data.get("boxes")
        if not isinstance(given, list) or len(given) > MOST_BOXES:
            raise Unusable(f"boxes is not a list of at most {MOST_BOXES}")
        boxes = [_box(each, item) for each in given]
        if len({box["id"] for box in boxes}) < len(boxes):
            raise Unusable("two boxes have one id")
        return {"boxes": boxes, **common}
    if kind == "idm":
        operation = _text(data, "operation", MOST_ROLE)
        if operation and operation not in options:
            raise Unusable("operation is none of the actions to choose from")
        if common["done"] and not operation:
            raise Unusable("choose an action before it is done")
        return {"operation": operation, **common}
    success = data.get("success")
    if success is not None and not isinstance(success, bool):
        raise Unusable("success is neither true nor false")
    if common["done"] and success is None:
        raise Unusable("say whether it went well before it is done")
    return {"success": success, **common}


def answer_of(kind: Kind, label: dict[str, object]) -> str:
    """Return a label that is a choice as one word; nothing where none was made."""
    if kind == "idm":
        return str(label.get("operation") or "")
    success = label.get("success")
    return "" if success is None else ("success" if success else "failure")


def boxes_of(label: dict[str, object]) -> list[dict[str, Any]]:
    """Return the boxes of a label; none for one that was damaged on disk."""
    found = label.get("boxes")
    return [box for box in found if isinstance(box, dict) and _is_box(box)] if isinstance(found, list) else []


def _is_box(box: dict[str, object]) -> bool:
    corners = box.get("box")
    return (
        isinstance(corners, list)
        and len(corners) == 4
        and all(_number(each) for each in corners)
        and corners[2] > corners[0]
        and corners[3] > corners[1]
    )


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _box(data: object, item: AnnotationItem) -> dict[str, object]:
    if not isinstance(data, dict):
        raise Unusable("a box is not an object")
    id = data.get("id")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise Unusable("a box has no id of letters and digits")
    corners = data.get("box")
    if not isinstance(corners, list) or len(corners) != 4 or not all(_number(each) for each in corners):
        raise Unusable("a box is not four numbers: left, top, right, bottom")
    width, height = item.size
    left, top, right, bottom = corners
    if left < -SLACK or top < -SLACK or right > width + SLACK or bottom > height + SLACK:
        raise Unusable("a box sticks out of its picture")
    cut = (max(left, 0), max(top, 0), min(right, width), min(bottom, height))
    if cut[2] - cut[0] < SMALLEST or cut[3] - cut[1] < SMALLEST:
        raise Unusable("a box has no area")
    return {
        "id": id,
        "box": [round(float(value), 1) for value in cut],
        "instruction": _text(data, "instruction", MOST_TEXT),
        "role": _text(data, "role", MOST_ROLE),
        "ambiguous": _flag(data, "ambiguous"),
    }


def _text(data: dict[str, object], name: str, most: int) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise Unusable(f"{name} is not a text of at most {most} characters")
    return value


def _flag(data: dict[str, object], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise Unusable(f"{name} is neither true nor false")
    return value
