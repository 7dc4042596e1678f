"""The encoding ZRLE: tiles of 64 pixels, each plain, of few colours or in runs, all of it compressed."""

from __future__ import annotations

import numpy as np

from proctor.computers.channels.rfb.inflate import Inflater
from proctor.computers.channels.rfb.line import RfbLine
from proctor.computers.channels.rfb.pixels import (
    Outside,
    Pixels,
    RfbPicture,
    from_triples,
    painted_with,
    unpack_indices,
)
from proctor.observations.box import Box

SIDE = 64
PLAIN, SOLID, MOST_COLOURS, RUNS, RUNS_OF_COLOURS = 0, 1, 16, 128, 130


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = memoryview(data)
        self.at = 0

    def take(self, count: int) -> memoryview:
        taken = self.data[self.at : self.at + count]
        if len(taken) < count:
            raise Outside("ended in the middle of a tile")
        self.at += count
        return taken

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise Outside("ended in the middle of a tile")
        self.at += 1
        return self.data[self.at - 1]

    def length(self) -> int:
        """Return the length of a run: one more than the sum of bytes, of which the last is not 255."""
        total = 1
        while (byte := self.byte()) == 255:
            total += 255
        return total + byte

    def colours(self, count: int) -> Pixels:
        return from_triples(self.take(3 * count), red_first=False)


class Zrle:
    """Paints what a server sends in this encoding."""

    def __init__(self) -> None:
        self._inflater = Inflater()

    def paint(self, line: RfbLine, picture: RfbPicture, box: Box) -> None:
        """Read one rectangle and paint it."""
        length = int.from_bytes(line.take(4))
        # A tile takes most as runs of one pixel each, with a length and a palette besides.
        tiles = -(-box.width // SIDE) * -(-box.height // SIDE)
        reader = _Reader(self._inflater.up_to(line.take(length), 4 * box.width * box.height + tiles * (1 + 3 * 127)))
        fresh: Pixels = np.empty((box.height, box.width), np.uint32)
        for y in range(0, box.height, SIDE):
            for x in range(0, box.width, SIDE):
                width, height = min(SIDE, box.width - x), min(SIDE, box.height - y)
                fresh[y : y + height, x : x + width] = _tile(reader, width, height)
        if reader.at != len(reader.data):
            raise Outside("sent more than its tiles need")
        picture.paint(box, fresh)


def _tile(reader: _Reader, width: int, height: int) -> Pixels | np.uint32:
    kind = reader.byte()
    if kind == PLAIN:
        return reader.colours(width * height).reshape(height, width)
    if kind == SOLID:
        return np.uint32(reader.colours(1)[0])
    if kind <= MOST_COLOURS:
        palette = reader.colours(kind)
        bits = 1 if kind == 2 else 2 if kind <= 4 else 4
        packed = reader.take((width * bits + 7) // 8 * height)
        return painted_with(palette, unpack_indices(packed, bits, width, height))
    if kind == RUNS:
        return _runs(reader, width, height)
    if kind >= RUNS_OF_COLOURS:
        return _runs_of_colours(reader, kind - RUNS, width, height)
    raise Outside(f"sent a tile of the unknown kind {kind}")


def _runs(reader: _Reader, width: int, height: int) -> Pixels:
    colours: list[int] = []
    lengths: list[int] = []
    left = width * height
    while left > 0:
        blue, green, red = reader.take(3)
        length = reader.length()
        colours.append(blue | green << 8 | red << 16)
        lengths.append(length)
        left -= length
    return _unroll(np.array(colours, np.uint32), lengths, left, width, height)


def _runs_of_colours(reader: _Reader, count: int, width: int, height: int) -> Pixels:
    palette = reader.colours(count)
    numbers: list[int] = []
    lengths: list[int] = []
    left = width * height
    while left > 0:
        number = reader.byte()
        length = reader.length() if number & 128 else 1
        numbers.append(number & 127)
        lengths.append(length)
        left -= length
    return _unroll(painted_with(palette, np.array(numbers, np.uint8)), lengths, left, width, height)


def _unroll(colours: Pixels, lengths: list[int], left: int, width: int, height: int) -> Pixels:
    if left < 0:
        raise Outside("sent a run that goes beyond its tile")
    whole: Pixels = np.repeat(colours, lengths).reshape(height, width)
    return whole
