"""Settings of the desktop as its tools print them."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from proctor.vocabulary.formats.guarded_xml import parse_xml


def gvariant(text: str) -> object:
    """Return what GVariant's text form stands for: a truth value, number, text or a list of such.

    Everything else stays text.
    """
    bare = re.sub(r"^(@\S+|byte|u?int(16|32|64)|double)\s+", "", text.strip())
    if bare in ("true", "false"):
        return bare == "true"
    try:
        value = ast.literal_eval(bare)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return bare
    flat = value if isinstance(value, list) else [value]
    return value if all(isinstance(item, str | int | float) for item in flat) else bare


def xfconf_values(data: bytes, path: str) -> dict[str, str]:
    """Return the properties of a channel that have one value each, from the file XFCE keeps of it."""
    return dict(_values_of("", parse_xml(data, path)))


def _values_of(above: str, element: Element) -> Iterator[tuple[str, str]]:
    for each in element.findall("property"):
        name, value = f"{above}/{each.get('name', '')}", each.get("value")
        if value is not None:
            yield name, value
        yield from _values_of(name, each)


def python_values(told: str) -> object:
    """Return what a function was told to have returned; numbers that are none are named."""
    return json.loads(told, parse_constant=str, parse_float=_number)


def _number(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text
