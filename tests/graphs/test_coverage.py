"""How much was completed."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import SpecError, UnknownName
from proctor.graphs.judge.coverage import (
    completion_ratio,
    coverage_rate,
    longest_unfinished_path,
)
from proctor.graphs.mathematics.dag import Dag
from tests.graphs.graphs import chain, dags

Metric = Callable[[Dag, Collection[str]], float]
BOTH = pytest.mark.parametrize("metric", [coverage_rate, completion_ratio])


def test_two_of_a_chain_of_three_cover_half() -> None:
    assert coverage_rate(chain(3), ["a", "b"]) == 0.5
    assert completion_ratio(chain(3), ["a", "b"]) == 2 / 3


def test_deep_nodes_weigh_more() -> None:
    dag = Dag.from_edges([("a", "b"), ("b", "c")], nodes="abcd")
    assert coverage_rate(dag, ["d"]) == coverage_rate(dag, ["a"]) == 1 / 7
    assert coverage_rate(dag, ["a", "b", "c"]) == 6 / 7


def test_the_longest_unfinished_path_is_not_the_first_found() -> None:
    """A short path reaches the last node before a long one does."""
    dag = Dag.from_edges([("a", "e"), ("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    assert longest_unfinished_path(dag, []) == 5
    assert longest_unfinished_path(dag, ["a"]) == 4
    assert longest_unfinished_path(dag, ["c"]) == 2
    assert longest_unfinished_path(dag, dag.nodes) == 0


@BOTH
@given(dag=dags(8), data=st.data())
def test_metrics_rise_from_nothing_to_one(metric: Metric, dag: Dag, data: st.DataObject) -> None:
    some = data.draw(st.sets(st.sampled_from(dag.nodes)))
    more = some | data.draw(st.sets(st.sampled_from(dag.nodes)))
    assert metric(dag, set()) == 0
    assert metric(dag, dag.nodes) == 1
    assert 0 <= metric(dag, some) <= metric(dag, more) <= 1
    assert (metric(dag, some) == metric(dag, more)) == (some == more)
    assert longest_unfinished_path(dag, more) <= longest_unfinished_path(dag, some) <= dag.depth


@given(dags(8))
def test_coverage_weighs_each_node_by_its_depth(dag: Dag) -> None:
    total = sum(dag.depths.values())
    for node in dag.nodes:
        assert coverage_rate(dag, [node]) == pytest.approx(dag.depths[node] / total)
    assert longest_unfinished_path(dag, []) == dag.depth


@BOTH
def test_bad_questions_are_refused(metric: Metric) -> None:
    with pytest.raises(SpecError, match="without nodes"):
        metric(Dag(()), [])
    with pytest.raises(UnknownName, match="unknown node 'z'"):
        metric(chain(2), ["z"])
