"""A graph is what it claims to be, and what follows from it obeys the laws of graphs."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import SpecError, UnknownName
from proctor.graphs.mathematics.dag import MOST_NODES, Dag, bits
from tests.graphs.graphs import all_orders, apart, chain, dags

DIAMOND = Dag.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d")])


def test_neighbours_order_and_depth() -> None:
    assert DIAMOND.nodes == ("a", "b", "c", "d")
    assert DIAMOND.predecessors("d") == ("a", "b", "c")
    assert DIAMOND.successors("a") == ("b", "c", "d")
    assert DIAMOND.order == ("a", "b", "c", "d")
    assert DIAMOND.depths == {"a": 1, "b": 2, "c": 2, "d": 3}
    assert DIAMOND.depth == 3


def test_the_order_takes_nodes_listed_first_as_early_as_they_may_come() -> None:
    assert Dag(("z", "y", "x"), frozenset({("x", "z")})).order == ("y", "x", "z")


def test_closure_and_reduction_of_the_diamond() -> None:
    assert DIAMOND.reduction().edges == DIAMOND.edges - {("a", "d")}
    assert DIAMOND.reduction().closure() == DIAMOND.closure() == DIAMOND


def test_parts_that_no_edge_connects() -> None:
    dag = Dag.from_edges([("a", "b"), ("c", "d")], nodes="abcde")
    assert sorted(map(dag.names, dag.components(dag.all_nodes))) == [("a", "b"), ("c", "d"), ("e",)]
    assert not dag.connected
    assert DIAMOND.connected
    # Inside a smaller set, an edge through a node left out does not connect.
    line = chain(3)
    assert len(line.components(line.mask("ac"))) == 2


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        ("aba", [], "node 'a' is listed twice"),
        ("ab", ["aa"], "node 'a' depends on itself"),
        ("ab", ["ac"], "unknown node 'c'"),
        ("abcd", ["ab", "bc", "cb", "cd"], "cycle: (b -> c -> b|c -> b -> c)"),
        ("abc", ["ab", "bc", "ca"], "cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)"),
    ],
)
def test_what_is_no_graph_is_refused_by_name(nodes: str, edges: list[str], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Dag(tuple(nodes), frozenset((edge[0], edge[1]) for edge in edges))


def test_an_edge_listed_twice_is_refused() -> None:
    with pytest.raises(SpecError, match="edge 'a' -> 'b' is listed twice"):
        Dag.from_edges([("a", "b"), ("a", "b")])


def test_a_graph_beyond_all_bounds_is_refused() -> None:
    with pytest.raises(SpecError, match="201 nodes"):
        Dag(tuple(map(str, range(MOST_NODES + 1))))


def test_an_unknown_node_comes_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'copy'"):
        Dag(("copy", "paste")).successors("cpoy")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"nodes": "ab", "edges": {}},
        {"nodes": ["a", 1], "edges": {}},
        {"nodes": ["a"], "edges": [["a", "b"]]},
        {"nodes": ["a"], "edges": {"a": "b"}},
        {"nodes": ["a"], "edges": {"a": [None]}},
        {"nodes": ["a"], "edges": {"a": ["b"]}},
        {"nodes": ["a"], "edges": {"b": []}},
        {"nodes": ["a", "b"], "edges": {"a": ["b", "b"]}},
        {"nodes": ["a", "b"], "edges": {"a": ["b"], "b": ["a"]}},
    ],
)
def test_damaged_records_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        Dag.from_json(data)


def test_the_graph_of_nothing() -> None:
    nothing = Dag(())
    assert (nothing.order, nothing.depth) == ((), 0)
    assert nothing.closure() == nothing.reduction() == nothing


@given(st.integers(0, 2**70))
def test_bits_are_the_binary_digits(mask: int) -> None:
    assert sum(1 << place for place in bits(mask)) == mask
    assert [place.start() for place in re.finditer("1", f"{mask:b}"[::-1])] == list(bits(mask))


@given(dags())
def test_the_order_is_topological(dag: Dag) -> None:
    assert dag.order in set(all_orders(dag))


@given(dags())
def test_json_gives_the_graph_back(dag: Dag) -> None:
    assert Dag.from_json(json.loads(json.dumps(dag.to_json()))) == dag


@given(dags(9))
def test_closure_and_reduction_are_the_largest_and_smallest_with_the_same_paths(dag: Dag) -> None:
    closure, reduction = dag.closure(), dag.reduction()
    assert reduction.edges <= dag.edges <= closure.edges
    assert closure.closure() == closure == reduction.closure()
    assert reduction.reduction() == reduction == closure.reduction()
    for edge in reduction.edges:
        assert Dag(dag.nodes, reduction.edges - {edge}).closure() != closure


@given(dags(9))
def test_closure_is_transitive(dag: Dag) -> None:
    edges = dag.closure().edges
    assert {(a, d) for a, b in edges for c, d in edges if b == c} <= edges
    assert {(a, b) for a in dag.nodes for b in dag.successors(a)} == dag.edges


@given(dags(9))
def test_depth_is_that_of_the_deepest_it_depends_on_and_one(dag: Dag) -> None:
    for node in dag.nodes:
        assert dag.depths[node] == 1 + max((dag.depths[first] for first in dag.predecessors(node)), default=0)


@settings(max_examples=40)
@given(dags(6))
def test_ideals_are_all_the_sets_closed_downwards(dag: Dag) -> None:
    subsets = [set(some) for size in range(len(dag.nodes) + 1) for some in combinations(dag.nodes, size)]
    closed = {frozenset(some) for some in subsets if all(first in some for first, later in dag.edges if later in some)}
    assert {frozenset(some) for some in subsets if dag.is_ideal(some)} == closed


@given(dags(7), st.data())
def test_a_subgraph_keeps_the_edges_inside(dag: Dag, data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.sampled_from(dag.nodes)))
    part = dag.subgraph(kept)
    assert set(part.nodes) == kept
    assert part.edges == {edge for edge in dag.edges if set(edge) <= kept}
    assert dag.with_edges(part.edges) == dag


def test_small_graphs_for_the_tests_are_what_they_say() -> None:
    assert chain(4).depth == 4
    assert apart(4).depth == 1
