"""The screenshot of a window that shows a picture is known by the picture, whole and upright, and by what is around."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.formats.pictures.checks import picture_framed
from proctor.vocabulary.formats.pictures.parse import describe
from proctor.vocabulary.formats.pictures.parse_inside import part_that_shows
from proctor.vocabulary.formats.pictures.probes import picture_inside

BARS = 110
"""Pixels that the window below has above and below the picture."""


def encoded(image: Image.Image) -> bytes:
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()


def marked(width: int, height: int, colour: str = "#3366aa") -> Image.Image:
    """A picture of one colour with a white square in its corner."""
    image = Image.new("RGB", (width, height), colour)
    side = min(width, height) // 4
    image.paste((255, 255, 255), (0, 0, side, side))
    return image


def photo(width: int, height: int) -> Image.Image:
    """A picture with something to see everywhere."""
    coarse = np.random.default_rng(3).integers(0, 255, (6, 8, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)


def window(shown: Image.Image, *, room: tuple[int, int] = (0, 0), zoom: float = 1.0) -> Image.Image:
    """A viewer's window with so much more room than the picture takes."""
    size = round(shown.width * zoom), round(shown.height * zoom)
    made = Image.new("RGB", (size[0] + 2 + room[0], size[1] + BARS + room[1]), "#2e3436")
    draw = ImageDraw.Draw(made)
    draw.rectangle((0, 0, made.width, 85), fill="#eeeeee")
    draw.text((made.width // 2, 5), "picture.png", fill="black")
    for button in range(6):
        draw.rectangle((10 + 40 * button, 50, 30 + 40 * button, 75), fill="#555555")
    draw.rectangle((0, made.height - 24, made.width, made.height), fill="#eeeeee")
    made.paste(shown.resize(size, Image.Resampling.BILINEAR), (1 + room[0] // 2, 86 + room[1] // 2))
    return made


def shows(capture: Image.Image, shown: Image.Image) -> bool:
    inside = part_that_shows("shot.png", encoded(capture), "picture.png", encoded(shown))
    return picture_framed(inside, describe("picture.png", encoded(shown)), least=80).passed


PICTURES = [marked(300, 200), marked(480, 640), photo(420, 300)]
LARGE = [marked(1100, 800), photo(900, 600)]
RIGHT: list[Callable[[Image.Image], Image.Image]] = [
    window,
    lambda shown: window(shown, room=(300, 200)),
    lambda shown: window(shown, zoom=0.63),
    lambda shown: window(shown, zoom=1.2),
    lambda shown: window(shown, room=(40, 0), zoom=0.9),
    lambda shown: pointed_at(window(shown)),
]
WRONG: dict[str, Callable[[Image.Image], Image.Image]] = {
    "the picture alone": lambda shown: shown,
    "the picture enlarged": lambda shown: shown.resize((shown.width * 5 // 4, shown.height * 5 // 4)),
    "mirrored": lambda shown: ImageOps.mirror(window(shown)),
    "upside down": lambda shown: window(shown).rotate(180),
    "half as large": lambda shown: window(shown).reduce(2),
    "a strip cut off": lambda shown: window(shown).crop((0, 0, window(shown).width * 4 // 5, window(shown).height)),
    "the lower half": lambda shown: window(shown).crop((0, window(shown).height // 2, *window(shown).size)),
    "an area painted over": lambda shown: painted_over(window(shown)),
    "an empty window": lambda shown: window(Image.new("RGB", shown.size, "#2e3436")),
    "inverted": lambda shown: window(ImageOps.invert(shown)),
    "squeezed": lambda shown: window(shown.resize((shown.width, shown.height * 4 // 5))),
}


def pointed_at(image: Image.Image) -> Image.Image:
    x, y = image.width * 2 // 3, image.height * 2 // 3
    ImageDraw.Draw(image).polygon([(x, y), (x, y + 18), (x + 12, y + 12)], fill="black", outline="white")
    return image


def painted_over(image: Image.Image) -> Image.Image:
    width, height = image.size
    ImageDraw.Draw(image).rectangle((width // 4, height // 4, width * 3 // 4, height * 3 // 4), fill="magenta")
    return image


@pytest.mark.parametrize("shown", PICTURES + LARGE, ids=lambda image: f"{image.width}x{image.height}")
def test_a_window_that_shows_it_at_any_size_passes(shown: Image.Image) -> None:
    assert [shows(made(shown), shown) for made in RIGHT] == [True] * len(RIGHT)


@pytest.mark.parametrize("name", WRONG)
def test_what_shows_it_otherwise_does_not(name: str) -> None:
    assert [shows(WRONG[name](shown), shown) for shown in PICTURES] == [False] * len(PICTURES)


def test_the_part_is_found_to_the_pixel() -> None:
    shown = photo(420, 300)
    found = part_that_shows("shot.png", encoded(window(shown, room=(77, 31))), "picture.png", encoded(shown))
    assert (found["width"], found["height"]) == shown.size
    assert found["around"] == [79, BARS + 31]
    assert found["digest"] == describe("picture.png", encoded(shown))["digest"]


def test_a_capture_that_is_too_small_says_so() -> None:
    with pytest.raises(CannotSee, match=r"shot\.png is too small to show picture\.png"):
        part_that_shows("shot.png", encoded(Image.new("RGB", (4, 4))), "picture.png", encoded(marked(640, 480)))


def test_both_pictures_are_read_from_the_computer() -> None:
    shown = photo(420, 300)
    with FakeComputer() as computer:
        computer.write_file("Pictures/shot.png", encoded(window(shown, room=(77, 31))))
        computer.write_file("Pictures/picture.png", encoded(shown))
        found = picture_inside(ProbeContext(computer), "Pictures/shot.png", "Pictures/picture.png")
        assert found["around"] == [79, BARS + 31]
        with pytest.raises(CannotSee, match=r"Pictures/other\.png"):
            picture_inside(ProbeContext(computer), "Pictures/shot.png", "Pictures/other.png")
