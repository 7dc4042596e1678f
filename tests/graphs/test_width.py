"""The width of graphs against trying all sets."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given

from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.width import largest_level, width
from tests.graphs.graphs import apart, chain, dags, every_dag


def unrelated(dag: Dag, nodes: tuple[str, ...]) -> bool:
    return not any({(one, other), (other, one)} & dag.closure().edges for one, other in combinations(nodes, 2))


def test_the_smallest_graph_whose_antichain_exceeds_its_levels() -> None:
    dag = Dag(("0", "1", "2", "3"), frozenset({("0", "1"), ("0", "2")}))
    assert (width(dag), largest_level(dag)) == (3, 2)


def test_chains_and_antichains() -> None:
    assert (width(chain(7)), largest_level(chain(7))) == (1, 1)
    assert (width(apart(7)), largest_level(apart(7))) == (7, 7)
    assert (width(Dag(())), largest_level(Dag(()))) == (0, 0)


@given(dags(7))
def test_no_set_of_unrelated_nodes_is_larger(dag: Dag) -> None:
    sizes = [
        size
        for size in range(1, len(dag.nodes) + 1)
        if any(unrelated(dag, some) for some in combinations(dag.nodes, size))
    ]
    assert width(dag) == max(sizes)


def test_how_often_the_two_readings_of_width_differ() -> None:
    everything = [dag for count in range(1, 6) for dag in every_dag(count)]
    assert len(everything) == 1_099
    assert sum(width(dag) != largest_level(dag) for dag in everything) == 125
