"""The mouse pointer's picture, which servers send apart so that it need not be painted into the screen."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from PIL import Image

from proctor.computers.channels.rfb.line import RfbLine
from proctor.computers.channels.rfb.pixels import Outside

MOST_SIDE = 1024


@dataclass(frozen=True, slots=True)
class CursorPicture:
    """An RGBA image, and which pixel of it is the one that points."""

    image: Image.Image
    hot: tuple[int, int]


def rich(line: RfbLine, hot: tuple[int, int], size: tuple[int, int]) -> CursorPicture | None:
    """Read a pointer of coloured pixels with a mask; None for one that is hidden."""
    width, height = _check_size(size)
    colours = np.frombuffer(line.take(4 * width * height), np.uint8).reshape(height, width, 4)
    mask = _mask(line, width, height)
    if not mask.any():
        return None
    rgba = np.dstack([colours[..., 2::-1], mask * np.uint8(255)])
    return CursorPicture(Image.fromarray(rgba, "RGBA"), hot)


def two_coloured(line: RfbLine, hot: tuple[int, int], size: tuple[int, int]) -> CursorPicture | None:
    """Read a pointer of two colours with a mask; None for one that is hidden."""
    width, height = _check_size(size)
    if not width * height:
        return None
    front, back = struct.unpack("3s3s", line.take(6))
    bits, mask = _mask(line, width, height), _mask(line, width, height)
    palette = np.frombuffer(back + front, np.uint8).reshape(2, 3)
    return CursorPicture(Image.fromarray(np.dstack([palette[bits], mask * np.uint8(255)]), "RGBA"), hot)


def translucent(line: RfbLine, hot: tuple[int, int], size: tuple[int, int]) -> CursorPicture | None:
    """Read a pointer whose pixels are red, green and blue, already multiplied by how opaque they are, and that."""
    width, height = _check_size(size)
    if (encoding := int.from_bytes(line.take(4), signed=True)) != 0:
        raise Outside(f"sent a pointer in the encoding {encoding}, which was not requested")
    data = line.take(4 * width * height)
    if not any(data[3::4]):
        return None
    return CursorPicture(Image.frombytes("RGBA", (width, height), data, "raw", "RGBa"), hot)


def _check_size(size: tuple[int, int]) -> tuple[int, int]:
    if max(size) > MOST_SIDE:
        raise Outside(f"sent a pointer of {size[0]}x{size[1]} pixels")
    return size


def _mask(line: RfbLine, width: int, height: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    row = (width + 7) // 8
    packed = np.frombuffer(line.take(row * height), np.uint8).reshape(height, row)
    found: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] = np.unpackbits(packed, axis=1)[:, :width]
    return found
