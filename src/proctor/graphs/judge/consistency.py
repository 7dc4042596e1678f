"""How far an agent kept to one application while it could, compared with the best possible.

The coherency of a sequence is the number of neighbours that belong to one application: its length less its runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, product

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.runs import fewest_runs


@dataclass(frozen=True)
class Consistency:
    """Coherencies of one episode; a ratio is None where no two neighbours could share an application."""

    achieved: int
    possible: int
    """The most that any topological order of the whole graph has."""
    possible_so_far: int
    """The most that any topological order of what was completed has."""

    @property
    def overall(self) -> float | None:
        """The paper's ratio; stopping early lowers it."""
        return self.achieved / self.possible if self.possible else None

    @property
    def conditional(self) -> float | None:
        """The ratio for what was completed, whatever is left undone."""
        return self.achieved / self.possible_so_far if self.possible_so_far else None

    def to_json(self) -> dict[str, float | int | None]:
        """Return counts and ratios as plain data."""
        return {**asdict(self), "overall": self.overall, "conditional": self.conditional}


def most_coherency(dag: Dag, apps: Mapping[str, str]) -> int:
    """Return the coherency of the best topological order."""
    return len(dag.nodes) - len(fewest_runs(dag, apps))


def consistency(dag: Dag, apps: Mapping[str, str], ties: Sequence[Collection[str]]) -> Consistency:
    """Compare an agent's order with the best.

    Args:
        dag: The dependencies; with ordering edges added, the best is over the orders that these admit, and the agent's
            must be one of them.
        apps: The application of each node.
        ties: What was completed, in order; nodes completed in one step are one entry, and count in their best order.

    Raises:
        SpecError: A node was completed twice or before what it depends on.
    """
    done = dag.subgraph(node for tie in ties for node in tie)
    if len(done.nodes) != sum(len(tie) for tie in ties):
        raise SpecError("a node was completed twice", remedy="name every completed node once")
    if not dag.is_ideal(done.nodes):
        raise SpecError(
            "a node was completed before what it depends on", remedy="give completions in the order they came"
        )
    try:
        # One step after the other is a dependency like any other.
        performed = done.with_edges(edge for one, other in pairwise(filter(None, ties)) for edge in product(one, other))
    except SpecError as error:
        raise SpecError("completions contradict the graph", remedy="give completions in the order they came") from error
    return Consistency(most_coherency(performed, apps), most_coherency(dag, apps), most_coherency(done, apps))
