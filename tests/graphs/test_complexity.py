"""The five numbers of a graph and their levels."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from proctor.errors import SpecError, UnknownName
from proctor.graphs.mathematics.complexity import UP_TO, Complexity, Dimension, Level, level_of, measure
from proctor.graphs.mathematics.dag import Dag
from proctor.taxonomy import CATEGORIES
from tests.graphs.graphs import chain, dags


def test_every_number_of_a_graph() -> None:
    dag = Dag.from_edges([("0", "1"), ("0", "2"), ("1", "4"), ("0", "4")], nodes="01234")
    categories = {"0": "Office", "1": "Office", "2": "Programming", "3": "Lifestyle", "4": "Office"}
    assert measure(dag, categories) == Complexity(
        edges=4, nodes=5, categories=3, depth=3, width=3, reduced_edges=3, largest_level=2
    )


def test_levels_of_the_same_graph() -> None:
    complexity = Complexity(edges=4, nodes=5, categories=3, depth=3, width=2, reduced_edges=3, largest_level=2)
    assert complexity.levels() == {
        Dimension.DEPENDENCY: Level.HARD,
        Dimension.INSTRUCTION: Level.HARD,
        Dimension.KNOWLEDGE: Level.MEDIUM,
        Dimension.HIERARCHY: Level.MEDIUM,
        Dimension.BRANCH: Level.EASY,
    }
    data = json.loads(json.dumps(complexity.to_json()))
    assert data["edges"] == 4
    assert data["levels"]["branch"] == "easy"


@pytest.mark.parametrize(
    ("dimension", "easy", "medium", "hard"),
    [
        (Dimension.DEPENDENCY, [0, 1], [2, 3], [4, 40]),
        (Dimension.INSTRUCTION, [1, 2], [3, 4], [5, 60]),
        (Dimension.KNOWLEDGE, [0, 1], [2, 3], [4, 12]),
        (Dimension.HIERARCHY, [1, 2], [3, 4], [5, 60]),
        (Dimension.BRANCH, [1, 2], [3, 4], [5, 60]),
    ],
)
def test_thresholds_are_the_papers(dimension: Dimension, easy: list[int], medium: list[int], hard: list[int]) -> None:
    found = [[level_of(dimension, count) for count in counts] for counts in (easy, medium, hard)]
    assert found == [[level] * 2 for level in Level]
    assert set(UP_TO) == set(Dimension)


def test_a_category_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean 'Office'"):
        measure(chain(1), {"a": "Ofice"})
    with pytest.raises(SpecError, match="node 'b' has no label"):
        measure(chain(2), {"a": "Office"})


@given(dags(9))
def test_numbers_bound_each_other(dag: Dag) -> None:
    found = measure(dag, dict(zip(dag.nodes, CATEGORIES, strict=False)))
    assert found.depth + found.width - 1 <= found.nodes <= found.depth * found.width
    assert found.nodes - found.width <= found.reduced_edges <= found.edges
    assert found.largest_level <= found.width
    assert found.categories == found.nodes
