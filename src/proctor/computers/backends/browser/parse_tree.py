"""What a page said of its elements, made a tree of nodes in pixels of the screen."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from proctor.observations.box import Box
from proctor.observations.tree import Node, Value

APP = "chromium"
MOST_NODES = 5000
MOST_TEXT = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Looked:
    """A page as it was seen: its nodes, of which the first ones have no parent yet."""

    title: str = ""
    url: str = ""
    nodes: tuple[Node, ...] = ()
    whole: bool = True


def read_look(text: object, *, size: tuple[int, int]) -> Looked:
    """Return what `look.js` returned, whatever it is: a page may have broken its own renderer."""
    try:
        data = json.loads(text) if isinstance(text, str) and text else {}
    except (ValueError, RecursionError):
        data = {}
    if not isinstance(data, dict) or not isinstance(entries := data.get("nodes"), list):
        return Looked(whole=False)
    title = _text(data.get("title"))[:500]
    to_screen = _Placing(data.get("frame"), size)
    nodes: list[Node] = []
    for entry in entries[:MOST_NODES]:
        node = _node(entry, len(nodes), nodes, to_screen, title)
        if node is None:
            break  # numbers of parents would not fit any more
        nodes.append(node)
    whole = len(nodes) == len(entries) and data.get("whole", True) is True
    return Looked(title=title, url=_text(data.get("url"))[:4000], nodes=tuple(nodes), whole=whole)


def below(root: Sequence[Node], looked: Looked) -> list[Node]:
    """Return nodes of a page, hung below the last of the given ones."""
    start, last = len(root), root[-1]
    return [
        replace(
            node,
            index=node.index + start,
            parent=last.index if node.parent is None else node.parent + start,
            depth=node.depth + last.depth + 1,
        )
        for node in looked.nodes
    ]


class _Placing:
    def __init__(self, frame: object, size: tuple[int, int]) -> None:
        said = frame if isinstance(frame, list) and len(frame) == 3 else [0, 0, 1]
        numbers: list[float] = [_number(each) for each in said]
        self._left, self._top, scale = numbers
        self._scale = min(max(scale, 0.1), 20.0)
        self._screen = Box(0, 0, *size)

    def box(self, data: object) -> Box | None:
        """Return a box; None where it is not on the screen."""
        if not isinstance(data, list) or len(data) != 4:
            return None
        x, y, width, height = map(_number, data)
        left, top = self._left + x * self._scale, self._top + y * self._scale
        right, bottom = left + width * self._scale, top + height * self._scale
        across, down = round(left), round(top)
        return Box(across, down, max(round(right) - across, 1), max(round(bottom) - down, 1)).intersect(self._screen)


def _node(entry: object, index: int, before: Sequence[Node], placing: _Placing, title: str) -> Node | None:
    if not isinstance(entry, list) or len(entry) != 11:
        return None
    parent, _, role, name, text, description, value, states, box, actions, attributes = entry
    above = before[parent] if isinstance(parent, int) and 0 <= parent < index else None
    place = placing.box(box)
    held = frozenset(map(_text, states if isinstance(states, list) else ()))
    return Node(
        index=index,
        parent=above.index if above else None,
        depth=above.depth + 1 if above else 0,
        role=_text(role)[:40] or "section",
        name=_text(name)[:MOST_TEXT],
        text=_text(text)[:MOST_TEXT],
        description=_text(description)[:MOST_TEXT],
        value=_value(value),
        states=held if place else held - {"showing"},
        box=place,
        actions=tuple(map(_text, actions)) if isinstance(actions, list) else (),
        attributes={_text(key): _text(each) for key, each in attributes.items()}
        if isinstance(attributes, dict)
        else {},
        app=APP,
        window=title,
    )


def _value(data: Any) -> Value | None:
    if not isinstance(data, list) or len(data) != 4:
        return None
    current, minimum, maximum, step = map(_number, data)
    return Value(current=current, minimum=minimum, maximum=maximum, step=step)


def _text(data: object) -> str:
    # Halves of characters come through JSON and cannot be written to any record.
    return data.encode("utf-8", "replace").decode() if isinstance(data, str) else ""


def _number(data: object) -> float:
    return float(data) if isinstance(data, int | float) and math.isfinite(data) and abs(data) < 1e7 else 0.0
