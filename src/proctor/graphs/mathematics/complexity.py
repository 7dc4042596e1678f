"""How complex a task graph is, in OmniBench's five dimensions and their three levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from proctor.errors import UnknownName
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.isomorphism import labels_of
from proctor.graphs.mathematics.width import largest_level, width
from proctor.taxonomy import CATEGORIES


class Dimension(StrEnum):
    """What is counted."""

    DEPENDENCY = "dependency"
    """Edges."""
    INSTRUCTION = "instruction"
    """Nodes."""
    KNOWLEDGE = "knowledge"
    """Categories of applications."""
    HIERARCHY = "hierarchy"
    """Nodes on the longest path."""
    BRANCH = "branch"
    """Nodes that may be under way side by side."""


class Level(StrEnum):
    """How much of it there is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


UP_TO = {
    Dimension.DEPENDENCY: (1, 3),
    Dimension.INSTRUCTION: (2, 4),
    Dimension.KNOWLEDGE: (1, 3),
    Dimension.HIERARCHY: (2, 4),
    Dimension.BRANCH: (2, 4),
}
"""The largest number that is easy and the largest that is medium (the paper's Table 2)."""

UNIT = {
    Dimension.DEPENDENCY: "edges",
    Dimension.INSTRUCTION: "nodes",
    Dimension.KNOWLEDGE: "categories",
    Dimension.HIERARCHY: "depth",
    Dimension.BRANCH: "width",
}
"""The field of a complexity that a dimension counts."""


@dataclass(frozen=True)
class Complexity:
    """The numbers of one graph."""

    edges: int
    nodes: int
    categories: int
    depth: int
    width: int
    """The size of the largest antichain: nodes of which none depends on another."""
    reduced_edges: int
    """Edges that no longer path makes redundant; the others bind nobody further but count as dependencies."""
    largest_level: int
    """The most nodes of equal depth: a cheaper reading of the width, and at most as large."""

    def __getitem__(self, dimension: Dimension) -> int:
        return int(getattr(self, UNIT[dimension]))

    def level(self, dimension: Dimension) -> Level:
        """Return the level in one dimension."""
        return level_of(dimension, self[dimension])

    def levels(self) -> dict[Dimension, Level]:
        """Return the level in every dimension."""
        return {dimension: self.level(dimension) for dimension in Dimension}

    def to_json(self) -> dict[str, object]:
        """Return numbers and levels as plain data."""
        return {**asdict(self), "levels": {str(dimension): str(level) for dimension, level in self.levels().items()}}


def measure(dag: Dag, categories: Mapping[str, str]) -> Complexity:
    """Return the complexity of a graph whose nodes each belong to a category of applications."""
    named = set(labels_of(dag, categories))
    unknown = sorted(named - set(CATEGORIES))
    if unknown:
        raise UnknownName("category", unknown[0], CATEGORIES)
    return Complexity(
        edges=len(dag.edges),
        nodes=len(dag.nodes),
        categories=len(named),
        depth=dag.depth,
        width=width(dag),
        reduced_edges=len(dag.reduction().edges),
        largest_level=largest_level(dag),
    )


def level_of(dimension: Dimension, count: int) -> Level:
    """Return the level of a number."""
    easy, medium = UP_TO[dimension]
    if count <= easy:
        return Level.EASY
    return Level.MEDIUM if count <= medium else Level.HARD
