"""The pointer: a mouse with buttons and wheels."""

from __future__ import annotations

from typing import Protocol

from proctor.actions.action import Button


class Pointer(Protocol):
    """Plain device events, carried out in order without waiting for what they lead to."""

    def move(self, x: int, y: int) -> None:
        """Go to a pixel of the desktop."""

    def position(self) -> tuple[int, int]:
        """Return the pixel it is at."""

    def button(self, button: Button, down: bool) -> None:
        """Press or release a button."""

    def scroll(self, dx: int, dy: int) -> None:
        """Turn the wheels by so many notches: positive shows what is to the right, and what is below."""

    def clicks(self, button: Button, count: int) -> None:
        """Click a button so many times in a row, quickly enough to count as one gesture."""
        for _ in range(count):
            # Released even when pressing failed half-way: a stuck button would spoil every later action.
            try:
                self.button(button, True)
            finally:
                self.button(button, False)
