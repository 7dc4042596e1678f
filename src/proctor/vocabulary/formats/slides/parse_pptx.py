"""Reading presentations in Office Open XML (.pptx) as plain data."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_ooxml import (
    is_on,
    ooxml_parts,
    properties_of,
    related_part,
    relations,
)
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get
from proctor.vocabulary.formats.slides.pptx_looks import look_of
from proctor.vocabulary.formats.slides.pptx_looks import tenths as _tenths
from proctor.vocabulary.formats.slides.sight import SIDELINES, TITLES, seen_lines, shape_on_slide
from proctor.vocabulary.formats.visible import LINE_BREAK, PAPER, Look

MAIN = "ppt/presentation.xml"
LAYOUTS = {
    "blank": "blank",
    "titleOnly": "title only",
    "title": "title slide",
    "obj": "title and content",
    "tx": "title and content",
    "twoObj": "title and two contents",
    "objOnly": "centred text",
}
SHAPES = {"p:sp": "text box", "p:pic": "picture", "p:cxnSp": "line", "p:graphicFrame": "table"}
MAPPED = {"bg1": "lt1", "bg2": "lt2", "tx1": "dk1", "tx2": "dk2"}
"""Which colours of a theme the usual map means by these names."""


def read_pptx(archive: zipfile.ZipFile, label: str) -> dict[str, object]:
    """Return a presentation as plain data; raises CannotSee when it is none."""
    parts = ooxml_parts(archive, label)
    root = parts.xml(MAIN)
    if root.tag != "p:presentation":
        raise CannotSee("unreadable", f"{label} is not a presentation")
    targets = relations(parts, MAIN)
    paths = [targets.get(get(entry, "r:id"), ("", ""))[1] for entry in children(child(root, "p:sldIdLst"))]
    if missing := [path for path in paths if path not in parts]:
        raise CannotSee("unreadable", f"{label} lacks {len(missing)} of its slides")
    size = [_tenths(get(child(root, "p:sldSz"), side)) for side in ("cx", "cy")]
    about = properties_of(parts)
    slides = [_slide(parts, path, size) for path in paths]
    return {"format": "pptx", "size_mm": size, "slides": slides, **({"properties": about} if about else {})}


def _slide(parts: PackageParts, path: str, size: list[float]) -> Look:
    root = parts.xml(path)
    layout_path = related_part(parts, path, "slideLayout")
    layout = parts.xml(layout_path) if layout_path else None
    slide: Look = {
        "title": "",
        "notes": _notes(parts, path),
        "layout": LAYOUTS.get(get(layout, "type"), get(layout, "type") or get(child(layout, "p:cSld"), "name")),
        "background": _background(parts, path),
        "hidden": not is_on(root, "show"),
        "transition": _transition(root),
        "shapes": [],
    }
    titles: list[str] = []
    ground, targets = slide["background"] or PAPER, relations(parts, path)
    for shape in _shapes(child(root, "p:cSld", "p:spTree")):
        holder = _placeholder(shape)
        role = get(holder, "type", "obj") if holder is not None else ""
        look = {"kind": _kind(shape), **look_of(shape, lambda fill: _colour(parts, path, fill))}
        for blip in shape.iter("a:blip"):
            picture = targets.get(get(blip, "r:embed"), ("", ""))[1]
            if picture in parts:
                look["sha256"] = hashlib.sha256(parts.read(picture)).hexdigest()
        if role in TITLES:
            titles += seen_lines(look, ground, size)[0]
        if role not in SIDELINES:
            slide["shapes"].append(shape_on_slide(look, role, ground, size))
    slide["title"] = " ".join(titles).replace(LINE_BREAK, "\n")
    timing = [get(each, "presetID") for each in root.iter("p:cTn") if each.get("presetClass")]
    return {**slide, **({"animations": timing} if timing else {})}


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Yield what is drawn on a slide, groups taken apart."""
    for shape in children(tree):
        if shape.tag == "p:grpSp":
            yield from _shapes(shape)
        elif shape.tag == "mc:AlternateContent":
            yield from _shapes(child(shape, "mc:Choice"))
        elif shape.tag in SHAPES:
            yield shape


def _placeholder(shape: Element) -> Element | None:
    return next((found for found in shape.iter("p:ph")), None)


def _kind(shape: Element) -> str:
    if shape.tag == "p:sp" and not is_on(child(shape, "p:nvSpPr", "p:cNvSpPr"), "txBox"):
        return "shape"
    return SHAPES[shape.tag]


def _lines(element: Element) -> list[str]:
    """Return the paragraphs in a shape, in order; empty ones are left out."""
    texts = []
    for paragraph in element.iter("a:p"):
        pieces = (
            "\n" if inside.tag == "a:br" else "".join(text.text or "" for text in inside.iter("a:t"))
            for inside in paragraph
        )
        texts.append("".join(pieces).strip())
    return [text for text in texts if text]


def _notes(parts: PackageParts, path: str) -> str:
    notes_path = related_part(parts, path, "notesSlide")
    if notes_path is None:
        return ""
    shapes = _shapes(child(parts.xml(notes_path), "p:cSld", "p:spTree"))
    return "\n".join(line for shape in shapes if get(_placeholder(shape), "type") == "body" for line in _lines(shape))


def _background(parts: PackageParts, path: str) -> str | None:
    """Return the plain colour behind a slide: its own, its layout's, or its master's."""
    seen = path
    for kind in ("slideLayout", "slideMaster", ""):
        fill = child(parts.xml(seen), "p:cSld", "p:bg", "p:bgPr", "a:solidFill")
        if fill is not None:
            return _colour(parts, path, fill)
        if child(parts.xml(seen), "p:cSld", "p:bg") is not None:
            return None
        found = related_part(parts, seen, kind) if kind else None
        if found is None:
            return None
        seen = found
    return None


def _colour(parts: PackageParts, path: str, fill: Element) -> str | None:
    if (exact := child(fill, "a:srgbClr")) is not None:
        return f"#{get(exact, 'val').lower()}"
    name = get(child(fill, "a:schemeClr"), "val")
    for kind in ("slideLayout", "slideMaster", "theme"):
        found = related_part(parts, path, kind)
        if found is None:
            return None
        path = found
    scheme = child(parts.xml(path), "a:themeElements", "a:clrScheme", f"a:{MAPPED.get(name, name)}")
    entry = next(children(scheme), None)
    value = get(entry, "lastClr") or get(entry, "val")
    return f"#{value.lower()}" if len(value) == 6 else None


def _transition(root: Element) -> str:
    for transition in root.iter("p:transition"):
        kind = next(children(transition), None)
        return kind.tag.rpartition(":")[2] if kind is not None else "cut"
    return ""
