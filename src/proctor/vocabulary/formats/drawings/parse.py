"""Vector drawings: SVG files and Dia diagrams, read without entities and without the network."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from PIL import ImageColor

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.drawings.sight import mark_unseen
from proctor.vocabulary.formats.drawings.style_sheets import Rule, declarations, rules_in
from proctor.vocabulary.formats.guarded_xml import parse_xml

MOST_BYTES = 16 * 2**20
MOST_SHAPES = 5000

KINDS = {
    "rect": "rectangle", "ellipse": "ellipse", "circle": "ellipse", "polygon": "polygon", "polyline": "line",
    "line": "line", "path": "path", "text": "text", "image": "image", "use": "copy", "foreignObject": "page",
}  # fmt: skip

UNSEEN = ("defs", "metadata", "clipPath", "mask", "symbol", "marker", "pattern", "namedview", "title", "desc")

BESIDE = {
    "title": "title", "desc": "description", "script": "script", "a": "link", "set": "animation",
    "animate": "animation", "animateTransform": "animation", "animateMotion": "animation",
}  # fmt: skip
"""What a drawing has beyond its shapes."""

LETTERS = ("font-family", "font-weight", "font-style", "text-decoration", "text-anchor", "letter-spacing")
LINES = ("stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap")
INHERITED = ("fill", "stroke", "display", "visibility", "fill-opacity", "font-size", *LETTERS, *LINES)
USUAL = {
    "font-weight": ("normal", "400"), "font-style": ("normal",), "text-decoration": ("none",),
    "text-anchor": ("start",), "letter-spacing": ("normal", "0px"), "stroke-width": ("1", "1px"),
    "stroke-dasharray": ("none",), "stroke-opacity": ("1",), "stroke-linejoin": ("miter",),
    "stroke-linecap": ("butt",),
}  # fmt: skip
"""What is so where nothing is said; programs write it out or leave it out."""

EFFECTS = ("clip-path", "mask", "filter")
"""What may take away from how something looks without changing it."""

LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"

ARC = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}type"

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

NUMBERED = re.compile(r"\A(?:rect|path|text|circle|ellipse|image|use|polygon|polyline|line)\d+\Z")
"""Names that Inkscape gives to shapes which have none."""

RGB = re.compile(r"rgba?\(([^()]*)\)", re.IGNORECASE)

GROUPMODE = "{http://www.inkscape.org/namespaces/inkscape}groupmode"

INSENSITIVE = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}insensitive"

ROLE = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}role"

FAINT = 0.2
"""What covers less of its ground is hardly seen."""
BRIGHT = 235
"""Letters that are brighter cannot be read on paper."""
TINY = 4.0
"""Pixels; letters that are smaller cannot be read."""

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


def parse_drawing(path: str, data: bytes) -> dict[str, object]:
    """Return the shapes that the bytes of an SVG file hold."""
    root = parse_xml(data, path)
    if _tag(root) != "svg":
        raise CannotSee("unreadable", f"{path} is not an SVG drawing")
    try:
        rules = [rule for each in root.iter() if _tag(each) == "style" for rule in rules_in("".join(each.itertext()))]
        rules.sort(key=lambda rule: rule.weight)
        page = _page(root)
        shapes = list(_shapes(root, IDENTITY, {"fill": "#000000", "stroke": "none"}, rules, page))
    except (ValueError, IndexError, RecursionError, OverflowError) as error:
        raise CannotSee("unreadable", f"{path} is a broken drawing: {error}") from error
    if len(shapes) > MOST_SHAPES:
        raise CannotSee("refused", f"{path} has more than {MOST_SHAPES} shapes")
    mark_unseen(shapes, page)
    size = {"width": root.get("width", ""), "height": root.get("height", ""), "view": root.get("viewBox", "")}
    layers = [layer for each in root if (layer := _layer(each))]
    stops = {each.get("id", ""): _stops(each) for each in root.iter() if _tag(each).endswith("Gradient")}
    besides = {"layers": layers, "gradients": [{"name": name, "stops": held} for name, held in stops.items() if held]}
    return {
        "path": path,
        "format": "svg",
        **size,
        "shapes": shapes,
        "extras": list(_extras(root)),
        **{key: value for key, value in besides.items() if value},
    }


def _extras(root: ElementTree.Element) -> Iterator[dict[str, str]]:
    """Yield what a drawing says of itself, what moves in it, links, and shapes that are not shown."""
    for each in root.iter():
        said = "".join(each.itertext()).strip() or next(
            (value for key, value in each.attrib.items() if key.rpartition("}")[2] == "href"), ""
        )
        tag = _tag(each)
        if tag in BESIDE and (said or BESIDE[tag] == "animation"):
            yield {"name": BESIDE[tag], "says": said}
        elif tag in KINDS and "none" in (each.get("display"), declarations(each.get("style", "")).get("display")):
            yield {"name": f"hidden {KINDS[tag]}", "says": said}


def _layer(group: ElementTree.Element) -> dict[str, object]:
    """Return a layer: its name, and whether it is shown and locked; nothing for what is none."""
    if group.get(GROUPMODE) != "layer":
        return {}
    hidden = "none" in declarations(group.get("style", "")).get("display", "")
    return {"name": group.get(LABEL, ""), "hidden": hidden, "locked": group.get(INSENSITIVE) == "true"}


def _stops(gradient: ElementTree.Element) -> list[str]:
    found = (declarations(stop.get("style", "")) | dict(stop.attrib) for stop in gradient if _tag(stop) == "stop")
    return [f"{colour(each.get('stop-color', '#000000'))} {each.get('offset', '')}" for each in found]


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _page(root: ElementTree.Element) -> list[float]:
    """Return the left, upper, right and lower side of the page; nothing where it has none in pixels."""
    view = [float(value) for value in NUMBER.findall(root.get("viewBox", ""))]
    sides = [_pixels(root.get(side, "")) for side in ("width", "height")]
    left, top, width, height = view if len(view) == 4 else [0.0, 0.0, *(side or 0.0 for side in sides)]
    return [left, top, left + width, top + height] if width > 0 and height > 0 else []


def _shapes(
    element: ElementTree.Element, outer: Matrix, style: dict[str, str], rules: list[Rule], page: list[float]
) -> Iterator[dict[str, object]]:
    tag = _tag(element)
    if tag in UNSEEN:
        return
    own = _style(element, style, rules)
    if own.get("display") == "none":
        return
    matrix = _times(outer, _transform(element.get("transform", "")))
    if tag in KINDS:
        if own.get("visibility") != "hidden":
            shape = _shape(element, tag, matrix, own)
            yield {**shape, **_text_lines(element, matrix, own, rules, page)} if tag == "text" else shape
        return
    for child in element:
        yield from _shapes(child, matrix, own, rules, page)


def _text_lines(
    element: ElementTree.Element, matrix: Matrix, style: dict[str, str], rules: list[Rule], page: list[float]
) -> dict[str, object]:
    """Return the lines of a text, and whether it is on the page and can be read there."""
    return {
        "lines": [line for each in _lines(element) if (line := " ".join(each.split()))],
        "legible": _on_page(element, matrix, page) and _readable(element, matrix, style, rules),
    }


def _lines(element: ElementTree.Element) -> list[str]:
    """Return a text in its lines; a part that says so, or has a height of its own, begins one."""
    found = [element.text or ""]
    for part in element:
        inside = _lines(part) if _tag(part) == "tspan" else []
        lower = NUMBER.match(part.get("dy", "").strip())
        if part.get(ROLE) == "line" or part.get("y") or (lower and float(lower[0])) or not inside:
            found += inside
        else:
            found[-1:] = [found[-1] + inside[0], *inside[1:]]
        found[-1] += part.tail or ""
    return found


def _on_page(element: ElementTree.Element, matrix: Matrix, page: list[float]) -> bool:
    if not page:
        return True
    parts = [part for part in element.iter() if _tag(part) in ("text", "tspan")]
    put = [part for part in parts if part.get("x") or part.get("y")]
    inner = [part for part in put if part is not element and "".join(part.itertext()).strip()]
    places = [_place(matrix, point) for part in inner or put or [element] for point in _corners(part, "text")]
    return all(page[0] <= x < page[2] and page[1] < y <= page[3] for x, y in places)


def _readable(element: ElementTree.Element, matrix: Matrix, style: dict[str, str], rules: list[Rule]) -> bool:
    ends = [element.text, *(part.tail for part in element)]
    if any(end and end.strip() for end in ends) and not _has_ink(matrix, style):
        return False
    inside = [part for part in element if _tag(part) == "tspan"]
    return all(_readable(part, matrix, _style(part, style, rules), rules) for part in inside)


def _has_ink(matrix: Matrix, style: dict[str, str]) -> bool:
    if style.get("display") == "none" or style.get("visibility") == "hidden" or _has_mask(style):
        return False
    covers = _share(style["opacity"]) * _share(style.get("fill-opacity", ""))
    fill, stroke = style.get("fill", ""), style.get("stroke", "")
    seen = (_dark(fill) and covers * _alpha(fill) >= FAINT) or (_dark(stroke) and _share(style["opacity"]) >= FAINT)
    size = _pixels(style.get("font-size", ""))
    a, b, c, d, *_ = matrix
    return seen and (size is None or size * math.sqrt(abs(a * d - b * c)) >= TINY)


def _has_mask(style: dict[str, str]) -> bool:
    return bool({"clip-path", "mask"} & set(style["effects"].split()))


def _dark(text: str) -> bool:
    mixed = _colour_of(text)
    return min(mixed[0]) < BRIGHT if mixed else text.strip() not in ("none", "transparent", "")


def _style(element: ElementTree.Element, outer: dict[str, str], rules: list[Rule]) -> dict[str, str]:
    """Return how an element looks: by its attributes, style sheets, and its own style, which wins."""
    own = {key: value for key in (*INHERITED, "opacity") if (value := element.get(key))}
    for rule in rules:
        own |= rule.said if rule.fits(element, _tag(element)) else {}
    own |= declarations(element.get("style", ""))
    found = {key: value for key in INHERITED if (value := own.get(key) or outer.get(key))}
    set_here = {key for key in EFFECTS if (own.get(key) or element.get(key) or "none") != "none"}
    found["effects"] = " ".join(sorted({*outer.get("effects", "").split(), *set_here}))
    # What is seen through a group is seen through its parts.
    return {**found, "opacity": str(_share(outer.get("opacity", "")) * _share(own.get("opacity", "")))}


def _share(text: str) -> float:
    """Return how much something covers, from 0 to 1; all where nothing is said."""
    number = NUMBER.match(text.strip())
    value = float(number[0]) / (100 if text.strip().endswith("%") else 1) if number else 1.0
    return min(max(value, 0.0), 1.0)


def _shape(element: ElementTree.Element, tag: str, matrix: Matrix, style: dict[str, str]) -> dict[str, object]:
    kind = "ellipse" if element.get(ARC) == "arc" else "star" if element.get(ARC) == "star" else KINDS[tag]
    corners = [_place(matrix, point) for point in _corners(element, tag)]
    box = None
    if corners:
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        box = [round(value, 2) for value in (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))]
        if not all(map(math.isfinite, (*xs, *ys, *box))):
            raise ValueError("a shape lies beyond every number")
    return {
        "kind": kind,
        "id": NUMBERED.sub("", element.get("id", "")),
        "label": element.get(LABEL, ""),
        "fill": colour(style.get("fill", "")),
        "stroke": colour(style.get("stroke", "")),
        "opacity": round(_share(style["opacity"]) * _share(style.get("fill-opacity", "")) * _alpha(style["fill"]), 2),
        "text": " ".join("".join(element.itertext()).split()) if tag == "text" else "",
        "size": _pixels(style.get("font-size", "")) if tag == "text" else None,
        "effects": style["effects"],
        "box": box,
        "corners": [round(value, 2) for corner in corners for value in corner] if element.get("points") else None,
        **_details(element, tag, style),
    }


def _details(element: ElementTree.Element, tag: str, style: dict[str, str]) -> dict[str, object]:
    """Return what is not as usual of a shape: lines, letters, corners, outline, picture."""
    told = (*LETTERS, "font-size") if tag == "text" else () if style.get("stroke", "none") == "none" else LINES
    found: dict[str, object] = {
        key.replace("-", "_"): _tidy(style[key])
        for key in told
        if style.get(key) and style[key] not in USUAL.get(key, ())
    }
    if tag == "rect":
        radii = [float(part[0]) for side in ("rx", "ry") if (part := NUMBER.match(element.get(side, "")))]
        found["radius"] = round(max(radii), 2) if radii else None
    if tag == "path":
        outline = NUMBER.sub(lambda found: f"{float(found[0]):.2f}", element.get("d", ""))
        found["outline"] = " ".join(outline.replace(",", " ").split())
    if tag in ("image", "use"):
        href = next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == "href"), "")
        found["href"] = hashlib.sha256(href.encode()).hexdigest() if href.startswith("data:") else href
    return {key: value for key, value in found.items() if value}


def _tidy(value: str) -> str:
    return re.sub(r"\s*,\s*", ", ", value.replace("'", "").replace('"', "").strip())


def _pixels(text: str) -> float | None:
    """Return a size of letters in pixels."""
    found = re.fullmatch(rf"({NUMBER.pattern})\s*(px|pt)?", text.strip())
    return round(float(found[1]) * (4 / 3 if found[2] == "pt" else 1), 2) if found else None


def colour(text: str) -> str:
    """Return a colour as `#rrggbb`; `none`, gradients and the like stay as they are written."""
    mixed = _colour_of(text)
    return "#{:02x}{:02x}{:02x}".format(*mixed[0]) if mixed else text


def _alpha(text: str) -> float:
    """Return how much a colour covers, from 0 to 1."""
    mixed = _colour_of(text)
    return mixed[1] if mixed else 1.0


def _colour_of(text: str) -> tuple[tuple[int, ...], float] | None:
    """Return red, green and blue of a colour and how much it covers; None where it is none."""
    function = RGB.fullmatch(text.strip())
    parts = re.split(r"[\s,/]+", function[1].strip()) if function else []
    if len(parts) in (3, 4) and all(re.fullmatch(rf"(?:{NUMBER.pattern})%?", part) for part in parts):
        shares = [_share(part) if part.endswith("%") else float(part) / 255 for part in parts[:3]]
        return tuple(round(255 * min(max(share, 0.0), 1.0)) for share in shares), _share("".join(parts[3:]))
    try:
        red, green, blue, *rest = ImageColor.getrgb(text.strip())
    except ValueError:
        return None
    return (red, green, blue), (rest[0] if rest else 255) / 255


def _corners(element: ElementTree.Element, tag: str) -> list[tuple[float, float]]:
    def number(name: str) -> float:
        found = NUMBER.match(element.get(name, "").strip())
        return float(found[0]) if found else 0.0

    if tag in ("rect", "image"):
        left, top, right, bottom = number("x"), number("y"), number("width"), number("height")
        return [(left + right * x, top + bottom * y) for x in (0, 1) for y in (0, 1)]
    if tag in ("ellipse", "circle"):
        across, down = (number("r"), number("r")) if tag == "circle" else (number("rx"), number("ry"))
        return [(number("cx") + across * x, number("cy") + down * y) for x in (-1, 1) for y in (-1, 1)]
    if tag == "line":
        return [(number("x1"), number("y1")), (number("x2"), number("y2"))]
    if tag == "text":
        return [(number("x"), number("y"))]
    values = [float(value) for value in NUMBER.findall(element.get("points", ""))]
    return list(zip(values[::2], values[1::2], strict=True))


def _transform(text: str) -> Matrix:
    matrix = IDENTITY
    for name, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
        values = [float(value) for value in NUMBER.findall(inner)]
        if name == "matrix":
            a, b, c, d, e, f = values
            step: Matrix = (a, b, c, d, e, f)
        elif name == "translate":
            step = (1, 0, 0, 1, values[0], values[1] if len(values) > 1 else 0)
        elif name == "scale":
            step = (values[0], 0, 0, values[1] if len(values) > 1 else values[0], 0, 0)
        elif name == "rotate":
            sine, cosine = math.sin(math.radians(values[0])), math.cos(math.radians(values[0]))
            x, y = values[1:3] if len(values) == 3 else (0.0, 0.0)
            step = (cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y)
        else:
            continue
        matrix = _times(matrix, step)
    return matrix


def _times(left: Matrix, right: Matrix) -> Matrix:
    a, b, c, d, e, f = left
    g, h, i, j, k, m = right
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def _place(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f
