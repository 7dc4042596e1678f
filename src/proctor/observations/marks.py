"""Set-of-marks: boxes on a screenshot with the numbers that elements have in the outline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from proctor.observations.box import Box
from proctor.observations.outline import Outline
from proctor.observations.outline_text import to_text
from proctor.observations.tree import Node

MAX_MARKS = 2_000

_OUTLINE = (255, 0, 0)
_INK = (255, 255, 255)
_PAPER = (0, 0, 0)
_FONT_SIZE = 13
_EDGE = 24
"""From this difference on between pixels beside each other, something is written or drawn there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """One numbered element."""

    index: int
    """The number drawn on it: its id in the outline."""
    node: Node
    box: Box
    """What can be seen of it, in desktop pixels."""
    point: tuple[int, int]
    """Where it is clicked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks:
    """A screenshot with its marks."""

    image: Image.Image
    marks: tuple[Mark, ...]
    table: str
    """The outline, whose ids are the numbers in the picture."""

    def get(self, index: int) -> Mark | None:
        """Return the mark with a number."""
        return next((mark for mark in self.marks if mark.index == index), None)


def mark(
    image: Image.Image, outline: Outline, *, scale: tuple[float, float] = (1.0, 1.0), max_chars: int = 40_000
) -> Marks:
    """Number what can be used and seen on a copy of the screenshot, labels beside its texts.

    `scale` is image pixels per desktop pixel, across and down; `max_chars` the budget of the table.
    """
    drawn = image.convert("RGB")
    busy = _Busy(drawn)
    # `convert` copies only when the mode differs.
    drawn = drawn.copy() if drawn is image else drawn
    marks = [
        Mark(index=element.id, node=element.node, box=element.box, point=element.point)
        for element in outline.elements
        if element.usable and element.box is not None and element.point is not None
    ][:MAX_MARKS]
    boxes = [_scale_box(item.box, scale) for item in marks]
    pen = ImageDraw.Draw(drawn)
    # All outlines first, so that no outline runs through a number.
    for left, top, width, height in boxes:
        pen.rectangle((left, top, left + width - 1, top + height - 1), outline=_OUTLINE)
    # The small ones first: they have the least room around them.
    for box, item in sorted(zip(boxes, marks, strict=True), key=lambda each: each[0].area):
        _label(pen, busy, box, str(item.index))
    return Marks(image=drawn, marks=tuple(marks), table=to_text(outline, max_chars=max_chars))


def _scale_box(box: Box, scale: tuple[float, float]) -> Box:
    left, top = int(box.x * scale[0]), int(box.y * scale[1])
    right, bottom = round((box.x + box.width) * scale[0]), round((box.y + box.height) * scale[1])
    return Box(left, top, max(right - left, 1), max(bottom - top, 1))


class _Busy:
    """How much is written or drawn in a part of a picture, labels that were placed before among it."""

    def __init__(self, image: Image.Image) -> None:
        grey = np.asarray(image.convert("L"), dtype=np.int16)
        edges = np.zeros(grey.shape, np.int32)
        edges[:, 1:] |= np.abs(np.diff(grey, axis=1)) > _EDGE
        edges[1:, :] |= np.abs(np.diff(grey, axis=0)) > _EDGE
        self.size = image.size
        self._sums: NDArray[np.int32] = np.pad(
            edges.cumsum(0, dtype=np.int32).cumsum(1, dtype=np.int32), ((1, 0), (1, 0))
        )
        self._labels: list[Box] = []

    def cost(self, box: Box) -> int:
        """Return how many edges a label here would cover; another label counts as no less than all."""
        x, y, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        if x < 0 or y < 0 or right > self.size[0] or bottom > self.size[1]:
            return 4 * box.area
        covered = sum(part.area for label in self._labels if (part := label.intersect(box)))
        sums = self._sums
        return int(sums[bottom, right] - sums[y, right] - sums[bottom, x] + sums[y, x]) + 2 * covered

    def place(self, box: Box) -> None:
        """Take note of a label."""
        self._labels.append(box)


def _places(box: Box, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield where a label may stand, the best place first: in the corners of its box, then around."""
    right, bottom = box.x + box.width - width, box.y + box.height - height
    yield from ((box.x, bottom), (right, bottom), (box.x, box.y), (right, box.y))
    middle = box.y + (box.height - height) // 2
    yield from ((box.x - width, middle), (box.x + box.width, middle))
    yield from ((box.x, box.y + box.height), (box.x, box.y - height), (right, box.y - height))
    yield right, box.y + box.height


def _label(pen: ImageDraw.ImageDraw, busy: _Busy, box: Box, number: str) -> None:
    """Write a number where it covers nothing, or else as little as may be."""
    left, top, right, bottom = _font().getbbox(number)
    width, height = int(right - left) + 4, int(bottom - top) + 4
    best, least = Box(box.x, box.y, width, height), -1
    for x, y in _places(box, width, height):
        held = Box(max(min(x, busy.size[0] - width), 0), max(min(y, busy.size[1] - height), 0), width, height)
        cost = busy.cost(held)
        if least < 0 or cost < least:
            best, least = held, cost
        if cost == 0:
            break
    busy.place(best)
    pen.rectangle((best.x, best.y, best.x + width - 1, best.y + height - 1), fill=_PAPER)
    pen.text((best.x + 2 - left, best.y + 2 - top), number, font=_font(), fill=_INK)


@lru_cache(maxsize=1)
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(_FONT_SIZE)
