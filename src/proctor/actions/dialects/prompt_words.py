"""Words about actions for prompts, taken from the action set's own schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from proctor.actions.action import TOUCH, schemas
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import Space
from proctor.actions.fields import JsonSchema

WRITTEN_DIFFERENTLY = ("drag", "press", "scroll")
"""Kinds whose details (a path, a row of keys, which way is positive) are those of plain JSON only."""
PLACED = frozenset({"move", "click", "drag", "scroll"}) | TOUCH
"""Kinds that may have a place."""


KEYS = (
    "Keys are called: enter, tab, space, backspace, delete, escape, up, down, left, right, home, end, pageup, "
    "pagedown, insert, f1 to f12, ctrl, shift, alt, super; letters, digits and symbols by themselves."
)


_schemas = cache(schemas)


def sentence_for(kind: str) -> str:
    """Return what an action of a kind does, in a sentence."""
    return _schemas()[kind]["description"]


def json_form(kind: str) -> str:
    """Return the JSON of a kind of action, its optional fields marked with a question mark."""
    form = _schemas()[kind]
    pieces = [f'"type": "{kind}"']
    for name, field in form["properties"].items():
        if name not in ("type", "given"):
            mark = "" if name in form["required"] else "?"
            pieces.append(f'"{name}"{mark}: {_kind_of(field)}')
    return f"{{{', '.join(pieces)}}}"


def list_forms(kinds: Sequence[str], forms: Mapping[str, str]) -> str:
    """Return how to write each allowed kind that has a form, and what it does."""
    entries: list[str] = []
    for kind, form in forms.items():
        if kind in kinds:
            does = sentence_for(kind)
            if form != json_form(kind) and kind in WRITTEN_DIFFERENTLY:
                # An example in the form of plain JSON would be a foreign word here.
                does = does.partition(";")[0].partition(", such as")[0] + "."
            entries.append(f"- {form}\n  {does}")
    return "\n".join(entries)


def places(space: Space, frame: Frame, kinds: Sequence[str], id_form: str = "") -> str:
    """Return what coordinates and ids of elements mean; empty where none is used."""
    if not PLACED.intersection(kinds):
        return ""
    by_id = f"{id_form} stands for the middle of the element with the id 3." if id_form and has_ids(frame) else ""
    return " ".join(filter(None, [space.describe(), by_id]))


def keys(kinds: Sequence[str]) -> str:
    """Return which names keys have, where keys are pressed by name."""
    return KEYS if {"press", "key_down", "key_up"}.intersection(kinds) else ""


def has_ids(frame: Frame) -> bool:
    """Tell whether elements have ids, listed or drawn in the picture."""
    return frame.marked or frame.listed or bool(frame.marks)


def join_lines(*parts: str) -> str:
    """Return the parts of a description that are not empty, one below the other."""
    return "\n".join(filter(None, parts))


def _kind_of(field: JsonSchema) -> str:
    if "enum" in field:
        return " | ".join(f'"{choice}"' for choice in field["enum"])
    if field["type"] == "array":
        return f"[{_kind_of(field['items'])}, ...]" if "minItems" not in field or field["minItems"] < 2 else "[x, y]"
    if field["type"] == "string":
        return "text"
    least = field.get("minimum", field.get("exclusiveMinimum"))
    bounds = f" from {least:g} to {field['maximum']:g}" if least is not None and abs(least) <= 1 else ""
    return {"number": "number", "integer": "whole number"}[field["type"]] + bounds
