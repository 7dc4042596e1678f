"""Places of actions as pixels: inside the desktop, and on the way from one to another."""

from __future__ import annotations

import math
from collections.abc import Iterator

from proctor.computers.performer import Performer
from proctor.errors import AgentError

STRIDE = 24
"""Pixels between the points of a drag: applications start a drag only after they saw the pointer travel."""


def pixel(computer: Performer, x: float, y: float) -> tuple[int, int]:
    """Return the pixel of a place; AgentError where it lies outside."""
    width, height = computer.size
    if not (0 <= x < width and 0 <= y < height):
        raise AgentError(
            f"the place ({x:g}, {y:g}) is outside the desktop of {width}x{height} pixels",
            remedy=f"use x from 0 to {width - 1} and y from 0 to {height - 1}",
        )
    return math.floor(x), math.floor(y)


def points_between(origin: tuple[int, int], target: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield evenly spaced points after `origin` up to and including `target`."""
    (x, y), (to_x, to_y) = origin, target
    # A short drag is cut finer, because thresholds are a few pixels.
    steps = max(math.ceil(math.dist(origin, target) / STRIDE), min(4, abs(to_x - x) + abs(to_y - y)))
    for step in range(1, steps + 1):
        yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)
