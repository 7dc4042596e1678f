"""Skeletons: graphs without subtasks, whose nodes need no more inputs than subtasks take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from proctor.graphs.mathematics.complexity import Dimension
from proctor.graphs.mathematics.constraints import Constraint, Room, least_edges, most_edges, rooms

SIZES = (12, 20, 30, 60)
"""The largest number of nodes that is considered first, then where nothing smaller will do."""
TRIES = 8


@dataclass(frozen=True, slots=True)
class SkeletonTarget:
    """What numbers a skeleton is to have; categories are for whoever fills it."""

    nodes: int
    edges: int
    depth: int
    width: int
    categories: int


@dataclass(frozen=True)
class Skeleton:
    """A graph whose nodes are numbers in a topological order."""

    before: tuple[tuple[int, ...], ...]
    """Of each node, those it depends on directly."""

    @cached_property
    def after(self) -> tuple[tuple[int, ...], ...]:
        """Of each node, those that depend on it directly."""
        found: list[list[int]] = [[] for _ in self.before]
        for place, before in enumerate(self.before):
            for first in before:
                found[first].append(place)
        return tuple(map(tuple, found))

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Of each node, how many nodes the longest path to it has, itself included."""
        depths: list[int] = []
        for before in self.before:
            depths.append(1 + max((depths[first] for first in before), default=0))
        return tuple(depths)

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """Of each node, how many nodes the longest path from it has, itself included."""
        heights = [1] * len(self.before)
        for place in range(len(self.before) - 1, -1, -1):
            for first in self.before[place]:
                heights[first] = max(heights[first], heights[place] + 1)
        return tuple(heights)


class Targets:
    """All numbers that constraints allow, within what subtasks can do."""

    def __init__(
        self, constraints: Sequence[Constraint], *, connected: bool, deepest: int, most_inputs: int, categories: int
    ) -> None:
        self._connected, self._inputs = connected, most_inputs
        self._rooms: dict[int, list[Room]] = {}
        for size in SIZES:
            limits = [
                Constraint(Dimension.HIERARCHY, 0, min(size, deepest)),
                Constraint(Dimension.BRANCH, 0, size),
                Constraint(Dimension.INSTRUCTION, 0, size),
                Constraint(Dimension.KNOWLEDGE, 0, categories),
            ]
            for room in rooms([*constraints, *limits], connected=connected):
                for nodes in range(room.nodes[0], room.nodes[1] + 1):
                    low, high = self._edges(room, nodes)
                    if low <= high:
                        self._rooms.setdefault(nodes, []).append(room)
            if self._rooms:
                break
        self._sizes = sorted(self._rooms)

    def __bool__(self) -> bool:
        return bool(self._sizes)

    @property
    def most_edges(self) -> int:
        """The most edges that any of them has."""
        return max((self._edges(room, nodes)[1] for nodes, some in self._rooms.items() for room in some), default=0)

    def draw(self, random: Random) -> SkeletonTarget:
        """Draw one: each number of nodes is as likely, edges and categories are rather few than many."""
        nodes = random.choice(self._sizes)
        room = random.choice(self._rooms[nodes])
        fewest, most = room.categories[0], min(room.categories[1], nodes)
        return SkeletonTarget(
            nodes=nodes,
            edges=_rather_few(*self._edges(room, nodes), random),
            depth=room.depth,
            width=room.width,
            categories=_rather_few(fewest, most, random),
        )

    def _edges(self, room: Room, nodes: int) -> tuple[int, int]:
        low = max(room.edges[0], least_edges(nodes, room.width, self._connected))
        # The first nodes of an order have fewer nodes before them than subtasks have inputs.
        inputs = sum(min(place, self._inputs) for place in range(nodes))
        return low, min(room.edges[1], most_edges(nodes, room.depth, room.width), inputs)


def _rather_few(least: int, most: int, random: Random) -> int:
    """Draw a number of which each is less likely than the one before."""
    while least < most and random.random() < 0.6:
        least += 1
    return least


def skeleton(target: SkeletonTarget, random: Random, *, most_inputs: int, connected: bool) -> Skeleton | None:
    """Return a random graph with exactly these numbers, or None where none was found quickly.

    As many chains as the width pass through one level, which makes that level the largest antichain. All other edges
    lead from a level to a later one, so that no path is longer than the longest chain.
    """
    for _ in range(TRIES):
        drawn = _Drawing(target, random, most_inputs)
        if (not connected or drawn.join()) and drawn.add(target.edges):
            return drawn.skeleton()
    return None


class _Drawing:
    def __init__(self, target: SkeletonTarget, random: Random, most_inputs: int) -> None:
        self.random, self.most_inputs = random, most_inputs
        level = random.randrange(target.depth)
        lengths = [target.depth] + [1] * (target.width - 1)
        short = list(range(1, target.width)) if target.depth > 1 else []
        for _ in range(target.nodes - sum(lengths)):
            chain = random.choice(short)
            lengths[chain] += 1
            if lengths[chain] == target.depth:
                short.remove(chain)
        nodes: list[tuple[int, float, int]] = []
        for chain, length in enumerate(lengths):
            start = random.randint(max(0, level + 1 - length), min(level, target.depth - length))
            nodes += [(row, random.random(), chain) for row in range(start, start + length)]
        nodes.sort()
        rows = [row for row, _, _ in nodes]
        self.above = [rows.index(row) for row in rows]
        """For each node, how many stand on levels before its own."""
        self.parts = [chain for _, _, chain in nodes]
        self.before: list[set[int]] = []
        last: dict[int, int] = {}
        for place, (_, _, chain) in enumerate(nodes):
            self.before.append({last[chain]} if chain in last else set())
            last[chain] = place
        self.edges = target.nodes - target.width

    def join(self) -> bool:
        """Add edges between the chains until all are in one piece."""
        while len(set(self.parts)) > 1:
            # What has no input yet is joined first: most subtasks take one thing.
            free = self._apart(1) or self._apart(self.most_inputs)
            if not free:
                return False
            first, later = self.random.choice(free)
            self._connect(first, later)
            old, new = self.parts[later], self.parts[first]
            self.parts = [new if part == old else part for part in self.parts]
        return True

    def add(self, edges: int) -> bool:
        """Add edges up to a number."""
        while self.edges < edges:
            free = self._free()
            if not free:
                return False
            self._connect(*self.random.choice(free))
        return self.edges == edges

    def skeleton(self) -> Skeleton:
        """Return what was drawn."""
        return Skeleton(tuple(tuple(sorted(before)) for before in self.before))

    def _connect(self, first: int, later: int) -> None:
        self.before[later].add(first)
        self.edges += 1

    def _free(self) -> list[tuple[int, int]]:
        return [
            (first, later)
            for later, before in enumerate(self.before)
            if len(before) < self.most_inputs
            for first in range(self.above[later])
            if first not in before
        ]

    def _apart(self, inputs: int) -> list[tuple[int, int]]:
        """Return those in different pieces where the later node has fewer inputs than so many."""
        parts = self.parts
        return [
            (first, later)
            for later, before in enumerate(self.before)
            if len(before) < inputs
            for first in range(self.above[later])
            if parts[first] != parts[later]
        ]
