"""Reading presentations in OpenDocument (.odp) as plain data."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import Styles, colour, millimetres, odf_parts, plain_text, points
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get
from proctor.vocabulary.formats.pictures.parse import pixels_of
from proctor.vocabulary.formats.visible import PAPER, can_be_read

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

SMALL_MM = 3.0
"""A picture that is smaller shows nothing."""


def read_odp(archive: zipfile.ZipFile, label: str) -> dict[str, object]:
    """Return a presentation as plain data, without what it does not show, or raise CannotSee."""
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
    sizes = _sizes(sheet)
    return {
        "format": "odp",
        "slides": [
            _slide(page, parts, styles, layouts, masters, sizes.get(get(page, "draw:master-page-name")))
            for page in children(body, "draw:page")
        ],
    }


def _sizes(sheet: Element | None) -> dict[str, list[float]]:
    layouts = {
        get(layout, "style:name"): child(layout, "style:page-layout-properties")
        for layout in children(child(sheet, "office:automatic-styles"), "style:page-layout")
    }
    found = {}
    for master in children(child(sheet, "office:master-styles"), "style:master-page"):
        layout = layouts.get(get(master, "style:page-layout-name"))
        sides = [millimetres(get(layout, f"fo:page-{side}")) for side in ("width", "height")]
        found[get(master, "style:name")] = [side for side in sides if side]
    return {name: size for name, size in found.items() if len(size) == 2}


def _slide(
    page: Element,
    parts: PackageParts,
    styles: Styles,
    layouts: dict[str, tuple[str, ...]],
    masters: dict[str, str],
    size: list[float] | None,
) -> dict[str, Any]:
    looks = styles.properties("drawing-page", get(page, "draw:style-name"), "drawing-page")
    below = styles.properties("drawing-page", masters.get(get(page, "draw:master-page-name"), ""), "drawing-page")
    holders = layouts.get(get(page, "presentation:presentation-page-layout-name"), ())
    slide: dict[str, Any] = {
        "title": "",
        "texts": [],
        "notes": "",
        "layout": LAYOUTS.get(holders, ", ".join(holders)),
        "background": _background(looks) or _background(below),
        "hidden": looks.get("presentation:visibility") == "hidden",
        "transition": looks.get("smil:type") or looks.get("presentation:transition-style") or "",
        "pictures": [],
        "shapes": [],
    }
    titles: list[str] = []
    plain = {looks.get("draw:fill", "none"), below.get("draw:fill", "none")} <= {"none", "solid"}
    ground = (slide["background"] or PAPER) if plain else None
    for shape in (each for each in _shapes(page) if not _beyond(each, size)):
        lines = _lines(shape, _faint(styles, _ground(shape, styles) or ground))
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


def _beyond(shape: Element, size: list[float] | None) -> bool:
    """Tell whether a shape lies wholly outside the slide; one that is turned may lie anywhere."""
    left, top, width, height = (millimetres(get(shape, f"svg:{side}")) for side in ("x", "y", "width", "height"))
    if size is None or left is None or top is None or shape.get("draw:transform"):
        return False
    return left >= size[0] or top >= size[1] or left + (width or 0) <= 0 or top + (height or 0) <= 0


def _ground(shape: Element, styles: Styles) -> str | None:
    looks = {
        key: value
        for family, name in (("presentation", "presentation:style-name"), ("graphic", "draw:style-name"))
        for key, value in styles.properties(family, get(shape, name), "graphic").items()
    }
    return colour(looks.get("draw:fill-color", "")) if looks.get("draw:fill") == "solid" else None


def _faint(styles: Styles, ground: str | None) -> Callable[[Element], bool]:
    """Return what tells whether a piece of text cannot be read on the colour it stands on."""

    def faint(element: Element) -> bool:
        if element.tag != "text:span":
            return False
        looks = styles.properties("text", get(element, "text:style-name"), "text")
        look = {"colour": colour(looks.get("fo:color", "")), "size": points(looks.get("fo:font-size", ""))}
        look |= {"highlight": colour(looks.get("fo:background-color", ""))}
        return looks.get("text:display") == "none" or not can_be_read(look, ground)

    return faint


def _background(looks: dict[str, str]) -> str | None:
    return colour(looks.get("draw:fill-color", "")) if looks.get("draw:fill") == "solid" else None


def _shapes(element: Element) -> Iterator[Element]:
    """Yield what is drawn on a slide, groups taken apart."""
    for shape in element:
        if shape.tag in ("draw:g", "draw:a"):
            yield from _shapes(shape)
        elif shape.tag == "draw:frame" or shape.tag in SHAPES:
            yield shape


def _lines(element: Element, left_out: Callable[[Element], bool] = lambda element: False) -> list[str]:
    """Return the paragraphs in a shape, in order; empty ones are left out."""
    texts = [plain_text(inside, left_out) for inside in element.iter("text:p")]
    return [text.strip() for text in texts if text.strip()]


def _pictures(shape: Element, parts: PackageParts) -> list[dict[str, str]]:
    if any((millimetres(get(shape, f"svg:{side}")) or SMALL_MM) < SMALL_MM for side in ("width", "height")):
        return []
    for image in children(shape, "draw:image"):
        href = get(image, "xlink:href")
        if href in parts and child(shape, "table:table") is None and child(shape, "draw:object") is None:
            data = parts.read(href)
            return [{"name": href, "sha256": hashlib.sha256(data).hexdigest(), "digest": pixels_of(href, data)}]
    return []


def _kind(shape: Element) -> str:
    if shape.tag != "draw:frame":
        return SHAPES[shape.tag]
    kinds = {"table:table": "table", "draw:object": "object", "draw:text-box": "text box", "draw:image": "picture"}
    return next((kind for tag, kind in kinds.items() if child(shape, tag) is not None), "shape")
