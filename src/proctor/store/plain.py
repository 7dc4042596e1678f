"""What was seen, as plain data for the record, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proctor.errors import RecordError
from proctor.observations.box import Box
from proctor.observations.marks import Marks
from proctor.observations.tree import Node, Tree, Value
from proctor.observations.window import SeenWindow
from proctor.records import SawWindow

MAX_LINE = 8 * 1024 * 1024
"""Bytes of a line of steps."""
MAX_TEXT = 64 * 1024
"""Characters that are left of each text when a line is longer."""
MAX_ITEMS = 1_000
MAX_DEPTH = 50


def tree_data(tree: Tree) -> dict[str, object]:
    """Return an accessibility tree: its nodes in order, what is empty left out."""
    data: dict[str, Any] = {"nodes": [_node_data(node) for node in tree.nodes]}
    if tree.degraded:
        data["degraded"] = list(tree.degraded)
    return data


def _node_data(node: Node) -> dict[str, object]:
    data: dict[str, object] = {"index": node.index, "parent": node.parent, "depth": node.depth, "role": node.role}
    for name in ("name", "text", "description", "app", "window"):
        if value := getattr(node, name):
            data[name] = value
    if node.states:
        data["states"] = sorted(node.states)
    if node.box is not None:
        data["box"] = list(node.box)
    if node.actions:
        data["actions"] = list(node.actions)
    if node.attributes:
        data["attributes"] = dict(node.attributes)
    if (value := node.value) is not None:
        data["value"] = [value.current, value.minimum, value.maximum, value.step]
    return data


def marks_data(marks: Marks) -> dict[str, object]:
    """Return the table an agent was given, and where each number is."""
    return {"table": marks.table, "boxes": {str(mark.index): list(mark.box) for mark in marks.marks}}


def windows_data(windows: Sequence[SeenWindow]) -> tuple[SawWindow, ...]:
    """Return windows, bottom to top."""
    return tuple(
        SawWindow(title=w.title, app=w.app, box=w.box, active=w.active, minimised=w.minimised) for w in windows
    )


def clip(data: Any, depth: int = 0) -> Any:
    """Return data with long texts, long lists and deep nests cut, and a note where."""
    if depth > MAX_DEPTH:
        return "[... too deep ...]"
    if isinstance(data, str):
        return data if len(data) <= MAX_TEXT else f"{data[:MAX_TEXT]} [... {len(data) - MAX_TEXT} characters left out]"
    if isinstance(data, Mapping):
        kept = list(data.items())[:MAX_ITEMS]
        return {clip(str(name), depth): clip(value, depth + 1) for name, value in kept}
    if isinstance(data, Sequence):
        cut = [f"[... {len(data) - MAX_ITEMS} items left out]"] if len(data) > MAX_ITEMS else []
        return [clip(value, depth + 1) for value in data[:MAX_ITEMS]] + cut
    return data


def tree_from(data: Any) -> Tree:
    """Return the tree that `tree_data` wrote; raises RecordError for anything else."""
    try:
        nodes = tuple(_node_from(number, node) for number, node in enumerate(data["nodes"]))
        return Tree(nodes, tuple(map(str, data.get("degraded", ()))))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError("a file does not hold the tree of a record", remedy="see `proctor runs verify`") from error


def _node_from(number: int, data: dict[str, Any]) -> Node:
    parent = data["parent"]
    if parent is not None and not 0 <= parent < number:
        raise ValueError("a node before its parent")
    box, value = data.get("box"), data.get("value")
    current, minimum, maximum, step = value or (0.0, 0.0, 0.0, 0.0)
    return Node(
        index=number,
        parent=parent,
        depth=int(data["depth"]),
        **{name: str(data.get(name, "")) for name in ("role", "name", "text", "description", "app", "window")},
        value=Value(current=current, minimum=minimum, maximum=maximum, step=step) if value else None,
        states=frozenset(map(str, data.get("states", ()))),
        box=Box(*map(int, box)) if box else None,
        actions=tuple(map(str, data.get("actions", ()))),
        attributes={str(key): str(word) for key, word in data.get("attributes", {}).items()},
    )
