"""How shapes on slides of Office Open XML look, as far as they say so themselves."""

from __future__ import annotations

from collections.abc import Callable

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import EMU_PER_MM, is_on
from proctor.vocabulary.formats.office.parse_xml import child, children, get, merge_runs, number
from proctor.vocabulary.formats.visible import LINE_BREAK, Look, own_colour

Paint = Callable[[Element], str | None]
"""Returns the colour that a fill names."""


def tenths(length: str) -> float:
    """Return a length in millimetres."""
    return round(number(length) / EMU_PER_MM, 1)


def look_of(shape: Element, paint: Paint) -> Look:
    """Return the name, box, colours and letters of a shape; what it does not say itself is left out."""
    properties = child(shape, "p:spPr")
    transform = child(properties, "a:xfrm")
    transform = child(shape, "p:xfrm") if transform is None else transform
    at, size = child(transform, "a:off"), child(transform, "a:ext")
    box = None
    if at is not None and size is not None:
        box = [tenths(get(at, "x")), tenths(get(at, "y")), tenths(get(size, "cx")), tenths(get(size, "cy"))]
    about = next((each for each in shape.iter() if each.tag == "p:cNvPr"), None)
    line = child(properties, "a:ln")
    found = {
        "name": get(about, "name"),
        "form": get(child(properties, "a:prstGeom"), "prst"),
        "box_mm": box,
        "rotation": round(number(get(transform, "rot")) / 60_000) % 360,
        "fill": _fill(properties, paint),
        "stroke": _fill(line, paint),
        "stroke_mm": tenths(get(line, "w")),
        "hidden": get(about, "hidden") in ("1", "true"),
        "runs": _runs(shape, paint),
    }
    return {key: value for key, value in found.items() if value}


def _fill(element: Element | None, paint: Paint) -> str | None:
    plain = child(element, "a:solidFill")
    if plain is not None:
        return paint(plain)
    kinds = {"a:gradFill": "gradient", "a:blipFill": "picture", "a:pattFill": "pattern"}
    return next((kind for tag, kind in kinds.items() if child(element, tag) is not None), None)


def _runs(shape: Element, paint: Paint) -> list[Look]:
    """Return the pieces of text in a shape with how they look, a line break between its paragraphs."""
    runs: list[Look] = []
    for line, paragraph in enumerate(shape.iter("a:p")):
        if line and runs:
            runs[-1] = {**runs[-1], "text": f"{runs[-1]['text']}\n"}
        for inside in children(paragraph, "a:r", "a:br", "a:fld"):
            text = LINE_BREAK if inside.tag == "a:br" else "".join(each.text or "" for each in inside.iter("a:t"))
            runs.append({"text": text, **_letters(child(inside, "a:rPr"), paint)})
    return [{key: value for key, value in run.items() if value} for run in merge_runs(runs)]


def _letters(properties: Element | None, paint: Paint) -> Look:
    fill, marked = child(properties, "a:solidFill"), child(properties, "a:highlight")
    ground = paint(marked) if marked is not None else None
    size = number(get(properties, "sz"))
    return {
        "bold": is_on(properties, "b") if get(properties, "b") else False,
        "italic": is_on(properties, "i") if get(properties, "i") else False,
        "underline": get(properties, "u", "none") != "none",
        "strike": get(properties, "strike", "noStrike") != "noStrike",
        "size": size / 100 if size else None,
        "font": get(child(properties, "a:latin"), "typeface"),
        "colour": own_colour(paint(fill) if fill is not None else None, ground),
        "highlight": ground,
    }
