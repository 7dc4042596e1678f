"""How cells of OOXML workbooks look, with what is so by itself left out."""

from __future__ import annotations

from typing import Any

from proctor.vocabulary.formats.spreadsheets.number_formats import GENERAL, number_format
from proctor.vocabulary.formats.visible import Look, own_colour

SIDES = ("top", "bottom", "left", "right")


def look_of(cell: Any) -> Look:
    """Return what a cell's style sets: fonts, colours, alignment, borders, protection, number format."""
    font, fill, align = cell.font, cell.fill, cell.alignment
    usual = cell.parent.parent._fonts[0]  # what a workbook writes with where nothing is said
    ground = colour_of(fill.fgColor) if fill.fill_type == "solid" else None
    look = {
        "bold": bool(font.b),
        "italic": bool(font.i),
        "underline": bool(font.u) and font.u != "none",
        "strike": bool(font.strike),
        "colour": own_colour(colour_of(font.color), ground),
        "fill": ground,
        "align": align.horizontal if align.horizontal != "general" else None,
        "format": number_format(cell.number_format) if cell.number_format != GENERAL else None,
        "font": font.name if font.name != usual.name else None,
        "size": font.sz if font.sz != usual.sz else None,
        "valign": align.vertical if align.vertical != "bottom" else None,
        "wrap": bool(align.wrap_text),
        "shrink": bool(align.shrink_to_fit),
        "rotation": align.text_rotation or None,
        "indent": align.indent or None,
        "border": _border(cell.border),
        "unlocked": not cell.protection.locked,
    }
    return {key: value for key, value in look.items() if value not in (False, None, "")}


def colour_of(colour: Any) -> str | None:
    """Return a colour that is given as such; those of a theme or palette have no fixed value."""
    if colour is None or colour.type != "rgb" or not isinstance(colour.rgb, str):
        return None
    return f"#{colour.rgb[-6:].lower()}"


def _border(border: Any) -> str | dict[str, str] | None:
    lines = {side: getattr(border, side, None) for side in SIDES}
    drawn = {
        side: f"{line.style} {colour_of(line.color) or '#000000'}"
        for side, line in lines.items()
        if line is not None and line.style
    }
    if len(drawn) == len(SIDES) and len(set(drawn.values())) == 1:
        return drawn["top"]
    return drawn or None
