"""Assembling: a composition becomes a task with setup, answer key, near misses and a graph."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError, UnknownName
from proctor.graphs.compose.assemble import composed_task, initial_resources
from proctor.graphs.compose.cast import Cast
from proctor.graphs.compose.composer import Composer
from proctor.graphs.compose.equip import equipment
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.sameness import digest
from proctor.graphs.compose.unify import CastPart
from proctor.graphs.mathematics.orders import is_order
from proctor.prove.attempt import attempt
from proctor.prove.trial import trials
from proctor.suites.pool import POOL as APPLICATIONS
from proctor.tasks.load import task_from_json
from tests.graphs.composed import GOAL, SIZE, composed, diamond
from tests.graphs.synthetic import SUBTASKS, TEXTS, goals_of

WITH_GOALS = SubtaskPool(SUBTASKS, goals=goals_of(SUBTASKS, count=3))


def test_a_composed_task_survives_json_and_keeps_its_digest() -> None:
    task = diamond()
    again = task_from_json(json.loads(task.text))
    assert (again, again.digest) == (task, task.digest)


def test_the_same_seed_gives_the_same_task_and_another_one_another() -> None:
    assert diamond("1").digest == diamond("1").digest
    assert diamond("1").digest != diamond("2").digest


def test_every_trial_of_a_composed_task_goes_as_it_must() -> None:
    task = diamond()
    for trial in trials(task, repeats=1):
        with FakeComputer(size=SIZE) as computer:
            (outcome,) = attempt(task, [trial], computer)
            assert outcome.proven, outcome


def test_near_misses_leave_out_the_node_and_all_that_follows() -> None:
    task = diamond()
    scores = {miss.name: miss.score for miss in task.near_misses}
    assert scores
    wanted = {"a: not saved": 0.0, "b: not saved": 0.375, "c: not saved": 0.375, "d: not saved": 0.625}
    assert scores.items() <= wanted.items()


def test_what_a_subtask_admits_its_graph_admits_once() -> None:
    parts = (
        CastPart("prints and income", "multiply-two-columns", (("source", "prints"),)),
        CastPart("ranking", "sort-by-a-column", (("source", "prints"),)),
    )
    composition = Cast("comic", parts).composition(APPLICATIONS, "0")
    task = composed_task(composition, APPLICATIONS.by_name, "tests/sheets-v1")
    assert [one.which for one in task.may_differ] == ["*: its first sheet renamed", "*formula* frozen to its value"]


def test_the_order_of_the_solution_is_admitted_and_varies() -> None:
    orders = set()
    for seed in range(8):
        task = diamond(str(seed))
        assert task.graph
        assert is_order(task.graph.gates, task.graph.order)
        orders.add(task.graph.order)
    assert len(orders) == 2


def test_a_wrong_prediction_is_no_proof() -> None:
    task = diamond()
    assert task.graph
    swapped = tuple(
        node.model_copy(update={"check": task.graph.nodes[-1].check}) if node.id == "b" else node
        for node in task.graph.nodes
    )
    broken = task.model_copy(update={"graph": task.graph.model_copy(update={"nodes": swapped})})
    with FakeComputer(size=SIZE) as computer:
        (outcome,) = attempt(broken, [next(trials(broken))], computer)
    assert not outcome.proven
    assert "the coverage must be" in outcome.error


def test_what_nobody_gives_is_there_from_the_beginning_once() -> None:
    parts = (
        CastPart("copy", "copy-text", (("source", "old text_file"),)),
        CastPart("both", "join-texts", (("first", "copy"), ("second", "old text_file"))),
    )
    cast = Cast(GOAL.name, parts)
    for seed in range(10):
        composition = cast.composition(SubtaskPool(TEXTS, goals=[GOAL]), str(seed))
        initial = initial_resources(composition)
        assert len({resource.value for resource in initial}) == len(initial)
        assert {resource.kind for resource in initial} == {"text_file"}


def test_a_task_cannot_begin_with_what_nobody_can_make() -> None:
    with pytest.raises(SpecError, match="no task can begin with a message"):
        equipment([Resource("message", "hello")])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000))
def test_a_cast_gives_the_same_graph_about_something_else(seed: int) -> None:
    composer = Composer(WITH_GOALS)
    cast = composer.casts[seed % len(composer.casts)]
    assert Cast.from_json(json.loads(json.dumps(cast.to_json()))) == cast
    one, other = cast.composition(WITH_GOALS, "some parameters"), cast.composition(WITH_GOALS, "other parameters")
    assert digest(one, "graph") == digest(other, "graph")
    assert digest(one) != digest(other)


def test_a_cast_with_an_unknown_subtask_is_refused() -> None:
    with pytest.raises(UnknownName, match="write-tekst"):
        Cast(GOAL.name, (CastPart("text", "write-tekst", ()),)).composition(SubtaskPool(TEXTS, goals=[GOAL]), "0")


def test_a_graph_of_one_node_is_a_task_too() -> None:
    task = composed(["write-text"])
    assert task.graph
    assert task.graph.labels == {
        "dependency": "easy",
        "instruction": "easy",
        "knowledge": "easy",
        "hierarchy": "easy",
        "branch": "easy",
        "shape": "chain",
    }
