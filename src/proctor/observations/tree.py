"""The accessibility tree as data: nodes in one deterministic, depth-first order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from proctor.observations.box import Box

Still = Callable[[Box], bool]
"""Tells whether nothing was drawn in a place since the tree was read the last time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """The number a slider, spin button or progress bar holds."""

    current: float
    minimum: float
    maximum: float
    step: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """One element of the screen as assistive technology sees it."""

    index: int
    """Position in `Tree.nodes`; parents come before their children."""
    parent: int | None
    """Index of the parent; None for an application."""
    depth: int
    role: str
    """AT-SPI role name, such as `push button` or `table cell`."""
    name: str = ""
    text: str = ""
    description: str = ""
    value: Value | None = None
    states: frozenset[str] = frozenset()
    """AT-SPI state names, such as `showing`, `focused`, `checked`."""
    box: Box | None = None
    """Where it is on the desktop; None when it is not on screen or does not say."""
    actions: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    app: str = ""
    """Name of the application it belongs to."""
    window: str = ""
    """Title of the window it belongs to."""

    @property
    def showing(self) -> bool:
        """Whether it is drawn on the desktop."""
        return "showing" in self.states and "visible" in self.states and self.box is not None

    def describe(self) -> str:
        """Return a short form for messages, such as `push button 'Save' in mousepad`."""
        label = self.name or self.text[:40]
        return " ".join(filter(None, [self.role, repr(label) if label else "", f"in {self.app}" if self.app else ""]))


@dataclass(frozen=True)
class Tree:
    """Every node at one instant; applications are the roots."""

    nodes: tuple[Node, ...] = ()
    degraded: tuple[str, ...] = ()
    """Why the tree may be incomplete, one reason each; empty when it is whole."""

    @cached_property
    def _children(self) -> dict[int | None, list[Node]]:
        children: dict[int | None, list[Node]] = {}
        for node in self.nodes:
            children.setdefault(node.parent, []).append(node)
        return children

    @property
    def applications(self) -> list[Node]:
        """The roots."""
        return self.children(None)

    def children(self, node: Node | None) -> list[Node]:
        """Return the direct children, in order."""
        return self._children.get(node.index if node else None, [])

    def ancestors(self, node: Node) -> Iterator[Node]:
        """Walk from the parent up to the application."""
        while node.parent is not None:
            node = self.nodes[node.parent]
            yield node

    def descendants(self, node: Node) -> Iterator[Node]:
        """Walk everything below a node, depth first."""
        # Depth-first order means a subtree is one run of nodes deeper than its root.
        for later in self.nodes[node.index + 1 :]:
            if later.depth <= node.depth:
                return
            yield later

    def smallest_at(self, x: float, y: float) -> Node | None:
        """Return the smallest element showing at a place; of two, the later one, drawn above."""
        there = [(node, node.box) for node in self.nodes if node.showing and node.box and node.box.contains(x, y)]
        return min(reversed(there), key=lambda found: found[1].area, default=(None, None))[0]

    def focused_node(self) -> Node | None:
        """Return the deepest focused node of an active window, or any focused one."""
        focused = [node for node in self.nodes if self.claims_focus(node)]
        active = [node for node in focused if any("active" in above.states for above in self.ancestors(node))]
        return max(active or focused, key=lambda node: node.depth, default=None)

    def claims_focus(self, node: Node) -> bool:
        """Tell whether it says that it has the focus; Qt says so of every tab in front, whatever has it."""
        if "focused" not in node.states or node.role != "page tab" or node.parent is None:
            return "focused" in node.states
        return "focused" in self.nodes[node.parent].states
