"""How objects and lines of Dia diagrams look, and whether anybody sees them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from proctor.vocabulary.formats.visible import INK, TINY_PT, can_be_read, stands_out

DIA = "{http://www.lysator.liu.se/~alla/dia/}"
PT_PER_CM = 72 / 2.54
_COLOURS = {"border_color": "border", "line_color": "border", "line_colour": "border"}
_NUMBERS = {
    "border_width": "border_cm", "line_width": "border_cm", "corner_radius": "corner_cm", "height": "letters_cm",
}  # fmt: skip
_CHOICES = {"line_style": "style", "alignment": "align"}


def colour_of(element: Element | None, name: str) -> str:
    """Return the colour of an attribute, empty where it is not said."""
    found = None if element is None else element.find(f"{DIA}attribute[@name='{name}']/{DIA}color")
    return "" if found is None else found.get("val", "")[:7].lower()


def dia_look(found: Element) -> dict[str, Any]:
    """Return what an object says of its lines, letters and corners; what it leaves open is left out."""
    look: dict[str, Any] = {}
    for attribute in found.iter(f"{DIA}attribute"):
        name = attribute.get("name", "")
        value = next(iter(attribute), None)
        if value is None:
            continue
        held = value.get("val", "")
        if name in _COLOURS:
            look[_COLOURS[name]] = held[:7].lower()
        elif name in _NUMBERS and re.fullmatch(r"-?[\d.]{1,20}(?:e-?\d+)?", held):
            look[_NUMBERS[name]] = round(float(held), 2)
        elif name in _CHOICES and held != "0":
            look[_CHOICES[name]] = held
        elif name == "font":
            look["font"] = " ".join(filter(None, (value.get("family", ""), value.get("style", "").strip("0"))))
        elif name in ("color", "text_colour") and value.tag == f"{DIA}color":
            look["colour"] = held[:7].lower()
        elif name == "show_background" and held == "false":
            look["background"] = "none"
        elif name in ("conn_endpoints", "orth_points", "poly_points", "bez_points"):
            look["points"] = [point.get("val", "") for point in attribute]
    return {key: value for key, value in look.items() if value}


def object_shows(whole: Mapping[str, Any], paper: str) -> bool:
    """Tell whether an object shows on its paper, and its text on the object."""
    ground = paper if whole.get("background") == "none" else whole["fill"] or "#ffffff"
    letters = {"colour": whole.get("colour", INK), "size": whole.get("letters_cm", TINY_PT) * PT_PER_CM}
    if whole["text"] and not can_be_read(letters, ground if whole["box"] or whole["fill"] else paper):
        return False
    drawn = stands_out(whole.get("border", INK), paper)
    return drawn or stands_out(ground, paper) or whole["kind"].endswith("Text")


def line_shows(line: Mapping[str, Any], paper: str) -> bool:
    """Tell whether a line shows on its paper."""
    return stands_out(line.get("border", INK), paper)
