"""The pages of a browser, as setup and judges reach them; an agent has no way to this part."""

from __future__ import annotations

from typing import Any, Protocol


class Pages(Protocol):
    """The page in front, reached past the screen."""

    def open(self, url: str, *, timeout_sec: float = ...) -> None:
        """Load an address in the front tab and return when it is loaded."""

    def address(self) -> str:
        """Return the address of the page in front; empty when there is none."""

    def note(self, name: str) -> None:
        """Give the page in front, and those that follow it, a function that takes a text.

        What it is first called with is kept outside, whatever becomes of the page.
        """

    def first_note(self, name: str) -> str | None:
        """Return what that function was first called with; None where it was not."""

    def evaluate(self, script: str, *, timeout_sec: float = ...) -> Any:
        """Return an expression's value in the page's own world, promises awaited, as plain data."""
