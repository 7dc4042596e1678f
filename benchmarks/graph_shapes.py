"""Graphs made to measure: nodes, edges, depth and width as ordered."""

from __future__ import annotations

from random import Random

from proctor.errors import SpecError
from proctor.graphs.mathematics.constraints import least_edges, most_edges
from proctor.graphs.mathematics.dag import Dag

TRIES = 8
"""How many random arrangements of the chains are tried before the one that has room for the most edges."""


def shape(nodes: int, edges: int, depth: int, width: int, *, random: Random, connected: bool = False) -> Dag:
    """Return a graph with exactly these numbers, its nodes named n1, n2 and so on.

    As many chains as the width all pass through one level, which makes that level the largest antichain. The edges that
    remain lead from levels to later ones, so that none makes a path longer than the longest chain.

    Raises:
        SpecError: No graph has these numbers.
    """
    _refuse_impossible(nodes, edges, depth, width, connected)
    level, chains = _arrange(nodes, edges, depth, width, random)
    places = [(row, chain) for chain, rows in enumerate(chains) for row in rows]
    chosen = {((row, chain), (row + 1, chain)) for chain, rows in enumerate(chains) for row in rows[:-1]}
    if connected:
        others = range(1, width)
        later = level + 1 < depth
        chosen |= {((level, one), (level + 1, 0)) if later else ((level - 1, 0), (level, one)) for one in others}
    free = [(one, other) for one in places for other in places if one[0] < other[0] and (one, other) not in chosen]
    chosen |= set(random.sample(free, edges - len(chosen)))
    random.shuffle(places)
    names = {place: f"n{number}" for number, place in enumerate(sorted(places, key=lambda place: place[0]), start=1)}
    return Dag(tuple(names.values()), frozenset((names[one], names[other]) for one, other in chosen))


def _refuse_impossible(nodes: int, edges: int, depth: int, width: int, connected: bool) -> None:
    asked = f"no graph of depth {depth} and width {width} has {nodes} nodes"
    if depth < 1 or width < 1 or not depth + width - 1 <= nodes <= depth * width:
        raise SpecError(asked, remedy=f"use {depth + width - 1} to {depth * width} nodes")
    fewest, most = least_edges(nodes, width, connected), most_edges(nodes, depth, width)
    if not fewest <= edges <= most:
        possible = f"use {fewest} to {most} edges" if fewest <= most else "use a larger depth"
        raise SpecError(f"{asked} and {edges} edges", remedy=possible)


def _arrange(nodes: int, edges: int, depth: int, width: int, random: Random) -> tuple[int, list[range]]:
    """Return a level and, for each chain, the levels it spans, that one among them.

    The first spans all levels.
    """
    for _ in range(TRIES):
        level = random.randrange(depth)
        lengths = [depth] + [1] * (width - 1)
        for _ in range(nodes - sum(lengths)):
            lengths[random.choice([chain for chain, length in enumerate(lengths) if length < depth])] += 1
        starts = [random.randint(max(0, level + 1 - length), min(level, depth - length)) for length in lengths]
        chains = [range(start, start + length) for start, length in zip(starts, lengths, strict=True)]
        if _pairs_across(chains, depth) >= edges:
            return level, chains
    # All chains start together, and the levels after the first are as even as can be.
    even = [(nodes - width + depth - 1 - row) // (depth - 1) for row in range(1, depth)]
    return 0, [range(1 + sum(size > chain for size in even)) for chain in range(width)]


def _pairs_across(chains: list[range], depth: int) -> int:
    """Return how many pairs of nodes are on different levels."""
    levels = [sum(row in rows for rows in chains) for row in range(depth)]
    nodes = sum(levels)
    return (nodes * nodes - sum(size * size for size in levels)) // 2
