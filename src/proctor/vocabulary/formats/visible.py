"""What a person can see of what a document shows: one notion for cells, texts, shapes and lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Look = dict[str, Any]
"""What something is and how it looks, by the names of its fields."""
PAPER = "#ffffff"
INK = "#000000"
"""The colour of letters that have none of their own."""
TINY_PT = 4.0
"""Letters that are smaller cannot be read."""
NARROW_MM = 0.5
"""A row or column that is narrower shows nothing."""
SMALL_MM = 3.0
"""A picture that is smaller shows nothing."""
LINE_BREAK = "\u2028"
"""Within a paragraph of a shape; paragraphs are told apart by line ends."""
ALIKE = 32
"""How far red, green and blue of two colours may lie apart, of 255, where one does not stand out from the other."""


def stands_out(colour: str | None, ground: str | None) -> bool:
    """Tell whether a colour shows on its ground; where either is not known, it does."""
    on = _rgb(ground)
    ink = _rgb(colour or INK)
    if on is None or ink is None or colour is None:
        # Programs turn letters without a colour light where the ground is dark.
        return True
    return max(abs(one - other) for one, other in zip(ink, on, strict=True)) >= ALIKE


def can_be_read(look: Mapping[str, Any], ground: str | None) -> bool:
    """Tell whether letters show: large enough, not hidden, not in the colour of their ground."""
    size = look.get("size")
    if look.get("hidden") or (size is not None and size < TINY_PT):
        return False
    return stands_out(look.get("colour"), look.get("highlight") or ground)


def is_said(look: Mapping[str, Any]) -> bool:
    """Tell whether letters that can be read also count: what is struck through is taken back."""
    return not look.get("strike")


def words_of(runs: Iterable[Mapping[str, Any]], *, taken_back: bool = False) -> str:
    """Return what pieces of text say, or what of it is taken back."""
    return "".join(run["text"] for run in runs if is_said(run) != taken_back)


def own_colour(colour: str | None, ground: str | None) -> str | None:
    """Return a colour of letters, None for black where letters are black by themselves."""
    return None if colour == INK and stands_out(INK, ground or PAPER) else colour


def on_page(box: tuple[float, float, float, float] | list[float] | None, page: list[float] | None) -> bool:
    """Tell whether a box (left, upper side, width, height) has its middle on a page."""
    if box is None or page is None:
        return True
    across, down = box[0] + box[2] / 2, box[1] + box[3] / 2
    return 0 <= across <= page[0] and 0 <= down <= page[1]


def _rgb(colour: str | None) -> tuple[int, int, int] | None:
    if colour is None or len(colour) != 7 or not colour.startswith("#"):
        return None
    try:
        return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
    except ValueError:
        return None
