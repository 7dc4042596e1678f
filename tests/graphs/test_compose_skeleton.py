"""Skeletons have the numbers that were drawn; casting knows what can follow what."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from proctor.graphs.compose.casts import Casting
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.skeleton import Skeleton, Targets, skeleton
from proctor.graphs.compose.successors import Matching, Relation
from proctor.graphs.mathematics.complexity import Dimension, Level
from proctor.graphs.mathematics.constraints import LARGEST, Constraint, conflict
from proctor.graphs.mathematics.dag import Dag, bits
from proctor.graphs.mathematics.width import width
from tests.graphs.synthetic import SUBTASKS, TEXTS, CopyText, WriteText

POOL = SubtaskPool(SUBTASKS)
MATCHING = Matching(POOL)


def dag_of(drawn: Skeleton) -> Dag:
    edges = {(f"{first}", f"{place}") for place, before in enumerate(drawn.before) for first in before}
    return Dag(tuple(f"{place}" for place in range(len(drawn.before))), frozenset(edges))


@given(
    st.dictionaries(st.sampled_from(list(Dimension)), st.sampled_from(list(Level)), max_size=3),
    st.booleans(),
    st.integers(1, 4),
    st.integers(0, 10**6),
)
def test_skeletons_have_the_numbers_that_were_drawn(
    levels: dict[Dimension, Level], connected: bool, inputs: int, seed: int
) -> None:
    constraints = [Constraint.level(dimension, level) for dimension, level in levels.items()]
    assume(conflict(constraints, connected=connected) is None)
    targets = Targets(constraints, connected=connected, deepest=60, most_inputs=inputs, categories=12)
    assume(targets)
    random = Random(seed)
    target = targets.draw(random)
    drawn = skeleton(target, random, most_inputs=inputs, connected=connected)
    assume(drawn is not None)
    assert drawn is not None
    dag = dag_of(drawn)
    assert (len(dag.nodes), len(dag.edges), dag.depth, width(dag)) == (
        target.nodes,
        target.edges,
        target.depth,
        target.width,
    )
    assert max(map(len, drawn.before)) <= inputs
    assert dag.connected or not connected
    assert drawn.depths == tuple(dag.depths.values())
    backwards = Dag(dag.nodes, frozenset((later, first) for first, later in dag.edges))
    assert drawn.heights == tuple(backwards.depths.values())


@given(st.lists(st.integers(0, 2**20 - 1), min_size=1, max_size=20), st.integers(0))
def test_a_relation_answers_for_many_as_for_each(masks: list[int], chosen: int) -> None:
    chosen %= 1 << len(masks)
    together = 0
    for place in bits(chosen):
        together |= masks[place]
    assert Relation(masks).of_any(chosen) == together


def test_chains_go_on_for_ever_where_something_follows_itself() -> None:
    assert MATCHING.chains(MATCHING.all_subtasks).longest == LARGEST
    only = Matching(SubtaskPool([WriteText()]))
    assert only.chains(only.all_subtasks).longest == 1
    two = Matching(POOL.only(apps=["gnome-calendar"]))
    assert two.chains(two.all_subtasks).longest == 2
    assert Matching(SubtaskPool([CopyText()])).most_inputs == 1
    assert Matching(SubtaskPool(TEXTS)).most_inputs == 3


def test_a_place_that_nothing_fits_leaves_the_skeleton_empty() -> None:
    drawn = Skeleton(((), (), (0, 1)))
    matching = Matching(SubtaskPool([WriteText(), CopyText()]))
    assert Casting(matching, drawn, ("Utility Tools",), Random(0)).search() is None
    parts = Casting(Matching(SubtaskPool(TEXTS)), drawn, ("Utility Tools",), Random(0)).search()
    assert parts is not None
    assert len(parts[2].sources) == 2
