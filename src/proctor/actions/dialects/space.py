"""Spaces of coordinates (pixels of a picture, a grid, fractions), to and from desktop pixels."""

from __future__ import annotations

import re
from dataclasses import dataclass

from proctor.actions.dialects.dialect import Frame
from proctor.errors import AgentError, UnknownName

GRIDS = {"unit": 1.0, "grid 0-999": 1000.0, "grid 0-1000": 1000.0}
"""Spaces that do not depend on the picture's size, and how far each reaches across and down."""
SPACES = ("image", *GRIDS)

_DIGITS = 3
"""Places are kept to a thousandth of a pixel when they are scaled; what lies beyond is noise of the arithmetic."""
_UP_TO_THE_END = frozenset({"unit", "grid 0-1000"})
"""Spaces whose last number is the far edge itself; a model is told that it may write it."""
_IMAGE = re.compile(r"image (\d{1,6})x(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Space:
    """A rectangle of raw coordinates that covers the desktop."""

    name: str
    """As it is recorded, such as `image 1280x720`."""
    size: tuple[float, float]
    desktop: tuple[int, int]
    what: str = "picture"
    """What the model knows places from: the picture, or the desktop where it is shown none."""

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the place on the desktop of raw coordinates."""
        return self._place(x, 0), self._place(y, 1)

    def raw(self, x: float, y: float) -> tuple[float, float]:
        """Return the shortest raw coordinates that mean a place on the desktop."""
        return self._raw(x, 0), self._raw(y, 1)

    def raw_fields(self, x: float | None, y: float | None) -> dict[str, float]:
        """Return the same by name; nothing for where the pointer is."""
        return {} if x is None or y is None else {"x": self._raw(x, 0), "y": self._raw(y, 1)}

    def contains(self, x: float, y: float) -> bool:
        """Tell whether raw coordinates lie on the desktop."""
        return all(
            0 <= value < reach or (value == reach and self.name in _UP_TO_THE_END)
            for value, reach in zip((x, y), self.size, strict=True)
        )

    def outside(self, x: float, y: float, what: str = "") -> AgentError:
        """Return the error for raw coordinates that are not on the desktop, in its own terms."""
        what = what or ("desktop" if self.size == self.desktop else "picture")
        across, down = self.size
        extent = "" if self.name in GRIDS else f" of {across:g}x{down:g} pixels"
        right, bottom = (self._last(side) for side in self.size)
        return AgentError(
            f"the place ({x:g}, {y:g}) is outside the {what}{extent}",
            remedy=f"use x from 0 to {right:g} and y from 0 to {bottom:g}",
        )

    def describe(self) -> str:
        """Return a sentence that tells a model what its coordinates mean."""
        across, down = self.size
        if self.name == "unit":
            return (
                f"Coordinates are fractions of the {self.what}, from 0 to 1: x from its left edge, y from its top edge."
            )
        if self.name in GRIDS:
            greatest = self._last(across)
            return (
                f"Coordinates are whole numbers and run from 0 to {greatest:g} across and from 0 to {greatest:g} "
                f"down, whatever the size of the {self.what}: x from its left edge, y from its top edge."
            )
        return (
            f"Coordinates are whole numbers, pixels of the {self.what}, which is {across:g} wide and {down:g} high: "
            "x from its left edge, y from its top edge."
        )

    def _last(self, reach: float) -> float:
        """Return the greatest number that may be written."""
        return reach if self.name in _UP_TO_THE_END else reach - 1

    def _place(self, value: float, side: int) -> float:
        reach, extent = self.size[side], self.desktop[side]
        return value if reach == extent else round(value * extent / reach, _DIGITS)

    def _raw(self, value: float, side: int) -> float:
        reach, extent = self.size[side], self.desktop[side]
        if reach == extent:
            return value
        exact = value * reach / extent
        for digits in range(_DIGITS + 12):
            short = round(exact, digits)
            if self._place(short, side) == value:
                return int(short) if short == int(short) else short
        return exact


def sample_place(frame: Frame) -> tuple[float, float]:
    """Return a place for an example, on the desktop; in the picture, it has whole numbers."""
    across, down = (round(shown / 4) * whole / shown for shown, whole in zip(frame.image, frame.desktop, strict=True))
    return round(across, _DIGITS), round(down, _DIGITS)


def recorded_space(name: str, desktop: tuple[int, int]) -> Space:
    """Return the space that an action was given in; that of the desktop where it says none."""
    if name in GRIDS:
        return Space(name, (GRIDS[name], GRIDS[name]), desktop)
    found = _IMAGE.fullmatch(name)
    size = (int(found[1]), int(found[2])) if found else desktop
    return Space(f"image {size[0]}x{size[1]}", size, desktop)


def open_space(name: str, frame: Frame) -> Space:
    """Return a space by its name; raises UnknownName."""
    what = "picture" if frame.shown else "desktop"
    if name == "image":
        width, height = frame.image
        return Space(f"image {width}x{height}", (width, height), frame.desktop, what)
    if name not in GRIDS:
        raise UnknownName("space of coordinates", name, SPACES)
    return Space(name, (GRIDS[name], GRIDS[name]), frame.desktop, what)
