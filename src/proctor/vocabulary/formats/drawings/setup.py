"""Setup steps that write vector drawings."""

from __future__ import annotations

from xml.etree import ElementTree

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.formats.pictures.setup import Colour, Pixels, Shape

SVG = "http://www.w3.org/2000/svg"


@SETUP.register
def drawing(
    context: SetupContext,
    path: str,
    width: Pixels,
    height: Pixels,
    shapes: tuple[Shape, ...],
    background: Colour | None = None,
) -> None:
    """Write an SVG drawing of shapes; each keeps its id."""
    context.computer.write_file(path, svg(width, height, shapes, background))


def svg(width: int, height: int, shapes: tuple[Shape, ...], background: str | None = None) -> bytes:
    """Return shapes as an SVG file."""
    ElementTree.register_namespace("", SVG)
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}", "version": "1.1"}
    root = ElementTree.Element(f"{{{SVG}}}svg", size)
    if background:
        root.append(_element(Shape(kind="rectangle", box=(0, 0, width, height), fill=background, id="background")))
    root.extend(_element(shape) for shape in shapes)
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _element(shape: Shape) -> ElementTree.Element:
    left, top, width, height = shape.box
    points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
    style = f"fill:{shape.fill};stroke:{shape.outline or 'none'}"
    if shape.outline:
        style += f";stroke-width:{shape.width:g}"
    places: dict[str, float | str]
    if shape.kind == "rectangle":
        tag, places = "rect", {"x": left, "y": top, "width": width, "height": height}
    elif shape.kind == "ellipse":
        tag = "ellipse"
        places = {"cx": left + width / 2, "cy": top + height / 2, "rx": width / 2, "ry": height / 2}
    elif shape.kind == "polygon":
        tag, places = "polygon", {"points": points}
    elif shape.kind == "line":
        tag, places = "polyline", {"points": points}
        style = f"fill:none;stroke:{shape.fill};stroke-width:{shape.width:g}"
    else:
        # SVG places a text by its base line, pictures by its upper edge.
        tag, places = "text", {"x": left, "y": top + shape.size}
        style = f"fill:{shape.fill};font-family:sans-serif;font-size:{shape.size:g}px"
    attributes = {key: value if isinstance(value, str) else f"{value:g}" for key, value in places.items()}
    name = {"id": shape.id} if shape.id else {}
    element = ElementTree.Element(f"{{{SVG}}}{tag}", {**name, **attributes, "style": style})
    element.text = shape.text if shape.kind == "text" else None
    return element
