"""Screen, pointer and keyboard on an X server; only here are keys and buttons numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from PIL import Image

from proctor.actions.action import Button
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.keysyms import keysym

BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT = 4, 5, 6, 7

Seen = TypeVar("Seen")


class DisplayLine(Protocol):
    """Where the X server is reached, which a computer may connect to again, or replace."""

    @property
    def keyboard(self) -> Keyboard:
        """The keyboard of the server there is now."""

    def look(self, operation: Callable[[X11], Seen]) -> Seen:
        """Do something with the server within a time."""


class X11Screen:
    """Pictures of an X server's screen."""

    def __init__(self, display: DisplayLine, size: tuple[int, int]) -> None:
        self._display = display
        self.size = size

    def screenshot(self, *, cursor: bool) -> Image.Image:
        return self._display.look(lambda x: x.screenshot(cursor=cursor))


class X11Pointer:
    """The pointer of an X server; wheels are buttons there."""

    def __init__(self, display: DisplayLine) -> None:
        self._display = display

    def move(self, x: int, y: int) -> None:
        self._display.look(lambda x11: x11.move(x, y))

    def position(self) -> tuple[int, int]:
        pointer = self._display.look(lambda x11: x11.pointer())
        return pointer.x, pointer.y

    def button(self, button: Button, down: bool) -> None:
        self._number(BUTTONS[button], down)

    def clicks(self, button: Button, count: int) -> None:
        """Click so many times, a moment apart on the server's clock."""
        self._display.look(lambda x11: x11.clicks(BUTTONS[button], count))

    def scroll(self, dx: int, dy: int) -> None:
        for notches, backward, forward in ((dy, WHEEL_UP, WHEEL_DOWN), (dx, WHEEL_LEFT, WHEEL_RIGHT)):
            for _ in range(abs(notches)):
                number = forward if notches > 0 else backward
                try:
                    self._number(number, True)
                finally:
                    self._number(number, False)

    def _number(self, number: int, down: bool) -> None:
        self._display.look(lambda x11: x11.button(number, down))


class X11Keys:
    """The keyboard of an X server."""

    def __init__(self, display: DisplayLine) -> None:
        self._display = display

    def key(self, key: str, down: bool) -> None:
        keyboard = self._display.keyboard
        self._display.look(lambda _: keyboard.key(keysym(key), down))

    def type(self, text: str) -> None:
        keyboard = self._display.keyboard
        self._display.look(lambda _: keyboard.type(text))
