"""What a locator looks for: pure matching over a tree, and the reasons why other elements do not match."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

Wanted = str | re.Pattern[str]
"""A text to find, or a pattern for exactness.

A plain string is found anywhere in a text, whatever the case; where it is the whole text of some elements, only those
count, so that `Save` finds `Save` rather than `Save As...`. A pattern is searched as it is.
"""

NEAR = 0.6
"""How alike two names must be to be taken for a slip of the pen."""
MAX_NEAR = 5
CLIPPING_ROLES = frozenset({"scroll pane", "viewport"})
FLOATING_ROLES = frozenset({"menu", "popup menu", "combo box", "window", "tool tip"})
"""What these hold is drawn over their surroundings, not inside them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """The properties an element must have; None does not matter."""

    role: str | None = None
    name: Wanted | None = None
    text: Wanted | None = None
    app: Wanted | None = None
    window: Wanted | None = None

    @property
    def texts(self) -> dict[str, Wanted]:
        """The textual properties that matter, by the name of the node's attribute."""
        every = {"name": self.name, "text": self.text, "app": self.app, "window": self.window}
        return {attribute: wanted for attribute, wanted in every.items() if wanted is not None}

    def __str__(self) -> str:
        label = self.role or "element"
        details = [f"{attribute} {show(wanted)}" for attribute, wanted in self.texts.items()]
        return f"{label} with {' and '.join(details)}" if details else label

    def reasons(self, node: Node) -> list[str]:
        """Return why a node does not match; empty when it does."""
        reasons = []
        if self.role is not None and node.role.casefold() != self.role.casefold():
            reasons.append(f"its role is {node.role!r}")
        for attribute, wanted in self.texts.items():
            held = getattr(node, attribute)
            found = wanted.casefold() in held.casefold() if isinstance(wanted, str) else wanted.search(held)
            if not found:
                reasons.append(f"its {attribute} is {held[:60]!r}")
        if not node.showing:
            reasons.append("it is not showing")
        return reasons

    def select(self, nodes: Iterable[Node], *, hidden: bool = False) -> list[Node]:
        """Return the nodes that match, in order; only those showing unless told otherwise."""
        allowed = [[], ["it is not showing"]] if hidden else [[]]
        matches = [node for node in nodes if self.reasons(node) in allowed]
        for attribute, wanted in self.texts.items():
            if isinstance(wanted, str):
                whole = [node for node in matches if getattr(node, attribute).casefold() == wanted.casefold()]
                matches = whole or matches
        return matches

    def near(self, nodes: Iterable[Node]) -> list[str]:
        """Describe the elements most like what was wanted, each with the reasons why it did not match."""
        rated = []
        for node in nodes:
            reasons = self.reasons(node)
            likeness = _likeness(self.name or self.text, node)
            others = [reason for reason in reasons if not reason.startswith(("its name", "its text"))]
            if len(others) < len(reasons) and likeness < NEAR:
                continue
            if len(others) <= 1 or (likeness == 1.0 and len(others) <= 2):
                rated.append((len(reasons), -likeness, node.index, f"{node.describe()}: {', '.join(reasons)}"))
        return [line for *_, line in sorted(rated)[:MAX_NEAR]]


def show(wanted: Wanted) -> str:
    """Return what was wanted, as a message shows it."""
    return repr(wanted) if isinstance(wanted, str) else f"/{wanted.pattern}/"


def _likeness(wanted: Wanted | None, node: Node) -> float:
    """Return how alike a text is to what was wanted, from 0 to 1; 0 for what has no likeness."""
    if not isinstance(wanted, str):
        return 0.0
    best = 0.0
    most = 2 * len(wanted) + 20  # comparing takes time, and what is so much longer is not alike
    for held in filter(None, (node.name[:most], node.text[:most])):
        matcher = difflib.SequenceMatcher(None, wanted.casefold(), held.casefold(), autojunk=False)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            best = max(best, matcher.ratio())
    return best


def innermost(tree: Tree, matches: list[Node]) -> list[Node]:
    """Leave out matches that hold another match: a button and its own label are one thing to a user."""
    holders = {above.index for node in matches for above in tree.ancestors(node)}
    return [node for node in matches if node.index not in holders]


def visible_part(tree: Tree, node: Node, size: tuple[int, int]) -> Box | None:
    """Return an element's part inside the desktop and scrolled areas around it; None for none."""
    box = node.box and node.box.intersect(Box(0, 0, *size))
    for above in _surroundings(tree, node):
        if box and above.role in CLIPPING_ROLES and above.box:
            box = box.intersect(above.box)
    return box


def _surroundings(tree: Tree, node: Node) -> Iterator[Node]:
    for above in tree.ancestors(node):
        if above.role in FLOATING_ROLES:
            return
        yield above


def is_related(target: Node, hit: Node) -> bool:
    """Tell whether the element at a place is the target, a part of it, or what it is part of."""
    if target.app != hit.app or target.box is None or hit.box is None:
        return False
    # Panels have no name in the tree, but their windows have a title.
    if target.window and hit.window and target.window != hit.window:
        return False
    # An open menu lies over its window without being part of what it covers.
    if hit.role in ("menu", "menu item", "check menu item", "radio menu item") and "menu" not in target.role:
        return False
    return hit.box.intersect(target.box) in (hit.box, target.box)
