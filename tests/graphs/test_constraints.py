"""Which numbers go together is said exactly: against every small graph, and by building one for each answer."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.graph_shapes import shape
from proctor.errors import SpecError, UnknownName
from proctor.graphs.mathematics.complexity import Complexity, Dimension, Level
from proctor.graphs.mathematics.constraints import (
    LARGEST,
    Constraint,
    conflict,
    least_edges,
    most_edges,
    require_possible,
    rooms,
)
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.width import width
from tests.graphs.graphs import every_dag

D, I, K, H, B = Dimension  # noqa: E741 - the paper's letters


def numbers(dag: Dag) -> tuple[int, int, int, int]:
    return len(dag.nodes), len(dag.edges), dag.depth, width(dag)


def said(connected: bool, most_nodes: int) -> set[tuple[int, int, int, int]]:
    found = set()
    for nodes, depth, wide in product(range(1, most_nodes + 1), repeat=3):
        exactly = [Constraint(I, nodes, nodes), Constraint(H, depth, depth), Constraint(B, wide, wide)]
        for room in rooms(exactly, connected=connected):
            low, high = room.span(D)
            found |= {(nodes, edges, depth, wide) for edges in range(low, high + 1)}
    return found


@pytest.mark.parametrize("connected", [False, True])
def test_the_numbers_said_to_go_together_are_those_of_all_small_graphs(connected: bool) -> None:
    graphs = [dag for count in range(1, 6) for dag in every_dag(count) if dag.connected or not connected]
    assert said(connected, 5) == {numbers(dag) for dag in graphs}


@pytest.mark.parametrize("connected", [False, True])
def test_there_is_a_graph_for_all_that_is_said_to_be_possible(connected: bool) -> None:
    random = Random(3)
    for nodes, edges, depth, wide in sorted(said(connected, 7)):
        dag = shape(nodes, edges, depth, wide, random=random, connected=connected)
        assert numbers(dag) == (nodes, edges, depth, wide)
        assert dag.connected or not connected
        assert dag.order == dag.nodes


@settings(max_examples=50)
@given(st.data())
def test_large_graphs_are_made_to_measure_too(data: st.DataObject) -> None:
    depth, wide = data.draw(st.integers(2, 10)), data.draw(st.integers(1, 8))
    nodes = data.draw(st.integers(depth + wide - 1, min(depth * wide, LARGEST)))
    connected = data.draw(st.booleans())
    edges = data.draw(st.integers(least_edges(nodes, wide, connected), most_edges(nodes, depth, wide)))
    dag = shape(nodes, edges, depth, wide, random=Random(data.draw(st.integers(0, 99))), connected=connected)
    assert numbers(dag) == (nodes, edges, depth, wide)
    assert dag.connected or not connected


def test_shapes_differ_and_are_repeatable() -> None:
    made = [shape(8, 9, 4, 3, random=Random(seed)) for seed in range(30)]
    assert len(set(made)) > 20
    assert len({sum(not first for first in dag.before) for dag in made}) > 1
    assert made == [shape(8, 9, 4, 3, random=Random(seed)) for seed in range(30)]


@pytest.mark.parametrize(
    ("asked", "remedy"),
    [
        ((4, 3, 5, 1), "use 5 to 5 nodes"),
        ((6, 2, 3, 2), "use 4 to 12 edges"),
        ((6, 13, 3, 2), "use 4 to 12 edges"),
        ((0, 0, 0, 0), "nodes"),
    ],
)
def test_a_shape_that_does_not_exist_is_refused(asked: tuple[int, int, int, int], remedy: str) -> None:
    with pytest.raises(SpecError, match=remedy):
        shape(*asked, random=Random(1))


def test_separate_nodes_are_never_in_one_piece() -> None:
    with pytest.raises(SpecError, match="larger depth"):
        shape(3, 0, 1, 3, random=Random(1), connected=True)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("easy", 0, 2), ("medium", 3, 4), ("hard", 5, None), ("5", 5, 5), ("3..5", 3, 5), ("3..", 3, None),
        ("..4", 0, 4),
    ],
)  # fmt: skip
def test_constraints_are_read(text: str, least: int, most: int | None) -> None:
    assert Constraint.parse("branch", text) == Constraint(B, least, most)


@pytest.mark.parametrize("text", ["", "..", "very hard", "-1", "1.5", "1..2..3", "1234567"])
def test_what_is_no_constraint_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match="branch"):
        Constraint.parse("branch", text)


def test_bad_ranges_and_dimensions_are_refused() -> None:
    with pytest.raises(SpecError, match="from 5 to 3"):
        Constraint.parse("branch", "5..3")
    with pytest.raises(UnknownName, match="did you mean 'branch'"):
        Constraint.parse("branches", "hard")


def test_levels_may_be_joined() -> None:
    assert Constraint.level(I, Level.MEDIUM, Level.EASY) == Constraint(I, 0, 4)
    assert Constraint.level(I, Level.HARD, Level.MEDIUM) == Constraint(I, 3)


def test_a_constraint_allows_what_lies_within() -> None:
    complexity = Complexity(edges=4, nodes=5, categories=3, depth=3, width=3, reduced_edges=3, largest_level=2)
    assert Constraint(D, 4, 4).allows(complexity)
    assert Constraint(I, 5).allows(complexity)
    assert not Constraint(I, 6).allows(complexity)
    assert not Constraint(K, 0, 2).allows(complexity)


def hard(*dimensions: Dimension) -> list[Constraint]:
    return [Constraint.level(dimension, Level.HARD) for dimension in dimensions]


def test_all_five_hard_is_possible_from_nine_nodes_on() -> None:
    assert conflict(hard(*Dimension)) is None
    assert min(room.nodes[0] for room in rooms(hard(*Dimension))) == 9
    assert conflict([*hard(H, B), Constraint(I, 0, 8)]) is not None


@pytest.mark.parametrize(
    ("asked", "core", "nearest"),
    [
        ([Constraint(I, 3, 4), *hard(H, K)], {I: 5, H: 4}, None),
        ([Constraint(D, 0, 3), *hard(H)], {D: 4, H: 4}, None),
        ([*hard(K), Constraint(I, 0, 3)], {K: 3, I: 4}, None),
        ([Constraint(K, 13)], {K: 12}, None),
        ([Constraint(I, LARGEST + 1)], {I: LARGEST}, None),
        ([Constraint(H, 0, 1), Constraint(D, 1), *hard(B)], {H: 2, D: 0}, None),
        ([Constraint(H, 2, 2), Constraint(I, 4, 4), Constraint(D, 5)], {H: 3, I: 5, D: 4}, None),
        ([Constraint(I, 0, 0)], {I: 1}, None),
        ([Constraint(B, 5), Constraint(B, 0, 4)], {B: 4}, (4, 5)),
    ],
)
def test_a_conflict_names_the_constraints_and_the_nearest(
    asked: list[Constraint], core: dict[Dimension, int], nearest: tuple[int, ...] | None
) -> None:
    found = conflict(asked)
    assert found is not None
    if nearest is None:
        assert {one.dimension: count for one, count in zip(found.constraints, found.nearest, strict=True)} == core
    else:
        assert found.nearest == nearest
    with pytest.raises(SpecError, match="no graph has .*\n  remedy: nearest possible: "):
        require_possible(asked)


def test_the_message_reads_well() -> None:
    assert str(conflict([Constraint(I, 3, 4), Constraint(H, 5)])) == (
        "no graph has instruction (nodes: 3 to 4) with hierarchy (depth: at least 5)"
    )


def test_what_is_possible_is_let_through() -> None:
    require_possible([])
    require_possible([Constraint(I, 3, 3), Constraint(D, 0, 0)])
    with pytest.raises(SpecError):
        require_possible([Constraint(I, 3, 3), Constraint(D, 0, 0)], connected=True)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(Dimension), st.integers(0, 9), st.integers(0, 4)), max_size=5), st.booleans())
def test_the_nearest_is_possible_and_nothing_nearer_is(
    asked: list[tuple[Dimension, int, int]], connected: bool
) -> None:
    constraints = [Constraint(dimension, least, least + more) for dimension, least, more in asked]
    found = conflict(constraints, connected=connected)
    if found is None:
        return
    for constraint, count in zip(found.constraints, found.nearest, strict=True):
        others = [one for one in constraints if one is not constraint]
        if conflict(others, connected=connected):
            others = [one for one in found.constraints if one is not constraint]

        def possible(least: int, most: int, one: Constraint = constraint, rest: list[Constraint] = others) -> bool:
            return conflict([*rest, Constraint(one.dimension, max(least, 0), most)], connected=connected) is None

        assert constraint.most is not None
        away = max(constraint.least - count, count - constraint.most)
        assert away > 0
        assert possible(count, count)
        assert not possible(constraint.least - away + 1, constraint.most + away - 1)
