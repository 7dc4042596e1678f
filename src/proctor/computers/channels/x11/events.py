"""What an X server tells of itself, as data."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from proctor.observations.box import Box


@dataclass(frozen=True, kw_only=True, slots=True)
class DesktopEvent:
    """Something happened on the desktop."""

    at: float
    """When it was read, on `time.monotonic`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Damaged(DesktopEvent):
    """Pixels inside the box may have changed."""

    box: Box


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowsChanged(DesktopEvent):
    """Windows appeared, vanished, moved or changed places; or another one became active."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resized(DesktopEvent):
    """The desktop has another size."""

    size: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class XPointer:
    """Where the pointer is and what is held down."""

    x: int
    y: int
    state: int
    """X modifier and button mask; bits 13 and 14 are the keyboard group."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cursor:
    """The pointer's picture and the place of its top left corner."""

    image: Image.Image
    x: int
    y: int
