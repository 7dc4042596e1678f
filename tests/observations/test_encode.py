"""PNG and WebP hold exactly the pixels they were given."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from proctor.errors import SpecError
from proctor.observations.encode import png, webp

sizes = st.tuples(st.integers(1, 24), st.integers(1, 24))


def images(*channels: int) -> st.SearchStrategy[Image.Image]:
    shapes = st.tuples(sizes, st.sampled_from(channels)).map(lambda found: (*found[0], found[1]))
    return shapes.flatmap(lambda shape: arrays.arrays(np.uint8, shape)).map(
        lambda pixels: Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    )


def decoded(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.mode == other.mode and one.size == other.size and one.tobytes() == other.tobytes()


@given(images(1, 3, 4))
def test_png_keeps_every_pixel(image: Image.Image) -> None:
    data = png(image)
    assert same(decoded(data), image)
    with Image.open(io.BytesIO(data)) as found:
        found.verify()
        assert found.format == "PNG"


@given(images(3, 4))
def test_lossless_webp_keeps_every_pixel(image: Image.Image) -> None:
    assert decoded(webp(image, lossless=True)).convert(image.mode).tobytes() == image.tobytes()


def test_a_palette_becomes_plain_colours() -> None:
    image = Image.new("P", (3, 2))
    image.putpalette([10, 20, 30, 200, 100, 0])
    image.putpixel((1, 1), 1)
    assert same(decoded(png(image)), image.convert("RGB"))


def test_quality_trades_size() -> None:
    image = Image.effect_noise((64, 64), 50).convert("RGB")
    assert len(webp(image, quality=10)) < len(webp(image, quality=95)) < len(webp(image, lossless=True))


def test_a_screen_is_small() -> None:
    image = Image.new("RGB", (1920, 1080), (30, 60, 90))
    image.paste(Image.linear_gradient("L").resize((800, 600)).convert("RGB"), (200, 100))
    sink = io.BytesIO()
    image.save(sink, "PNG", compress_level=1)
    assert len(png(image)) < 1.5 * len(sink.getvalue())


@pytest.mark.parametrize("encode", [png, webp])
def test_no_pixels_is_refused(encode: object) -> None:
    with pytest.raises(SpecError, match="without pixels"):
        encode(Image.new("RGB", (0, 5)))  # type: ignore[operator]


def test_what_webp_cannot_hold_is_refused() -> None:
    with pytest.raises(SpecError, match="does not fit WebP"):
        webp(Image.new("RGB", (16384, 1)))
