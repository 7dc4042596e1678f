"""What slides in Office Open XML say of shapes, paragraphs and letters, as it is written there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import EMU_PER_MM, is_on, ooxml_parts, related_part, relations
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get, number
from proctor.vocabulary.formats.visible import Look

MAIN = "ppt/presentation.xml"
MOST_GROUPS = 20
MOST_SHAPES = 20_000
ROLES = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
"""Roles of shapes that share those of a master."""
LETTERS = ("a:rPr", "a:endParaRPr", "a:defRPr")
"""Where the looks of letters stand, the strongest first."""
POINTS = {"\uf0b7": "•"}
"""Marks of lists in a font of signs, and what they look like."""
SHAPES = {"p:sp": "shape", "p:pic": "picture", "p:cxnSp": "line", "p:graphicFrame": "table", "p:grpSp": "group"}


def slides_as_written(data: bytes, path: str) -> dict[str, object]:
    """Return the slides of a .pptx: shapes with boxes, paragraphs with alignment, runs with looks."""
    with open_zip(data, path) as archive:
        if MAIN not in archive.namelist():
            raise CannotSee("unreadable", f"{path} is not a PowerPoint presentation")
        parts = ooxml_parts(archive, path)
        root, targets = parts.xml(MAIN), relations(parts, MAIN)
        places = [targets.get(get(entry, "r:id"), ("", ""))[1] for entry in children(child(root, "p:sldIdLst"))]
        if missing := [place for place in places if place not in parts]:
            raise CannotSee("unreadable", f"{path} lacks {len(missing)} of its slides")
        size = [_mm(get(child(root, "p:sldSz"), side)) for side in ("cx", "cy")]
        return {"path": path, "size_mm": size, "slides": [_slide(parts, place, path) for place in places]}


def _slide(parts: PackageParts, place: str, label: str) -> Look:
    root = parts.xml(place)
    designs = [parts.xml(each) for each in designs_of(parts, place)]
    shapes = [_shape(shape, designs) for shape in _shapes(child(root, "p:cSld", "p:spTree"), 0)]
    if len(shapes) > MOST_SHAPES:
        raise CannotSee("refused", f"{label} has more shapes than are looked at")
    notes = related_part(parts, place, "notesSlide")
    fill = child(root, "p:cSld", "p:bg", "p:bgPr")
    return {
        "number_colour": next((found for each in (root, *designs) if (found := _number_colour(each))), None),
        "background": _colour(child(fill, "a:solidFill")) or ("other" if fill is not None else None),
        "notes": _notes(parts.xml(notes)) if notes else "",
        "shapes": shapes,
    }


def _shapes(tree: Element | None, depth: int) -> Iterator[Element]:
    for shape in children(tree):
        if shape.tag == "p:grpSp" and depth < MOST_GROUPS:
            yield from _shapes(shape, depth + 1)
        elif shape.tag == "mc:AlternateContent":
            yield from _shapes(child(shape, "mc:Choice"), depth + 1)
        elif shape.tag in SHAPES:
            yield shape


def designs_of(parts: PackageParts, place: str) -> Iterator[str]:
    """Yield the layout of a slide, and the master of that."""
    for kind in ("slideLayout", "slideMaster"):
        found = related_part(parts, place, kind)
        if found is None:
            return
        yield (place := found)


def _shape(shape: Element, designs: list[Element]) -> Look:
    holder = next((found for found in shape.iter("p:ph")), None)
    box = _box(shape)
    if box is None and holder is not None:
        # What a shape does not say itself is that of its design.
        box = next((found for each in designs if (found := _box(_counterpart(each, holder)))), None)
    return {
        "kind": "chart" if next(shape.iter("c:chart"), None) is not None else SHAPES[shape.tag],
        "free": child(shape, "p:spPr", "a:custGeom") is not None,
        "name": get(next((each for each in shape.iter("p:cNvPr")), None), "name"),
        "role": get(holder, "type", "obj") if holder is not None else "",
        "box_mm": box,
        "cells": _cells(next(shape.iter("a:tbl"), None)),
        "paragraphs": [_paragraph(each) for each in shape.iter("a:p")],
    }


def _cells(table: Element | None) -> list[int] | None:
    """Return how many rows and columns a table has."""
    return None if table is None else [sum(1 for _ in table.iter(tag)) for tag in ("a:tr", "a:gridCol")]


def _box(shape: Element | None) -> list[float] | None:
    transform = child(shape, "p:spPr", "a:xfrm")
    transform = child(shape, "p:xfrm") if transform is None else transform
    at, size = child(transform, "a:off"), child(transform, "a:ext")
    if at is None or size is None:
        return None
    return [_mm(get(at, "x")), _mm(get(at, "y")), _mm(get(size, "cx")), _mm(get(size, "cy"))]


def _counterpart(design: Element, holder: Element) -> Element | None:
    """Return the shape of a design that one on a slide takes its place from, by number or role."""
    listed = [(shape, next(shape.iter("p:ph"), None)) for shape in _shapes(child(design, "p:cSld", "p:spTree"), 0)]
    held = [(shape, other) for shape, other in listed if other is not None]
    number, role = get(holder, "idx", "0"), ROLES.get(get(holder, "type", "obj"), get(holder, "type", "obj"))
    found = (shape for shape, other in held if number != "0" and get(other, "idx", "0") == number)
    alike = (shape for shape, other in held if ROLES.get(kind := get(other, "type", "obj"), kind) == role)
    return next(chain(found, alike), None)


def _number_colour(root: Element) -> str | None:
    """Return the colour that a slide, or a design, gives to the number of the slide."""
    for shape in root.iter("p:sp"):
        holder = next(shape.iter("p:ph"), None)
        field = any(get(each, "type") == "slidenum" for each in shape.iter("a:fld"))
        if field or get(holder, "type") == "sldNum":
            told = (_colour(child(about, "a:solidFill")) for tag in LETTERS for about in shape.iter(tag))
            if found := next((colour for colour in told if colour), None):
                return found
    return None


def _paragraph(paragraph: Element) -> Look:
    about = child(paragraph, "a:pPr")
    runs = [
        {"text": "".join(text.text or "" for text in run.iter("a:t")), **_letters(child(run, "a:rPr"))}
        for run in children(paragraph, "a:r", "a:fld")
    ]
    mark = child(about, "a:buChar")
    numbered, none = child(about, "a:buAutoNum"), child(about, "a:buNone")
    return {
        "text": "".join(str(run["text"]) for run in runs),
        "align": get(about, "algn") or None,
        "level": round(number(get(about, "lvl"))),
        "mark": POINTS.get(get(mark, "char"), get(mark, "char"))
        if mark is not None
        else "1"
        if numbered is not None
        else ""
        if none is not None
        else None,
        "runs": runs,
    }


def _letters(about: Element | None) -> Look:
    size, strike = number(get(about, "sz")), get(about, "strike")
    return {
        "font": get(child(about, "a:latin"), "typeface") or None,
        "size": size / 100 if size else None,
        "bold": is_on(about, "b") if get(about, "b") else None,
        "italic": is_on(about, "i") if get(about, "i") else None,
        "underline": None if get(about, "u", "none") == "none" else get(about, "u"),
        "strike": strike if strike not in ("", "noStrike") else None,
        "colour": _colour(child(about, "a:solidFill")),
    }


def _colour(fill: Element | None) -> str | None:
    exact = child(fill, "a:srgbClr")
    if exact is not None:
        return f"#{get(exact, 'val').lower()}"
    return get(child(fill, "a:schemeClr"), "val") or None


def _notes(root: Element) -> str:
    lines = []
    for shape in root.iter("p:sp"):
        holder = next((found for found in shape.iter("p:ph")), None)
        if get(holder, "type") == "body":
            lines += ["".join(text.text or "" for text in paragraph.iter("a:t")) for paragraph in shape.iter("a:p")]
    return "\n".join(lines).strip()


def _mm(length: str) -> float:
    return round(number(length) / EMU_PER_MM, 2)
