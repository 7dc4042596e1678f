"""Pictures: painted from data, described without trust, compared so that another picture never passes."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageOps

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.formats.pictures import checks, probes
from proctor.vocabulary.formats.pictures.parse import describe
from proctor.vocabulary.formats.pictures.setup import Shape, encode, paint, picture

BOAT = (
    Shape(kind="rectangle", box=(0, 150, 400, 150), fill="#2a6f97"),
    Shape(kind="polygon", points=((80, 140), (220, 140), (190, 190), (110, 190)), fill="#c1121f"),
    Shape(kind="line", points=((10, 10), (60, 60)), fill="#ffffff", width=6),
    Shape(kind="text", box=(250, 20, 0, 0), text="Mole", size=40, fill="#222222"),
)
LARGE = (
    Shape(kind="ellipse", box=(60, 60, 320, 320), fill="#c1121f"),
    Shape(kind="polygon", points=((420, 400), (560, 90), (720, 400)), fill="#1d4ed8"),
    Shape(kind="text", box=(90, 450, 0, 0), text="Beacon Foods", size=72, fill="#222222"),
)
HOUSE = (Shape(kind="rectangle", box=(100, 60, 200, 200), fill="#ffd000", outline="#000000", width=4),)


def painted(shapes: tuple[Shape, ...] = BOAT, size: tuple[int, int] = (400, 300)) -> Image.Image:
    return paint(*size, "#a9d6e5", shapes).convert("RGB")


def seen(image: Image.Image, path: str = "a.png", **options: Any) -> dict[str, Any]:
    return describe(path, encode(image.convert("RGBA"), path, **options))


@pytest.fixture
def computer() -> FakeComputer:
    return FakeComputer().start()


@pytest.mark.parametrize("ending", ["png", "jpg", "webp", "bmp", "gif", "tiff"])
def test_a_picture_is_the_same_each_time_and_has_the_format_of_its_name(computer: FakeComputer, ending: str) -> None:
    context, path = SetupContext(computer), f"Pictures/boat.{ending}"
    picture(context, path, 400, 300, "#a9d6e5", BOAT)
    first = computer.read_file(path)
    picture(context, path, 400, 300, "#a9d6e5", BOAT)
    assert computer.read_file(path) == first
    found = probes.picture(ProbeContext(computer), path)
    assert (found["width"], found["height"]) == (400, 300)
    assert found["format"] in (ending.upper(), "JPEG")


def test_a_picture_may_be_turned_and_blurred(computer: FakeComputer) -> None:
    setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
    picture(setup_context, "a.png", 400, 300, "#a9d6e5", BOAT)
    picture(setup_context, "b.png", 400, 300, "#a9d6e5", BOAT, turned=90)
    picture(setup_context, "c.png", 400, 300, "#a9d6e5", BOAT, blur=8)
    upright, turned, blurred = (probes.picture(probe_context, f"{name}.png") for name in "abc")
    assert checks.picture_turned(turned, upright, "right").passed
    assert not checks.picture_like(blurred, upright).passed


def test_an_unknown_ending_is_the_fault_of_the_author() -> None:
    with pytest.raises(SpecError, match="a.xyz"):
        encode(painted(), "a.xyz")


def test_what_was_before_is_what_stood_at_the_baseline(computer: FakeComputer) -> None:
    setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
    picture(setup_context, "a.png", 40, 30, "#ff0000")
    computer.baseline()
    picture(setup_context, "a.png", 40, 30, "#0000ff")
    assert checks.mean_colour(probes.picture_before(probe_context, "a.png"), "#ff0000").passed
    assert checks.mean_colour(probes.picture(probe_context, "a.png"), "#0000ff").passed
    with pytest.raises(CannotSee) as caught:
        probes.picture_before(probe_context, "b.png")
    assert caught.value.fault.kind == "absent"


def test_a_part_is_seen_alone() -> None:
    data = encode(painted(HOUSE).convert("RGBA"), "a.png")
    assert checks.mean_colour(describe("a.png", data, (150, 100, 50, 50)), "#ffd000").passed
    with pytest.raises(CannotSee):
        describe("a.png", data, (390, 0, 20, 20))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    with pytest.raises(CannotSee) as caught:
        describe("a.png", b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    assert caught.value.fault.kind in ("refused", "unreadable")


@given(st.binary(max_size=200), st.integers(0, 2000))
def test_broken_pictures_are_unreadable(junk: bytes, cut: int) -> None:
    data = encode(painted(size=(60, 40)), "a.png")
    for broken in (junk, data[: cut % (len(data) // 2)], b"\x89PNG\r\n\x1a\n" + junk):
        with pytest.raises(CannotSee):
            describe("a.png", broken)


def test_size_and_format() -> None:
    found = seen(painted(), "a.jpg")
    assert checks.picture_size(found, 400, 300).passed
    assert checks.picture_size(found, width=401, within=1).passed
    problems = checks.picture_size(found, 300, 400).feedback
    assert len(problems) == 2
    assert checks.picture_format(found, "JPEG").passed
    assert not checks.picture_format(found, "PNG").passed


@pytest.mark.parametrize("size", [(400, 300), (800, 600), (200, 150), (160, 120)])
def test_a_copy_is_known_however_it_was_scaled_and_not_where_it_was_spoilt(size: tuple[int, int]) -> None:
    large = painted(LARGE, (800, 600))
    before = seen(large)
    for way in (Image.Resampling.NEAREST, Image.Resampling.LANCZOS, Image.Resampling.BOX):
        assert checks.picture_like(seen(large.resize(size, way)), before, same_size=False).passed
    stamped, covered = large.copy(), large.copy()
    ImageDraw.Draw(stamped).text((250, 300), "SAMPLE", fill="#111111", font_size=40)
    covered.paste("#ffffff", (0, 0, 90, 70))
    coarse = [large.resize((48, 36)).resize((800, 600), way) for way in (Image.Resampling.NEAREST, None)]
    for spoilt in (stamped, covered, *coarse, large.filter(ImageFilter.GaussianBlur(9))):
        assert not checks.picture_like(seen(spoilt.resize(size)), before, same_size=False).passed
    blurred = seen(large.resize(size).filter(ImageFilter.GaussianBlur(size[0] / 130)))
    assert not checks.picture_like(blurred, before, same_size=False).passed


def test_pictures_that_were_recorded_without_close_ups_are_compared_by_thumbnails() -> None:
    one, other = ({key: value for key, value in seen(painted()).items() if key != "closeup"} for _ in range(2))
    assert checks.picture_like(one, other).passed and checks.picture_like(one, seen(painted())).passed
    assert not checks.picture_like(one, seen(painted(HOUSE))).passed


def test_like_takes_other_formats_and_rejects_other_pictures() -> None:
    original = seen(painted())
    assert checks.picture_like(seen(painted(), "a.jpg", quality=80), original).passed
    half = painted().resize((200, 150), Image.Resampling.LANCZOS)
    assert checks.picture_like(seen(half), original, same_size=False).passed
    assert not checks.picture_like(seen(half), original).passed
    coarse = painted().resize((200, 150), Image.Resampling.NEAREST)
    assert checks.picture_like(seen(coarse), original, same_size=False).passed
    for size in ((16, 12), (32, 24)):
        tiny = seen(painted().resize(size).resize((200, 150)))
        assert not checks.picture_like(tiny, original, same_size=False).passed
    assert not checks.picture_like(seen(painted().resize((200, 300))), original, same_size=False).passed
    assert not checks.picture_like(seen(painted(HOUSE)), original).passed
    other_colour = tuple(shape.model_copy(update={"fill": "#2a9d4a"}) if shape.points else shape for shape in BOAT)
    assert not checks.picture_like(seen(painted(other_colour)), original).passed


@pytest.mark.parametrize(
    ("turn", "angle"), [("left", 90), ("half", 180), ("right", 270), ("mirrored", None), ("upside down", None)]
)
def test_turned(turn: Any, angle: int | None) -> None:
    image, original = painted(), seen(painted())
    flips = {"mirrored": ImageOps.mirror, "upside down": ImageOps.flip}
    turned = seen(image.rotate(angle, expand=True) if angle else flips[turn](image))
    assert checks.picture_turned(turned, original, turn).passed
    for wrong_turn in {"left", "half", "right", "mirrored", "upside down"} - {turn}:
        assert not checks.picture_turned(turned, original, wrong_turn).passed  # type: ignore[arg-type]
    assert not checks.picture_turned(original, original, turn).passed


def test_grey() -> None:
    original = seen(painted())
    assert checks.picture_grey(seen(ImageOps.grayscale(painted()).convert("RGB")), original).passed
    assert not checks.picture_grey(original, original).passed
    assert not checks.picture_grey(seen(ImageOps.grayscale(painted(HOUSE)).convert("RGB")), original).passed
    assert not checks.picture_grey(seen(Image.new("RGB", (400, 300), "#808080")), original).passed


def test_adjusted() -> None:
    original = seen(painted())
    darker = seen(ImageEnhance.Brightness(painted()).enhance(0.7))
    duller = seen(ImageEnhance.Color(painted()).enhance(0.4))
    assert checks.picture_adjusted(darker, original, brightness="less").passed
    assert not checks.picture_adjusted(darker, original, brightness="more").passed
    assert checks.picture_adjusted(duller, original, saturation="less").passed
    assert not checks.picture_adjusted(original, original, saturation="less").passed
    assert checks.picture_adjusted(original, original, brightness="same", saturation="same").passed
    assert not checks.picture_adjusted(seen(painted(HOUSE)), original, brightness="more").passed


def test_unchanged_and_changed_go_by_pixels() -> None:
    original = seen(painted())
    touched = painted()
    touched.putpixel((5, 5), (0, 0, 0))
    assert checks.picture_unchanged(seen(painted(), "b.bmp"), original).passed
    assert not checks.picture_unchanged(seen(touched), original).passed
    assert checks.picture_changed(seen(touched), original).passed
    assert not checks.picture_changed(original, original).passed


def marked(size: tuple[int, int] = (640, 480), colour: str = "#27ae60", mark: str = "#ffffff") -> Image.Image:
    side = min(size) // 4
    return paint(*size, colour, (Shape(kind="rectangle", box=(0, 0, side, side), fill=mark),)).convert("RGB")


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (800, 600), (1024, 768), (333, 101), (160, 120)])
def test_a_marked_picture_is_known_in_any_size_and_format(size: tuple[int, int]) -> None:
    for path in ("a.png", "a.jpg", "a.webp", "a.bmp", "a.gif"):
        assert checks.picture_marked(seen(marked(size), path), "#27ae60").passed


def test_the_mark_tells_how_a_picture_was_turned() -> None:
    image = marked()
    ways = {
        "upper left": image,
        "upper right": ImageOps.mirror(image),
        "lower left": ImageOps.flip(image),
        "lower right": image.rotate(180),
    }
    for corner, turned in ways.items():
        passed = {each for each in ways if checks.picture_marked(seen(turned), "#27ae60", corner=each).passed}  # type: ignore[arg-type]
        assert passed == {corner}


def test_other_pictures_are_not_the_marked_one() -> None:
    wanted = "a.png does not show the same as a picture in #27ae60 with a square in #ffffff in its upper left corner."
    larger = paint(640, 480, "#27ae60", (Shape(kind="rectangle", box=(0, 0, 200, 200), fill="#ffffff"),))
    drawn_on = paint(640, 480, "#27ae60", (*BOAT, Shape(kind="rectangle", box=(0, 0, 120, 120), fill="#ffffff")))
    inverted = ImageOps.invert(marked())
    for image in (Image.new("RGB", (640, 480), "#27ae60"), marked(colour="#2c5f9e"), larger, drawn_on, inverted):
        assert checks.picture_marked(seen(image), "#27ae60").feedback == (wanted,)
    assert checks.picture_marked(seen(inverted), "#d8519f", "#000000").passed
    signed = marked()
    signed.paste("#000000", (600, 450, 630, 470))
    for image in (signed, marked().filter(ImageFilter.GaussianBlur(12))):
        assert not checks.picture_marked(seen(image), "#27ae60").passed
    for how in (Image.Resampling.NEAREST, Image.Resampling.LANCZOS):
        assert checks.picture_marked(seen(marked((1024, 768)).resize((512, 384), how)), "#27ae60").passed
    grey = seen(ImageOps.grayscale(marked()).convert("RGB"))
    assert not checks.picture_marked(grey, "#27ae60").passed


def test_transparency_and_colours() -> None:
    logo = paint(100, 100, "#00000000", (Shape(kind="ellipse", box=(10, 10, 80, 80), fill="#c1121f"),))
    found = seen(logo)
    assert checks.picture_transparent(found, least=0.4, most=0.6).passed
    assert not checks.picture_transparent(seen(painted())).passed
    assert checks.has_colour(found, "#c1121f", least=0.4).passed
    assert not checks.has_colour(found, "#2a9d4a", least=0.01).passed
    assert not checks.mean_colour(found, "#c1121f").passed
    assert io.BytesIO(encode(logo, "a.jpg")).read(2) == b"\xff\xd8"


def test_the_main_colours_of_a_large_photo_are_soon_told() -> None:
    # Sorting them all took longer than the reader of documents may.
    noise = np.random.default_rng(1).integers(0, 40, (3000, 4000, 3), dtype=np.uint8)
    noise[:, :3000] = (193, 18, 31)
    found = parsed("photo.jpg", describe, "photo.jpg", encode(Image.fromarray(noise), "photo.jpg"), None)
    assert checks.has_colour(found, "#c1121f", least=0.7, most=0.8).passed


def test_a_stroke_on_even_ground_and_a_blurred_half_do_not_show_the_same() -> None:
    original = painted(LARGE, (800, 600))
    before = seen(original)
    small = original.resize((160, 120))
    assert checks.picture_like(seen(small), before, same_size=False).passed
    stroke = small.copy()
    ImageDraw.Draw(stroke).line((2, 3, 40, 9), fill="#ff0000", width=2)
    assert not checks.picture_like(seen(stroke), before, same_size=False).passed
    half = original.copy()
    half.paste(original.crop((0, 0, 400, 600)).filter(ImageFilter.GaussianBlur(6)), (0, 0))
    assert not checks.picture_like(seen(half), before).passed
