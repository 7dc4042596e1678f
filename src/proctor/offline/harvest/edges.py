"""Rows at the edges of lists: headings and borders may lie over them, of which trees say nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.observations.tree import Node, Tree

_LISTS = frozenset({"table", "tree table", "tree", "list", "list box", "icon pane"})
INSIDE = 2
"""Pixels from the edge of a row to where it is looked up."""

Hits = Callable[[Node, int, int], bool]


def whole_rows(tree: Tree, nodes: Sequence[Node], hits: Hits) -> list[Node]:
    """Leave out the first and last rows of lists, as long as their outer edges cannot be hit."""
    lists: dict[int, list[Node]] = {}
    for node in nodes:
        holder = next((above.index for above in tree.ancestors(node) if above.role in _LISTS), None)
        if holder is not None and node.box is not None:
            lists.setdefault(holder, []).append(node)
    hidden: set[int] = set()
    for rows in lists.values():
        hidden |= _rows_to_hide(sorted(rows, key=_top), hits, upper=True)
        hidden |= _rows_to_hide(sorted(rows, key=_bottom, reverse=True), hits, upper=False)
    return [node for node in nodes if node.index not in hidden]


def _rows_to_hide(rows: Sequence[Node], hits: Hits, *, upper: bool) -> set[int]:
    """Return the elements up to the first row that can be hit at the upper or lower edge of a list."""
    found: set[int] = set()
    for row in rows:
        if row.index in found:
            continue
        assert row.box is not None
        y = _top(row) + INSIDE if upper else _bottom(row) - 1 - INSIDE
        if hits(row, row.box.center[0], y):
            return found
        found |= {other.index for other in rows if _top(other) <= y < _bottom(other)}
    return found


def _top(node: Node) -> int:
    assert node.box is not None
    return node.box.y


def _bottom(node: Node) -> int:
    assert node.box is not None
    return node.box.y + node.box.height
