"""How letters, paragraphs, cells and pages of an OpenDocument text look, and what else it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.odf_extras import setting_of
from proctor.vocabulary.formats.office.parse_odf import SIDES, Styles, border, colour, plain_text, points, tenths
from proctor.vocabulary.formats.office.parse_xml import child, children, get, number
from proctor.vocabulary.formats.spreadsheets.cells import address, place
from proctor.vocabulary.formats.visible import Look, words_of

_SPACES = {
    "fo:margin-left": "left_mm", "fo:margin-right": "right_mm", "fo:text-indent": "first_line_mm",
    "fo:margin-top": "above_mm", "fo:margin-bottom": "below_mm",
}  # fmt: skip
_BESIDE = {"top": (-1, 0, "bottom"), "bottom": (1, 0, "top"), "left": (0, -1, "right"), "right": (0, 1, "left")}
"""Where the cell is that a side is shared with, and which side of it that is."""
_SHAPES = ("draw:custom-shape", "draw:rect", "draw:ellipse", "draw:circle", "draw:line", "draw:connector", "draw:path",
           "draw:polygon", "draw:polyline")  # fmt: skip


def letters_of(properties: dict[str, str], styles: Styles) -> Look:
    """Return how letters with some properties look."""
    weight = properties.get("fo:font-weight", "normal")
    return {
        "bold": weight == "bold" or number(weight) >= 600,
        "italic": properties.get("fo:font-style") in ("italic", "oblique"),
        "underline": properties.get("style:text-underline-style", "none") != "none",
        "strike": properties.get("style:text-line-through-style", "none") != "none",
        "size": points(properties.get("fo:font-size", "")),
        "font": styles.font(properties),
        "colour": colour(properties.get("fo:color", "")),
        "highlight": colour(properties.get("fo:background-color", "")),
        **setting_of(properties),
    }


def paragraph_look(properties: dict[str, str]) -> Look:
    """Return what is set of a paragraph besides its letters: distances, ground and lines."""
    look: Look = {name: length for key, name in _SPACES.items() if (length := tenths(properties.get(key, "")))}
    height = properties.get("fo:line-height", "")
    look["line_height"] = "" if height in ("100%", "normal") else height if height.endswith("%") else tenths(height)
    look["ground"] = colour(properties.get("fo:background-color", ""))
    look["border"] = border(properties)
    return look


def cell_look(ground: str | None, lines: object, blocks: Sequence[Look], waiting: Sequence[Look] = ()) -> Look:
    """Return how a cell of a table looks: ground, lines, and every look that its letters have.

    Where it holds none it is how those would look that are `waiting`, so that filling it in changes no looks.
    """
    letters: list[Look] = []
    for run in [run for block in blocks for run in block.get("runs", ())] or waiting:
        look = {key: value for key, value in run.items() if key != "text" and value}
        if look not in letters:
            letters.append(look)
    aligned = sorted({block["align"] for block in blocks if block.get("align", "left") != "left"})
    pieces = [block.get("unseen", "") + words_of(block.get("runs", ()), taken_back=True) for block in blocks]
    unseen = "\n".join(filter(None, pieces))
    look = {"ground": ground, "border": lines, "align": aligned, "letters": letters, "unseen": unseen}
    return {key: value for key, value in look.items() if value}


def looks_of_table(cells: Mapping[str, Look]) -> Look:
    """Return how most cells of a table look, and which ones look otherwise, so that one more like them is no change."""
    kinds: list[Look] = []
    cells = {where: {**look, **_lines_around(where, cells)} for where, look in cells.items()}
    for look in cells.values():
        if look not in kinds and not look.get("unseen"):
            kinds.append(look)
    usual = max(kinds, key=list(cells.values()).count, default={})
    others = {where: look for where, look in cells.items() if look != usual}
    return {name: told for name, told in (("look", usual), ("looks", others)) if told}


def _lines_around(where: str, cells: Mapping[str, Look]) -> Look:
    """Return the lines that are seen around a cell: its own, and those of the cells beside it."""
    row, column = place(where)
    lines = _sides(cells[where])
    for side, (down, right, opposite) in _BESIDE.items():
        beside = cells.get(address(row + down, column + right), {}) if row + down >= 0 and column + right >= 0 else {}
        if side not in lines and opposite in (there := _sides(beside)):
            lines[side] = there[opposite]
    alike = len(lines) == len(SIDES) and len(set(lines.values())) == 1
    return {"border": lines["top"] if alike else lines} if lines else {}


def _sides(look: Look) -> dict[str, str]:
    lines = look.get("border") or {}
    return dict.fromkeys(SIDES, lines) if isinstance(lines, str) else dict(lines)


def things_in(body: Element, styles: Styles) -> dict[str, list[Look]]:
    """Return what lies in a text besides its paragraphs: notes, marks, sections, shapes."""
    marks = (each for each in body.iter() if each.tag in ("text:bookmark", "text:bookmark-start"))
    return {
        "notes": [
            {"kind": get(note, "text:note-class"), "text": "\n".join(map(plain_text, note.iter("text:p")))}
            for note in body.iter("text:note")
        ],
        "bookmarks": [{"name": name} for mark in marks if not (name := get(mark, "text:name")).startswith("__")],
        "sections": [_section(each, styles) for each in body.iter("text:section")],
        "shapes": [_shape(each, styles) for each in body.iter() if each.tag in _SHAPES],
    }


def _section(section: Element, styles: Styles) -> Look:
    said = {"protected": get(section, "text:protected") == "true", "hidden": get(section, "text:display") == "none"}
    columns = 0
    for style in styles.chain("section", get(section, "text:style-name")):
        columns = columns or number(get(child(style, "style:section-properties", "style:columns"), "fo:column-count"))
    return {"name": get(section, "text:name"), **said, "columns": max(columns, 1)}


def _shape(shape: Element, styles: Styles) -> Look:
    return {
        "name": get(shape, "draw:name"),
        "kind": get(child(shape, "draw:enhanced-geometry"), "draw:type") or shape.tag.partition(":")[2],
        "text": "\n".join(map(plain_text, shape.iter("text:p"))),
        **frame_look(shape, styles),
    }


def frame_look(shape: Element, styles: Styles) -> Look:
    """Return how large a frame or shape is, what fills it and what it hangs on."""
    looks = styles.properties("graphic", get(shape, "draw:style-name"), "graphic")
    filled = looks.get("draw:fill") in ("solid", None)
    return {
        "size_mm": [tenths(get(shape, f"svg:{side}")) for side in ("width", "height")],
        "fill": colour(looks.get("draw:fill-color", "")) if filled else looks.get("draw:fill"),
        "anchor": get(shape, "text:anchor-type"),
    }


def pages_of(styles: Styles, used: Sequence[str]) -> list[Look]:
    """Return the kinds of pages that a text has, in the order in which they come."""
    sheet = styles.sheet
    masters = {get(page, "style:name"): page for page in children(child(sheet, "office:master-styles"))}
    layouts = {
        get(layout, "style:name"): child(layout, "style:page-layout-properties")
        for layout in children(child(sheet, "office:automatic-styles"), "style:page-layout")
    }
    wanted = [name for name in used if name in masters] or list(masters)[:1]
    return [_page(masters[name], layouts.get(get(masters[name], "style:page-layout-name"))) for name in wanted]


def _page(master: Element, layout: Element | None) -> Look:
    width, height = (tenths(get(layout, f"fo:page-{side}")) for side in ("width", "height"))
    around = get(layout, "fo:margin")
    margins = {side: tenths(get(layout, f"fo:margin-{side}", around)) for side in ("top", "bottom", "left", "right")}
    columns = number(get(child(layout, "style:columns"), "fo:column-count"))
    besides = {
        "ground": colour(get(layout, "fo:background-color")),
        "border": border(dict(layout.attrib)) if layout is not None else None,
        "columns": columns if columns > 1 else None,
    }
    return {
        "width_mm": width,
        "height_mm": height,
        "orientation": "landscape" if (width or 0) > (height or 0) else "portrait",
        "margins_mm": margins,
        "header": _edge(master, "header"),
        "footer": _edge(master, "footer"),
        **{key: value for key, value in besides.items() if value},
    }


def _edge(master: Element, name: str) -> str:
    return "\n".join(plain_text(paragraph) for each in _edges(master, name) for paragraph in each.iter("text:p"))


def _edges(master: Element, name: str) -> list[Element]:
    found = (child(master, f"style:{name}{which}") for which in ("", "-first", "-left"))
    return [each for each in found if each is not None and get(each, "style:display", "true") != "false"]
