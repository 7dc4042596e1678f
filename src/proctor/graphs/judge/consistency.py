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
    """The most that any admitted order of the whole graph has."""
    possible_so_far: int
    """The most that any admitted order of what was completed has."""
    possible_by_dependencies: int
    """The most that any order of the dependencies alone has, even one in which something is lost before it is used."""

    @property
    def overall(self) -> float | None:
        """The ratio for the whole graph; stopping early lowers it."""
        return _ratio(self.achieved, self.possible)

    @property
    def conditional(self) -> float | None:
        """The ratio for what was completed, whatever is left undone."""
        return _ratio(self.achieved, self.possible_so_far)

    @property
    def by_dependencies(self) -> float | None:
        """The paper's ratio, which knows of no orders but those of the dependencies."""
        return _ratio(self.achieved, self.possible_by_dependencies)

    def to_json(self) -> dict[str, float | int | None]:
        """Return counts and ratios as plain data."""
        ratios = {name: getattr(self, name) for name in ("overall", "conditional", "by_dependencies")}
        return {**asdict(self), **ratios}


def _ratio(achieved: int, possible: int) -> float | None:
    # Who does a part again, after it was lost, may have kept closer together than any admitted order does.
    return min(1.0, achieved / possible) if possible else None


def most_coherency(dag: Dag, apps: Mapping[str, str]) -> int:
    """Return the coherency of the best topological order."""
    return len(dag.nodes) - len(fewest_runs(dag, apps))


def consistency(
    dag: Dag,
    apps: Mapping[str, str],
    ties: Sequence[Collection[str]],
    *,
    ordering: Collection[tuple[str, str]] = (),
    after: Collection[tuple[str, str]] = (),
) -> Consistency:
    """Compare an agent's order with the best.

    Args:
        dag: The dependencies.
        apps: The application of each node.
        ties: What was completed, in order; nodes completed in one step are one entry, and count in their best order.
        ordering: Pairs of which the first must come first, so that nothing is lost; the best is over the orders that
            these admit as well.
        after: Those among them that the agent's order must keep to, because the later one is not looked at before.

    Raises:
        SpecError: A node was completed twice or before what it depends on.
    """
    gates, admitted = dag.with_edges(after), dag.with_edges({*ordering, *after})
    done = gates.subgraph(node for tie in ties for node in tie)
    if len(done.nodes) != sum(len(tie) for tie in ties):
        raise SpecError("a node was completed twice", remedy="name every completed node once")
    if not gates.is_ideal(done.nodes):
        raise SpecError(
            "a node was completed before what it depends on", remedy="give completions in the order they came"
        )
    try:
        # One step after the other is a dependency like any other.
        performed = done.with_edges(edge for one, other in pairwise(filter(None, ties)) for edge in product(one, other))
    except SpecError as error:
        raise SpecError("completions contradict the graph", remedy="give completions in the order they came") from error
    return Consistency(
        achieved=most_coherency(performed, apps),
        possible=most_coherency(admitted, apps),
        possible_so_far=most_coherency(admitted.subgraph(done.nodes), apps),
        possible_by_dependencies=most_coherency(dag, apps),
    )
