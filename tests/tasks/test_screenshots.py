"""A screenshot shows what the screen shows; a plain or made-up picture of the right size does not."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageChops, ImageDraw

from proctor.vocabulary.formats.pictures.checks import SAME_WINDOW, picture_of_screen
from proctor.vocabulary.formats.pictures.parse import describe, describe_uncovered, shared_detail, shared_window_detail

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


WINDOW = (80, 60, 340, 270)
"""The place of the window on the screen that these tests paint."""


def written(lines: int = 22) -> Image.Image:
    """A window full of words."""
    image = screen()
    draw = ImageDraw.Draw(image)
    draw.rectangle((80, 60, 420, 330), fill="white")
    for line in range(lines):
        for word in range(5):
            left = 95 + 60 * word + 7 * (line * word % 3)
            draw.rectangle((left, 64 + 12 * line, left + 20 + 9 * (line % 3), 69 + 12 * line), fill="black")
    return image


def of_window(made: Image.Image, now: Image.Image, *covers: tuple[int, int, int, int]) -> bool:
    """Tell whether a picture is one of the window; both are cut out with a margin of 20 pixels."""
    taken, shown = (encoded(each.crop((60, 40, 440, 350))) for each in (made, now))
    places = [(left - 60, top - 40, width, height) for left, top, width, height in covers]
    detail = shared_window_detail("shot.png", taken, shown, (20, 20, *WINDOW[2:]), places)
    seen = describe_uncovered("the window", "shot.png", taken, shown, places)
    return picture_of_screen(describe("shot.png", taken), {**seen, "detail": detail, "window": "Recipe"}).passed


def test_a_picture_of_a_window_shows_all_that_is_in_it() -> None:
    assert of_window(written(), written())
    assert not of_window(written(8), written()) and not of_window(written(), written(8))


def test_a_window_may_have_been_cut_out_by_eye() -> None:
    shown = encoded(written())
    for right, down, same in ((10, 6, True), (-14, 3, True), (40, 9, False)):
        taken = encoded(ImageChops.offset(written(), right, down))
        assert (shared_window_detail("shot.png", taken, shown, WINDOW, []) >= SAME_WINDOW) is same


def test_what_covers_a_window_afterwards_does_not_count() -> None:
    covered, cover = written(), (220, 160, 280, 230)
    ImageDraw.Draw(covered).rectangle((220, 160, 500, 390), fill="magenta", outline="black")
    assert of_window(written(), covered, cover) and not of_window(written(), covered)
    assert not of_window(written(6), covered, cover)
    assert not of_window(written(), covered, (0, 0, 640, 400))
    taken = encoded(written())
    assert shared_window_detail("shot.png", taken, taken, WINDOW, [(0, 0, 640, 400)], 1.0) == 1.0
