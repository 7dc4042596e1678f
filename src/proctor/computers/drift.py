"""Whether a screen has changed by itself, carets aside, since it was looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageChops

from proctor.computers.performer import Performer
from proctor.observations.box import Box

TILE = 16
"""Side of the squares by which changed pixels are gathered into places."""
CARET = (3, 64)
"""Widest and tallest change that is taken for a blinking caret."""
LEAST_PIXELS = 12
"""Smaller changes are nothing that anybody would see."""
POINTER = 48
"""Half the side of the square around the pointer, whose picture may change from an arrow to a clock and back."""
FRAME_SEC = 0.05
"""Time in which an animation has drawn another frame."""
RESTLESS_AFTER = 2
"""A place that has changed by itself so often is expected to do so again."""
MOST_PLACES = 64
SLACK = 8
"""Pixels by which something that moves again may stick out of where it moved before."""

Mask = np.ndarray[tuple[int, int], np.dtype[np.bool_]]


class Place(NamedTuple):
    """Where a screen differs."""

    box: Box
    pixels: int


@dataclass
class Drift:
    """Looks at a computer, and tells at the next action whether what was seen is still there."""

    computer: Performer
    _seen: Image.Image | None = None
    _drawings: object = None
    _restless: list[tuple[Box, int]] = field(default_factory=list)
    """Where the screen has changed by itself before, and how often."""

    def look(self, *, cursor: bool = True) -> Image.Image:
        """Return a screenshot, and remember it."""
        # Asked first: what is drawn from here on may be missing in the picture.
        self._drawings = self.computer.parts.rest.drawings()
        image = self.computer.screenshot(cursor=cursor)
        self._seen = image.copy()  # whoever gets the picture may draw into it
        return image

    def forget(self) -> None:
        """Say that the screen is about to be changed on purpose."""
        self._seen = None

    def since(self, *, cursor: bool = True) -> float:
        """Return the share of the screen that has changed since the last look, and 0.0 where nothing has."""
        if self._seen is None:
            return 0.0
        drawings = self.computer.parts.rest.drawings()
        if drawings is not None and drawings == self._drawings:
            return 0.0
        before, after = self._seen, self.computer.screenshot(cursor=cursor)
        if before.size != after.size:
            return 1.0
        # Where things move by themselves is asked only when something did.
        if ImageChops.difference(before, after).getbbox() is None:
            return 0.0
        places = differences(before, after, ignore=always_moving(self.computer))
        unexpected = [place for place in places if not self._is_expected(place.box)]
        self._learn(places)
        if unexpected:
            unexpected = self._at_rest(unexpected, after, cursor)
        width, height = before.size
        return sum(place.pixels for place in unexpected) / (width * height)

    def _at_rest(self, places: list[Place], before: Image.Image, cursor: bool) -> list[Place]:
        """Leave out what is changing right now: a film was never to be seen as it is."""
        self.computer.pass_time(FRAME_SEC)
        after = self.computer.screenshot(cursor=cursor)
        if before.size != after.size:
            return places
        moving = [place.box for place in differences(before, after)]
        return [place for place in places if not any(place.box.intersect(box) for box in moving)]

    def _is_expected(self, box: Box) -> bool:
        return any(times >= RESTLESS_AFTER and box.within(known, SLACK) for known, times in self._restless)

    def _learn(self, places: Sequence[Place]) -> None:
        for place in places:
            for number, (known, times) in enumerate(self._restless):
                if place.box.within(known, SLACK):
                    self._restless[number] = (known, times + 1)
                    break
            else:
                self._restless = [*self._restless[1 - MOST_PLACES :], (place.box, 1)]


def always_moving(computer: Performer) -> list[Box]:
    """Return where a screen changes whatever is done: at the pointer, clocks and the like."""
    places = computer.parts.rest.restless()
    if "pointer" not in computer.capabilities:
        return places
    x, y = computer.pointer_position()
    return [Box(x - POINTER, y - POINTER, 2 * POINTER, 2 * POINTER), *places]


def differences(before: Image.Image, after: Image.Image, *, ignore: Sequence[Box] = ()) -> list[Place]:
    """Return where two pictures differ, by group of pixels, but for `ignore`, carets and specks."""
    difference = ImageChops.difference(before, after)
    found = difference.getbbox()
    if found is None:
        return []
    left, top = found[0] // TILE * TILE, found[1] // TILE * TILE
    changed: Mask = np.any(np.asarray(difference.crop((left, top, found[2], found[3]))), axis=2)
    places = []
    for tiles in _groups(_tiles(changed)):
        box, pixels = _bounds(changed, tiles)
        place = Place(Box(left + box.x, top + box.y, box.width, box.height), pixels)
        caret = place.box.width <= CARET[0] and place.box.height <= CARET[1]
        if pixels >= LEAST_PIXELS and not caret and not any(place.box.within(each) for each in ignore):
            places.append(place)
    return places


def _tiles(changed: Mask) -> Mask:
    height, width = changed.shape
    rows, columns = -(-height // TILE), -(-width // TILE)
    padded = np.zeros((rows * TILE, columns * TILE), dtype=bool)
    padded[:height, :width] = changed
    tiled: Mask = np.any(padded.reshape(rows, TILE, columns, TILE), axis=(1, 3))
    return tiled


def _groups(tiles: Mask) -> list[list[tuple[int, int]]]:
    left = {(int(row), int(column)) for row, column in zip(*tiles.nonzero(), strict=True)}
    groups = []
    while left:
        edge, group = [left.pop()], []
        while edge:
            row, column = edge.pop()
            group.append((row, column))
            around = {(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)} & left
            left -= around
            edge += around
        groups.append(group)
    return groups


def _bounds(changed: Mask, tiles: list[tuple[int, int]]) -> tuple[Box, int]:
    """Return the box around the changed pixels of a group of tiles, and their number."""
    top, bottom = min(row for row, _ in tiles) * TILE, (max(row for row, _ in tiles) + 1) * TILE
    left, right = min(column for _, column in tiles) * TILE, (max(column for _, column in tiles) + 1) * TILE
    mine = np.zeros_like(changed[top:bottom, left:right])
    for row, column in tiles:
        y, x = row * TILE, column * TILE
        mine[y - top : y - top + TILE, x - left : x - left + TILE] = changed[y : y + TILE, x : x + TILE]
    rows, columns = np.flatnonzero(mine.any(axis=1)), np.flatnonzero(mine.any(axis=0))
    x, y = int(columns[0]), int(rows[0])
    box = Box(left + x, top + y, int(columns[-1]) - x + 1, int(rows[-1]) - y + 1)
    return box, int(mine.sum())
