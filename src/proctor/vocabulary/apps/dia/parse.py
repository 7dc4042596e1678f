"""Dia diagrams, packed or not."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from typing import Any
from xml.etree import ElementTree

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.dia.looks import DIA, colour_of, dia_look, line_shows, object_shows
from proctor.vocabulary.formats.guarded_xml import parse_xml
from proctor.vocabulary.formats.visible import INK, PAPER, stands_out

MOST_BYTES = 16 * 2**20

LONE_TEXT = "Standard - Text"
"""The kind of a text that belongs to no shape."""

NO_HEAD = "0"
"""How Dia numbers the head of an arrow that there is none."""

EDGE = r"(-?\d{1,9}(?:\.\d{1,12})?)"


def dia_diagram(path: str, data: bytes) -> dict[str, object]:
    """Return the objects that the bytes of a Dia diagram hold, packed or not."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise CannotSee("unreadable", f"{path} is a broken diagram: {error}") from error
        if len(data) > MOST_BYTES:
            raise CannotSee("refused", f"{path} unpacks to more than {MOST_BYTES:,} bytes")
    return parse_objects(path, data)


def parse_objects(path: str, data: bytes) -> dict[str, Any]:
    """Return the objects that the XML of a Dia diagram holds."""
    root = parse_xml(data, path)
    if root.tag != f"{DIA}diagram":
        raise CannotSee("unreadable", f"{path} is not a Dia diagram")
    objects, lines, hidden = [], [], []
    paper = colour_of(root.find(f"{DIA}diagramdata"), "background") or PAPER
    unseen = {each for layer in root.iter(f"{DIA}layer") if layer.get("visible") == "false" for each in layer.iter()}
    for found in root.iter(f"{DIA}object"):
        kind = found.get("type", "")
        told = {"kind": kind, **dia_look(found)}
        if found in unseen:
            hidden.append({"id": found.get("id", ""), **told, "text": _dia_text(found)})
        elif re.search(r"Line|Arc|Bezier", kind):
            try:
                lines.append({**told, **_dia_ends(found), **_unless_shown(line_shows(told, paper))})
            except ValueError as error:
                raise CannotSee("unreadable", f"{path} is a broken diagram: {error}") from error
        else:
            text, fill = _dia_text(found), _dia_fill(found)
            whole = {"id": found.get("id", ""), **told, "text": text, "fill": fill, "box": _dia_box(found)}
            objects.append({**whole, **_unless_shown(object_shows(whole, paper))})
    layers = [
        {"name": layer.get("name", ""), "visible": layer.get("visible", "true")} for layer in root.iter(f"{DIA}layer")
    ]
    besides = {"hidden": hidden, "layers": layers, "background": "" if paper == PAPER else paper}
    told_besides = {key: value for key, value in besides.items() if value}
    return {"path": path, "format": "dia", "objects": _join_labels(objects), "lines": lines, **told_besides}


def _unless_shown(shows: bool) -> dict[str, bool]:
    return {} if shows else {"shown": False}


def _join_labels(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return objects so that a text which lies upon a shape is the text of that shape."""
    shapes = [item for item in objects if item["kind"] != LONE_TEXT and not item["text"] and item["box"]]
    left = []
    for item in objects:
        on = [shape for shape in shapes if item["kind"] == LONE_TEXT and lies_on(item["box"], shape["box"])]
        if on:
            smallest = min(on, key=lambda shape: area(shape["box"]))
            smallest["text"] = " ".join([*smallest["text"].split(), *item["text"].split()])
            # Letters that show on paper need not do so on the shape they lie on.
            ink, ground = item.get("colour", INK), smallest["fill"] or PAPER
            if not stands_out(ink, ground):
                smallest["shown"] = False
        else:
            left.append(item)
    return left


def lies_on(box: list[float] | None, shape: list[float]) -> bool:
    """Tell whether the middle of a box lies in a shape's."""
    if box is None:
        return False
    across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return shape[0] <= across <= shape[2] and shape[1] <= down <= shape[3]


def area(box: list[float]) -> float:
    """Return how much room a box takes."""
    return (box[2] - box[0]) * (box[3] - box[1])


def _dia_box(found: ElementTree.Element) -> list[float] | None:
    """Return left, top, right and bottom of an object as Dia notes them; None where it does not."""
    place = found.find(f"{DIA}attribute[@name='obj_bb']/{DIA}rectangle")
    edges = re.fullmatch(rf"{EDGE},{EDGE};{EDGE},{EDGE}", place.get("val", "") if place is not None else "")
    return [float(edge) for edge in edges.groups()] if edges else None


def _dia_ends(found: ElementTree.Element) -> dict[str, str]:
    """Return which objects a line leads from and to, and its arrow heads."""
    # One at its start only turns it round.
    links = found.findall(f"{DIA}connections/{DIA}connection")
    ends = {int(link.get("handle", "0")): link.get("to", "") for link in links}
    # The first handle is the start; the end is the second one, or the last one of a line with corners.
    start, end = ends.get(0, ""), ends[max(ends)] if ends and max(ends) > 0 else ""
    heads = [name for name in ("start_arrow", "end_arrow") if _has_head(found, name)]
    arrow = {0: "none", 1: "to", 2: "both"}[len(heads)]
    ends_at = {"from": end, "to": start} if heads == ["start_arrow"] else {"from": start, "to": end}
    return {**ends_at, "arrow": arrow}


def _has_head(found: ElementTree.Element, name: str) -> bool:
    attribute = found.find(f"{DIA}attribute[@name='{name}']")
    kind = None if attribute is None else attribute.find(f"{DIA}enum")
    return attribute is not None and (kind is None or kind.get("val") != NO_HEAD)


def _dia_text(found: ElementTree.Element) -> str:
    texts = [text.text or "" for text in found.iter(f"{DIA}string")]
    # Dia encloses every text in number signs.
    return " ".join(" ".join(text.strip("#").split()) for text in texts if text.strip("#").strip())


def _dia_fill(found: ElementTree.Element) -> str:
    names = ("inner_color", "fill_colour", "fill_color")
    return next((colour for name in names if (colour := colour_of(found, name))), "")
