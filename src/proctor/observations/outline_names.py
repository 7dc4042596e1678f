"""Names for elements that do not say what they are called: texts in them, or beside them."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.observations import elements as words
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

_TEXTS = frozenset({"label", "static", "paragraph", "heading", "caption", "text", "image", "icon"})
_MAX_PARTS = 60
"""How many nodes below one element are looked at."""
_MAX_CHARS = 300
_BESIDE = 400
"""How far the label of something may be to its left or right, in pixels."""
_ABOVE = 30


def inner_text(tree: Tree, node: Node, usable: Sequence[bool]) -> tuple[str, list[Node]]:
    """Return what the parts of an element say, each thing once, and the parts."""
    said: list[str] = []
    parts: list[Node] = []
    for part in tree.descendants(node):
        if len(parts) >= _MAX_PARTS or (usable[part.index] and part.role in ("push button", "link", "page tab")):
            break
        if "showing" not in part.states:
            continue
        parts.append(part)
        text = words.plain(part.text, _MAX_CHARS) or words.own_name(part)
        if text and (part.role in _TEXTS or part.role == node.role) and not any(text in other for other in said):
            said.append(text)
    return words.plain(" · ".join(said), _MAX_CHARS), parts


class NearTexts:
    """Texts of one window that name what is beside them, or repeat what something is called."""

    def __init__(self, tree: Tree, nodes: Sequence[Node], usable: Sequence[bool]) -> None:
        self._tree, self._usable = tree, usable
        self._taken: set[int] = set()
        self._named = {
            (above.index, words.own_name(node))
            for node in nodes
            if usable[node.index] and node.name
            for above, _ in zip(self._tree.ancestors(node), range(2), strict=False)
        }
        self._unnamed = {
            node.index: label
            for node in nodes
            if usable[node.index] and "showing" in node.states and self._wants(node)
            if (label := self._nearest(node)) is not None
        }
        self._taken |= {label.index for label in self._unnamed.values()}

    def is_taken(self, node: Node) -> bool:
        """Tell whether a text is the name of an element beside it, or around it."""
        if node.index in self._taken:
            return True
        if node.role not in ("label", "static") or node.parent is None:
            return False
        said = words.own_name(node) or words.plain(node.text)
        around = zip(self._tree.ancestors(node), range(6), strict=False)
        if any(self._usable[above.index] and words.own_name(above) == said for above, _ in around):
            return True
        family = [node.index, node.parent, *(above.index for above in self._tree.ancestors(node))][:3]
        return any((above, said) in self._named or (above, said.rstrip(" :")) in self._named for above in family)

    def beside(self, node: Node) -> str:
        """Return the label of an element without a name, as far as one stands where labels do."""
        label = self._unnamed.get(node.index)
        return (words.own_name(label) or words.plain(label.text)).rstrip(" :") if label else ""

    def _wants(self, node: Node) -> bool:
        fills = node.role in ("text", "entry", "password text", "combo box", "spin button", "slider", "toggle button",
                              "switch", "check box", "radio button", "editbar", "push button", "button")  # fmt: skip
        nameless = not words.own_name(node) or (node.role == "combo box" and not words.plain(node.text))
        return fills and node.box is not None and nameless and node.box.height < 80

    def _nearest(self, node: Node) -> Node | None:
        found: list[tuple[int, Node]] = []
        for above, _ in zip(self._tree.ancestors(node), range(3), strict=False):
            for place, other in enumerate(self._tree.descendants(above)):
                if place > 2 * _MAX_PARTS:
                    break
                if other.role in ("label", "static") and other.index not in self._taken and other.box and other.showing:
                    away = _distance(node, other.box)
                    if away is not None and (words.own_name(other) or other.text.strip()):
                        found.append((away, other))
            if found:
                return min(found, key=lambda each: each[0])[1]
        return None


def _distance(node: Node, label: Box) -> int | None:
    """Return how far a label is from what it may name, in one of the places where labels stand."""
    box = node.box or Box(0, 0, 0, 0)
    if label.intersect(box):
        return None
    in_row = label.y <= box.center[1] < label.y + label.height or box.y <= label.center[1] < box.y + box.height
    if in_row and label.x < box.x:
        away = box.x - label.x - label.width
        return max(away, 0) if away < _BESIDE else None
    if in_row and node.role in ("check box", "radio button", "toggle button", "switch"):
        away = label.x - box.x - box.width
        return away + _BESIDE if away < _BESIDE else None
    above = box.y - label.y - label.height
    starts = abs(label.x - box.x) <= 40
    return 2 * _BESIDE + above if 0 <= above < _ABOVE and starts else None
