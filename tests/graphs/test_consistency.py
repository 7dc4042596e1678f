"""Logical consistency against every order of small graphs, and on graphs too large for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.graph_shapes import shape
from proctor.errors import SpecError
from proctor.graphs.judge.consistency import Consistency, consistency, most_coherency
from proctor.graphs.mathematics.constraints import most_edges
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders, is_order
from proctor.graphs.mathematics.runs import fewest_runs
from tests.graphs.graphs import all_orders, apart, chain, coherency, ideals, labelled

Labelled = tuple[Dag, dict[str, str]]


def best_by_trying(dag: Dag, apps: Mapping[str, str]) -> int:
    return max(coherency(order, apps) for order in all_orders(dag))


@settings(max_examples=150)
@given(labelled(7, "vwxyz"))
def test_the_best_order_is_the_best_of_all(graph: Labelled) -> None:
    dag, apps = graph
    order = [node for run in fewest_runs(dag, apps) for node in run]
    assert is_order(dag, order)
    assert coherency(order, apps) == most_coherency(dag, apps) == best_by_trying(dag, apps)


def best_by_ideals(dag: Dag, apps: Mapping[str, str]) -> int:
    """The best coherency over all ways to grow a set of finished nodes one by one, remembering the last application."""
    best: dict[int, dict[str, int]] = {0: {"": 0}}
    for done in ideals(dag):
        for node in dag.names(dag.available(done)):
            app, grown = apps[node], best.setdefault(done | dag.mask([node]), {})
            reached = max(count + (last == app) for last, count in best[done].items())
            grown[app] = max(grown.get(app, 0), reached)
    return max(best[dag.all_nodes].values())


@pytest.mark.parametrize("seed", range(40))
def test_the_best_order_of_middling_graphs_is_that_of_a_plain_search(seed: int) -> None:
    random = Random(seed)
    depth, width = random.randint(2, 6), random.randint(2, 5)
    nodes = random.randint(depth + width - 1, min(14, depth * width))
    edges = random.randint(nodes - width, min(most_edges(nodes, depth, width), 2 * nodes))
    dag = shape(nodes, edges, depth, width, random=random)
    apps = {node: random.choice("stuvwxyz"[: random.randint(2, 8)]) for node in dag.nodes}
    assert most_coherency(dag, apps) == best_by_ideals(dag, apps)


@given(labelled(7))
def test_runs_are_stretches_of_one_application(graph: Labelled) -> None:
    dag, apps = graph
    runs = fewest_runs(dag, apps)
    assert all(len({apps[node] for node in run}) == 1 for run in runs)
    assert all(apps[one[0]] != apps[other[0]] for one, other in pairwise(runs))


def test_two_applications_that_wait_for_each_other_take_three_runs() -> None:
    dag = Dag.from_edges([("x1", "y1"), ("y2", "x2")])
    apps = {node: node[0] for node in dag.nodes}
    assert len(fewest_runs(dag, apps)) == 3


def test_three_applications_in_a_circle_take_four_runs() -> None:
    dag = Dag.from_edges([("x1", "y1"), ("y2", "z2"), ("z3", "x3")])
    assert len(fewest_runs(dag, {node: node[0] for node in dag.nodes})) == 4


def large(seed: int, nodes: int, apps: int) -> Labelled:
    random = Random(seed)
    dag = shape(nodes, nodes + nodes // 2, nodes // 5, nodes // 4, random=random)
    return dag, {node: str(random.randrange(apps)) for node in dag.nodes}


@pytest.mark.parametrize(("nodes", "apps"), [(30, 8), (60, 8), (60, 14)])
def test_large_graphs_have_an_exact_answer_that_does_not_depend_on_direction(nodes: int, apps: int) -> None:
    for seed in range(3):
        dag, used = large(seed, nodes, apps)
        turned = Dag(dag.nodes, frozenset((second, first) for first, second in dag.edges))
        order = [node for run in fewest_runs(dag, used) for node in run]
        assert is_order(dag, order)
        assert coherency(order, used) == most_coherency(dag, used) == most_coherency(turned, used)


def test_nothing_beats_the_best_in_a_large_graph() -> None:
    dag, apps = large(4, 24, 6)
    orders, random = Orders(dag), Random(4)
    best = most_coherency(dag, apps)
    assert all(coherency(orders.sample(random), apps) <= best for _ in range(200))


def test_an_agent_that_switches_needlessly() -> None:
    apps = {"a": "x", "b": "y", "c": "x", "d": "y"}
    found = consistency(apart(4), apps, ["a", "b", "c", "d"])
    assert found == Consistency(achieved=0, possible=2, possible_so_far=2, possible_by_dependencies=2)
    assert (found.overall, found.conditional) == (0.0, 0.0)
    assert consistency(apart(4), apps, ["a", "c", "b", "d"]).overall == 1.0


def test_stopping_early_lowers_the_overall_ratio_only() -> None:
    found = consistency(apart(4), dict.fromkeys("abcd", "x"), ["a", "b"])
    assert (found.overall, found.conditional) == (1 / 3, 1.0)
    assert found.to_json() == {
        "achieved": 1, "possible": 3, "possible_so_far": 1, "possible_by_dependencies": 3,
        "overall": 1 / 3, "conditional": 1.0, "by_dependencies": 1 / 3,
    }  # fmt: skip


def test_undefined_where_no_neighbours_can_share_an_application() -> None:
    found = consistency(chain(3), {"a": "x", "b": "y", "c": "x"}, ["a", "b", "c"])
    assert (found.achieved, found.possible, found.overall, found.conditional) == (0, 0, None, None)
    assert consistency(apart(1), {"a": "x"}, ["a"]).overall is None
    nothing = consistency(apart(2), {"a": "x", "b": "x"}, [])
    assert (nothing.overall, nothing.conditional) == (0.0, None)


def in_ties(order: Sequence[str], cuts: Sequence[bool]) -> list[list[str]]:
    ties: list[list[str]] = [[]]
    for node, cut in zip(order, cuts, strict=True):
        ties += [[]] if cut else []
        ties[-1].append(node)
    return ties


@settings(max_examples=150)
@given(labelled(6, "xyz"), st.data())
def test_ties_count_in_their_best_order(graph: Labelled, data: st.DataObject) -> None:
    dag, apps = graph
    whole = data.draw(st.sampled_from(list(all_orders(dag))))
    order = whole[: data.draw(st.integers(0, len(whole)))]
    ties = in_ties(order, data.draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order))))
    found = consistency(dag, apps, ties)
    steps = {node: number for number, tie in enumerate(ties) for node in tie}
    part = dag.subgraph(order)
    allowed = [one for one in all_orders(part) if sorted(one, key=lambda node: steps[node]) == list(one)]
    assert found.achieved == max((coherency(one, apps) for one in allowed), default=0)
    assert coherency(order, apps) <= found.achieved <= found.possible_so_far <= found.possible
    assert all(ratio is None or 0 <= ratio <= 1 for ratio in (found.overall, found.conditional))


@given(labelled(6, "xyz"), st.data())
def test_without_ties_it_is_the_coherency_of_the_sequence(graph: Labelled, data: st.DataObject) -> None:
    dag, apps = graph
    order = data.draw(st.sampled_from(list(all_orders(dag))))
    assert consistency(dag, apps, [[node] for node in order]).achieved == coherency(order, apps)


@pytest.mark.parametrize(
    ("ties", "message"),
    [
        (["b"], "before what it depends on"),
        (["b", "a"], "contradict"),
        (["a", "a"], "twice"),
        ([["a", "b"], ["b"]], "twice"),
    ],
)
def test_impossible_sequences_are_refused(ties: list[Sequence[str]], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        consistency(chain(2), {"a": "x", "b": "x"}, ties)


TWO_COPIES = Dag.from_edges([("copy 1", "paste 1"), ("copy 2", "paste 2")])
"""Both copy in one application and paste in another, by way of one clipboard."""
LATER = {"copy 1": "x", "copy 2": "x", "paste 1": "y", "paste 2": "y"}


def test_the_best_order_is_one_that_can_be_carried_out() -> None:
    """The paper's best order copies twice before pasting, and so loses what was copied first."""
    done = [["copy 1"], ["paste 1"], ["copy 2"], ["paste 2"]]
    found = consistency(TWO_COPIES, LATER, done, ordering=[("paste 1", "copy 2")])
    assert (found.possible, found.possible_by_dependencies) == (0, 2)
    assert (found.overall, found.by_dependencies) == (None, 0.0)


def test_who_does_a_part_again_is_not_better_than_the_best() -> None:
    dag = TWO_COPIES.with_edges([])
    apps = {**LATER, "paste 2": "x"}
    found = consistency(dag, apps, [["copy 1"], ["copy 2"], ["paste 2"], ["paste 1"]], ordering=[("paste 1", "copy 2")])
    assert (found.achieved, found.possible, found.overall) == (2, 1, 1.0)


@settings(max_examples=60)
@given(labelled(6, "xyz"), st.randoms(use_true_random=False))
def test_the_best_admitted_order_is_the_best_of_all_admitted(graph: Labelled, random: Random) -> None:
    dag, apps = graph
    order = random.choice(list(all_orders(dag)))
    pairs = [(one, other) for one, other in pairwise(order) if random.random() < 0.5]
    found = consistency(dag, apps, [[node] for node in order], ordering=pairs)
    assert found.possible == best_by_trying(dag.with_edges(pairs), apps)
    assert found.possible_by_dependencies == best_by_trying(dag, apps) >= found.possible >= found.achieved
    assert found.possible == found.possible_so_far
