"""A rectangle on the desktop, in pixels."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """Left, top, width and height; the right and bottom edges are outside."""

    x: int
    y: int
    width: int
    height: int

    @property
    def center(self) -> tuple[int, int]:
        """The pixel in the middle."""
        return self.x + self.width // 2, self.y + self.height // 2

    @property
    def area(self) -> int:
        """Pixels inside; 0 for an empty or inverted box."""
        return max(self.width, 0) * max(self.height, 0)

    def contains(self, x: float, y: float) -> bool:
        """Tell whether a point lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def within(self, other: Box, slack: int = 0) -> bool:
        """Tell whether it lies in another box, or sticks out by no more than so many pixels on any side."""
        return (
            self.x >= other.x - slack
            and self.y >= other.y - slack
            and self.x + self.width <= other.x + other.width + slack
            and self.y + self.height <= other.y + other.height + slack
        )

    def intersect(self, other: Box) -> Box | None:
        """Return the common part, or None where there is none."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None
