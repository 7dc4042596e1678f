"""Which graphs are the same but for the names of their nodes.

A form that equal graphs share and others do not.

Nodes are coloured by label and told apart, again and again, by the colours around them. Where that leaves nodes of one
colour, each is singled out in turn and the smallest result counts. Branches that a symmetry of the graph maps onto one
already searched are skipped, so that the search stays small for the graphs with many symmetries as well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag, bits

MOST_LEAVES = 20_000
"""How many ways of telling nodes apart are compared before giving up."""


@dataclass(frozen=True)
class Form:
    """A graph whose nodes are numbers; isomorphic graphs, labels included, have the same."""

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]

    def digest(self) -> str:
        """Return a short name for the form, the same on every machine."""
        text = json.dumps([self.labels, self.edges], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def canonical_form(dag: Dag, labels: Mapping[str, str] | None = None) -> Form:
    """Return the form of a graph whose nodes bear labels, or none.

    Raises:
        SpecError: A node has no label, or the graph looks alike from too many of its nodes.
    """
    named = [""] * len(dag.nodes) if labels is None else labels_of(dag, labels)
    rank = {label: place for place, label in enumerate(sorted(set(named)))}
    search = _Search(dag)
    search.visit([rank[label] for label in named], ())
    return Form(tuple(sorted(named)), search.best)


def labels_of(dag: Dag, labels: Mapping[str, str]) -> list[str]:
    """Return the label of each node, in the order of the nodes."""
    missing = [node for node in dag.nodes if node not in labels]
    if missing:
        raise SpecError(f"node {missing[0]!r} has no label", remedy="give every node of the graph a label")
    return [labels[node] for node in dag.nodes]


@dataclass
class _Search:
    """The search for the smallest list of edges over all numberings that agree with the colours."""

    dag: Dag
    best: tuple[tuple[int, int], ...] = ()
    known: list[tuple[tuple[tuple[int, int], ...], tuple[int, ...]]] = field(default_factory=list)
    """The first numbering found and the best one, each with the choices that led to it."""
    leaves: int = 0

    def visit(self, colours: Sequence[int], path: tuple[int, ...]) -> int:
        """Search below some choices; return how many of the choices the search should go back to."""
        colours = _refine(self.dag, colours)
        cells: dict[int, list[int]] = {}
        for place, colour in enumerate(colours):
            cells.setdefault(colour, []).append(place)
        open_cells = [colour for colour, members in cells.items() if len(members) > 1]
        if not open_cells:
            return self._leaf(colours, path)
        tried: set[tuple[int, int]] = set()
        for place in cells[min(open_cells)]:
            # Of nodes with the same neighbours, one stands for all.
            around = (self.dag.before[place], self.dag.after[place])
            if around in tried:
                continue
            tried.add(around)
            singled = [2 * colour for colour in colours]
            singled[place] -= 1
            back = self.visit(singled, (*path, place))
            if back < len(path):
                return back
        return len(path)

    def _leaf(self, numbers: Sequence[int], path: tuple[int, ...]) -> int:
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise SpecError(
                f"a graph of {len(self.dag.nodes)} nodes looks alike from too many of them to be told from others",
                remedy="use fewer nodes, or labels that differ",
            )
        edges = tuple(
            sorted(
                (numbers[place], numbers[later]) for place, after in enumerate(self.dag.after) for later in bits(after)
            )
        )
        for form, way in self.known:
            if form == edges:
                # A symmetry maps that way to this one, so all below where they part has been seen in another guise.
                return _common_length(way, path)
        if not self.known:
            self.known = [(edges, path)]
            self.best = edges
        elif edges < self.best:
            self.known[1:] = [(edges, path)]
            self.best = edges
        return len(path)


def _common_length(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (first, second) in enumerate(pairs) if first != second), min(len(one), len(other)))


def _refine(dag: Dag, colours: Sequence[int]) -> list[int]:
    """Split colours by the colours around each node until nothing changes, whatever the names."""
    count = -1
    current = list(colours)
    while count < len(set(current)):
        count = len(set(current))
        seen = [
            (
                colour,
                tuple(sorted([current[first] for first in bits(dag.before[place])])),
                tuple(sorted([current[later] for later in bits(dag.after[place])])),
            )
            for place, colour in enumerate(current)
        ]
        ranks = {one: rank for rank, one in enumerate(sorted(set(seen)))}
        current = [ranks[one] for one in seen]
    return current
