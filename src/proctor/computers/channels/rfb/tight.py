"""The encoding Tight: one colour, a palette, a gradient or plain pixels, compressed; or a JPEG picture."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, UnidentifiedImageError

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

FILL, JPEG, MOST_BASIC = 8, 9, 7
COPY, PALETTE, GRADIENT = 0, 1, 2
NOT_PACKED = 12
"""Fewer bytes than this are sent as they are."""
STREAMS = 4
WIDEST = 2048


class Tight:
    """Paints what a server sends in this encoding."""

    def __init__(self) -> None:
        self._streams = [Inflater() for _ in range(STREAMS)]

    def paint(self, line: RfbLine, picture: RfbPicture, box: Box) -> None:
        """Read one rectangle and paint it."""
        if box.width > WIDEST:
            raise Outside(f"sent a Tight rectangle {box.width} wide, and {WIDEST} is the most")
        control = line.byte()
        for number in range(STREAMS):
            if control >> number & 1:
                self._streams[number] = Inflater()
        kind = control >> 4
        if kind == FILL:
            picture.paint(box, int(from_triples(line.take(3), red_first=True)[0]))
        elif kind == JPEG:
            picture.paint(box, _jpeg(line.take(_length(line)), box))
        elif kind <= MOST_BASIC:
            picture.paint(box, self._basic(line, box, kind))
        else:
            raise Outside(f"sent a Tight rectangle of the unknown kind {kind}")

    def _basic(self, line: RfbLine, box: Box, kind: int) -> Pixels:
        stream = self._streams[kind & 3]
        form = line.byte() if kind & 4 else COPY
        if form == PALETTE:
            palette = from_triples(line.take(3 * (line.byte() + 1)), red_first=True)
            bits = 1 if len(palette) <= 2 else 8
            data = _unpack(line, stream, (box.width * bits + 7) // 8 * box.height)
            return painted_with(palette, unpack_indices(data, bits, box.width, box.height))
        data = _unpack(line, stream, 3 * box.width * box.height)
        if form == COPY:
            return from_triples(data, red_first=True).reshape(box.height, box.width)
        if form == GRADIENT:
            return _gradient(data, box)
        raise Outside(f"sent a Tight rectangle with the unknown filter {form}")


def _unpack(line: RfbLine, stream: Inflater, size: int) -> bytes:
    return line.take(size) if size < NOT_PACKED else stream.exactly(line.take(_length(line)), size)


def _length(line: RfbLine) -> int:
    first = line.byte()
    if not first & 128:
        return first
    second = line.byte()
    if not second & 128:
        return first & 127 | second << 7
    return first & 127 | (second & 127) << 7 | line.byte() << 14


def _jpeg(data: bytes, box: Box) -> Pixels:
    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as opened:
            # The size is known before anything is unpacked.
            if opened.size != (box.width, box.height):
                raise Outside(
                    f"sent a picture of {opened.size[0]}x{opened.size[1]} for {box.width}x{box.height} pixels"
                )
            rgb = np.asarray(opened.convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise Outside(f"sent a JPEG picture that cannot be read ({error})") from error
    return from_triples(rgb.tobytes(), red_first=True).reshape(box.height, box.width)


def _gradient(data: bytes, box: Box) -> Pixels:
    """Undo a filter that sends of each colour only by how much it differs from what its neighbours suggest."""
    row = 3 * box.width
    whole = bytearray(data)
    above = bytes(row)
    for start in range(0, len(whole), row):
        here = memoryview(whole)[start : start + row]
        for at in range(row):
            guess = (here[at - 3] - above[at - 3] if at >= 3 else 0) + above[at]
            here[at] = (here[at] + max(0, min(guess, 255))) & 255
        above = bytes(here)
    return from_triples(bytes(whole), red_first=True).reshape(box.height, box.width)
