"""Setup steps that paint pictures: small scenes described as data, the same on every machine."""

from __future__ import annotations

import io
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from PIL import Image, ImageDraw, ImageFilter, ImageFont
from pydantic import Field

from proctor.errors import SpecError
from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}([0-9a-f]{2})?$")]
"""`#rrggbb`, or `#rrggbbaa` with its opacity."""
Pixels = Annotated[int, Field(ge=1, le=8000)]
Point = tuple[float, float]

FORMATS = {
    "png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP", "bmp": "BMP", "gif": "GIF", "tiff": "TIFF",
}  # fmt: skip
OPAQUE = ("JPEG", "BMP")


class Shape(PlainModel):
    """Something painted: an area in a box or along points, or a text; lengths in pixels."""

    kind: Literal["rectangle", "ellipse", "polygon", "line", "text"]
    box: tuple[float, float, float, float] = (0, 0, 0, 0)
    """Left, top, width and height of a rectangle or an ellipse; left and top of a text."""
    points: tuple[Point, ...] = ()
    """Corners of a polygon, or the way of a line."""
    fill: Colour = "#000000"
    outline: Colour | None = None
    width: Annotated[float, Field(gt=0)] = 2
    """Of a line or an outline."""
    text: str = ""
    size: Annotated[float, Field(gt=0)] = 24
    """Height of a text."""
    id: str = ""
    """What a drawing calls it."""


@SETUP.register
def picture(
    context: SetupContext,
    path: str,
    width: Pixels,
    height: Pixels,
    background: Colour = "#ffffff",
    shapes: tuple[Shape, ...] = (),
    blur: Annotated[float, Field(ge=0, le=100)] = 0,
    turned: Literal[0, 90, 180, 270] = 0,
    quality: Annotated[int, Field(ge=1, le=100)] = 92,
) -> None:
    """Paint a picture and write it in the format its name ends with.

    `blur` is the radius of a softening, as of a shaky hand; `turned` lays the finished picture on its side, clockwise.
    """
    painted = paint(width, height, background, shapes)
    if blur:
        painted = painted.filter(ImageFilter.GaussianBlur(blur))
    if turned:
        painted = painted.rotate(-turned, expand=True)
    context.computer.write_file(path, encode(painted, path, quality=quality))


def paint(width: int, height: int, background: str, shapes: tuple[Shape, ...]) -> Image.Image:
    """Return a scene as a picture with opacity."""
    image = Image.new("RGBA", (width, height), background)
    for shape in shapes:
        # Each on a sheet of its own, so that what is half transparent lets the rest show through.
        sheet = Image.new("RGBA", image.size)
        _put(ImageDraw.Draw(sheet), shape)
        image.alpha_composite(sheet)
    return image


def encode(image: Image.Image, path: str, *, quality: int = 92) -> bytes:
    """Return a picture as a file of the format its name ends with."""
    ending = PurePosixPath(path).suffix.lstrip(".").lower()
    if ending not in FORMATS:
        raise SpecError(f"no picture can be written as {path!r}", remedy=f"end its name in: {', '.join(FORMATS)}")
    form = FORMATS[ending]
    opaque = form in OPAQUE or image.getextrema()[-1] == (255, 255)
    options: dict[str, Any] = {"quality": quality} if form in ("JPEG", "WEBP") else {}
    buffer = io.BytesIO()
    (image.convert("RGB") if opaque else image).save(buffer, form, **options)
    return buffer.getvalue()


def _put(sheet: ImageDraw.ImageDraw, shape: Shape) -> None:
    left, top, width, height = shape.box
    corners = (left, top, left + width, top + height)
    points = [(x, y) for x, y in shape.points]
    outline, line = shape.outline, round(shape.width)
    if shape.kind == "rectangle":
        sheet.rectangle(corners, fill=shape.fill, outline=outline, width=line if outline else 0)
    elif shape.kind == "ellipse":
        sheet.ellipse(corners, fill=shape.fill, outline=outline, width=line if outline else 0)
    elif shape.kind == "polygon":
        sheet.polygon(points, fill=shape.fill, outline=outline, width=line)
    elif shape.kind == "line":
        sheet.line(points, fill=shape.fill, width=line, joint="curve")
    else:
        sheet.text((left, top), shape.text, fill=shape.fill, font=ImageFont.load_default(shape.size))
