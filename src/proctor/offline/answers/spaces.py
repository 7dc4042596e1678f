"""The spaces in which models give coordinates, and the way from each to pixels of the picture."""

from __future__ import annotations

import re
from typing import NamedTuple

from proctor.errors import SpecError, UnknownName

Size = tuple[int, int]

SPACES = {
    "pixel": "pixels of the picture as it was sent",
    "original": "pixels of the picture before it was scaled down",
    "unit": "0 to 1",
    "percent": "0 to 100",
    "0-999": "0 to 999",
    "0-1000": "0 to 1000",
    "auto": "0 to 1 where all numbers are between 0 and 1, otherwise pixels; each answer says which was taken",
}
"""By the names that `--space` takes."""
_WHOLE = {"unit": 1.0, "percent": 100.0, "0-999": 999.0, "0-1000": 1000.0}


class Pixel(NamedTuple):
    """A point in pixels of the original picture."""

    x: float
    y: float
    space: str
    """The space in which it was given; `... (guessed)` where nobody said."""

    def outside(self, size: Size) -> bool:
        """Tell whether it lies beyond the picture."""
        return not (0 <= self.x <= size[0] and 0 <= self.y <= size[1])


def read_size(text: str) -> Size:
    """Return the size of a screen as it was typed; raises SpecError for what is none."""
    if not (found := re.fullmatch(r"(\d{3,4})x(\d{3,4})", text)):
        raise SpecError(f"the size {text!r}", remedy="write WIDTHxHEIGHT, such as 1920x1080")
    return int(found[1]), int(found[2])


def check_space(space: str) -> str:
    """Return a space; raises UnknownName for one that is not known."""
    if space not in SPACES:
        raise UnknownName("space of coordinates", space, SPACES)
    return space


def to_pixel(x: float, y: float, space: str, *, sent: Size, size: Size) -> Pixel:
    """Return a point given in a space, on a picture `sent` in a size, in pixels of the original."""
    said = space
    if space == "auto":
        space = "unit" if 0 <= x <= 1 and 0 <= y <= 1 else "pixel"
        said = f"{space} (guessed)"
    if space == "original":
        return Pixel(x, y, said)
    whole = _WHOLE.get(space)
    wide, high = (whole, whole) if whole else sent
    return Pixel(x * size[0] / wide, y * size[1] / high, said)


def from_pixel(x: float, y: float, space: str, *, sent: Size, size: Size) -> tuple[float, float]:
    """Return a point of the original picture as it is given in a space; the way back of `to_pixel`."""
    if space == "original":
        return x, y
    whole = _WHOLE.get(space)
    wide, high = (whole, whole) if whole else sent
    return x * wide / size[0], y * high / size[1]


def request_for_space(space: str, sent: Size, size: Size) -> str:
    """Return how a prompt asks for coordinates in a space."""
    if space in _WHOLE:
        return f"numbers from 0 to {_WHOLE[space]:g}, where 0 is the left or top edge and {_WHOLE[space]:g} the other"
    wide, high = size if space == "original" else sent
    return f"pixels of the picture, which is {wide} wide and {high} high"
