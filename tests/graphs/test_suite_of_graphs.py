"""Suite `graph`: large, balanced, each graph once, and every task of it whole."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from proctor import load_suite
from proctor.graphs.mathematics.capabilities import Capability
from proctor.graphs.mathematics.orders import is_order
from proctor.prove.rotate import rotate
from proctor.prove.schedule import prove
from proctor.suites.graph import records
from proctor.suites.pool import POOL
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task
from tests.graphs.chained import standing_alone

GRAPH = load_suite("graph")
TODAY = date.today().toordinal()
LOOKED_AT = 60
"""How many tasks are looked at, others every day."""


@pytest.fixture(scope="module")
def some() -> list[Task]:
    chosen = [GRAPH.templates[(TODAY * LOOKED_AT + 7 * number) % len(GRAPH.templates)] for number in range(LOOKED_AT)]
    return [GRAPH.task(template.name, TODAY % 5) for template in chosen]


def test_it_is_balanced_over_the_capabilities() -> None:
    assert len(GRAPH.templates) >= 500
    names = Counter(template.name.rpartition("-")[0] for template in GRAPH.templates)
    assert {names[capability.value] for capability in Capability} == {34, 40}
    assert names["domain-specific-knowledge"] == 34


def test_no_two_of_it_are_the_same_parts_in_another_order() -> None:
    same = Counter((one["goal"], frozenset(map(str, one["parts"]))) for one in records())
    assert [parts for parts, times in same.items() if times > 1] == []


def test_every_part_of_it_is_one_that_its_goal_has_a_reason_for() -> None:
    for one in records():
        ways = POOL.goals[one["goal"]].ways
        for role, subtask, _ in one["parts"]:
            assert subtask in {way.subtask for way in ways[role]}, one["name"]


def test_every_task_of_it_can_be_made() -> None:
    assert len({GRAPH.task(template.name).id for template in GRAPH.templates}) == len(GRAPH.templates)


def test_every_subtask_of_the_pool_that_can_be_chained_is_used() -> None:
    alone = standing_alone(POOL)
    apps = {app for template in GRAPH.templates for app in template.tags.apps}
    assert apps >= {POOL[name].app for name in POOL.names if name not in alone}


def test_tasks_examine_what_they_are_named_after(some: list[Task]) -> None:
    for task in some:
        assert task.graph
        name = task.id.partition("/")[2].rpartition("-v")[0].rpartition("-")[0]
        if name == "first-steps":
            assert 2 <= len(task.graph.nodes) <= 4
        else:
            assert task.graph.labels["capability"] == name
        assert is_order(task.graph.gates, task.graph.order)


def test_levels_are_mixed(some: list[Task]) -> None:
    for dimension in ("dependency", "instruction", "knowledge", "hierarchy", "branch"):
        levels = {task.graph.labels[dimension] for task in some if task.graph}
        assert len(levels) >= 2, dimension


def test_tasks_survive_json(some: list[Task]) -> None:
    for task in some[:10]:
        assert task_from_json(task.to_json()).digest == task.digest
        assert len({task.instruction, *task.paraphrases}) == 3
        assert all(0.0 <= miss.score < 1.0 for miss in task.near_misses)


def test_no_two_tasks_are_the_same(some: list[Task]) -> None:
    assert len({task.digest for task in some}) == len(some)


@pytest.mark.sandbox("starter", "full")
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.turns(day=0)
def test_a_sample_is_proven_on_real_applications(tmp_path: Path) -> None:
    small = [template for template in GRAPH.templates if template.name.startswith("first-steps")]
    (chosen,) = rotate([GRAPH.task(template.name) for template in small], 1, TODAY)
    subtask = rotate(list(load_suite("pool").tasks()), 1, TODAY)
    proofs = prove([chosen, *subtask], tmp_path, repeats=1, workers=2)
    assert {proof.task.id: proof.to_json()["problems"] for proof in proofs if not proof.proven} == {}
