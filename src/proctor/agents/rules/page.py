"""A page as the rules see it: elements, the words of the task left out, by name, kind and place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

FIELDS = frozenset({"entry", "password text", "spin button"})
BUTTONS = frozenset({"push button"})
CHOICES = frozenset({"check box", "radio button"})
OPENERS = frozenset({"page tab", "tree item", "menu item", "toggle button"})
KINDS: dict[str, frozenset[str]] = {
    "button": BUTTONS,
    "link": frozenset({"link"}),
    "checkbox": frozenset({"check box"}),
    "radio": frozenset({"radio button"}),
    "text": frozenset({"entry"}),
    "textarea": frozenset({"entry"}),
    "tab": frozenset({"page tab"}),
}
"""What people call elements."""


class RulesPage:
    """The elements that are shown, in reading order; what repeats the instruction is left out."""

    def __init__(self, tree: Tree, instruction: str) -> None:
        self.tree = tree
        asked = _plain(instruction)
        skipped: set[int] = set()
        for node in tree.nodes:
            above = node.parent in skipped
            if above or (node.role in ("static", "paragraph", "section") and asked and _same(_plain(node.text), asked)):
                skipped.add(node.index)
        self.nodes = [node for node in tree.nodes if node.showing and node.depth > 2 and node.index not in skipped]

    def of(self, roles: Iterable[str]) -> list[Node]:
        """Return the elements of some roles."""
        wanted = set(roles)
        return [node for node in self.nodes if node.role in wanted]

    def fields(self) -> list[Node]:
        """Return what one can type into."""
        return [node for node in self.of(FIELDS) if "editable" in node.states and node.box and node.box.area > 100]

    def by_name(self, name: str, roles: Iterable[str] = (), *, exact: bool = True) -> list[Node]:
        """Return the elements of a name, those one can click and the inner of two first."""
        wanted = _plain(name)
        compare: Callable[[str], bool] = wanted.__eq__ if exact else lambda held: bool(wanted) and wanted in held
        allowed = set(roles)
        found = [
            node
            for node in self.nodes
            if (not allowed or node.role in allowed) and any(compare(_plain(text)) for text in (node.name, node.text))
        ]
        return sorted(
            found,
            key=lambda node: (
                name not in (node.name.strip(), node.text.strip()),  # as it is written comes before another case
                not node.actions,
                node.role in FIELDS,
                -node.depth,
            ),
        )

    def by_mark(self, word: str) -> list[Node]:
        """Return the elements whose class or id has a word: icons have no other name."""
        wanted = re.compile(rf"(?<![a-z]){re.escape(word.lower())}(?![a-z])")
        return [
            node
            for node in self.nodes
            if wanted.search(f"{node.attributes.get('class', '')} {node.attributes.get('id', '')}".lower())
        ]

    def field_of(self, label: str) -> Node | None:
        """Return the field that a label stands before or above."""
        wanted = _plain(label)
        for field in self.fields():
            about = " ".join((field.name, *(field.attributes.get(name, "") for name in ("id", "name", "placeholder"))))
            if wanted in _plain(about):
                return field
        labels = [node for node in self.nodes if _plain(node.name or node.text) == wanted and node.box]
        for node in sorted(labels, key=lambda node: node.role != "label"):
            near = [field for field in self.fields() if field.box and node.box and _follows(node.box, field.box)]
            if near:
                return min(near, key=lambda field: _distance(node, field))
        return None

    def nearest(self, to: Node, among: Iterable[Node]) -> Node | None:
        """Return the element that lies nearest to another one, those below or beside it first."""
        return min(among, key=lambda node: _distance(to, node), default=None)

    def row_of(self, label: str) -> str:
        """Return what a table says beside a label."""
        cells = self.of({"table cell", "column header", "row header"})
        for cell, following in zip(cells, cells[1:], strict=False):
            if _plain(cell.text or cell.name) == _plain(label) and following.parent == cell.parent:
                return following.text or following.name
        return ""


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().strip(":").casefold()


def _same(text: str, asked: str) -> bool:
    """Tell whether a text is the instruction or most of it; for a colour shown, a word is missing."""
    return text == asked or (len(text) > 12 and 2 * len(text) > len(asked) and {*text.split()} <= {*asked.split()})


def _follows(label: Box, field: Box) -> bool:
    beside = abs(label.center[1] - field.center[1]) < max(label.height, field.height) and field.center[0] > label.x
    below = field.center[1] > label.center[1] and field.x < label.x + label.width + 200
    return beside or below


def _distance(one: Node, other: Node) -> float:
    assert one.box and other.box, "both are shown"
    (x, y), (across, down) = one.box.center, other.box.center
    above = 400 if down < y - one.box.height else 0
    return abs(across - x) + 2 * abs(down - y) + above
