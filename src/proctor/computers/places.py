"""Places of actions as pixels: inside the desktop, and on the way from one to another."""

from __future__ import annotations

import math
from collections.abc import Iterator

from proctor.actions.action import Given
from proctor.actions.dialects.space import recorded_space
from proctor.computers.performer import Performer
from proctor.errors import AgentError

STRIDE = 24
"""Pixels between the points of a drag: applications start a drag only after they saw the pointer travel."""


def pixel(computer: Performer, x: float, y: float, given: Given | None = None) -> tuple[int, int]:
    """Return the pixel of a place; AgentError in the terms it was `given` in if outside."""
    width, height = computer.size
    if 0 <= x < width and 0 <= y < height:
        return math.floor(x), math.floor(y)
    space = given.space if given else ""
    if space.startswith("element "):
        raise AgentError(
            f"{space} is outside what the screen shows", remedy="scroll, or move its window, until it is shown"
        )
    own = recorded_space(space, (width, height))
    raw = own.raw(x, y)
    if not own.contains(*raw):
        raise own.outside(*raw)
    # The far edge, which some spaces have a number for, is the last pixel.
    return min(math.floor(x), width - 1), min(math.floor(y), height - 1)


def place_words(computer: Performer, x: float, y: float, given: Given | None) -> str:
    """Return a place on the desktop as whoever named it writes it."""
    across, down = recorded_space(given.space if given else "", computer.size).raw(x, y)
    return f"({across:g}, {down:g})"


def points_between(origin: tuple[int, int], target: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield evenly spaced points after `origin` up to and including `target`."""
    (x, y), (to_x, to_y) = origin, target
    # A short drag is cut finer, because thresholds are a few pixels.
    steps = max(math.ceil(math.dist(origin, target) / STRIDE), min(4, abs(to_x - x) + abs(to_y - y)))
    for step in range(1, steps + 1):
        yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)
