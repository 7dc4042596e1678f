"""What is wanted is checked at once, and places in the picture lead back to the desktop."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.errors import SpecError
from proctor.observations.observation import Observation, Want

sides = st.integers(1, 4000)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"scale": 0}, "scale"),
        ({"scale": 1.5}, "scale"),
        ({"scale": math.nan}, "scale"),
        ({"fit": (0, 5)}, "fit"),
        ({"clip_sec": -1}, "clip_sec"),
        ({"clip_sec": 1e9}, "clip_sec"),
    ],
)
def test_impossible_wants_are_refused(wrong: dict[str, object], field: str) -> None:
    with pytest.raises(SpecError, match=f"Want.{field}"):
        Want(**wrong)  # type: ignore[arg-type]


def test_sizes() -> None:
    assert Want().image_size((1920, 1080)) == (1920, 1080)
    assert Want(scale=0.5).image_size((1920, 1080)) == (960, 540)
    assert Want(fit=(1280, 1280)).image_size((1920, 1080)) == (1280, 720)
    assert Want(fit=(9999, 9999)).image_size((1920, 1080)) == (1920, 1080)
    assert Want(scale=0.5, fit=(1280, 300)).image_size((1920, 1080)) == (533, 300)


@given(st.tuples(sides, sides), st.floats(0.001, 1), st.none() | st.tuples(sides, sides))
def test_the_picture_never_outgrows_its_bounds(
    desktop: tuple[int, int], scale: float, fit: tuple[int, int] | None
) -> None:
    width, height = Want(scale=scale, fit=fit).image_size(desktop)
    assert 1 <= width <= min(desktop[0], fit[0] if fit else desktop[0])
    assert 1 <= height <= min(desktop[1], fit[1] if fit else desktop[1])


@given(st.tuples(sides, sides), st.floats(0.01, 1))
def test_corners_lead_back_to_corners(desktop: tuple[int, int], scale: float) -> None:
    size = Want(scale=scale).image_size(desktop)
    seen = Observation(at=0, desktop=desktop, screenshot=Image.new("1", size))
    assert seen.to_desktop(0, 0) == (0, 0)
    assert seen.to_desktop(*size) == pytest.approx(desktop)


def test_without_a_picture_places_are_desktop_pixels() -> None:
    assert Observation(at=0, desktop=(800, 600)).to_desktop(7, 9) == (7, 9)
