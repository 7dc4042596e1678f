"""What `uiautomator dump` says as a tree; applications wrote parts of it, so it is bounded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree, Value

MOST_CHARS = 32 << 20
MOST_NODES = 20_000
MOST_DEPTH = 500
MOST_TEXT = 100_000
_BOUNDS = re.compile(r"\[(-?\d{1,6}),(-?\d{1,6})\]\[(-?\d{1,6}),(-?\d{1,6})\]", re.ASCII)

ROLES = {
    "Button": "push button", "ImageButton": "push button", "FloatingActionButton": "push button", "Chip": "push button",
    "EditText": "text", "AutoCompleteTextView": "text", "MultiAutoCompleteTextView": "text", "SearchView": "text",
    "TextView": "label", "CheckedTextView": "label", "ImageView": "image", "CheckBox": "check box",
    "RadioButton": "radio button", "Switch": "toggle button", "SwitchCompat": "toggle button",
    "ToggleButton": "toggle button", "CompoundButton": "toggle button", "Spinner": "combo box", "SeekBar": "slider",
    "RatingBar": "slider", "ProgressBar": "progress bar", "ListView": "list", "GridView": "list",
    "RecyclerView": "list", "ScrollView": "scroll pane", "HorizontalScrollView": "scroll pane",
    "WebView": "document web", "TabWidget": "page tab list",
    "TabHost": "page tab list", "Tab": "page tab", "DatePicker": "calendar",
    "VideoView": "video", "Toolbar": "tool bar", "NumberPicker": "spin button", "RadioGroup": "panel",
    "TableLayout": "table", "Dialog": "dialog", "ViewPager": "scroll pane",
}  # fmt: skip
"""What assistive technology on a desktop calls each kind of element; others are panels."""
_STATES = {
    "checkable": "checkable", "checked": "checked", "enabled": "enabled", "focusable": "focusable",
    "focused": "focused", "selected": "selected",
}  # fmt: skip


class Unreadable(Exception):
    """What the device wrote is not the description of a screen."""


def read_dump(data: bytes, size: tuple[int, int]) -> Tree:
    """Return the tree that a dump holds, cut to the screen; raises Unreadable for what is none."""
    if len(data) > MOST_CHARS:
        raise Unreadable(f"it has {len(data)} bytes")
    return _Reader(size).read(data)


@dataclass
class _Reader:
    size: tuple[int, int]
    nodes: list[Node] = field(default_factory=list)
    above: list[Node | None] = field(default_factory=list)
    left_out: int = 0
    apps: dict[str, int] = field(default_factory=dict)

    def read(self, data: bytes) -> Tree:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        # Nothing unfolds: a document type may declare entities within entities, and no device writes one.
        parser.StartDoctypeDeclHandler = _refuse_doctype
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise Unreadable(f"it is not well-formed: {error}") from error
        degraded = (f"{self.left_out} elements were left out",) if self.left_out else ()
        return Tree(_in_order(self.nodes), degraded)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "node":
            if not self.above and not self.nodes and tag not in ("hierarchy", "displays", "display", "window"):
                raise Unreadable(f"it begins with {tag[:40]!r}")
            self.above.append(self.above[-1] if self.above else None)
            return
        if len(self.above) > MOST_DEPTH or len(self.nodes) >= MOST_NODES:
            self.left_out += 1
            self.above.append(self.above[-1] if self.above else None)
            return
        parent = self.above[-1] if self.above else None
        package = attributes.get("package", "")[:200] or (parent.app if parent else "") or "android"
        if parent is None or parent.app != package:
            parent = self._application(package)
        node = _node(attributes, len(self.nodes), parent, self.size)
        self.nodes.append(node)
        self.above.append(node)

    def _end(self, _tag: str) -> None:
        self.above.pop()

    def _application(self, package: str) -> Node:
        if package not in self.apps:
            self.apps[package] = len(self.nodes)
            states = frozenset({"enabled", "showing", "visible", "active"} if not self.nodes else {"enabled"})
            self.nodes.append(
                Node(
                    index=len(self.nodes), parent=None, depth=0, role="application", name=package, states=states,
                    app=package,
                )
            )  # fmt: skip
        return self.nodes[self.apps[package]]


def _refuse_doctype(*_: object) -> None:
    raise Unreadable("it declares a document type")


def _node(attributes: Mapping[str, str], index: int, parent: Node, size: tuple[int, int]) -> Node:
    kind = attributes.get("class", "").rpartition(".")[2][:80]
    text, label = attributes.get("text", "")[:MOST_TEXT], attributes.get("content-desc", "")[:MOST_TEXT]
    hint = (attributes.get("hint", "") or attributes.get("hint-text", ""))[:1000]
    role = ROLES.get(kind.removeprefix("AppCompat").removeprefix("Material"), "")
    if not role:
        role = "push button" if attributes.get("clickable") == "true" and (text or label) else "panel"
    box = _box(attributes.get("bounds", ""), size)
    secret = attributes.get("password") == "true"
    resource = attributes.get("resource-id", "")[:300]
    return Node(
        index=index,
        parent=parent.index,
        depth=parent.depth + 1,
        role="password text" if secret and role == "text" else role,
        # What a field holds is its text; its name is what it is called.
        name=label or hint or (resource.rpartition("/")[2] if role == "text" else text),
        text=text,
        description=hint if label else "",
        value=_value(text) if role in ("slider", "progress bar") else None,
        states=_states(attributes, role, box),
        box=box,
        actions=tuple(name for name, flag in _ACTIONS if attributes.get(flag) == "true"),
        attributes={"class": kind, "resource-id": resource} if resource else {"class": kind},
        app=parent.app,
        window=parent.app,
    )


_ACTIONS = (("click", "clickable"), ("long click", "long-clickable"), ("scroll", "scrollable"))


def _states(attributes: Mapping[str, str], role: str, box: Box | None) -> frozenset[str]:
    found = {state for name, state in _STATES.items() if attributes.get(name) == "true"}
    if "enabled" in found:
        found.add("sensitive")
    if role == "text":
        found.add("editable")
    if box is not None and attributes.get("visible-to-user", "true") != "false":
        found |= {"showing", "visible"}
    return frozenset(found)


def _value(text: str) -> Value | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return Value(current=number, minimum=0.0, maximum=100.0) if 0 <= number <= 1e6 else None


def _box(bounds: str, size: tuple[int, int]) -> Box | None:
    found = _BOUNDS.fullmatch(bounds)
    if not found:
        return None
    left, top, right, bottom = map(int, found.groups())
    return Box(left, top, right - left, bottom - top).intersect(Box(0, 0, *size))


def _in_order(nodes: list[Node]) -> tuple[Node, ...]:
    """Return nodes depth first: parts of one application that lie apart are brought together."""
    children: dict[int | None, list[Node]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    ordered: list[Node] = []
    numbers: dict[int, int] = {}
    waiting = list(reversed(children.get(None, [])))
    while waiting:
        node = waiting.pop()
        numbers[node.index] = len(ordered)
        ordered.append(node)
        waiting.extend(reversed(children.get(node.index, [])))
    if all(old == new for old, new in numbers.items()):
        return tuple(nodes)
    return tuple(_renumber(node, numbers) for node in ordered)


def _renumber(node: Node, numbers: Mapping[int, int]) -> Node:
    parent = None if node.parent is None else numbers[node.parent]
    return replace(node, index=numbers[node.index], parent=parent)
