"""Actions and elements in words: the instructions of grounding samples, and what a critic is told was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proctor.observations.tree import Node
from proctor.records import Hit

MOST_NAME = 60
KINDS = (
    "click", "double click", "triple click", "right click", "middle click", "drag", "scroll", "move", "type", "press",
)  # fmt: skip
"""The action space of inverse dynamics: what people can tell apart by looking."""
_COUNTS = {1: "click", 2: "double click", 3: "triple click"}
_ROLES = {
    "push button": "button", "text": "text field", "entry": "text field", "page tab": "tab", "table cell": "cell",
    "check menu item": "menu item", "radio menu item": "menu item", "button": "button",
}  # fmt: skip


def kind_of(action: Mapping[str, Any]) -> str:
    """Return an action as one of KINDS; nothing for what is none of them."""
    kind = action.get("type")
    if kind == "click":
        button = action.get("button", "left")
        if button in ("right", "middle"):
            return f"{button} click"
        return _COUNTS.get(action.get("count", 1), "") if button == "left" else ""
    return kind if isinstance(kind, str) and kind in KINDS else ""


def action_words(action: Mapping[str, Any], element: Hit | None) -> str:
    """Return what was done as a critic is told it."""
    kind = kind_of(action) or str(action.get("type", "act"))
    if kind == "type":
        return f"type {short(str(action.get('text', '')))!r}"
    if kind == "press":
        return f"press {action.get('keys', '')}"
    if element is not None and (name := label(element.name, element.text)):
        return f"{kind} {role_words(element.role)} {name!r}"
    place = f" at ({action['x']:.0f}, {action['y']:.0f})" if _placed(action) else ""
    return f"{kind}{place}"


def _placed(action: Mapping[str, Any]) -> bool:
    return all(isinstance(action.get(axis), int | float) for axis in "xy")


def instruction(kind: str, element: Hit, alike: Sequence[Node] = ()) -> str:
    """Return an instruction that one element fits; nothing where words cannot tell it from the others.

    Args:
        kind: What was done, one of KINDS.
        element: What was hit.
        alike: All showing elements of the same role and name, itself included, where the tree is known.
    """
    name = label(element.name, element.text)
    if not name or element.box is None:
        return ""
    verb = {"move": "point at", "drag": "grab", "scroll": "scroll in"}.get(kind, kind).capitalize()
    verb = verb.replace(" click", "-click")
    holds = "" if label(element.name, "") else "that says "
    words = f'{verb} the {role_words(element.role)} {holds}"{name}"'
    if len(alike) <= 1:
        return words
    return _told_apart(words, element, alike)


def _told_apart(words: str, element: Hit, alike: Sequence[Node]) -> str:
    """Add where it is: its window where that does, otherwise its place among those that are alike."""
    same_window = [node for node in alike if node.window == element.window]
    if element.window and len(same_window) == 1:
        return f'{words} in the window "{short(element.window)}"'
    boxes = sorted((node.box.y, node.box.x) for node in alike if node.box)
    assert element.box is not None
    here = (round(element.box[1]), round(element.box[0]))
    if boxes.count(here) != 1:
        return ""
    rows = {y for y, _ in boxes}
    place = boxes.index(here) + 1
    if len(rows) == len(boxes):
        return f"{words}, number {place} of {len(boxes)} from the top"
    if len(rows) == 1:
        return f"{words}, number {place} of {len(boxes)} from the left"
    return ""


def role_words(role: str) -> str:
    """Return a role as people call it."""
    return _ROLES.get(role, role or "element")


def label(name: str, text: str) -> str:
    """Return by what people call an element: the first line of its name, or else of what it holds."""
    for given in (name, text):
        first = next((line.strip() for line in given.splitlines() if line.strip()), "")
        if first and any(letter.isalnum() for letter in first):
            return short(first).replace('"', "'")
    return ""


def short(text: str) -> str:
    """Return a text that fits a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_NAME else f"{line[: MOST_NAME - 3]}..."
