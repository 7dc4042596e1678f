"""Topological orders: counted as many as there are, and drawn with equal chances."""

from __future__ import annotations

from collections import Counter
from math import comb, factorial
from random import Random

import pytest
from hypothesis import given, settings

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders, is_order, is_prefix
from tests.graphs.graphs import all_orders, apart, chain, dags


@given(dags(6))
def test_counting_and_listing_agree_with_trying_every_permutation(dag: Dag) -> None:
    expected = sorted(all_orders(dag))
    assert list(Orders(dag)) == expected
    assert Orders(dag).count() == len(expected)


@pytest.mark.parametrize("count", [1, 5, 26])
def test_a_chain_has_one_order_and_separate_nodes_all(count: int) -> None:
    assert Orders(chain(count)).count() == 1
    assert Orders(apart(count)).count() == factorial(count)


def test_known_numbers() -> None:
    two_chains = Dag.from_edges([(f"{row} {place}", f"{row} {place + 1}") for row in "ab" for place in range(29)])
    assert Orders(two_chains).count() == comb(60, 30)
    # A two by n grid is counted by the Catalan numbers.
    grid = [(f"{row} {place}", f"{row} {place + 1}") for row in (0, 1) for place in range(9)]
    assert Orders(Dag.from_edges(grid + [(f"0 {place}", f"1 {place}") for place in range(10)])).count() == 16_796
    # A heap of fifteen nodes: 15! over the product of the sizes of its subtrees.
    tree = Dag.from_edges([(str((place - 1) // 2), str(place)) for place in range(1, 15)])
    assert Orders(tree).count() == factorial(15) // (15 * 7**2 * 3**4)
    assert Orders(Dag(())).count() == 1


def test_ordering_edges_leave_fewer_orders() -> None:
    dag = Dag.from_edges([("a", "b"), ("c", "d")])
    assert Orders(dag).count() == 6
    assert Orders(dag.with_edges([("b", "c")])).count() == 1


def test_counting_stops_within_bounds() -> None:
    crown = Dag.from_edges(
        [(f"low {one}", f"high {other}") for one in range(12) for other in range(12) if one != other]
    )
    with pytest.raises(SpecError, match="24 nodes cannot be counted: more than 100 sets"):
        Orders(crown, most_sets=100).count()


@given(dags(6))
def test_a_drawn_order_is_an_order(dag: Dag) -> None:
    assert is_order(dag, Orders(dag).sample(Random(1)))


@settings(max_examples=10)
@given(dags(4))
def test_every_order_is_as_likely_as_any_other(dag: Dag) -> None:
    orders, random = Orders(dag), Random(7)
    count = orders.count()
    drawn = Counter(orders.sample(random) for _ in range(100 * count))
    assert set(drawn) == set(orders)
    # Five standard deviations of a count of 100, with the draws fixed by the seed.
    assert all(50 <= times <= 150 for times in drawn.values())


@given(dags(6))
def test_what_is_an_order_and_what_begins_like_one(dag: Dag) -> None:
    for order in list(Orders(dag))[:20]:
        assert is_order(dag, order)
        assert all(is_prefix(dag, order[:length]) for length in range(len(order) + 1))
        assert not is_order(dag, order[:-1])
        assert not is_prefix(dag, (*order, order[0]))
        assert not is_prefix(dag, ("?", *order))
        if dag.edges:
            assert not is_order(dag, order[::-1])
