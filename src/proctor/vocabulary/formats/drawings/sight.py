"""Which shapes of a drawing nobody sees: in the colour of what they lie on, or off the page."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.vocabulary.formats.visible import PAPER, Look, stands_out

COVERS = 0.9
"""From what opacity on a shape is the ground of what lies on it."""
FAINT = 0.05
MOST_GROUNDS = 500
"""Shapes that others may lie on, the last ones."""


def mark_unseen(shapes: Sequence[Look], page: Sequence[float]) -> None:
    """Note in `shown` which shapes cannot be seen; `page` is left, top, right and bottom."""
    grounds: list[Look] = []
    for shape in shapes:
        ground = _ground(shape, grounds)
        if shape["kind"] == "text":
            if shape.get("legible") and _is_plain(shape["fill"]) and not stands_out(shape["fill"], ground):
                shape["legible"] = False
        elif shape["kind"] not in ("image", "page", "copy") and not _shows(shape, ground):
            shape["shown"] = False
        if shape["box"] and page and _beyond(shape["box"], page):
            shape["shown"] = False
        if shape["box"] and _is_plain(shape["fill"]) and shape.get("opacity", 1) >= COVERS and shape["kind"] != "text":
            grounds = [*grounds[-MOST_GROUNDS:], shape]


def _ground(shape: Look, grounds: list[Look]) -> str:
    """Return the colour that a shape lies on: of the last one that holds it wholly, or of the page."""
    box = shape["box"]
    return next((str(each["fill"]) for each in reversed(grounds) if box and _holds(each["box"], box)), PAPER)


def _holds(outer: Sequence[float], inner: Sequence[float]) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and outer[0] + outer[2] >= inner[0] + inner[2]
        and outer[1] + outer[3] >= inner[1] + inner[3]
    )


def _shows(shape: Look, ground: str) -> bool:
    filled = shape["fill"] not in ("none", "transparent", "") and shape.get("opacity", 1) >= FAINT
    drawn = shape["stroke"] not in ("none", "transparent", "")
    # Where a shape has no box, nobody knows what it lies on.
    placed = shape["box"] is not None
    inside = filled and not (placed and _is_plain(shape["fill"]) and not stands_out(shape["fill"], ground))
    around = drawn and not (placed and _is_plain(shape["stroke"]) and not stands_out(shape["stroke"], ground))
    return inside or around


def _beyond(box: Sequence[float], page: Sequence[float]) -> bool:
    left, top, right, bottom = page
    return box[0] >= right or box[1] >= bottom or box[0] + box[2] <= left or box[1] + box[3] <= top


def _is_plain(colour: object) -> bool:
    return isinstance(colour, str) and colour.startswith("#") and len(colour) == 7
