"""AT-SPI items as data, in one ordered tree; whatever an application claims, it terminates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from proctor.computers.channels.dbus.client import Reply, value_of
from proctor.observations.bounds import MAX_NAME, MAX_TREE_CHARS, cut, reasons
from proctor.observations.box import Box
from proctor.observations.roles import ROLES_BY_NUMBER
from proctor.observations.tree import Node, Tree, Value

MAX_NODES = 20_000
MAX_DEPTH = 100
MAX_ITEMS = 100_000
"""How many items of one application are looked at."""
MAX_PATH = 1_000
MAX_INTERFACES, MAX_INTERFACE_CHARS = 40, 4_000
SHORT_TEXT = 200
"""Characters that are kept of a text for which there is no more room."""

_PATH = re.compile(r"/|(/[A-Za-z0-9_]+)+")
_UNIQUE_NAME = re.compile(r":[0-9]{1,9}\.[0-9]{1,9}")

ROOT_PATH = "/org/a11y/atspi/accessible/root"
NULL_PATH = "/org/a11y/atspi/null"

# In the order of AT-SPI's bits; words are separated by single blanks, as in role names.
STATES = (
    "invalid", "active", "armed", "busy", "checked", "collapsed", "defunct", "editable", "enabled", "expandable",
    "expanded", "focusable", "focused", "has tooltip", "horizontal", "iconified", "modal", "multi line",
    "multiselectable", "opaque", "pressed", "resizable", "selectable", "selected", "sensitive", "showing",
    "single line", "stale", "transient", "vertical", "visible", "manages descendants", "indeterminate", "required",
    "truncated", "animated", "invalid entry", "supports autocompletion", "selectable text", "is default", "visited",
    "checkable", "has popup", "read only",
)  # fmt: skip

UNKNOWN_ROLE = ROLES_BY_NUMBER.index("unknown")
WINDOW_ROLES = frozenset(
    {"alert", "color chooser", "dialog", "file chooser", "font chooser", "frame", "input method window", "window"}
)
WEB_ROLES = frozenset({"document frame", "document web"})


class Ref(NamedTuple):
    """Address of an accessible object: the application's bus name and an object path."""

    bus: str
    path: str


NOWHERE = Ref("", NULL_PATH)


def is_unique_name(name: str) -> bool:
    """Tell whether a bus itself gives such names: any other cannot be an application's."""
    return _UNIQUE_NAME.fullmatch(name) is not None


def own_ref(pair: tuple[str, str] | None, bus: str) -> Ref | None:
    """Return the object an application names if it is its own: a false bus may name any."""
    if pair is None or pair[0] != bus or pair[1] == NULL_PATH or len(pair[1]) > MAX_PATH:
        return None
    return Ref(*pair) if _PATH.fullmatch(pair[1]) else None


class TreeItem(NamedTuple):
    """What an application says about one object in bulk."""

    ref: Ref
    parent: Ref
    place: int
    """Rank among its siblings; negative when the application does not know."""
    child_count: int
    """How many children it claims; negative when unknown, possibly far more than exist."""
    interfaces: frozenset[str]
    """Without the common prefix, such as `Text`."""
    name: str
    role: str
    description: str
    states: frozenset[str]

    @property
    def showing(self) -> bool:
        """Whether the application says that it is drawn."""
        return "showing" in self.states

    @property
    def virtual_children(self) -> bool:
        """Whether its children exist only when asked for by position, as the cells of a large table do."""
        return "manages descendants" in self.states

    def completed(self, interfaces: Sequence[str], name: str, description: str) -> TreeItem:
        """Return the same object with what it can do and what it is called."""
        return self._replace(
            interfaces=interface_names(bound_interfaces(interfaces)),
            name=cut(name.strip(), MAX_NAME),
            description=cut(description.strip(), MAX_NAME),
        )

    def renewed(self, name: str, states: Sequence[int]) -> TreeItem:
        """Return the same object with what it is called now and how it is."""
        return self._replace(name=cut(name.strip(), MAX_NAME), states=state_names(tuple(states[:2])))


@dataclass(frozen=True, slots=True)
class Details:
    """What is asked about an item apart."""

    box: Box | None = None
    text: str = ""
    value: Value | None = None
    actions: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class AtspiApplication:
    """One application and all its items."""

    ref: Ref
    name: str = ""
    windows: tuple[Ref, ...] = ()
    """Children of its root, in order."""
    items: dict[Ref, TreeItem] = field(default_factory=dict)


