"""Edited pictures: sharper, with a palette, with a shape in the middle, on another ground, with more contrast."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from proctor.tasks.findings import CannotSee, Finding
from proctor.vocabulary.formats.pictures import checks_of_edits as edits
from proctor.vocabulary.formats.pictures.parse import describe
from proctor.vocabulary.formats.pictures.parse_measures import measure


def photo() -> Image.Image:
    made = Image.linear_gradient("L").resize((300, 200)).convert("RGB")
    pen = ImageDraw.Draw(made)
    for place in range(12):
        pen.ellipse(
            (20 * place, 10 * place, 20 * place + 40, 10 * place + 50), fill=(60 + 10 * place, 120, 200 - 9 * place)
        )
    return made.filter(ImageFilter.GaussianBlur(1))


def data_of(image: Image.Image, form: str = "PNG") -> bytes:
    held = io.BytesIO()
    image.save(held, form)
    return held.getvalue()


def measured(image: Image.Image) -> Any:
    return measure("a.png", data_of(image))


def seen(image: Image.Image) -> Any:
    return describe("a.png", data_of(image))


def drawn(
    left: int, top: int, ground: str = "white", ink: str = "#ffff00", size: tuple[int, int] = (300, 200)
) -> Image.Image:
    made = Image.new("RGB", size, ground)
    ImageDraw.Draw(made).rectangle((left, top, left + 59, top + 39), fill=ink)
    return made


def contrast(factor: float) -> Image.Image:
    return ImageEnhance.Contrast(photo()).enhance(factor)


def in_folder(**pictures: Image.Image) -> Any:
    return {"path": "folder", "pictures": [{"name": name, **seen(image)} for name, image in pictures.items()]}


OBJECT = drawn(100, 60, ink="black", size=(400, 200))


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (edits.picture_sharper(measured(photo().filter(ImageFilter.SHARPEN)), measured(photo())), True),
        (edits.picture_sharper(measured(photo()), measured(photo())), False),
        (edits.picture_sharper(measured(photo().filter(ImageFilter.BLUR)), measured(photo())), False),
        (edits.picture_palette(measured(photo().quantize(64))), True),
        (edits.picture_palette(measured(photo())), False),
        (edits.dark_at_left(measured(drawn(3, 50, ink="black"))), True),
        (edits.dark_at_left(measured(drawn(30, 50, ink="black"))), False),
        (edits.dark_at_left(measured(Image.new("RGB", (30, 20), "white"))), False),
        (edits.shape_in_middle(measured(drawn(120, 80))), True),
        (edits.shape_in_middle(measured(drawn(120, 20))), False),
        (edits.shape_in_middle(measured(drawn(20, 80))), False),
        (edits.shape_in_middle(measured(Image.new("RGB", (30, 20), "white"))), False),
        (edits.ground_painted(seen(drawn(100, 60, "#10c020", "black", (400, 200))), seen(OBJECT)), True),
        (edits.ground_painted(seen(drawn(100, 60, "#1020c0", "black", (400, 200))), seen(OBJECT)), False),
        (edits.ground_painted(seen(Image.new("RGB", (400, 200), "#00c000")), seen(OBJECT)), False),
        (edits.ground_painted(seen(OBJECT), seen(OBJECT)), False),
        (edits.ground_painted(seen(drawn(100, 60, "#00c000", "black", (200, 200))), seen(OBJECT)), False),
        (edits.picture_contrast(seen(contrast(1.5)), seen(photo())), True),
        (edits.picture_contrast(seen(photo()), seen(photo())), False),
        (edits.picture_contrast(seen(contrast(0.5)), seen(photo())), False),
        (edits.picture_contrast(seen(contrast(0.5)), seen(photo()), "less"), True),
        (edits.picture_contrast(seen(drawn(1, 1, ink="black")), seen(photo())), False),
        (edits.same_picture_folder(in_folder(a=photo(), b=OBJECT), in_folder(a=photo(), b=OBJECT)), True),
        (edits.same_picture_folder(in_folder(a=photo()), in_folder(a=photo(), b=OBJECT)), False),
        (edits.same_picture_folder(in_folder(a=OBJECT), in_folder(a=photo())), False),
        (edits.same_picture_folder(in_folder(), in_folder()), False),
    ],
)
def test_edits(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback
    assert right or finding.feedback


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(CannotSee):
        measure("a.png", b"no picture")
    assert measured(Image.new("RGB", (1, 1)))["sharpness"] == 0.0
