"""Transforms of pictures."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

from PIL import Image, ImageDraw, ImageOps, PngImagePlugin

from proctor.prove.transforms.shelf import mutant, variant

PICTURES = ("*.png", "*.jpg", "*.jpeg", "*.webp", "*.bmp", "*.gif", "*.tif", "*.tiff")
PNG, JPEG = ("*.png",), ("*.jpg", "*.jpeg")
MOST_PIXELS = 40_000_000
LOSSLESS = ("PNG", "BMP", "TIFF")


def _open(data: bytes) -> Image.Image | None:
    try:
        picture = Image.open(io.BytesIO(data))
        if picture.width * picture.height > MOST_PIXELS:
            return None
        picture.load()
    # What Pillow raises for broken files is not bounded.
    except Exception:
        return None
    return picture


def _save(picture: Image.Image, like: Image.Image, **how: object) -> bytes | None:
    out = io.BytesIO()
    settings: dict[str, object] = {"quality": 95} if like.format in ("JPEG", "WEBP") else {}
    try:
        picture.save(out, like.format, **settings, **how)
    except (OSError, ValueError, KeyError):
        return None
    return out.getvalue()


def _redrawn(data: bytes, change: Callable[[Image.Image], Image.Image]) -> bytes | None:
    picture = _open(data)
    if picture is None:
        return None
    plain = picture.convert("RGBA" if "A" in picture.getbands() or "transparency" in picture.info else "RGB")
    changed = change(plain)
    if plain.size == changed.size and plain.tobytes() == changed.tobytes():
        return None
    return _save(changed.convert("RGB") if picture.format in ("JPEG", "BMP") else changed, picture)


@mutant("blanked", *PICTURES)
def blank(data: bytes, draw: Random) -> bytes | None:
    """Leave one even colour of the same size."""
    return _redrawn(
        data, lambda picture: Image.new(picture.mode, picture.size, (128, 128, 128, 255)[: len(picture.mode)])
    )


@mutant("an area painted over", *PICTURES)
def painted_over(data: bytes, draw: Random) -> bytes | None:
    """Paint over the middle, a quarter of all."""

    def change(picture: Image.Image) -> Image.Image:
        copy = picture.copy()
        width, height = copy.size
        box = (width // 4, height // 4, max(width * 3 // 4, width // 4), max(height * 3 // 4, height // 4))
        ImageDraw.Draw(copy).rectangle(box, fill=(255, 0, 255, 255)[: len(copy.mode)])
        return copy

    return _redrawn(data, change)


@mutant("mirrored", *PICTURES)
def mirror(data: bytes, draw: Random) -> bytes | None:
    """Exchange left and right."""
    return _redrawn(data, ImageOps.mirror)


@mutant("upside down", *PICTURES)
def upside_down(data: bytes, draw: Random) -> bytes | None:
    """Turn it by half a turn."""
    return _redrawn(data, lambda picture: picture.rotate(180))


@mutant("half as large", *PICTURES)
def half_as_large(data: bytes, draw: Random) -> bytes | None:
    """Make it half as wide and high."""
    return _redrawn(data, lambda picture: picture.resize((max(1, picture.width // 2), max(1, picture.height // 2))))


@mutant("a strip cut off", *PICTURES)
def strip_cut_off(data: bytes, draw: Random) -> bytes | None:
    """Cut off a fifth at the right."""
    return _redrawn(data, lambda picture: picture.crop((0, 0, max(1, picture.width * 4 // 5), picture.height)))


@mutant("its colours inverted", *PICTURES)
def invert(data: bytes, draw: Random) -> bytes | None:
    """Invert its colours."""
    return _redrawn(data, lambda picture: ImageOps.invert(picture.convert("RGB")))


@variant("encoded anew", *PNG)
def encoded_anew(data: bytes, draw: Random) -> bytes | None:
    """Compress it less, and say who did it."""
    picture = _open(data)
    if picture is None or picture.format != "PNG":
        return None
    remark = PngImagePlugin.PngInfo()
    remark.add_text("Software", "Another program")
    return _save(picture, picture, compress_level=1, pnginfo=remark)


@variant("with a channel for transparency", *PNG)
def with_alpha(data: bytes, draw: Random) -> bytes | None:
    """Say of every pixel that it is opaque."""
    picture = _open(data)
    if picture is None or picture.format != "PNG" or picture.mode != "RGB" or "transparency" in picture.info:
        return None
    return _save(picture.convert("RGBA"), picture)


@variant("without its idle channel for transparency", *PNG)
def without_alpha(data: bytes, draw: Random) -> bytes | None:
    """Leave out a channel that says of every pixel that it is opaque."""
    picture = _open(data)
    if picture is None or picture.format != "PNG" or picture.mode != "RGBA":
        return None
    return _save(picture.convert("RGB"), picture) if picture.getchannel("A").getextrema() == (255, 255) else None


@variant("with a palette", *PNG)
def with_palette(data: bytes, draw: Random) -> bytes | None:
    """List its colours, where there are few enough to lose none."""
    picture = _open(data)
    if picture is None or picture.format != "PNG" or picture.mode != "RGB" or picture.getcolors(256) is None:
        return None
    listed = picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return _save(listed, picture) if listed.convert("RGB").tobytes() == picture.tobytes() else None


@variant("with a remark", *JPEG)
def with_remark(data: bytes, draw: Random) -> bytes | None:
    """Put a comment behind the start; no pixel changes."""
    if not data.startswith(b"\xff\xd8") or _open(data) is None:
        return None
    remark = b"looked over"
    return data[:2] + b"\xff\xfe" + (len(remark) + 2).to_bytes(2, "big") + remark + data[2:]
