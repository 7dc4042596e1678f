"""Images as PNG and WebP bytes, fast enough to follow a screen."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from isal import isal_zlib
from PIL import Image

from proctor.errors import SpecError

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOUR_TYPES = {"L": 0, "RGB": 2, "RGBA": 6}
_FILTER_UP = 2
_WEBP_LIMIT = 16383


def png(image: Image.Image) -> bytes:
    """Return a lossless PNG in a tenth of Pillow's time, a quarter larger: one filter, fast deflate."""
    image = _plain(image)
    pixels = np.asarray(image)
    height, width = pixels.shape[:2]
    rows = pixels.reshape(height, -1)
    filtered = np.empty((height, rows.shape[1] + 1), np.uint8)
    # Each row as the difference from the one above it: screens are full of vertical runs.
    filtered[:, 0] = _FILTER_UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPES[image.mode], 0, 0, 0)
    data = isal_zlib.compress(filtered, 1)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def webp(image: Image.Image, *, quality: int = 80, lossless: bool = False) -> bytes:
    """Return an image as WebP; much smaller than PNG, and exact only when `lossless`."""
    if max(image.size) > _WEBP_LIMIT:
        raise SpecError(
            f"an image of {image.width}x{image.height} pixels does not fit WebP, which ends at {_WEBP_LIMIT}",
            remedy="encode it as PNG or scale it down",
        )
    sink = io.BytesIO()
    # The fastest method: on screens the slower ones save a fifth of the bytes for four times the time.
    if lossless:
        _plain(image).save(sink, "WEBP", lossless=True, exact=True, quality=0, method=0)
    else:
        _plain(image).save(sink, "WEBP", quality=quality, method=0)
    return sink.getvalue()


def _plain(image: Image.Image) -> Image.Image:
    if not image.width or not image.height:
        raise SpecError("an image without pixels cannot be encoded", remedy="give one of at least 1x1 pixels")
    if image.mode in _COLOUR_TYPES:
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
