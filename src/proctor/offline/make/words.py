"""Elements in words: the instructions of grounding samples."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.actions.in_words import label, role_words, short
from proctor.observations.tree import Node
from proctor.records import Hit


def instruction(kind: str, element: Hit, alike: Sequence[Node] = ()) -> str:
    """Return an instruction that fits one element of those `alike`; nothing where words cannot tell."""
    name = label(element.name, element.text)
    if not name or element.box is None:
        return ""
    verb = {"move": "point at", "drag": "grab", "scroll": "scroll in"}.get(kind, kind).capitalize()
    verb = verb.replace(" click", "-click")
    holds = "" if label(element.name, "") else "that says "
    words = f'{verb} the {role_words(element.role)} {holds}"{name}"'
    if len(alike) <= 1:
        return words
    return _tell_apart(words, element, alike)


def _tell_apart(words: str, element: Hit, alike: Sequence[Node]) -> str:
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
