"""Set-of-marks: numbered boxes on a screenshot, and the table that says what each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from proctor.observations.box import Box
from proctor.observations.table import cell, text_cell, useful_nodes, within
from proctor.observations.tree import Node, Tree
from proctor.observations.window import SeenWindow
from proctor.observations.xml import tag

HEADER = "index\ttag\tname\ttext"

MAX_MARKS = 2_000
MAX_CONSIDERED = 5_000
"""How many elements are looked at; programs may claim any number of them."""
MAX_COMPARED_PIXELS = 200_000_000
"""How many pixels are looked at to leave out empty elements; after that, none counts as empty."""

_OUTLINE = (255, 0, 0)
_INK = (255, 255, 255)
_PAPER = (0, 0, 0)
_FONT_SIZE = 13


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """One numbered element."""

    index: int
    """The number drawn on it; numbers start at 1."""
    node: Node
    box: Box
    """Where it is, in desktop pixels, cut at the edges of the screen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks:
    """A screenshot with its marks."""

    image: Image.Image
    marks: tuple[Mark, ...]
    table: str
    """One row per mark: index, tag, name, text."""

    def get(self, index: int) -> Mark | None:
        """Return the mark with a number."""
        return self.marks[index - 1] if 1 <= index <= len(self.marks) else None


def mark(
    image: Image.Image,
    tree: Tree,
    *,
    windows: Sequence[SeenWindow] = (),
    scale: tuple[float, float] = (1.0, 1.0),
    max_chars: int = 40_000,
) -> Marks:
    """Number the elements an agent can see and use, in tree order, on a copy of the screenshot.

    Elements that another window (listed bottom to top) covers get no mark. `scale` is image pixels per desktop pixel,
    across and down; `max_chars` the budget of the table.
    """
    drawn = image.convert("RGB")
    # `convert` copies only when the mode differs.
    drawn = drawn.copy() if drawn is image else drawn
    open_nodes = [node for node in useful_nodes(tree, images=True)[:MAX_CONSIDERED] if not _is_covered(node, windows)]
    found = _visible(drawn, open_nodes, scale)
    marks = tuple(Mark(index=index, node=node, box=box) for index, (box, node) in enumerate(found, start=1))
    pen = ImageDraw.Draw(drawn)
    # All outlines first, so that no outline runs through a number.
    for item in marks:
        left, top, width, height = _scale_box(item.box, scale)
        pen.rectangle((left, top, left + width - 1, top + height - 1), outline=_OUTLINE)
    for item in marks:
        _label(pen, drawn.size, _scale_box(item.box, scale), str(item.index))
    rows = [
        f"{item.index}\t{tag(item.node.role)}\t{cell(item.node.name)}\t{text_cell(item.node.text)}" for item in marks
    ]
    return Marks(image=drawn, marks=marks, table=within(max_chars, [HEADER, *rows]))


def _visible(image: Image.Image, nodes: list[Node], scale: tuple[float, float]) -> list[tuple[Box, Node]]:
    """Return one node per box; of several with the same box, the first that has words stands for all."""
    desktop = Box(0, 0, round(image.width / scale[0]), round(image.height / scale[1]))
    found: dict[Box, Node] = {}
    seen = 0
    for node in nodes:
        box = node.box.intersect(desktop) if node.box else None
        if box is None or (box not in found and len(found) >= MAX_MARKS):
            continue
        if box not in found and seen < MAX_COMPARED_PIXELS:
            seen += box.area
            if _is_flat(image, _scale_box(box, scale)):
                continue
        first = found.setdefault(box, node)
        if not (first.name or first.text):
            found[box] = node
    return list(found.items())


def _is_covered(node: Node, windows: Sequence[SeenWindow]) -> bool:
    """Tell whether another window covers a node's middle; toolkits call such nodes showing."""
    if node.box is None:
        return False
    x, y = node.box.center
    here = [window for window in windows if not window.minimised and window.box.contains(x, y)]
    # A node of no listed window, such as a menu or the panel, is on top or says nothing.
    return any(window.title == node.window for window in here) and here[-1].title != node.window


def _is_flat(image: Image.Image, box: Box) -> bool:
    x, y, width, height = box
    extrema = image.crop((x, y, x + width, y + height)).getextrema()
    return all(low == high for low, high in extrema)  # type: ignore[misc]  # one pair per band of an RGB image


def _scale_box(box: Box, scale: tuple[float, float]) -> Box:
    left, top = int(box.x * scale[0]), int(box.y * scale[1])
    right, bottom = round((box.x + box.width) * scale[0]), round((box.y + box.height) * scale[1])
    return Box(left, top, max(right - left, 1), max(bottom - top, 1))


def _label(pen: ImageDraw.ImageDraw, size: tuple[int, int], box: Box, number: str) -> None:
    """Write a number at the bottom left of a box, pushed back inside where it would leave the image."""
    left, top, right, bottom = _font().getbbox(number)
    width, height = int(right - left) + 4, int(bottom - top) + 4
    x = max(min(box.x, size[0] - width), 0)
    y = max(min(box.y + box.height, size[1]) - height, 0)
    pen.rectangle((x, y, x + width - 1, y + height - 1), fill=_PAPER)
    pen.text((x + 2 - left, y + 2 - top), number, font=_font(), fill=_INK)


@lru_cache(maxsize=1)
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(_FONT_SIZE)
