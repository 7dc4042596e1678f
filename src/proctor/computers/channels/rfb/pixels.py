"""The picture that an RFB server paints, as an array; nothing is painted outside of it."""

from __future__ import annotations

import numpy as np
from PIL import Image

from proctor.errors import ComputerError
from proctor.observations.box import Box

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint32]]
"""Rows of pixels, each 0x00RRGGBB."""

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

MOST_PIXELS = 7680 * 4320
"""Larger screens are refused: each pixel takes four bytes, several times over."""
TILE = 16


class Outside(Exception):
    """A rectangle that is not on the screen, or data that does not make a rectangle."""


class RfbPicture:
    """What the screen shows, where it has changed, and how often."""

    def __init__(self) -> None:
        self.pixels: Pixels = np.zeros((0, 0), np.uint32)
        self.changed: Box | None = None
        """Around everything that has changed since it was last taken."""
        self.drawings = 0
        """Counts the changes so far."""
        self.places: list[Box] = []
        """Each place that has changed since it was last taken."""

    @property
    def size(self) -> tuple[int, int]:
        return self.pixels.shape[1], self.pixels.shape[0]

    def resize(self, width: int, height: int) -> None:
        """Make the screen another size; what was there stays where it was."""
        if not 0 < width * height <= MOST_PIXELS:
            raise ComputerError(
                f"the VNC server's screen of {width}x{height} pixels is too large",
                remedy=f"make it smaller: up to {MOST_PIXELS:,} pixels, such as 7680x4320",
            )
        fresh = np.zeros((height, width), np.uint32)
        rows, columns = min(height, self.pixels.shape[0]), min(width, self.pixels.shape[1])
        fresh[:rows, :columns] = self.pixels[:rows, :columns]
        self.pixels = fresh
        self._note(Box(0, 0, width, height))

    def part(self, box: Box) -> Pixels:
        """Return a box of the screen, to look at."""
        self.check(box)
        return self.pixels[box.y : box.y + box.height, box.x : box.x + box.width]

    def paint(self, box: Box, fresh: Pixels | int) -> None:
        """Put pixels, or one colour, into a box."""
        known = self.part(box)
        different = known != fresh
        if not different.any():
            return
        rows, columns = different.any(axis=1).nonzero()[0], different.any(axis=0).nonzero()[0]
        known[...] = fresh
        left, top = int(columns[0]), int(rows[0])
        self._note(Box(box.x + left, box.y + top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1))

    def copy(self, box: Box, x: int, y: int) -> None:
        """Put into a box what another one of the same size shows, which begins at a place."""
        self.paint(box, self.part(Box(x, y, box.width, box.height)).copy())

    def check(self, box: Box) -> None:
        """Refuse a box that is not on the screen."""
        width, height = self.size
        if box.x + box.width > width or box.y + box.height > height:
            raise Outside(f"painted {box.width}x{box.height} at {box.x},{box.y} on a screen of {width}x{height}")

    def take_changes(self) -> list[Box]:
        """Return the places that have changed since this was last asked."""
        taken, self.places, self.changed = self.places, [], None
        return taken

    def image(self) -> Image.Image:
        """Return a copy as an RGB image."""
        return Image.frombuffer("RGB", self.size, self.pixels, "raw", "BGRX", 0, 1)

    def _note(self, box: Box) -> None:
        self.drawings += 1
        self.changed = box if self.changed is None else _around(self.changed, box)
        # Many small places are one large one to whoever asks where something moved.
        self.places = [*self.places, box] if len(self.places) < 256 else [self.changed]


def _around(one: Box, other: Box) -> Box:
    x, y = min(one.x, other.x), min(one.y, other.y)
    right, bottom = max(one.x + one.width, other.x + other.width), max(one.y + one.height, other.y + other.height)
    return Box(x, y, right - x, bottom - y)


def from_words(data: bytes, box: Box) -> Pixels:
    """Return four bytes each (blue, green, red, unused) as a rectangle of pixels."""
    return np.frombuffer(data, "<u4").reshape(box.height, box.width) & np.uint32(0xFFFFFF)


def from_triples(data: bytes | memoryview, *, red_first: bool) -> Pixels:
    """Return three bytes each as a row of pixels."""
    three = np.frombuffer(data, np.uint8).reshape(-1, 3)
    whole = np.zeros((len(three), 4), np.uint8)
    whole[:, :3] = three[:, ::-1] if red_first else three
    return whole.view("<u4").reshape(-1)


def unpack_indices(packed: bytes | memoryview, bits: int, width: int, height: int) -> Numbers:
    """Return numbers of so many bits each, whose rows begin on whole bytes, as a rectangle."""
    row = (width * bits + 7) // 8
    numbers = np.frombuffer(packed, np.uint8).reshape(height, row)
    if bits == 8:
        return numbers[:, :width]
    single = np.unpackbits(numbers, axis=1).reshape(height, -1, bits)
    weights = (1 << np.arange(bits - 1, -1, -1)).astype(np.uint8)
    values: Numbers = (single * weights).sum(axis=2, dtype=np.uint8)
    return values[:, :width]


def painted_with(palette: Pixels, numbers: Numbers) -> Pixels:
    """Return the colours that numbers stand for."""
    if numbers.size and int(numbers.max()) >= len(palette):
        raise Outside(f"named colour {int(numbers.max())} of {len(palette)}")
    found: Pixels = palette[numbers]
    return found
