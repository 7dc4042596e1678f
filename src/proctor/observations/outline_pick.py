"""Which elements of a tree belong into an outline, where each is seen, and below which heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from proctor.observations import elements as words
from proctor.observations.box import Box
from proctor.observations.outline_names import NearTexts, inner_text
from proctor.observations.outline_windows import Stack, Top, tops
from proctor.observations.tree import Node, Tree
from proctor.observations.window import SeenWindow

_HEADINGS = {
    "tool bar": "toolbar", "menu bar": "menu bar", "page tab list": "tabs", "list": "list", "list box": "list",
    "table": "table", "tree table": "table", "tree": "tree", "dialog": "dialog", "alert": "dialog",
    "status bar": "status bar", "form": "form", "landmark": "part", "grouping": "group", "menu": "menu",
    "popup menu": "menu", "combo box": "choices", "info bar": "message", "notification": "message",
    "document web": "page", "document text": "document", "document spreadsheet": "spreadsheet",
    "document presentation": "presentation", "article": "article",
}  # fmt: skip
"""What stands above the elements in it."""
_NAMED_HEADINGS = frozenset({"panel", "frame", "internal frame", "section", "filler", "option pane", "directory pane"})
"""The same, where it has a name."""
_CLIPS = frozenset({"scroll pane", "viewport", "internal frame", "document web", "document frame"})
_SCROLLS = frozenset({"list", "list box", "table", "tree table", "tree"})
_GRIDS = frozenset({"table", "tree table", "tree"})
_WHOLE = frozenset({"push button", "button", "menu button", "push button menu", "toggle button", "combo box", "menu",
                    "menu item", "check box", "radio button", "link", "check menu item", "radio menu item", "icon",
                    "switch", "list item", "table cell", "tree item", "table row", "heading", "column header",
                    "table column header", "paragraph", "label", "entry", "spin button"})  # fmt: skip
"""Roles whose texts inside are what they say themselves."""
_ROW = 64
"""How high things may be that share a line."""
_SHORT = 100
"""How many characters of theirs."""
_MAX_OFFSCREEN = 200
"""How many elements that are scrolled out of sight are told of."""


@dataclass(slots=True)
class Pick:
    """An element that is told of."""

    node: Node
    role: str
    name: str
    value: str
    states: tuple[str, ...]
    box: Box | None
    point: tuple[int, int] | None
    usable: bool


@dataclass(slots=True)
class PickedLine:
    """A heading, or what stands on one line."""

    level: int
    heading: str = ""
    items: list[Pick] = field(default_factory=list)


@dataclass(slots=True)
class Group:
    """A window and what is in it."""

    heading: str
    box: Box | None
    lines: list[PickedLine]


def pick(tree: Tree, screen: Box, windows: Sequence[SeenWindow]) -> list[Group]:
    """Return what a tree shows, by window, the frontmost first."""
    stack = Stack(windows)
    usable = _usable(tree)
    groups, offscreen = [], [_MAX_OFFSCREEN]
    for top in tops(tree, stack):
        lines = _Window(tree, top, screen, stack, usable, offscreen).lines() if top.node is not None else []
        if any(line.items for line in lines) or top.listed:
            groups.append(Group(top.heading, top.box, lines))
    return groups


def _usable(tree: Tree) -> list[bool]:
    """Tell of each node whether a pointer or a key can act on it."""
    found = [False] * len(tree.nodes)
    holds = [False] * len(tree.nodes)
    # Parents come before their children, so that from behind every node is known before what holds it.
    for node in reversed(tree.nodes):
        if "showing" not in node.states:
            continue
        found[node.index] = words.is_usable(node, leaf=not holds[node.index])
        if node.parent is not None and (found[node.index] or holds[node.index]):
            holds[node.parent] = True
    return found


@dataclass(slots=True)
class _Around:
    """What holds for all below a node."""

    depth: int
    level: int
    """Of the lines."""
    clip: Box
    whole: Pick | None = None
    """What has taken in the texts here."""
    grid: int | None = None
    hidden: bool = False
    focused: bool = False
    """Whether something that has no line has the focus, which is then that of what is in it."""
    scrolls: bool = False
    """Whether something around it can be scrolled, so that it may be in there and out of sight."""


class _Window:
    """Goes through one window in the order of its tree."""

    def __init__(
        self, tree: Tree, top: Top, screen: Box, stack: Stack, usable: Sequence[bool], offscreen: list[int]
    ) -> None:
        assert top.node is not None
        self._tree, self._top, self._stack, self._usable, self._screen = tree, top, stack, usable, screen
        self._nodes = [top.node, *tree.descendants(top.node)]
        self._labels = NearTexts(tree, self._nodes, usable)
        self._done: set[int] = set()
        self._rows: dict[tuple[int, int, int], PickedLine] = {}
        self._offscreen = offscreen
        self._lines: list[PickedLine] = []

    def lines(self) -> list[PickedLine]:
        """Return the lines of the window."""
        around = [_Around(self._nodes[0].depth, 1, self._screen)]
        for node in self._nodes:
            while len(around) > 1 and around[-1].depth >= node.depth:
                around.pop()
            here = around[-1]
            if node.index in self._done or here.hidden:
                continue
            around.append(self._visit(node, here))
        return self._lines

    def _visit(self, node: Node, here: _Around) -> _Around:
        below = replace(here, depth=node.depth)
        if node.role == "menu bar" and not node.showing:
            below.hidden = True  # LibreOffice has a second one, whose items say that they show
            return below
        below.focused = False
        whole = self._tell(node, here)
        if whole is not None:
            below.whole = whole if node.role in _WHOLE else here.whole
        if whole is None and node.role not in _HEADINGS:
            below.focused = here.focused or ("focused" in node.states and node.role not in _CLIPS and node.depth > 1)
        if node.role in _GRIDS:
            below.grid = node.index
        if node.role in _CLIPS or node.role in _SCROLLS:
            seen = node.box.intersect(here.clip) if node.box else None
            below.scrolls = seen is not None
            below.clip = seen or Box(0, 0, 0, 0) if node.role in _CLIPS else here.clip
        heading = "" if node is self._nodes[0] else self._heading(node, whole)
        if heading:
            self._lines.append(PickedLine(here.level, heading))
            below.level = min(here.level + 1, 8)
        if node.role == "page tab list":
            # The page hangs below its tab: all tabs first, and what is on the page after them.
            for child in self._tree.children(node):
                if child.role == "page tab" and "showing" in child.states:
                    self._tell(child, below)
            below.level = here.level
        return below

    def _heading(self, node: Node, told: Pick | None) -> str:
        if "showing" not in node.states or (told is not None and node.role not in ("menu", "combo box")):
            return ""
        if told is not None and not any(self._usable[child.index] for child in self._tree.children(node)):
            return ""
        name = words.own_name(node)
        focus = " focused" if "focused" in node.states and node.role != "page tab list" and told is None else ""
        if node.role in _NAMED_HEADINGS:
            return f"{words.quote(name)}{focus}" if name and node.name and node.role != "filler" else ""
        word = _HEADINGS.get(node.role, "")
        return f"{word} {words.quote(name)}{focus}" if word and name else word and f"{word}{focus}"

    def _tell(self, node: Node, here: _Around) -> Pick | None:
        """Add an element where it is worth a line; return it, or what has taken in its text."""
        if node.index in self._done or "showing" not in node.states:
            return None
        usable = self._usable[node.index]
        if usable and self._is_shell(node):
            return None
        if not usable and (here.whole is not None or node.role not in words.READ or self._labels.is_taken(node)):
            return None
        if usable and here.whole is not None and self._is_part(node, here.whole):
            return None
        item = self._make(node, here, usable)
        if item is None:
            return None
        if here.focused and usable and "focused" not in item.states:
            item.states = ("focused", *item.states)
        self._add(node, item, here)
        self._done.add(node.index)
        return item

    def _is_shell(self, node: Node) -> bool:
        """Tell whether it holds the very thing that it seems to be, as menu buttons of GTK 4 do."""
        inner = [each for each in self._tree.children(node) if self._usable[each.index]]
        return len(inner) == 1 and (inner[0].role, inner[0].name) == (node.role, node.name) and bool(node.name)

    def _is_part(self, node: Node, whole: Pick) -> bool:
        """Tell whether something usable is only a part of what has a line already."""
        if node.role == "table cell" and whole.node.role == "table cell":
            return "toggle" not in node.actions and "checkable" not in node.states
        if whole.node.role == "combo box":
            return node.role in ("entry", "text", "push button", "toggle button", "button") or node.box == whole.box
        return whole.node.role in ("push button", "button", "menu button", "link") and node.box == whole.box

    def _make(self, node: Node, here: _Around, usable: bool) -> Pick | None:
        name = words.own_name(node)
        parts: list[Node] = []
        if node.role in _WHOLE and (usable or not (name or self._holds_usable(node))):
            said, parts = inner_text(self._tree, node, self._usable)
            name = name or said
        value = words.value_of(node, name)
        if not usable:
            name, value = (name, value) if node.role in ("progress bar", "level bar") else (value or name, "")
            if not name and not value:
                return None
        if usable and node.role != "scroll bar" and (label := self._labels.beside(node)):
            # A list of choices is called by what is chosen.
            name, value = label, value or name
        if node.role == "combo box" and not value:
            held = next((words.plain(part.text) for part in parts if part.text and "editable" in part.states), "")
            value = "" if held == name else held
        box, point, unseen = self._place(node, here.clip)
        if unseen and (not usable or not (name or value) or not self._room(unseen, here)):
            return None
        states = self._states(node, parts)
        if not usable:
            states = tuple(state for state in states if state in ("selected", "busy", "checked", "mixed"))
        return Pick(node, words.role_word(node), name, value, (*states, *unseen), box, point, usable)

    def _holds_usable(self, node: Node) -> bool:
        return any(self._usable[below.index] for below in self._tree.descendants(node))

    def _states(self, node: Node, parts: Sequence[Node]) -> tuple[str, ...]:
        found = words.state_words(node, [part.states & _OF_PARTS for part in parts])
        if node.role != "page tab" or node.parent is None:
            return found
        row = self._tree.nodes[node.parent]
        if "selected" in found and "focused" in row.states and "focused" not in found:
            return ("focused", *found)  # GTK says that of the row
        if "focused" in found and not any("selected" in tab.states for tab in self._tree.children(row)):
            # Qt says of the tab in front that it is focused, in every row of tabs.
            rest = tuple(state for state in found if state != "focused")
            return ("focused", "selected", *rest) if "focused" in row.states else ("selected", *rest)
        return found

    def _room(self, unseen: tuple[str, ...], here: _Around) -> bool:
        """Tell whether something unseen is told of: not what is on another page."""
        if "offscreen" in unseen:
            self._offscreen[0] -= here.scrolls
            return here.scrolls and self._offscreen[0] >= 0
        return True

    def _place(self, node: Node, clip: Box) -> tuple[Box | None, tuple[int, int] | None, tuple[str, ...]]:
        seen = node.box.intersect(clip) if node.box else None
        if seen is None or (node.box and seen.width < 2 and node.box.width > 4) or seen.height < 2 < node.box.height:  # type: ignore[union-attr]
            return None, None, ("offscreen",)
        point = self._stack.free_point(seen, self._top)
        return seen, point, () if point else ("covered",)

    def _add(self, node: Node, item: Pick, here: _Around) -> None:
        if here.grid is not None and node.role in ("table cell", "tree item", "icon") and item.box and node.box:
            key = here.grid, node.box.y, node.box.height
            if key not in self._rows:
                self._rows[key] = PickedLine(here.level)
                self._lines.append(self._rows[key])
            self._rows[key].items.append(item)
            return
        last = self._lines[-1] if self._lines else None
        if last is not None and last.level == here.level and last.items and _is_beside(last.items[-1], item):
            last.items.append(item)
        else:
            self._lines.append(PickedLine(here.level, items=[item]))


def _is_beside(one: Pick, other: Pick) -> bool:
    """Tell whether two elements follow one another in a row of small things, as in a toolbar."""
    if not one.box or not other.box or max(one.box.height, other.box.height) > _ROW:
        return False
    short = len(one.name) + len(one.value) <= _SHORT and len(other.name) + len(other.value) <= _SHORT
    level = abs(one.box.center[1] - other.box.center[1]) <= 3
    return short and level and one.box.intersect(other.box) is None


_OF_PARTS = frozenset({"focused", "selected", "editable", "expanded", "expandable", "checked", "indeterminate"})
"""States that the parts of an element lend to it."""
