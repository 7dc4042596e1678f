"""What changes on a screen by itself is noticed; carets, clocks and what moves all the time are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from proctor.actions.action import Move
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.backends.fake.parts import FakeRest
from proctor.computers.backends.fake.world import FakeWorld
from proctor.computers.drift import Drift, differences
from proctor.observations.box import Box

SIZE = (640, 400)


def screen(*boxes: Box, colour: str = "white") -> Image.Image:
    image = Image.new("RGB", SIZE, "navy")
    pen = ImageDraw.Draw(image)
    for x, y, width, height in boxes:
        pen.rectangle((x, y, x + width - 1, y + height - 1), fill=colour)
    return image


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    width, height = draw(st.integers(1, 300)), draw(st.integers(1, 200))
    return Box(draw(st.integers(0, SIZE[0] - width)), draw(st.integers(0, SIZE[1] - height)), width, height)


@given(boxes())
def test_a_change_is_found_where_it_is(box: Box) -> None:
    caret = box.width <= 3 and box.height <= 64
    found = differences(screen(), screen(box))
    assert found == ([] if caret or box.area < 12 else [(box, box.area)])


@given(st.lists(boxes(), max_size=6))
def test_no_changed_pixel_is_counted_twice_or_lost(several: list[Box]) -> None:
    before, after = screen(), screen(*several)
    changed = int((np.asarray(before) != np.asarray(after)).any(axis=2).sum())
    counted = sum(place.pixels for place in differences(before, after))
    small = sum(box.area for box in several if box.width <= 3 or box.area < 12)
    assert changed - small <= counted <= changed


@given(st.lists(boxes(), max_size=4))
def test_a_screen_does_not_differ_from_itself(several: list[Box]) -> None:
    assert differences(screen(*several), screen(*several)) == []


def test_two_places_far_apart_are_two() -> None:
    first, second = Box(10, 10, 40, 20), Box(500, 300, 60, 30)
    found = {place.box: place.pixels for place in differences(screen(), screen(first, second))}
    assert found == {first: 800, second: 1800}


def test_what_lies_in_a_place_to_ignore_does_not_count() -> None:
    clock, dialog = Box(590, 4, 40, 16), Box(100, 100, 200, 100)
    panel = Box(460, 0, 180, 28)
    assert differences(screen(), screen(clock), ignore=[panel]) == []
    assert [place.box for place in differences(screen(), screen(clock, dialog), ignore=[panel])] == [dialog]
    # A window that comes up over the clock is more than a clock.
    assert differences(screen(), screen(Box(400, 0, 240, 100)), ignore=[panel])


class Painted(FakeComputer):
    """A computer whose screen is whatever was painted last."""

    picture = screen()
    painted: int | None = None
    moving: tuple[Box, ...] = ()
    looks = 0

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        self.looks += 1
        return self.picture.copy()

    def __init__(self) -> None:
        super().__init__(size=SIZE)
        self.parts = replace(self.parts, rest=PaintedRest(self))


class PaintedRest(FakeRest):
    def __init__(self, computer: Painted) -> None:
        super().__init__(FakeWorld(SIZE))
        self.computer = computer

    def drawings(self) -> int | None:
        return self.computer.painted

    def restless(self) -> list[Box]:
        return list(self.computer.moving)


@pytest.fixture
def computer() -> Iterator[Painted]:
    with Painted() as computer:
        computer.perform(Move(x=600, y=380))
        yield computer


def test_the_share_that_changed_is_told(computer: Painted) -> None:
    drift = Drift(computer)
    assert drift.since() == 0.0
    drift.look()
    assert drift.since() == 0.0
    computer.picture = screen(Box(0, 0, 320, 400))
    assert drift.since() == pytest.approx(0.5)
    drift.look()
    assert drift.since() == 0.0
    computer.picture = screen()
    drift.forget()
    assert drift.since() == 0.0


def test_a_picture_that_its_owner_draws_into_changes_nothing(computer: Painted) -> None:
    drift = Drift(computer)
    drift.look().paste("red", (0, 0, 100, 100))
    assert drift.since() == 0.0


def test_where_nothing_was_drawn_nobody_looks(computer: Painted) -> None:
    computer.painted = 7
    drift = Drift(computer)
    drift.look()
    looks = computer.looks
    assert drift.since() == 0.0
    assert computer.looks == looks
    computer.painted, computer.picture = 8, screen(Box(0, 0, 64, 40))
    assert drift.since() == pytest.approx(0.01)


def test_another_pointer_is_not_another_screen(computer: Painted) -> None:
    drift = Drift(computer)
    drift.look()
    computer.picture = screen(Box(594, 374, 24, 24))
    assert drift.since() == 0.0


def test_what_changes_again_and_again_is_expected_to(computer: Painted) -> None:
    drift = Drift(computer)
    spinner, other = Box(100, 100, 32, 32), Box(300, 200, 100, 50)
    seen = []
    for turn in range(4):
        computer.picture = screen()
        drift.look()
        computer.picture = screen(Box(100 + turn % 2, 100, 31, 32))
        seen.append(drift.since() > 0)
    assert seen == [True, True, False, False]
    computer.picture = screen()
    drift.look()
    computer.picture = screen(spinner, other)
    assert drift.since() == pytest.approx(5000 / (640 * 400))


def test_what_is_moving_right_now_is_an_animation(computer: Painted) -> None:
    class Filming(Painted):
        def pass_time(self, seconds: float) -> None:
            self.picture = screen(Box(40, 40, 60, 80), window)

    window = Box(300, 200, 100, 50)
    with Filming() as filming:
        filming.perform(Move(x=600, y=380))
        drift = Drift(filming)
        drift.look()
        filming.picture = screen(Box(60, 40, 60, 80), window)
        assert drift.since() == pytest.approx(5000 / (640 * 400))


def test_what_a_computer_knows_to_be_moving_does_not_count(computer: Painted) -> None:
    computer.moving = (Box(0, 0, 200, 200),)
    drift = Drift(computer)
    drift.look()
    computer.picture = screen(Box(20, 20, 100, 100))
    assert drift.since() == 0.0


def test_a_screen_of_another_size_is_another_screen(computer: Painted) -> None:
    drift = Drift(computer)
    drift.look()
    computer.picture = Image.new("RGB", (320, 200))
    assert drift.since() == 1.0
