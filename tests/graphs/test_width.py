"""The largest antichain against trying all sets, and Dilworth's theorem."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given

from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.width import chain_cover, largest_antichain, largest_level, width
from tests.graphs.graphs import apart, chain, dags, every_dag


def unrelated(dag: Dag, nodes: tuple[str, ...]) -> bool:
    return not any({(one, other), (other, one)} & dag.closure().edges for one, other in combinations(nodes, 2))


def test_the_smallest_graph_whose_antichain_exceeds_its_levels() -> None:
    dag = Dag(("0", "1", "2", "3"), frozenset({("0", "1"), ("0", "2")}))
    assert largest_antichain(dag) == ("1", "2", "3")
    assert (width(dag), largest_level(dag)) == (3, 2)


def test_chains_and_antichains() -> None:
    assert (width(chain(7)), largest_level(chain(7)), len(largest_antichain(chain(7)))) == (1, 1, 1)
    assert (width(apart(7)), largest_level(apart(7)), len(largest_antichain(apart(7)))) == (7, 7, 7)
    assert (width(Dag(())), largest_level(Dag(())), largest_antichain(Dag(())), chain_cover(Dag(()))) == (0, 0, (), ())


@given(dags(7))
def test_no_set_of_unrelated_nodes_is_larger(dag: Dag) -> None:
    sizes = [
        size
        for size in range(1, len(dag.nodes) + 1)
        if any(unrelated(dag, some) for some in combinations(dag.nodes, size))
    ]
    assert width(dag) == max(sizes)


@given(dags(12))
def test_dilworth_the_antichain_is_as_large_as_the_chains_are_few(dag: Dag) -> None:
    antichain, chains = largest_antichain(dag), chain_cover(dag)
    closure = dag.closure().edges
    assert len(antichain) == len(chains) == width(dag) >= largest_level(dag)
    assert unrelated(dag, antichain)
    assert sorted(node for one in chains for node in one) == sorted(dag.nodes)
    assert all(pair in closure for one in chains for pair in combinations(one, 2))


def test_how_often_the_two_readings_of_width_differ() -> None:
    everything = [dag for count in range(1, 6) for dag in every_dag(count)]
    assert len(everything) == 1_099
    assert sum(width(dag) != largest_level(dag) for dag in everything) == 125