class Placed(NamedTuple):
    """An item with its place in the tree."""

    item: TreeItem
    parent: int | None
    depth: int
    app: str
    window: str
    web: bool
    """Whether it belongs to a web page."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Items in the order of the tree, and what was left out."""

    placed: list[Placed]
    degraded: list[str]


def role_name(number: int) -> str:
    """Return the name of a role number."""
    return ROLES_BY_NUMBER[number] if 0 <= number < len(ROLES_BY_NUMBER) else "unknown"


@lru_cache(maxsize=4096)
def state_names(words: tuple[int, ...]) -> frozenset[str]:
    """Return the names of the states in a set of bits, given as 32-bit words, the lowest first."""
    bits = sum(word << 32 * place for place, word in enumerate(words))
    return frozenset(name for bit, name in enumerate(STATES) if bits >> bit & 1)


def bound_interfaces(interfaces: Sequence[str]) -> tuple[str, ...]:
    """Return a list of interfaces, or none where it is longer than any real one."""
    few = len(interfaces) <= MAX_INTERFACES and sum(map(len, interfaces)) <= MAX_INTERFACE_CHARS
    return tuple(interfaces) if few else ()


@lru_cache(maxsize=1024)
def interface_names(names: tuple[str, ...]) -> frozenset[str]:
    """Return interface names without their common prefix."""
    return frozenset(name.removeprefix("org.a11y.atspi.") for name in names)


def make_item(
    ref: Ref,
    parent: Ref,
    place: int = -1,
    child_count: int = -1,
    interfaces: Sequence[str] = (),
    name: str = "",
    role: int = UNKNOWN_ROLE,
    description: str = "",
    states: Sequence[int] = (),
) -> TreeItem:
    """Make an item of raw D-Bus values, bounding what is unbounded."""
    return TreeItem(
        ref,
        parent,
        place,
        child_count,
        interface_names(bound_interfaces(interfaces)),
        # Toolkits pad the names of menu items to make room for their shortcuts.
        cut(name.strip(), MAX_NAME),
        role_name(role),
        cut(description.strip(), MAX_NAME),
        state_names(tuple(states[:2])),
    )


def parse_items(reply: Reply, bus: str) -> dict[Ref, TreeItem]:
    """Read the reply to `Cache.GetItems`, in its old or its new form; anything else has no items."""
    items: dict[Ref, TreeItem] = {}
    if rows := value_of(reply, "a((so)(so)(so)iiassusau)"):
        for ref, _, parent, place, count, interfaces, name, role, description, states in rows[:MAX_ITEMS]:
            _add(items, bus, ref, parent, place, count, interfaces, name, role, description, states)
    elif rows := value_of(reply, "a((so)(so)(so)a(so)assusau)"):
        places = {child: place for row in rows[:MAX_ITEMS] for place, child in enumerate(row[3])}
        for ref, _, parent, children, interfaces, name, role, description, states in rows[:MAX_ITEMS]:
            place, count = places.get(ref, -1), len(children)
            _add(items, bus, ref, parent, place, count, interfaces, name, role, description, states)
    return items


def _add(items: dict[Ref, TreeItem], bus: str, ref: tuple[str, str], parent: tuple[str, str], *raw: Any) -> None:
    # An application speaks for itself only, and about each object once.
    if ref not in items and (own := own_ref(ref, bus)):
        item = make_item(own, Ref._make(parent), *raw)
        # Thunderbird lists the blank page that a dialog began with, long gone, in the place of what is in it now.
        if "defunct" not in item.states:
            items[own] = item


def children_of(items: Mapping[Ref, TreeItem]) -> dict[Ref, list[TreeItem]]:
    """Group items by parent, siblings in their real order."""
    groups: dict[Ref, list[TreeItem]] = {}
    for item in items.values():
        groups.setdefault(item.parent, []).append(item)
    for siblings in groups.values():
        # The bus hands items out in no order; those without a place follow in the order of their making.
        siblings.sort(key=lambda item: (item.place < 0, item.place, len(item.ref.path), item.ref.path))
    return groups


