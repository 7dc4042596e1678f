"""A screenshot shows what the screen shows; a plain or made-up picture of the right size does not."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageChops, ImageDraw

from proctor.formats.pictures.checks import picture_of_screen
from proctor.formats.pictures.reading import describe, shared_detail

SIZE = (640, 400)


def encoded(image: Image.Image) -> bytes:
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()


def is_of_screen(made: Image.Image) -> bool:
    now = encoded(screen())
    seen = {**describe("the screen", now), "detail": shared_detail("shot.png", encoded(made), now)}
    return picture_of_screen(describe("shot.png", encoded(made)), seen).passed


def imitated() -> Image.Image:
    """What somebody paints who knows what the screen shows, and roughly where."""
    image = Image.new("RGB", SIZE, "#2d5a7b")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 640, 24), fill="#303030")
    draw.rectangle((86, 64, 410, 320), fill="white")
    for line in range(8):
        draw.text((99, 100 + 20 * line), "What the window says", fill="black")
    return image


def screen(*, dialog: bool = False, clock: str = "12:00") -> Image.Image:
    image = Image.new("RGB", SIZE, "#2d5a7b")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 640, 24), fill="#303030")
    draw.text((590, 6), clock, fill="white")
    draw.rectangle((80, 60, 420, 330), fill="white")
    draw.rectangle((80, 60, 420, 84), fill="#d0d0d0")
    for line in range(8):
        draw.rectangle((95, 100 + 20 * line, 180 + 25 * (line % 4), 108 + 20 * line), fill="black")
    if dialog:
        draw.rectangle((440, 200, 560, 280), fill="#f0f0f0")
    return image


def painted_over() -> Image.Image:
    image = screen()
    ImageDraw.Draw(image).rectangle((160, 100, 480, 300), fill="magenta")
    return image


NOISE = Image.fromarray(np.random.default_rng(1).integers(0, 255, (SIZE[1], SIZE[0], 3), dtype=np.uint8))


@pytest.mark.parametrize(
    "taken",
    [
        screen(),
        screen(clock="11:57"),
        screen(dialog=True),
        screen().quantize(64).convert("RGB"),
        ImageChops.offset(screen(), 2, 1),
    ],
)
def test_a_screenshot_is_one_though_little_things_differ(taken: Image.Image) -> None:
    assert is_of_screen(taken)


@pytest.mark.parametrize(
    "made",
    [
        Image.new("RGB", SIZE, "#808080"),
        Image.new("RGB", SIZE, "white"),
        Image.new("RGB", SIZE, "#2d5a7b"),
        Image.linear_gradient("L").resize(SIZE).convert("RGB"),
        NOISE,
        screen().rotate(180),
        screen().crop((0, 0, 320, 200)),
        screen().resize((32, 20)).resize(SIZE),
        imitated(),
        painted_over(),
    ],
)
def test_what_is_not_a_picture_of_the_screen_is_refused(made: Image.Image) -> None:
    assert not is_of_screen(made)


def test_a_wallpaper_is_all_on_the_screen_and_no_picture_of_it() -> None:
    wallpaper = Image.new("RGB", SIZE, "#27ae60")
    ImageDraw.Draw(wallpaper).rectangle((500, 40, 600, 120), fill="white")
    desk = wallpaper.copy()
    ImageDraw.Draw(desk).rectangle((0, 0, 640, 20), fill="#202020")
    for line in range(14):
        ImageDraw.Draw(desk).text((20, 4 + 24 * line), "Applications, files and folders", fill="white")
    now = encoded(desk)
    for taken, right in ((wallpaper, False), (desk, True)):
        seen = {**describe("the screen", now), "detail": shared_detail("shot.png", encoded(taken), now)}
        assert picture_of_screen(describe("shot.png", encoded(taken)), seen).passed is right
