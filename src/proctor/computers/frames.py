"""A screen as a recorder sees it: where its pixels come from, and the picture kept of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PIL import Image

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.events import Damaged, Resized
from proctor.computers.channels.x11.wire import Reopened
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.box import Box
from proctor.observations.video import Pixels


@dataclass(frozen=True, kw_only=True, slots=True)
class PointerPicture:
    """The mouse pointer: an RGBA image and the place of its top left corner."""

    image: Image.Image
    x: int
    y: int


class FrameSource(Protocol):
    """A screen as a recorder sees it; once recording starts it belongs to the recorder's thread."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height now."""

    def fileno(self) -> int:
        """Return what becomes readable when there may be damage; it may change."""

    def damage(self) -> list[Box]:
        """Return what may have changed since this was last asked, without waiting."""

    def grab(self, box: Box) -> bytes | memoryview:
        """Return the pixels of a box as BGRX; they need to last until the next grab only."""

    def pointer(self) -> PointerPicture | None:
        """Return the mouse pointer; None while it is hidden."""

    def close(self) -> None:
        """Let go of the screen."""


class XSource:
    """The screen of an X server, over a connection that nobody else uses."""

    def __init__(self, x11: X11) -> None:
        self._x11 = x11

    @property
    def size(self) -> tuple[int, int]:
        """Width and height now, up to the planned size."""
        visible = self._x11.visible
        return visible.width, visible.height

    def fileno(self) -> int:
        return self._x11.fileno()

    def damage(self) -> list[Box]:
        """Return the damaged box: the whole screen for a new size or connection."""
        try:
            events = self._x11.drain()
        except Reopened:
            return [self._x11.visible]
        if any(isinstance(event, Resized) for event in events):
            return [self._x11.visible]
        return [event.box for event in events if isinstance(event, Damaged)]

    def grab(self, box: Box) -> memoryview:
        return self._x11.surviving(lambda: self._x11.grab(box))

    def pointer(self) -> PointerPicture | None:
        cursor = self._x11.surviving(self._x11.cursor)
        return PointerPicture(image=cursor.image, x=cursor.x, y=cursor.y) if cursor else None

    def close(self) -> None:
        self._x11.close()


class Canvas:
    """The screen as it was last grabbed, and the same with the pointer drawn."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.shown: Pixels = np.zeros((size[1], size[0], 4), np.uint8)
        self._screen: Pixels = self.shown.copy()
        self._pointer: PointerPicture | None = None

    def update(self, source: FrameSource, boxes: list[Box]) -> list[Box]:
        """Grab what may have changed and return the boxes that now look different."""
        # A program inside may resize its screen; the recording keeps its size.
        now = Box(0, 0, *source.size).intersect(Box(0, 0, *self.size))
        areas = [area for box in boxes if now and (area := box.intersect(now))]
        changed = [found for area in areas if (found := self._refresh(source, area))]
        pointer = source.pointer()
        if not _same_pointer(pointer, self._pointer):
            changed += [place for each in (self._pointer, pointer) if each and (place := self._place(each))]
        self._pointer = pointer
        for box in changed:
            _part(self.shown, box)[:] = _part(self._screen, box)
        if changed and pointer:
            self._draw(pointer)
        return changed

    def crop(self, box: Box) -> bytes:
        """Return a box of what is shown, as BGRX."""
        return _part(self.shown, box).tobytes()

    def _refresh(self, source: FrameSource, area: Box) -> Box | None:
        try:
            data = source.grab(area)
        except ComputerLost:
            raise
        except ComputerError:
            return None  # resized since: the new size will be announced as damage
        # A copy, because the server may still be writing to the memory it shares.
        fresh = np.frombuffer(data, np.uint8).reshape(area.height, area.width, 4).copy()
        known = _part(self._screen, area)
        different = (fresh[..., :3] != known[..., :3]).any(axis=2)
        rows, columns = different.any(axis=1).nonzero()[0], different.any(axis=0).nonzero()[0]
        known[:] = fresh
        if not rows.size:
            return None
        left, top = int(columns[0]), int(rows[0])
        return Box(area.x + left, area.y + top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)

    def _place(self, pointer: PointerPicture) -> Box | None:
        return Box(pointer.x, pointer.y, *pointer.image.size).intersect(Box(0, 0, *self.size))

    def _draw(self, pointer: PointerPicture) -> None:
        place = self._place(pointer)
        if place is None:
            return
        x, y = place.x - pointer.x, place.y - pointer.y
        rgba = np.asarray(pointer.image.convert("RGBA"), np.uint16)[y : y + place.height, x : x + place.width]
        alpha = rgba[..., 3:]
        under = _part(self._screen, place)[..., :3]
        _part(self.shown, place)[..., :3] = (rgba[..., 2::-1] * alpha + under * (255 - alpha) + 127) // 255


def _part(pixels: Pixels, box: Box) -> Pixels:
    return pixels[box.y : box.y + box.height, box.x : box.x + box.width]


def _same_pointer(one: PointerPicture | None, other: PointerPicture | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.x, one.y) == (other.x, other.y) and one.image.tobytes() == other.image.tobytes()