def arrange(applications: Iterable[AtspiApplication], *, max_nodes: int = MAX_NODES) -> Arrangement:
    """Put all items in depth-first order, applications by name, without cycles and orphans."""
    arrangement = Arrangement([], [])
    left = MAX_TREE_CHARS
    for application in sorted(applications, key=lambda application: application.name):
        start = len(arrangement.placed)
        complete = _place(application, arrangement.placed, max_nodes, left // 2)
        left -= sum(_label_chars(entry.item) for entry in arrangement.placed[start:])
        if not complete:
            arrangement.degraded.append(f"application {application.name!r} has more nodes than are read")
    return arrangement


def _label_chars(item: TreeItem) -> int:
    return len(item.name) + len(item.description)


def _place(application: AtspiApplication, placed: list[Placed], max_nodes: int, max_chars: int) -> bool:
    """Append one application's nodes; False when a limit cut them off."""
    root = application.items.get(application.ref) or make_item(application.ref, NOWHERE)
    groups = children_of(application.items)
    order = {ref: place for place, ref in enumerate(application.windows)}
    windows = groups.get(application.ref, [])
    windows.sort(key=lambda item: (order.get(item.ref, len(order)), item.place))
    named = root._replace(name=application.name, role="application")
    stack = [Placed(named, None, 0, named.name, "", False)]
    seen = {application.ref}
    complete = True
    while stack:
        if len(placed) >= max_nodes:
            return False
        entry = stack.pop()
        max_chars -= _label_chars(entry.item)
        if max_chars < 0:
            return False
        position = len(placed)
        placed.append(entry)
        below = [child for child in groups.pop(entry.item.ref, ()) if child.ref not in seen]
        if not below:
            continue
        if entry.depth >= MAX_DEPTH:
            complete = False
            continue
        seen.update(child.ref for child in below)
        stack.extend(_below(entry, position, child) for child in reversed(below))
    return complete


def _below(above: Placed, position: int, item: TreeItem) -> Placed:
    starts_window = above.depth == 0 or (item.role in WINDOW_ROLES and bool(item.name))
    return Placed(
        item,
        position,
        above.depth + 1,
        above.app,
        item.name if starts_window else above.window,
        above.web or item.role in WEB_ROLES,
    )


def build_tree(arrangement: Arrangement, details: Mapping[Ref, Details], degraded: Iterable[str] = ()) -> Tree:
    """Make the tree of arranged items and what is known about each."""
    nothing = Details()
    nodes: list[Node] = []
    complaints = [*degraded, *arrangement.degraded]
    left = room = MAX_TREE_CHARS
    for index, entry in enumerate(arrangement.placed):
        if entry.depth == 0:
            room = left // 2
        node = make_node(entry, index, details.get(entry.item.ref, nothing))
        size = _detail_chars(node)
        if size > max(room, SHORT_TEXT):
            complaints.append(f"application {entry.app!r} has more text than is read")
            node = replace(node, text=cut(node.text, SHORT_TEXT), actions=(), attributes={})
            size = _detail_chars(node)
        nodes.append(node)
        left, room = left - size, room - size
    return Tree(tuple(nodes), reasons(complaints))


def _detail_chars(node: Node) -> int:
    attributes = sum(len(name) + len(value) for name, value in node.attributes.items())
    return len(node.text) + sum(map(len, node.actions)) + attributes


def make_node(entry: Placed, index: int, details: Details) -> Node:
    """Make one node."""
    item = entry.item
    return Node(
        index=index,
        parent=entry.parent,
        depth=entry.depth,
        role=item.role,
        name=item.name,
        text=details.text,
        description=item.description,
        value=details.value,
        states=item.states,
        box=details.box,
        actions=details.actions,
        attributes=details.attributes,
        app=entry.app,
        window=entry.window,
    )


def incomplete(items: Mapping[Ref, TreeItem]) -> list[TreeItem]:
    """Return the showing items that claim more ordinary children than are known."""
    known = Counter(item.parent for item in items.values())
    return [
        item
        for item in items.values()
        if item.child_count > known[item.ref] and item.showing and not item.virtual_children
    ]


def hangs_together(application: AtspiApplication) -> bool:
    """Tell whether nearly all that an application says is showing can be reached from its windows."""
    showing = sum(item.showing for item in application.items.values())
    if not showing or not application.items.keys() >= set(application.windows):
        return not application.windows
    groups: dict[Ref, list[TreeItem]] = {}
    for item in application.items.values():
        groups.setdefault(item.parent, []).append(item)
    stack, reached = [application.ref], 0
    while stack:
        below = groups.pop(stack.pop(), [])
        reached += sum(item.showing for item in below)
        stack.extend(item.ref for item in below)
    return reached >= showing * 0.9
