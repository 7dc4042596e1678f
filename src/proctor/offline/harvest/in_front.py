"""What a click would hit, told from a tree already read: asking for a point takes as long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from proctor.computers.values import Window
from proctor.observations.tree import Node, Tree

_HOLDS_POPUPS = frozenset({"menu bar", "popup menu", "menu", "combo box"})
"""What may hold something that is drawn outside of it."""
_POPUPS = frozenset({"popup menu", "menu", "combo box"})
_ITEMS = frozenset({"menu item", "check menu item", "radio menu item", "menu", "list item"})
_LABELS = frozenset({"page tab", "tree item"})
"""What is no larger than its label, while its content is drawn elsewhere."""
_TRANSIENT = frozenset({"menu", "popup menu", "tool tip", "window"})


class _Spot(NamedTuple):
    node: Node
    hit: bool
    popup: bool
    """Whether it, or a node above it, hangs outside of its parent, as an open menu does."""

    def rank(self) -> tuple[bool, int, int]:
        """Sort what covers others last: popups, then the deepest, then the smallest."""
        return self.popup, self.node.depth, -(self.node.box.area if self.node.box else 0)


class Surface:
    """What lies where on a screen, by a tree and a list of windows that were read together."""

    def __init__(self, tree: Tree, windows: Sequence[Window]) -> None:
        self.tree = tree
        self._windows = [window for window in windows if not window.minimised]
        self._tops = [node for application in tree.applications for node in tree.children(application) if node.showing]
        self._menus = [node for node in tree.nodes if node.role in _POPUPS and self._is_open(node)]
        """Open menus: what is in them lies outside of all that holds them."""

    def _is_open(self, node: Node) -> bool:
        return any(below.showing and below.role in _ITEMS for below in self.tree.children(node))

    def at(self, x: int, y: int) -> Node | None:
        """Return the deepest showing node at a point, as a computer finds the element there."""
        over = [window for window in self._windows if window.box.contains(x, y)]
        title = over[-1].title if over else ""
        known = title and any(node.name == title for node in self._tops)
        tops = [node for node in self._tops if not known or node.name in ("", title)]
        level = [_Spot(node, _holds(node, x, y), not node.name and node.role in _TRANSIENT) for node in tops]
        level += [_Spot(node, hit=False, popup=True) for node in self._menus]
        best: _Spot | None = None
        while level:
            best = max([*([best] if best else []), *(spot for spot in level if spot.hit)], key=_Spot.rank, default=None)
            level = [below for spot in level if _is_entered(spot) for below in _below(self.tree, spot, x, y)]
        return best.node if best else None

    def shows(self, node: Node) -> bool:
        """Tell whether a click in the middle of an element would hit the element itself, or a part of it."""
        assert node.box is not None
        hit = self.at(*node.box.center)
        if hit is None:
            return False
        return hit is node or any(above is node for above in self.tree.ancestors(hit)) or is_part(hit, node)


def is_part(hit: Node, node: Node) -> bool:
    """Tell whether what was hit is an element, or may be a part of it that says nothing else."""
    if hit.box is None or node.box is None:
        return False
    if hit.role == node.role and hit.name == node.name:
        return True
    inside = hit.box.intersect(node.box) == hit.box and hit.app == node.app
    return inside and (not hit.name or hit.box.area < node.box.area)


def _holds(node: Node, x: int, y: int) -> bool:
    return node.box is not None and node.box.contains(x, y)


def _is_entered(spot: _Spot) -> bool:
    boxless = spot.node.box is None or not spot.node.box.area
    return spot.hit or boxless or spot.node.role in _HOLDS_POPUPS | _LABELS


def _below(tree: Tree, spot: _Spot, x: int, y: int) -> list[_Spot]:
    found = []
    boxless = spot.node.box is None or not spot.node.box.area
    for node in tree.children(spot.node):
        # A window with one tab does not show that tab, and yet what is in it.
        if node.showing or node.role in _LABELS:
            hit = node.showing and _holds(node, x, y)
            outside = hit and not spot.hit and not boxless and spot.node.role not in _LABELS
            found.append(_Spot(node, hit, spot.popup or outside))
    return found
