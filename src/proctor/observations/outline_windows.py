"""The windows of a desktop, frontmost first, and what covers what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proctor.observations import elements as words
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.observations.window import SeenWindow

_ALIKE = 0.6
"""How much of two boxes must be common for them to be one window's."""


@dataclass(frozen=True, slots=True)
class Top:
    """A window, as the display and the tree know it."""

    heading: str
    node: Node | None
    window: SeenWindow | None
    rank: int
    """How many windows are in front of it."""

    @property
    def listed(self) -> bool:
        """Whether it is told of although nothing is in it."""
        return self.window is not None

    @property
    def box(self) -> Box | None:
        """Where it is."""
        if self.window is not None:
            return None if self.window.minimised else self.window.box
        return self.node.box if self.node else None


class Stack:
    """Windows as the display lists them, bottom to top."""

    def __init__(self, windows: Sequence[SeenWindow]) -> None:
        self.front = list(reversed(windows))

    def free_point(self, box: Box, top: Top) -> tuple[int, int] | None:
        """Return where a box can be clicked: its middle, or where no window in front covers it."""
        # What is of no listed window, such as a menu or the panel, is on top or says nothing.
        before = self.front[: top.rank] if top.window is not None else []
        above = [window.box for window in before if not window.minimised]
        for point in _points(box):
            if not any(other.contains(*point) for other in above):
                return point
        return None


def _points(box: Box) -> Iterator[tuple[int, int]]:
    yield box.center
    for across in (1, 3, 0, 4):
        for down in (2, 1, 3):
            yield box.x + (box.width - 1) * across // 4, box.y + (box.height - 1) * down // 4


def tops(tree: Tree, stack: Stack) -> list[Top]:
    """Return every window, open menus first, panels and the desktop last."""
    nodes = [
        node
        for application in tree.applications
        for node in (tree.children(application) or [application])
        if "showing" in node.states or node.role == "application" or not node.parent
    ]
    left = list(stack.front)
    found: list[Top] = []
    owners: set[str] = set()
    for node in nodes:
        window = _window_of(node, left)
        if window is not None:
            left.remove(window)
            owners.add(node.app)
            rank = stack.front.index(window)
            found.append(Top(_heading(node, window), node, window, rank))
    taken = {id(top.node) for top in found}
    for node in nodes:
        if id(node) not in taken:
            # Menus and bubbles of an application with a window lie in front of it; panels and the desktop behind all.
            in_front = node.app in owners or not stack.front
            rank = 0 if in_front else len(stack.front)
            found.append(Top(_heading(node, None), node, None, rank))
    found += [Top(_heading(None, window), None, window, stack.front.index(window)) for window in left]
    return sorted(found, key=lambda top: (top.rank, top.window is not None, _is_backdrop(top)))


def _is_backdrop(top: Top) -> bool:
    return bool(top.node and top.node.role in ("desktop frame",)) or bool(top.node and top.node.name == "Desktop")


def _window_of(node: Node, windows: Sequence[SeenWindow]) -> SeenWindow | None:
    """Return the window that a part of the tree is: of the same title, or nearly in the same place."""
    if node.name:
        for window in windows:
            if window.title == node.name:
                return window
    best = max(windows, key=lambda window: _common(node.box, window.box), default=None)
    return best if best is not None and _common(node.box, best.box) >= _ALIKE else None


def _common(one: Box | None, other: Box) -> float:
    both = one.intersect(other) if one else None
    return both.area / max(one.area, other.area, 1) if one and both else 0.0


def _heading(node: Node | None, window: SeenWindow | None) -> str:
    title = words.plain(window.title if window else node.name if node else "", 200)
    app = words.plain(window.app if window and window.app else node.app if node else "", 80)
    remarks = [app] if app else []
    if window is not None:
        remarks += ["active"] * window.active + ["minimised"] * window.minimised
    elif node is not None and "active" in node.states:
        remarks.append("active")
    if window is not None and node is None and not window.minimised:
        remarks.append("does not tell its elements")
    return " ".join(
        filter(None, ["window", words.quote(title) if title else "", f"({', '.join(remarks)})" if remarks else ""])
    )
