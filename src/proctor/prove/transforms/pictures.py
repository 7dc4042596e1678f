"""Transforms of pictures."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

from PIL import Image, ImageDraw, ImageEnhance, ImageOps, PngImagePlugin

from proctor.prove.transforms.shelf import Function, mutant, variant

PICTURES = ("*.png", "*.jpg", "*.jpeg", "*.webp", "*.bmp", "*.gif", "*.tif", "*.tiff")
PNG, JPEG = ("*.png",), ("*.jpg", "*.jpeg")
MOST_PIXELS = 40_000_000


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


def _redrawn(change: Callable[[Image.Image], Image.Image]) -> Function:
    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        picture = _open(data)
        if picture is None:
            return None
        plain = picture.convert("RGBA" if "A" in picture.getbands() or "transparency" in picture.info else "RGB")
        changed = change(plain)
        if plain.size == changed.size and plain.tobytes() == changed.tobytes():
            return None
        return _save(changed.convert("RGB") if picture.format in ("JPEG", "BMP") else changed, picture)

    return of_bytes


@mutant("blanked", *PICTURES)
@_redrawn
def _blank(picture: Image.Image) -> Image.Image:
    return Image.new(picture.mode, picture.size, (128, 128, 128, 255)[: len(picture.mode)])


@mutant("an area painted over", *PICTURES)
@_redrawn
def _paint_over(picture: Image.Image) -> Image.Image:
    """Paint over the middle, a quarter of all."""
    copy = picture.copy()
    width, height = copy.size
    box = (width // 4, height // 4, max(width * 3 // 4, width // 4), max(height * 3 // 4, height // 4))
    ImageDraw.Draw(copy).rectangle(box, fill=(255, 0, 255, 255)[: len(copy.mode)])
    return copy


@mutant("a corner painted over", *PICTURES)
@_redrawn
def _paint_corner(picture: Image.Image) -> Image.Image:
    """Paint over a tenth of its width and height, where little is looked at."""
    copy = picture.copy()
    width, height = copy.size
    box = (width - max(1, width // 10), height - max(1, height // 10), width, height)
    ImageDraw.Draw(copy).rectangle(box, fill=(255, 0, 255, 255)[: len(copy.mode)])
    return copy


mutant("twice as bright", *PICTURES)(_redrawn(lambda picture: ImageEnhance.Brightness(picture).enhance(2.0)))
mutant("mirrored", *PICTURES)(_redrawn(ImageOps.mirror))
mutant("upside down", *PICTURES)(_redrawn(lambda picture: picture.rotate(180)))


@mutant("half as large", *PICTURES)
@_redrawn
def _halve(picture: Image.Image) -> Image.Image:
    return picture.resize((max(1, picture.width // 2), max(1, picture.height // 2)))


@mutant("a strip cut off", *PICTURES)
@_redrawn
def _cut_strip(picture: Image.Image) -> Image.Image:
    return picture.crop((0, 0, max(1, picture.width * 4 // 5), picture.height))


mutant("its colours inverted", *PICTURES)(_redrawn(lambda picture: ImageOps.invert(picture.convert("RGB"))))


def _of_png(change: Callable[[Image.Image], bytes | None], *modes: str) -> Function:
    """Return what changes PNG files of some modes, or of any; none with one colour for transparency."""

    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        picture = _open(data)
        if picture is None or picture.format != "PNG":
            return None
        fits = not modes or (picture.mode in modes and "transparency" not in picture.info)
        return change(picture) if fits else None

    return of_bytes


def _encode_anew(picture: Image.Image) -> bytes | None:
    remark = PngImagePlugin.PngInfo()
    remark.add_text("Software", "Another program")
    return _save(picture, picture, compress_level=1, pnginfo=remark)


def _drop_idle_alpha(picture: Image.Image) -> bytes | None:
    return _save(picture.convert("RGB"), picture) if picture.getchannel("A").getextrema() == (255, 255) else None


def _with_palette(picture: Image.Image) -> bytes | None:
    """List its colours, where there are few enough to lose none."""
    if picture.getcolors(256) is None:
        return None
    listed = picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return _save(listed, picture) if listed.convert("RGB").tobytes() == picture.tobytes() else None


variant("encoded anew", *PNG)(_of_png(_encode_anew))
variant("with a channel for transparency", *PNG)(
    _of_png(lambda picture: _save(picture.convert("RGBA"), picture), "RGB")
)
variant("without its idle channel for transparency", *PNG)(_of_png(_drop_idle_alpha, "RGBA"))
variant("with a palette", *PNG)(_of_png(_with_palette, "RGB"))


@variant("with a remark", *JPEG)
def _add_remark(data: bytes, draw: Random) -> bytes | None:
    """Put a comment behind the start; no pixel changes."""
    if not data.startswith(b"\xff\xd8") or _open(data) is None:
        return None
    remark = b"looked over"
    return data[:2] + b"\xff\xfe" + (len(remark) + 2).to_bytes(2, "big") + remark + data[2:]
