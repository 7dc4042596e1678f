"""Names become numbers in the X11 parts: buttons, wheels and keys as the server sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from proctor.actions.action import Button
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.parts import BUTTONS, X11Keys, X11Pointer, X11Screen
from tests.channels.fake_x import FakeX, fake_x

Seen = TypeVar("Seen")
KEY, BUTTON = (2, 3), (4, 5)


class Shown:
    """A display that is always there."""

    def __init__(self, x: X11) -> None:
        self.x = x
        self.keyboard = Keyboard(x)

    def look(self, operation: Callable[[X11], Seen]) -> Seen:
        return operation(self.x)


@pytest.fixture
def shown() -> Iterator[tuple[FakeX, Shown]]:
    with fake_x() as (server, sock):
        yield server, Shown(X11(sock, timeout_sec=5))


def pressed(server: FakeX, display: Shown, kinds: tuple[int, int]) -> list[tuple[int, bool]]:
    display.x.sync()
    return [(detail, kind == kinds[0]) for kind, detail in server.sent if kind in kinds]


@pytest.mark.parametrize(("button", "number"), [("left", 1), ("middle", 2), ("right", 3), ("back", 8), ("forward", 9)])
def test_buttons_have_numbers(shown: tuple[FakeX, Shown], button: Button, number: int) -> None:
    server, display = shown
    pointer = X11Pointer(display)
    pointer.button(button, True)
    pointer.button(button, False)
    assert pressed(server, display, BUTTON) == [(number, True), (number, False)]
    assert BUTTONS[button] == number


@pytest.mark.parametrize(
    ("dx", "dy", "numbers"), [(0, 2, [5, 5]), (0, -1, [4]), (1, 0, [7]), (-2, 0, [6, 6]), (1, 1, [5, 7]), (0, 0, [])]
)
def test_wheels_are_buttons(shown: tuple[FakeX, Shown], dx: int, dy: int, numbers: list[int]) -> None:
    server, display = shown
    X11Pointer(display).scroll(dx, dy)
    expected = [(number, down) for number in numbers for down in (True, False)]
    assert pressed(server, display, BUTTON) == expected


def test_keys_have_keycodes(shown: tuple[FakeX, Shown]) -> None:
    server, display = shown
    keys = X11Keys(display)
    keys.key("enter", True)
    keys.key("enter", False)
    (down, is_down), (up, is_up) = pressed(server, display, KEY)
    assert (down, is_down, is_up) == (up, True, False)
    assert 0xFF0D in server.rows[down]


def test_a_screen_says_its_size_before_it_is_there() -> None:
    with fake_x() as (_, sock):
        display = Shown(X11(sock, timeout_sec=5))
        screen = X11Screen(display, (64, 48))
        assert screen.size == screen.screenshot(cursor=False).size == (64, 48)
