"""The screen: what a computer shows."""

from __future__ import annotations

from typing import Protocol

from PIL import Image


class Screen(Protocol):
    """Pictures of the desktop."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def screenshot(self, *, cursor: bool) -> Image.Image:
        """Return the desktop as an RGB image of its own, with the pointer drawn if asked for and there is one."""
