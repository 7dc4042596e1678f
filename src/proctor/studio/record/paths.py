"""The path of a drag with no more points than its shape needs."""

from __future__ import annotations

from collections.abc import Sequence

Place = tuple[int, int]

TOLERANCE = 1.5
"""Pixels by which a point may lie beside the line and be left out."""
MOST_POINTS = 1000


def simplify(path: Sequence[Place], tolerance: float = TOLERANCE) -> tuple[Place, ...]:
    """Return the points without which the path would go another way, the first and last always."""
    kept = _corners(path, tolerance)
    while len(kept) > MOST_POINTS:
        tolerance *= 2
        kept = _corners(path, tolerance)
    return kept


def _corners(path: Sequence[Place], tolerance: float) -> tuple[Place, ...]:
    needed = {0, len(path) - 1}
    waiting = [(0, len(path) - 1)]
    while waiting:
        first, last = waiting.pop()
        farthest, distance = first, tolerance
        for number in range(first + 1, last):
            if (beside := _distance(path[number], path[first], path[last])) > distance:
                farthest, distance = number, beside
        if farthest != first:
            needed.add(farthest)
            waiting += [(first, farthest), (farthest, last)]
    return tuple(path[number] for number in sorted(needed))


def _distance(point: Place, start: Place, end: Place) -> float:
    (x, y), (ax, ay), (bx, by) = point, start, end
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) if length else 0.0
    return float(((x - ax - along * (bx - ax)) ** 2 + (y - ay - along * (by - ay)) ** 2) ** 0.5)
