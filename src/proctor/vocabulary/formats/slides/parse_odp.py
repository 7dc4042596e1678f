"""Reading presentations and drawings in OpenDocument (.odp, .odg) as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.odf_extras import extras_in, moving_in, remarks_on
from proctor.vocabulary.formats.office.odf_shapes import fixed_box, kind_of, look_of, runs_of, shapes_in
from proctor.vocabulary.formats.office.parse_odf import (
    Styles,
    colour,
    content_of,
    picture_in,
    plain_text,
    properties_of,
    tenths,
)
from proctor.vocabulary.formats.office.parse_xml import FlatParts, PackageParts, child, children, get
from proctor.vocabulary.formats.pictures.parse import pixels_of
from proctor.vocabulary.formats.slides.sight import SIDELINES, seen_lines, shape_on_slide
from proctor.vocabulary.formats.visible import LINE_BREAK, PAPER, Look

LAYOUTS = {
    (): "blank",
    ("title",): "title only",
    ("title", "subtitle"): "title slide",
    ("title", "outline"): "title and content",
    ("title", "object"): "title and content",
    ("title", "outline", "outline"): "title and two contents",
    ("subtitle",): "centred text",
}

BEHIND = ("background", "background-objects")
"""What of its master a slide shows."""

_NUMBERED = re.compile(r"(?:(?:page|slide) ?\d+)?", re.IGNORECASE)
"""How a slide is called that nobody gave a name."""
Looks = Mapping[str, str]


def read_odp(parts: PackageParts, label: str) -> dict[str, object]:
    """Return a presentation as plain data; what it does not show is told apart. Raises CannotSee."""
    _, body, styles = content_of(parts, label, "presentation")
    reader = _Reader(parts, styles)
    slides = [reader.slide(page) for page in children(body, "draw:page")]
    sizes = [slide.pop("size_mm") for slide in slides]
    about = properties_of(parts)
    return {
        "format": "flat-odp" if isinstance(parts, FlatParts) else "odp",
        "size_mm": sizes[0] if sizes else [],
        "slides": [
            {**slide, **({"size_mm": size} if size != sizes[0] else {})}
            for slide, size in zip(slides, sizes, strict=True)
        ],
        "masters": reader.masters_used(),
        "extras": extras_in(body),
        **({"properties": about} if about else {}),
    }


class _Reader:
    def __init__(self, parts: PackageParts, styles: Styles) -> None:
        self.parts, self.styles = parts, styles
        sheet = styles.sheet
        self.layouts = {
            get(layout, "style:name"): tuple(get(holder, "presentation:object") for holder in layout)
            for layout in (sheet.iter("style:presentation-page-layout") if sheet is not None else ())
        }
        self.pages = {
            get(layout, "style:name"): child(layout, "style:page-layout-properties")
            for layout in children(child(sheet, "office:automatic-styles"), "style:page-layout")
        }
        self.masters = {
            get(master, "style:name"): master
            for master in children(child(sheet, "office:master-styles"), "style:master-page")
        }
        self.used: list[str] = []

    def masters_used(self) -> list[Look]:
        """Return what the slides have in common by their masters, which are told apart by their order."""
        found = []
        for name in dict.fromkeys(self.used):
            master = self.masters.get(name)
            looks = self.styles.properties("drawing-page", get(master, "draw:style-name"), "drawing-page")
            drawn = list(shapes_in(master)) if master is not None else []
            shapes = [look_of(each, self.styles, self.parts) for each in drawn if not _holder(each)]
            found.append({"background": _background(looks), "shapes": shapes})
        return found

    def slide(self, page: Element) -> Look:
        name = get(page, "draw:master-page-name")
        if name in self.masters:
            self.used.append(name)
        master = self.masters.get(name)
        looks = self._page_looks(get(page, "draw:style-name"))
        below = self._page_looks(get(master, "draw:style-name"))
        sheet = self.pages.get(get(master, "style:page-layout-name"))
        size = [side for way in ("width", "height") if (side := tenths(get(sheet, f"fo:page-{way}")))]
        holders = self.layouts.get(get(page, "presentation:presentation-page-layout-name"), ())
        slide: Look = {
            "title": "",
            "notes": "",
            "layout": LAYOUTS.get(holders, ", ".join(holders)),
            "background": _background(looks) or _background(below),
            "hidden": looks.get("presentation:visibility") == "hidden",
            "transition": looks.get("smil:type") or looks.get("presentation:transition-style") or "",
            "shapes": [],
            "comments": remarks_on(page),
            "size_mm": size if len(size) == 2 else [],
        }
        plain = {looks.get("draw:fill", "none"), below.get("draw:fill", "none")} <= {"none", "solid"}
        self._draw(page, slide, (slide["background"] or PAPER) if plain else None)
        slide["notes"] = "\n".join(
            text
            for frame in children(child(page, "presentation:notes"), "draw:frame")
            if get(frame, "presentation:class") == "notes" and not _is_empty(frame)
            for text in _lines(frame)
        )
        timing = [
            " ".join(filter(None, (get(each, "presentation:preset-class"), get(each, "presentation:preset-id"))))
            for each in page.iter("anim:par")
            if each.get("presentation:preset-id")
        ]
        besides = {
            "animations": timing or moving_in(page),
            "fill": _pattern(looks),
            "runs_on_after": _time_shown(looks),
            "sound": self._sound(get(page, "draw:style-name")),
            "without_master": [part for part in BEHIND if looks.get(f"presentation:{part}-visible") == "false"],
            "name": "" if _NUMBERED.fullmatch(get(page, "draw:name")) else get(page, "draw:name"),
        }
        return {**slide, **{key: value for key, value in besides.items() if value}}

    def _draw(self, page: Element, slide: Look, ground: str | None) -> None:
        titles: list[str] = []
        size = slide["size_mm"] or None
        for shape in shapes_in(page):
            role = get(shape, "presentation:class")
            if role in SIDELINES or _is_empty(shape):
                continue
            look = look_of(shape, self.styles, self.parts)
            if role == "title":
                titles += seen_lines(look, ground, size)[0]
            told = shape_on_slide(look, role, ground, size)
            if look["box_mm"] is not None:
                told["box_mm"] = fixed_box(shape, look, self.styles)
            slide["shapes"].append({**told, **self._pixels(shape)})
        slide["title"] = " ".join(titles).replace(LINE_BREAK, "\n")

    def _page_looks(self, style: str) -> Looks:
        return self.styles.properties("drawing-page", style, "drawing-page")

    def _sound(self, style: str) -> str:
        """Return what sounds when a slide appears."""
        held = [child(each, "style:drawing-page-properties") for each in self.styles.chain("drawing-page", style)]
        sounds = (get(child(each, "presentation:sound"), "xlink:href") for each in held)
        return next(filter(None, sounds), "")

    def _pixels(self, shape: Element) -> dict[str, str]:
        """Return what a picture shows, whichever program packed it."""
        if kind_of(shape) == "picture":
            for image in children(shape, "draw:image"):
                if (data := picture_in(image, self.parts)) and (digest := pixels_of(get(image, "xlink:href"), data)):
                    return {"digest": digest}
        return {}


def _holder(shape: Element) -> bool:
    return bool(get(shape, "presentation:class"))


def _is_empty(shape: Element) -> bool:
    """Tell whether a shape only says where something may be put."""
    return get(shape, "presentation:placeholder") == "true"


def _background(looks: Looks) -> str | None:
    return colour(looks.get("draw:fill-color", "")) if looks.get("draw:fill") == "solid" else None


def _time_shown(looks: Looks) -> str:
    """Return after what time a slide gives way to the next by itself; empty where it waits."""
    by_itself = looks.get("presentation:transition-type") == "automatic"
    return looks.get("presentation:duration", "PT0S") if by_itself else ""


def _pattern(looks: Looks) -> str:
    """Return what a slide is filled with besides a plain colour."""
    kind = looks.get("draw:fill", "none")
    return "" if kind in ("none", "solid") else kind


def _lines(element: Element) -> list[str]:
    """Return the paragraphs in a shape, in order; empty ones are left out."""
    texts = [plain_text(inside) for inside in element.iter("text:p")]
    return [text.strip() for text in texts if text.strip()]


def read_odg(parts: PackageParts, label: str) -> Look:
    """Return a drawing in the form of `parse_drawing`: shapes of all pages, bottom to top."""
    _, body, styles = content_of(parts, label, "drawing")
    reader = _Reader(parts, styles)
    pages = [(page, reader.slide(page)) for page in children(body, "draw:page")]
    sizes = [slide["size_mm"] for _, slide in pages]
    shapes = []
    for number, (page, slide) in enumerate(pages, 1):
        for shape in shapes_in(page):
            look = look_of(shape, styles, parts)
            shapes.append(
                {**_as_shape(look, number, slide, runs_of(shape, styles)), "box": fixed_box(shape, look, styles)}
            )
    width, height = sizes[0] if sizes and sizes[0] else ["", ""]
    return {"format": "odg", "width": f"{width}mm", "height": f"{height}mm", "view": "", "shapes": shapes}


def _as_shape(look: Look, page: int, slide: Look, runs: list[Look]) -> Look:
    text = "".join(run["text"] for run in runs)
    seen, hidden = seen_lines(look, slide["background"] or PAPER, slide["size_mm"] or None)
    form = {"rect": "rectangle", "circle": "ellipse"}.get(look.get("form", ""), look.get("form", ""))
    told = {
        "kind": "text" if text and look["kind"] == "text box" else form or look["kind"],
        "id": look.get("name", ""),
        "fill": look.get("fill") or "none",
        "stroke": look.get("stroke") or "none",
        "text": " ".join(text.split()),
        "lines": [*seen, *hidden],
        "legible": not hidden,
    }
    besides = {key: value for key, value in look.items() if key not in ("kind", "name", "fill", "stroke", "box_mm")}
    return {**told, **besides, **({"page": page} if page > 1 else {})}
