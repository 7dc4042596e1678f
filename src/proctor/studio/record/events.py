"""What a hand does on a desktop, as it comes from a viewer: pointer, buttons, keys and time."""

from __future__ import annotations

from dataclasses import dataclass

BUTTONS = {0: "left", 1: "middle", 2: "right", 7: "back"}
"""Of the bits of a pointer message; those between are the wheel."""
WHEEL = {3: (0, -1), 4: (0, 1), 5: (-1, 0), 6: (1, 0)}
"""How far each notch goes, across and down."""


@dataclass(frozen=True, slots=True)
class PointerAt:
    """The pointer is at a place, with these buttons down."""

    at: float
    """On the clock that never jumps."""
    x: int
    y: int
    mask: int = 0


@dataclass(frozen=True, slots=True)
class KeyMoved:
    """A key went down or up; one that is held comes down again and again."""

    at: float
    keysym: int
    down: bool


Event = PointerAt | KeyMoved
