"""The touch screen."""

from __future__ import annotations

from typing import Protocol


class Touch(Protocol):
    """Fingers on the screen, from 0: plain events, in order, whatever they lead to."""

    def down(self, finger: int, x: int, y: int) -> None:
        """Put a finger down on a pixel."""

    def move(self, finger: int, x: int, y: int) -> None:
        """Move a finger that is down."""

    def up(self, finger: int) -> None:
        """Lift a finger where it is; has no effect on one that is not down."""
