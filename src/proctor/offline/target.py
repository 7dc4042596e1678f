"""What a grounding sample asks for: a box, a polygon, or a refusal, in pixels of its picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import Literal, NamedTuple

Point = tuple[float, float]
Kind = Literal["box", "polygon", "refusal"]

SLACK = 1.0
"""Pixels by which a box may stick out of its picture: annotators round."""


class Boxes(NamedTuple):
    """How a data set writes its boxes."""

    corners: bool
    """Left, top, right, bottom; otherwise left, top, width, height."""
    scale: float | None
    """None for pixels; otherwise the number that stands for the whole width or height, such as 1 or 1000."""

    @property
    def words(self) -> str:
        """The convention as people read it."""
        shape = "left, top, right, bottom" if self.corners else "left, top, width, height"
        return f"{shape} in pixels" if self.scale is None else f"{shape} from 0 to {self.scale:g}"


CONVENTIONS = {
    "xyxy": Boxes(corners=True, scale=None),
    "xywh": Boxes(corners=False, scale=None),
    "xyxy-unit": Boxes(corners=True, scale=1.0),
    "xywh-unit": Boxes(corners=False, scale=1.0),
    "xyxy-1000": Boxes(corners=True, scale=1000.0),
    "xywh-1000": Boxes(corners=False, scale=1000.0),
}
"""By the names that `--boxes` takes."""


@dataclass(frozen=True, slots=True)
class AnswerTarget:
    """Where a right answer lies."""

    kind: Kind
    corners: tuple[float, ...] = ()
    """A box as left, top, right, bottom; a polygon as x, y, x, y, ...; nothing for a refusal."""
    others: tuple[AnswerTarget, ...] = ()
    """Further places that are as right."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The box itself, or the one around a polygon."""
        if self.kind == "box":
            left, top, right, bottom = self.corners
            return left, top, right, bottom
        xs, ys = self.corners[::2], self.corners[1::2]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def area(self) -> float:
        """Pixels inside, by the shoelace formula for polygons; 0 for a refusal."""
        if self.kind == "refusal":
            return 0.0
        if self.kind == "box":
            left, top, right, bottom = self.corners
            return max(0.0, right - left) * max(0.0, bottom - top)
        return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in self._edges())) / 2

    def contains(self, point: Point) -> bool:
        """Tell whether a point lies inside, or in another; borders count, as in the public scorers."""
        return self._holds(point) or any(other.contains(point) for other in self.others)

    def _holds(self, point: Point) -> bool:
        x, y = point
        if self.kind == "refusal":
            return False
        left, top, right, bottom = self.box
        if not (left <= x <= right and top <= y <= bottom):
            return False
        if self.kind == "box":
            return True
        if any(_to_edge(point, a, b) == 0 for a, b in self._edges()):
            return True
        # A ray to the right crosses the border an odd number of times from inside.
        crossed = 0
        for (ax, ay), (bx, by) in self._edges():
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                crossed += 1
        return crossed % 2 == 1

    def distance(self, point: Point) -> float | None:
        """Return how many pixels a point is away, 0 inside; None for a refusal."""
        if self.kind == "refusal":
            return None
        if self.contains(point):
            return 0.0
        away = [distance for other in self.others if (distance := other.distance(point)) is not None]
        if self.kind == "polygon":
            return min([*away, *(_to_edge(point, a, b) for a, b in self._edges())])
        (x, y), (left, top, right, bottom) = point, self.box
        return min([hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)), *away])

    def plain(self) -> dict[str, object]:
        """Return it as plain data."""
        others = {"others": [each.plain() for each in self.others]} if self.others else {}
        return {"kind": self.kind, "corners": list(self.corners), **others}

    def _edges(self) -> list[tuple[Point, Point]]:
        points = list(zip(self.corners[::2], self.corners[1::2], strict=True))
        return list(zip(points, [*points[1:], points[0]], strict=True))


def box_target(given: list[float], boxes: Boxes, size: tuple[int, int]) -> AnswerTarget:
    """Return the target of a box that is written in a convention."""
    x, y, a, b = given
    if boxes.scale is not None:
        width, height = size
        x, a = (value * width / boxes.scale for value in (x, a))
        y, b = (value * height / boxes.scale for value in (y, b))
    return AnswerTarget("box", (x, y, a, b) if boxes.corners else (x, y, x + a, y + b))


_NO_AREA, _STICKS_OUT = "the box has no area", "the box sticks out of the picture"
_SPECK = "the box seems to be in another space: as pixels it is a speck in the corner"
FAULTS = (_NO_AREA, _STICKS_OUT, _SPECK)
"""What boxes have that are read in a wrong convention."""


def fault(target: AnswerTarget, size: tuple[int, int]) -> str:
    """Return what makes a target unanswerable; nothing where it is sound."""
    if target.kind == "refusal":
        return ""
    left, top, right, bottom = target.box
    width, height = size
    if right <= left or bottom <= top or target.area <= 0:
        return _NO_AREA
    if left < -SLACK or top < -SLACK or right > width + SLACK or bottom > height + SLACK:
        return _STICKS_OUT
    if right <= 2 and bottom <= 2 and min(width, height) > 4:
        return _SPECK
    return ""


def clip(target: AnswerTarget, size: tuple[int, int]) -> AnswerTarget:
    """Return a target as far as it is on the picture; itself where no part of it is."""
    left, top, right, bottom = target.box
    width, height = (float(side) for side in size)
    inner = max(left, 0.0), max(top, 0.0), min(right, width), min(bottom, height)
    if target.kind != "box" or inner[0] >= inner[2] or inner[1] >= inner[3]:
        return target
    return replace(target, corners=inner)


def _to_edge(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = 0.0 if not length else ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length
    share = min(1.0, max(0.0, share))
    return hypot(point[0] - a[0] - share * dx, point[1] - a[1] - share * dy)
