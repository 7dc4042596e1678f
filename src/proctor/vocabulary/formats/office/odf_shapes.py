"""What is drawn on slides and pages of OpenDocument: place, colours, letters, pictures."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.odf_extras import setting_of
from proctor.vocabulary.formats.office.parse_odf import (
    SILENT,
    Styles,
    character,
    colour,
    millimetres,
    overlaid,
    picture_in,
    points,
    tenths,
)
from proctor.vocabulary.formats.office.parse_xml import PackageParts, child, children, get, merge_runs, number
from proctor.vocabulary.formats.visible import LINE_BREAK, Look, own_colour

SHAPES = {
    "draw:custom-shape": "shape", "draw:rect": "shape", "draw:ellipse": "shape", "draw:circle": "shape",
    "draw:line": "line", "draw:connector": "line", "draw:path": "shape", "draw:polygon": "shape",
    "draw:polyline": "line", "draw:measure": "line",
}  # fmt: skip
FRAMED = {"table:table": "table", "draw:object": "object", "draw:text-box": "text box", "draw:image": "picture"}
_STEP = re.compile(r"(rotate|translate)\s*\(([^)]*)\)")


def shapes_in(element: Element) -> Iterator[Element]:
    """Yield what is drawn in an element, groups taken apart."""
    for shape in element:
        if shape.tag in ("draw:g", "draw:a"):
            yield from shapes_in(shape)
        elif shape.tag == "draw:frame" or shape.tag in SHAPES:
            yield shape


def kind_of(shape: Element) -> str:
    """Return what a shape is: shape, line, table, picture, text box."""
    if shape.tag != "draw:frame":
        return SHAPES[shape.tag]
    return next((kind for tag, kind in FRAMED.items() if child(shape, tag) is not None), "shape")


def properties_of_shape(shape: Element, styles: Styles, kind: str) -> dict[str, str]:
    """Return the properties of a kind that a shape has by its styles."""
    found: dict[str, str] = {}
    for family, name in (("presentation", "presentation:style-name"), ("graphic", "draw:style-name")):
        if get(shape, name):
            found = overlaid(found, styles.properties(family, get(shape, name), kind))
    return found


def box_of(shape: Element) -> list[float] | None:
    """Return left, upper side, width and height of a shape in millimetres; None where nobody says."""
    if shape.get("svg:x1") is not None:
        ends = [millimetres(get(shape, f"svg:{key}")) or 0.0 for key in ("x1", "y1", "x2", "y2")]
        left, top = min(ends[0], ends[2]), min(ends[1], ends[3])
        return _round([left, top, abs(ends[2] - ends[0]), abs(ends[3] - ends[1])])
    width, height = (millimetres(get(shape, f"svg:{side}")) for side in ("width", "height"))
    if width is None or height is None:
        return None
    left, top = (millimetres(get(shape, f"svg:{side}")) or 0.0 for side in ("x", "y"))
    if shape.get("draw:transform"):
        corners = [_corner_at(shape, x, y) for x in (0.0, width) for y in (0.0, height)]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - top
    return _round([left, top, width, height])


def _corner_at(shape: Element, x: float, y: float) -> tuple[float, float]:
    for name, inside in _STEP.findall(get(shape, "draw:transform")):
        values = inside.split()
        if name == "rotate":
            angle = -float(values[0])
            x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        else:
            across, down = (*(millimetres(value) or 0.0 for value in values), 0.0)[:2]
            x, y = x + across, y + down
    return x, y


def _round(values: list[float]) -> list[float]:
    # A tenth of a millimetre either way is how programs save what nobody moved.
    return [round(value, 1) for value in values]


def look_of(shape: Element, styles: Styles, parts: PackageParts) -> Look:
    """Return what a shape is and how it looks, its letters included; what is not set is left out."""
    looks = properties_of_shape(shape, styles, "graphic")
    fill, stroke = looks.get("draw:fill", ""), looks.get("draw:stroke", "")
    turned = [float(inside) for name, inside in _STEP.findall(get(shape, "draw:transform")) if name == "rotate"]
    picture = next((picture_in(image, parts) for image in children(shape, "draw:image")), b"")
    found: Look = {
        "name": get(shape, "draw:name"),
        "kind": kind_of(shape),
        "form": get(child(shape, "draw:enhanced-geometry"), "draw:type") or _form(shape),
        "box_mm": box_of(shape),
        "rotation": round(math.degrees(turned[0])) % 360 if turned else 0,
        "fill": _fill(fill, looks, styles),
        "opacity": looks.get("draw:opacity", "").replace("100%", ""),
        "stroke": colour(looks.get("svg:stroke-color", "")) if stroke in ("solid", "dash") else None,
        "dashed": stroke == "dash",
        "stroke_mm": tenths(looks.get("svg:stroke-width", "")) if stroke in ("solid", "dash") else None,
        "corner_mm": tenths(get(shape, "draw:corner-radius") or looks.get("draw:corner-radius", "")),
        "arrows": [end for end in ("start", "end") if looks.get(f"draw:marker-{end}")] if stroke != "none" else [],
        "shadow": looks.get("draw:shadow") == "visible",
        "sha256": hashlib.sha256(picture).hexdigest() if picture else "",
        "layer": {"layout": ""}.get(layer := get(shape, "draw:layer"), layer),
        "runs": runs_of(shape, styles),
    }
    return {key: value for key, value in found.items() if value or key in ("kind", "box_mm")}


def fixed_box(shape: Element, look: Look, styles: Styles) -> list[float] | None:
    """Return the box of a shape, without its height where that follows from what it says."""
    box: list[float] | None = look["box_mm"]
    grows = properties_of_shape(shape, styles, "graphic").get("draw:auto-grow-height", "true") != "false"
    return box[:3] if box and grows and look["kind"] == "text box" else box


def _form(shape: Element) -> str:
    return shape.tag.partition(":")[2] if shape.tag in ("draw:rect", "draw:ellipse", "draw:circle") else ""


def _fill(kind: str, looks: dict[str, str], styles: Styles) -> str | None:
    if kind == "solid":
        return colour(looks.get("draw:fill-color", ""))
    if kind == "gradient":
        gradient = styles.gradients.get(looks.get("draw:fill-gradient-name", ""))
        ends = (get(gradient, "draw:start-color"), get(gradient, "draw:end-color"))
        return f"gradient {' '.join(end.lower() for end in ends)}".strip()
    return None if kind in ("", "none") else kind


def runs_of(shape: Element, styles: Styles) -> list[Look]:
    """Return the pieces of text in a shape with how they look, a line break between its paragraphs."""
    base = properties_of_shape(shape, styles, "text")
    runs: list[Look] = []
    for line, (depth, paragraph) in enumerate(_paragraphs(shape)):
        own = styles.properties("paragraph", get(paragraph, "text:style-name"), "text") if paragraph.attrib else {}
        if line and runs:
            runs[-1] = {**runs[-1], "text": f"{runs[-1]['text']}\n"}
        first = len(runs)
        _collect(paragraph, overlaid(base, own), styles, runs)
        if depth > 1:
            runs[first:] = [{**run, "level": depth} for run in runs[first:]]
    joined = merge_runs(runs)
    return [{key: value for key, value in run.items() if value} for run in joined]


def _paragraphs(shape: Element, depth: int = 0) -> Iterator[tuple[int, Element]]:
    """Yield the paragraphs in a shape, each with the number of lists that it stands in."""
    for inside in shape:
        if inside.tag in ("text:p", "text:h"):
            yield depth, inside
        yield from _paragraphs(inside, depth + (inside.tag == "text:list"))


def _collect(element: Element, looks: dict[str, str], styles: Styles, runs: list[Look]) -> None:
    def say(text: str | None) -> None:
        if text:
            runs.append({"text": text, **letters_of(looks, styles)})

    say(element.text)
    for inside in element:
        if inside.tag not in SILENT and inside.tag != "office:annotation":
            own = styles.properties("text", get(inside, "text:style-name"), "text") if inside.tag == "text:span" else {}
            say(character(inside).replace("\n", LINE_BREAK))
            first = len(runs)
            _collect(inside, overlaid(looks, own), styles, runs)
            if inside.tag == "text:a":
                runs[first:] = [{**run, "href": get(inside, "xlink:href")} for run in runs[first:]]
        say(inside.tail)


def letters_of(properties: dict[str, str], styles: Styles) -> Look:
    """Return how letters with some properties look."""
    weight = properties.get("fo:font-weight", "normal")
    marked = colour(properties.get("fo:background-color", ""))
    return {
        "bold": weight == "bold" or number(weight) >= 600,
        "italic": properties.get("fo:font-style") in ("italic", "oblique"),
        "underline": properties.get("style:text-underline-style", "none") != "none",
        "strike": properties.get("style:text-line-through-style", "none") != "none",
        "hidden": properties.get("text:display") == "none",
        "size": points(properties.get("fo:font-size", "")),
        "font": styles.font(properties),
        "colour": own_colour(colour(properties.get("fo:color", "")), marked),
        "highlight": marked,
        **setting_of(properties),
    }
