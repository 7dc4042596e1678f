"""Reading presentations in OpenDocument (.odp) as plain data."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from typing import Any

from proctor.formats.documents.reading_odt import plain_text
from proctor.formats.guarded_xml import Element
from proctor.formats.office.reading_odf import Styles, colour, odf_parts
from proctor.formats.office.reading_xml import Parts, child, children, get
from proctor.tasks.finding import CannotSee

LAYOUTS = {
    (): "blank",
    ("title",): "title only",
    ("title", "subtitle"): "title slide",
    ("title", "outline"): "title and content",
    ("title", "object"): "title and content",
    ("title", "outline", "outline"): "title and two contents",
    ("subtitle",): "centred text",
}
SHAPES = {
    "draw:custom-shape": "shape", "draw:rect": "shape", "draw:ellipse": "shape", "draw:circle": "shape",
    "draw:line": "line", "draw:connector": "line", "draw:path": "shape", "draw:polygon": "shape",
    "draw:polyline": "line",
}  # fmt: skip


def read_odp(archive: zipfile.ZipFile, label: str) -> dict[str, Any]:
    """Return a presentation as plain data; raises CannotSee when it is none."""
    parts = odf_parts(archive, label)
    content = parts.xml("content.xml")
    body = child(content, "office:body", "office:presentation")
    if body is None:
        raise CannotSee("unreadable", f"{label} is not a presentation")
    sheet = parts.xml("styles.xml") if "styles.xml" in parts else None
    styles = Styles(content, sheet)
    layouts = {
        get(layout, "style:name"): tuple(get(holder, "presentation:object") for holder in layout)
        for layout in (sheet.iter("style:presentation-page-layout") if sheet is not None else ())
    }
    masters = {
        get(master, "style:name"): get(master, "draw:style-name")
        for master in children(child(sheet, "office:master-styles"), "style:master-page")
    }
    return {
        "format": "odp",
        "slides": [_slide(page, parts, styles, layouts, masters) for page in children(body, "draw:page")],
    }


def _slide(
    page: Element, parts: Parts, styles: Styles, layouts: dict[str, tuple[str, ...]], masters: dict[str, str]
) -> dict[str, Any]:
    looks = styles.properties("drawing-page", get(page, "draw:style-name"), "drawing-page")
    below = styles.properties("drawing-page", masters.get(get(page, "draw:master-page-name"), ""), "drawing-page")
    slide: dict[str, Any] = {
        "title": "",
        "texts": [],
        "notes": "",
        "layout": _layout(layouts.get(get(page, "presentation:presentation-page-layout-name"), ())),
        "background": _background(looks) or _background(below),
        "hidden": looks.get("presentation:visibility") == "hidden",
        "transition": looks.get("smil:type") or looks.get("presentation:transition-style") or "",
        "pictures": [],
        "shapes": [],
    }
    titles: list[str] = []
    for shape in _shapes(page):
        lines = _lines(shape)
        role = get(shape, "presentation:class")
        if role == "title":
            titles += lines
        elif get(shape, "presentation:placeholder") != "true":
            slide["texts"] += lines
            slide["pictures"] += _pictures(shape, parts)
            if role not in ("outline", "subtitle", "page", "header", "footer", "date-time", "page-number"):
                slide["shapes"].append({"kind": _kind(shape), "text": "\n".join(lines)})
    slide["title"] = " ".join(titles)
    slide["notes"] = "\n".join(
        text
        for frame in children(child(page, "presentation:notes"), "draw:frame")
        if get(frame, "presentation:class") == "notes" and get(frame, "presentation:placeholder") != "true"
        for text in _lines(frame)
    )
    return slide


def _layout(holders: tuple[str, ...]) -> str:
    return LAYOUTS.get(holders, ", ".join(holders))


def _background(looks: dict[str, str]) -> str | None:
    return colour(looks.get("draw:fill-color", "")) if looks.get("draw:fill") == "solid" else None


def _shapes(element: Element) -> Iterator[Element]:
    """Yield what is drawn on a slide, groups taken apart."""
    for shape in element:
        if shape.tag in ("draw:g", "draw:a"):
            yield from _shapes(shape)
        elif shape.tag == "draw:frame" or shape.tag in SHAPES:
            yield shape


def _lines(element: Element) -> list[str]:
    """Return the paragraphs in a shape, in order; empty ones are left out."""
    texts = [plain_text(inside) for inside in element.iter("text:p")]
    return [text.strip() for text in texts if text.strip()]


def _pictures(shape: Element, parts: Parts) -> list[dict[str, str]]:
    for image in children(shape, "draw:image"):
        href = get(image, "xlink:href")
        if href in parts and child(shape, "table:table") is None and child(shape, "draw:object") is None:
            return [{"name": href, "sha256": hashlib.sha256(parts.read(href)).hexdigest()}]
    return []


def _kind(shape: Element) -> str:
    if shape.tag != "draw:frame":
        return SHAPES[shape.tag]
    kinds = {"table:table": "table", "draw:object": "object", "draw:text-box": "text box", "draw:image": "picture"}
    return next((kind for tag, kind in kinds.items() if child(shape, tag) is not None), "shape")
