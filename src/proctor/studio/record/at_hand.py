"""Pictures at hand: the screen is looked at whenever something was drawn."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from PIL import Image, ImageChops

from proctor.computers.computer import Computer
from proctor.computers.drift import POINTER, differences
from proctor.observations.box import Box
from proctor.observations.observation import Observation

KEPT = 4
AROUND = 40
"""Pixels around a place that tell whether the same thing is still there."""
BLIND_SEC = 0.25
"""How often a screen is looked at that does not tell when something was drawn."""


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """The screen at an instant."""

    at: float
    """When it was taken for certain, on the clock that never jumps."""
    wall: float
    image: Image.Image

    def observation(self) -> Observation:
        """Return it as an observation."""
        return Observation(at=self.wall, desktop=self.image.size, screenshot=self.image)


def same_around(one: ScreenPicture, other: ScreenPicture, place: tuple[int, int]) -> bool:
    """Tell whether two pictures are the same around a place."""
    if one is other:
        return True
    x, y = place
    box = (x - AROUND, y - AROUND, x + AROUND, y + AROUND)
    crops = (one.image.crop(box), other.image.crop(box))
    return ImageChops.difference(*crops).getbbox() is None


class AtHand:
    """The last pictures of a computer's screen."""

    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self._pictures: deque[ScreenPicture] = deque(maxlen=KEPT)
        self._drawings: object = None
        self.look(anew=True)

    @property
    def last(self) -> ScreenPicture:
        """The newest one."""
        return self._pictures[-1]

    def look(self, *, anew: bool = False) -> ScreenPicture:
        """Take a picture if anything was drawn since the last one, or when asked to; returns the newest."""
        drawings = self._computer.parts.rest.drawings()
        if drawings is None:
            fresh = not self._pictures or time.monotonic() - self.last.at > BLIND_SEC
        else:
            fresh = drawings != self._drawings
        if anew or fresh:
            self._drawings = drawings
            wall = time.time()
            image = self._computer.screenshot()
            self._pictures.append(ScreenPicture(time.monotonic(), wall, image))
        return self.last

    def before(self, at: float) -> ScreenPicture:
        """Return the newest picture that was whole before an instant; the oldest there is where none was."""
        earlier = [picture for picture in self._pictures if picture.at <= at]
        return earlier[-1] if earlier else self._pictures[0]

    def share_changed(self, before: ScreenPicture, after: ScreenPicture) -> float:
        """Return the share of the screen that differs, the pointer and what always moves left out."""
        if before.image.size != after.image.size:
            return 1.0
        if before is after:
            return 0.0
        width, height = after.image.size
        ignore = list(self._computer.parts.rest.restless())
        if "pointer" in self._computer.capabilities:
            x, y = self._computer.pointer_position()
            ignore.append(Box(x - POINTER, y - POINTER, 2 * POINTER, 2 * POINTER))
        places = differences(before.image, after.image, ignore=ignore)
        return sum(place.pixels for place in places) / (width * height)
