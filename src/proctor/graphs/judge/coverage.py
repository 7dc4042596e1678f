"""How much of a graph was completed."""

from __future__ import annotations

from collections.abc import Collection

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag, bits


def coverage_rate(dag: Dag, completed: Collection[str]) -> float:
    """Return OmniBench's coverage rate: the depths of the completed nodes over the depths of all."""
    refuse_empty(dag)
    return sum(dag.depths[node] for node in dag.names(dag.mask(completed))) / sum(dag.depths.values())


def completion_ratio(dag: Dag, completed: Collection[str]) -> float:
    """Return CRAB's completion ratio: the completed nodes over all."""
    refuse_empty(dag)
    return dag.mask(completed).bit_count() / len(dag.nodes)


def longest_unfinished_path(dag: Dag, completed: Collection[str]) -> int:
    """Return how many nodes the longest path has that holds no completed node."""
    left = dag.all_nodes & ~dag.mask(completed)
    length = [0] * len(dag.nodes)
    for place in map(dag.position, dag.order):
        if left >> place & 1:
            length[place] = 1 + max((length[first] for first in bits(dag.before[place])), default=0)
    return max(length, default=0)


def refuse_empty(dag: Dag) -> None:
    """Raise SpecError for a graph in which nothing can be completed."""
    if not dag.nodes:
        raise SpecError("a graph without nodes has nothing to complete", remedy="give the task at least one subtask")
