"""OmniBench's records: made from compositions, read back, and refused with every fault named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proctor.graphs.compose.compose import compose, compose_with
from proctor.graphs.compose.resource import kind_of
from proctor.graphs.mathematics.constraints import Constraint
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders, is_order
from proctor.graphs.omnibench.evaluations import read_checks
from proctor.graphs.omnibench.export import SubtaskCollection, list_orders
from proctor.graphs.omnibench.folder import write_composed
from proctor.graphs.omnibench.records import SubtaskMetadata, TaskMetadata
from proctor.graphs.omnibench.task_lines import lines_of
from proctor.suites.pool import POOL as APPLICATIONS
from tests.graphs.graphs import apart, chain
from tests.graphs.omnibench import Records, dag_of, edges_of, hold_to_rules

SUBTASK_FIELDS = {
    "id", "instruction_template", "application", "available_parameters", "OS", "input_resources", "output_resources",
}  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_can_be_read(seed: int) -> None:
    tasks, subtasks = [], SubtaskCollection()
    for lines in compose_with(lines_of, APPLICATIONS, count=20, seed=seed):
        tasks.append(TaskMetadata.model_validate_json(json.dumps(lines.task.to_json())))
        for part in lines.subtasks:
            subtasks.add(SubtaskMetadata.model_validate_json(json.dumps(part.to_json())))
        assert tasks[-1] == lines.task
    hold_to_rules(Records(subtasks=tuple(subtasks), tasks=tuple(tasks)))


def test_a_task_has_the_fields_of_the_paper_and_what_it_takes_to_run_it() -> None:
    few = [Constraint.parse("instruction", "2..3")]  # so that all orders are listed
    lines = next(compose_with(lines_of, APPLICATIONS, count=1, seed=1, constraints=few))
    paper = {"task_instruction", "dag", "task_intent", "successful_topo", "task_id"}
    assert set(lines.task.to_json()) == paper | {"parameters", "resources", "proctor"}
    assert set(lines.subtasks[0].to_json()) == SUBTASK_FIELDS
    assert lines.task.dag.nodes == tuple(part.id for part in lines.subtasks)


def test_a_subtask_is_one_record_with_all_its_parameters() -> None:
    alone = [Constraint.parse("instruction", "1")]
    found = list(compose(APPLICATIONS, count=40, seed=2, constraints=alone, apps=["zim", "mousepad"]))
    subtasks, names = SubtaskCollection(), set()
    for composition in found:
        (record,) = lines_of(composition, APPLICATIONS).subtasks
        subtasks.add(record)
        names.add(composition.nodes[0].subtask)
        filled = record.instruction_template.format(**record.available_parameters[0])
        given = composition.nodes[0].bound.gives.values()
        assert all(thing.value in filled for thing in given if not kind_of(thing.kind).slot)
    records = list(subtasks)
    assert len(records) == len(names) < sum(len(record.available_parameters) for record in records) == len(found)


def test_edges_follow_from_the_names_of_resources_alone() -> None:
    tasks = 0
    several = [Constraint.parse("instruction", "3..")]
    for lines in compose_with(lines_of, APPLICATIONS, count=120, seed=5, constraints=several):
        assert edges_of(lines.task) == dag_of(lines.task.dag).edges
        assert len(set(lines.task.dag.nodes)) == len(lines.subtasks)
        tasks += any("text_in_clipboard" in one.output_resources for one in lines.subtasks)
    assert tasks


def test_an_evaluation_is_a_program_that_holds_the_check_of_each_set_of_parameters(tmp_path: Path) -> None:
    found = list(compose_with(lines_of, APPLICATIONS, count=20, seed=6))
    write_composed(tmp_path, found)
    for one in found:
        for record, check in zip(one.subtasks, one.checks, strict=True):
            text = (tmp_path / "evaluations" / f"{record.id}.txt").read_text(encoding="utf-8")
            asked: list[object] = []
            space: dict[str, Any] = {"check_in_proctor": lambda check, asked=asked: (not asked.append(check), "")}
            exec(text, space)
            judged = space["evaluate_agent_task_completion"](**record.available_parameters[0])
            assert judged == (True, "", 1.0) and asked == [json.loads(json.dumps(check.to_json()))]
            checks = read_checks(text)
            assert checks and asked[0] in checks.values()


@pytest.mark.parametrize("text", ["x =", "CHECKS = 3", "CHECKS = {1: 2}", "CHECKS = {open('a'): 1}", "(" * 10_000])
def test_what_is_no_evaluation_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="it is no Python|its CHECKS are no"):
        read_checks(text)
    assert read_checks("def evaluate_agent_task_completion(): ...") is None


def test_orders_that_would_overwrite_a_slot_are_not_listed() -> None:
    found = compose(APPLICATIONS, count=150, seed=4, constraints=[Constraint.parse("instruction", "5..7")])
    composition = next(one for one in found if one.ordering and Orders(one.dag).count() <= 100)
    task = lines_of(composition, APPLICATIONS).task
    assert len(task.successful_topo) == Orders(composition.gates).count() < Orders(composition.dag).count()


def test_many_orders_are_sampled_and_counted() -> None:
    assert list_orders(chain(4), "x") == ([tuple("abcd")], 1)
    some, count = list_orders(apart(7), "x")
    assert count == 5040
    assert 10 <= len(some) <= 20
    assert all(is_order(apart(7), order) for order in some)
    assert list_orders(apart(7), "x")[0] == some


def test_orders_beyond_counting_are_not_counted() -> None:
    rows = [[f"{row}.{column}" for column in range(22)] for row in range(2)]
    tangle = Dag.from_edges(
        [(rows[0][one], rows[1][other]) for one in range(22) for other in range(22) if (one * 7 + other * 5) % 3],
        [*rows[0], *rows[1]],
    )
    some, count = list_orders(tangle, "x")
    assert count is None
    assert is_order(tangle, some[0])
