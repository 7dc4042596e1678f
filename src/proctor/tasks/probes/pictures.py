"""Probes that look at pictures: what they are, and small enough to compare."""

from __future__ import annotations

import base64
import hashlib
import io
import warnings
from typing import Annotated, Any

from PIL import Image, ImageOps, UnidentifiedImageError
from pydantic import Field

from proctor.tasks.finding import CannotSee
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

MOST_PIXELS = 40_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM", "TGA", "ICO")
"""What is opened at all; formats that call other programs or refer to other files are not."""
THUMBNAIL = 64
"""The longer side of what checks compare."""
DOMINANT = 6

Part = tuple[
    Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]
]
"""Left, top, width and height in pixels."""


@PROBES.register
def picture(scene: Scene, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture is: format, size, colours, opacity, a digest of its pixels and a thumbnail; or a part of it."""
    return describe(path, scene.read(path), part)


@PROBES.register
def picture_before(scene: Scene, path: str, part: Part | None = None) -> dict[str, Any]:
    """What a picture was when the task began, or a part of it."""
    data = scene.computer.before(path)
    if data is None:
        raise CannotSee("absent", f"there was no picture {path} when the task began")
    return describe(path, data, part)


def describe(path: str, data: bytes, part: Part | None = None) -> dict[str, Any]:
    """Return what the bytes of a picture show, as a viewer would show it (its orientation followed)."""
    form, image = _decoded(path, data)
    if part is not None:
        left, top, width, height = part
        if left + width > image.width or top + height > image.height:
            raise CannotSee("absent", f"{path} is {image.width} x {image.height} and has no such part {part}")
        image = image.crop((left, top, left + width, top + height))
    pixels = image.convert("RGBA")
    flat = _on_white(pixels)
    clear = sum(pixels.getchannel("A").histogram()[:128])
    return {
        "path": path,
        "format": form,
        "width": image.width,
        "height": image.height,
        "mode": image.mode,
        "transparent": round(clear / (image.width * image.height), 4),
        "mean": _mean(flat),
        "colours": _dominant(flat),
        "digest": hashlib.sha256(f"{pixels.size}".encode() + pixels.tobytes()).hexdigest(),
        "thumbnail": _thumbnail(flat),
    }


def _decoded(path: str, data: bytes) -> tuple[str, Image.Image]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                # The size stands at the beginning of the file; nothing is unpacked before it is looked at.
                if image.width * image.height > MOST_PIXELS:
                    raise CannotSee("refused", f"{path} says it has {image.width} x {image.height} pixels, too many")
                form = str(image.format)
                image.load()
                return form, ImageOps.exif_transpose(image)
    except UnidentifiedImageError as error:
        raise CannotSee("unreadable", f"{path} is not a picture of a known kind") from error
    except CannotSee:
        raise
    # Broken files make Pillow raise nearly anything.
    except Exception as error:
        raise CannotSee("unreadable", f"{path} is a broken picture: {error}") from error


def _on_white(pixels: Image.Image) -> Image.Image:
    sheet = Image.new("RGBA", pixels.size, "#ffffff")
    sheet.alpha_composite(pixels)
    return sheet.convert("RGB")


def _mean(image: Image.Image) -> list[float]:
    count = image.width * image.height
    table = image.histogram()
    bands = [table[start : start + 256] for start in (0, 256, 512)]
    return [round(sum(value * times for value, times in enumerate(band)) / count, 2) for band in bands]


def _dominant(image: Image.Image) -> list[dict[str, Any]]:
    """Return the colours that take the most room, with their shares; near ones count as one."""
    few = image.quantize(16, kmeans=2, dither=Image.Dither.NONE)
    palette = few.getpalette() or []
    counted = sorted(few.getcolors() or [], key=lambda entry: (-entry[0], str(entry[1])))[:DOMINANT]
    total = image.width * image.height
    found = []
    for count, index in counted:
        assert isinstance(index, int), "a quantized picture has numbered colours"
        red, green, blue = palette[3 * index : 3 * index + 3]
        found.append({"colour": f"#{red:02x}{green:02x}{blue:02x}", "share": round(count / total, 4)})
    return found


def _thumbnail(image: Image.Image) -> str:
    scale = THUMBNAIL / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    small = image.resize(size, Image.Resampling.BOX if scale < 1 else Image.Resampling.NEAREST)
    buffer = io.BytesIO()
    small.save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()
