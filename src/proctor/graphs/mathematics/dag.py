"""A directed acyclic graph of named nodes: dependencies, and what follows from them alone.

Sets of nodes are kept as the bits of one integer (bit `i` is the node at position `i`), so that the exact searches
built on this class work on whole sets at once. Labels such as applications or categories are not part of a graph: one
graph has several, and whoever needs them brings them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

from proctor.errors import SpecError, UnknownName

MOST_NODES = 200
"""A bound for records from elsewhere; a task of this many subtasks is far beyond any that was ever set."""

Edge = tuple[str, str]
"""What comes first, and what depends on it."""


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Dag:
    """A directed acyclic graph; making one refuses unknown or repeated nodes, self loops and cycles."""

    nodes: tuple[str, ...]
    edges: frozenset[Edge] = frozenset()

    def __post_init__(self) -> None:
        if len(self.nodes) > MOST_NODES:
            raise SpecError(f"a graph of {len(self.nodes)} nodes", remedy=f"use at most {MOST_NODES} nodes")
        if len(set(self.nodes)) < len(self.nodes):
            repeated = next(node for node in self.nodes if self.nodes.count(node) > 1)
            raise SpecError(f"node {repeated!r} is listed twice", remedy="give every node a name of its own")
        for edge in sorted(self.edges):
            first, second = map(self.position, edge)
            if first == second:
                raise SpecError(f"node {edge[0]!r} depends on itself", remedy="remove the edge from the node to itself")
        if len(self._order) < len(self.nodes):
            path = " -> ".join(self._cycle())
            raise SpecError(f"the graph has a cycle: {path}", remedy="remove one of these edges")

    @classmethod
    def from_edges(cls, edges: Iterable[Edge], nodes: Iterable[str] | None = None) -> Dag:
        """Make a graph of edges; its nodes are those listed, or else those of the edges as they appear."""
        listed = list(edges)
        if len(set(listed)) < len(listed):
            first, second = next(edge for edge in listed if listed.count(edge) > 1)
            raise SpecError(f"edge {first!r} -> {second!r} is listed twice", remedy="list every edge once")
        named = dict.fromkeys(node for edge in listed for node in edge) if nodes is None else nodes
        return cls(tuple(named), frozenset(listed))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Dag:
        """Read what `to_json` wrote: `nodes`, and `edges` from each to those that depend on it."""
        nodes, after = data.get("nodes"), data.get("edges")
        if not _are_names(nodes) or not isinstance(after, Mapping) or not all(map(_are_names, after.values())):
            raise SpecError("not a graph", remedy='write {"nodes": ["a", "b"], "edges": {"a": ["b"]}}')
        dangling = sorted(set(after) - set(nodes))
        if dangling:
            raise UnknownName("node", dangling[0], nodes)
        return cls.from_edges([(first, second) for first, later in after.items() for second in later], nodes)

    def to_json(self) -> dict[str, Any]:
        """Return the graph as plain data, the same for equal graphs."""
        return {
            "nodes": list(self.nodes),
            "edges": {node: list(self.names(self.after[place])) for node, place in self._positions.items()},
        }

    # Names and positions.

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {node: place for place, node in enumerate(self.nodes)}

    def position(self, node: str) -> int:
        """Return where a node stands in `nodes`."""
        if node not in self._positions:
            raise UnknownName("node", node, self.nodes)
        return self._positions[node]

    def mask(self, nodes: Iterable[str]) -> int:
        """Return a set of nodes as bits."""
        mask = 0
        for node in nodes:
            mask |= 1 << self.position(node)
        return mask

    def names(self, mask: int) -> tuple[str, ...]:
        """Return the nodes of a set of bits, in the order of `nodes`."""
        return tuple(self.nodes[place] for place in bits(mask))

    @property
    def all_nodes(self) -> int:
        """All nodes, as bits."""
        return (1 << len(self.nodes)) - 1

    # Neighbours, near and far, by position.

    @cached_property
    def before(self) -> tuple[int, ...]:
        """Of each position, the nodes it depends on directly."""
        return self._neighbours((second, first) for first, second in self.edges)

    @cached_property
    def after(self) -> tuple[int, ...]:
        """Of each position, the nodes that depend on it directly."""
        return self._neighbours(self.edges)

    def _neighbours(self, pairs: Iterable[Edge]) -> tuple[int, ...]:
        found = [0] * len(self.nodes)
        for node, other in pairs:
            found[self._positions[node]] |= 1 << self._positions[other]
        return tuple(found)

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        """Of each position, all that has to come first."""
        return self._spread(self.before, self._order)

    @cached_property
    def descendants(self) -> tuple[int, ...]:
        """Of each position, all that has to come later."""
        return self._spread(self.after, self._order[::-1])

    @property
    def paths(self) -> frozenset[Edge]:
        """Every pair of nodes of which the second has to come later, directly or not."""
        return frozenset(
            (self.nodes[first], node)
            for node, ancestors in zip(self.nodes, self.ancestors, strict=True)
            for first in bits(ancestors)
        )

    def _spread(self, near: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, ...]:
        far = [0] * len(self.nodes)
        for place in order:
            far[place] = near[place]
            for neighbour in bits(near[place]):
                far[place] |= far[neighbour]
        return tuple(far)

    def predecessors(self, node: str) -> tuple[str, ...]:
        """Return the nodes that a node depends on directly."""
        return self.names(self.before[self.position(node)])

    def successors(self, node: str) -> tuple[str, ...]:
        """Return the nodes that depend on a node directly."""
        return self.names(self.after[self.position(node)])

    # Order and depth.

    @property
    def order(self) -> tuple[str, ...]:
        """One topological order: of the nodes that may come next, always the one listed first."""
        return tuple(self.nodes[place] for place in self._order)

    @cached_property
    def _order(self) -> tuple[int, ...]:
        """The order by position; it stops short where there is a cycle."""
        order: list[int] = []
        done, ready = 0, self.available(0)
        while ready:
            low = ready & -ready
            place = low.bit_length() - 1
            order.append(place)
            done |= low
            ready ^= low
            for later in bits(self.after[place]):
                if not self.before[later] & ~done:
                    ready |= 1 << later
        return tuple(order)

    def _cycle(self) -> list[str]:
        left = self.all_nodes & ~sum(1 << place for place in self._order)
        path = [next(bits(left))]
        # Whatever is left depends on something that is left, so walking back must come round.
        while path.count(path[-1]) < 2:
            path.append(next(bits(self.before[path[-1]] & left)))
        around = path[path.index(path[-1]) :]
        return [self.nodes[place] for place in reversed(around)]

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """Of each node, how many nodes the longest path that ends in it has: 1 for a source."""
        depth = [0] * len(self.nodes)
        for place in self._order:
            depth[place] = 1 + max((depth[first] for first in bits(self.before[place])), default=0)
        return dict(zip(self.nodes, depth, strict=True))

    @property
    def depth(self) -> int:
        """How many nodes the longest path has."""
        return max(self.depths.values(), default=0)

    # Sets closed downwards.

    def available(self, done: int) -> int:
        """Return what may come next after a set of nodes, as bits."""
        found = 0
        for place, first in enumerate(self.before):
            if not first & ~done:
                found |= 1 << place
        return found & ~done

    def is_ideal(self, nodes: Iterable[str]) -> bool:
        """Tell whether a set holds whatever its members depend on."""
        mask = self.mask(nodes)
        return not any(self.before[place] & ~mask for place in bits(mask))

    def components(self, within: int) -> list[int]:
        """Return the parts of a set of nodes that no edge inside the set connects, as bits."""
        parts = []
        while within:
            part, fresh = 0, within & -within
            while fresh:
                part |= fresh
                near = 0
                for place in bits(fresh):
                    near |= self.before[place] | self.after[place]
                fresh = near & within & ~part
            parts.append(part)
            within &= ~part
        return parts

    @property
    def connected(self) -> bool:
        """Whether the graph is in one piece."""
        return len(self.components(self.all_nodes)) <= 1

    # Other graphs made from this one.

    def closure(self) -> Dag:
        """Return the graph with an edge wherever there is a path."""
        return Dag(self.nodes, self.paths)

    def reduction(self) -> Dag:
        """Return the graph without the edges that a longer path makes redundant."""
        kept = set()
        for place, after in enumerate(self.after):
            implied = 0
            for later in bits(after):
                implied |= self.descendants[later]
            kept |= {(self.nodes[place], self.nodes[later]) for later in bits(after & ~implied)}
        return Dag(self.nodes, frozenset(kept))

    def with_edges(self, edges: Iterable[Edge]) -> Dag:
        """Return the graph with more edges."""
        more = self.edges.union(edges)
        return self if more == self.edges else Dag(self.nodes, more)

    def subgraph(self, nodes: Iterable[str]) -> Dag:
        """Return the graph of some nodes and the edges between them.

        Paths through nodes left out are lost, except when the set is an ideal; `closure().subgraph(...)` keeps them.
        """
        kept = self.names(self.mask(nodes))
        inside = set(kept)
        return Dag(kept, frozenset(edge for edge in self.edges if inside.issuperset(edge)))


def _are_names(data: Any) -> TypeGuard[list[str]]:
    return isinstance(data, list) and all(isinstance(node, str) for node in data)
