"""OmniBench's records: made from compositions, read back, and refused with every fault named."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.graphs.compose.compose import compose
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.mathematics.constraints import Constraint
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders, is_order
from proctor.graphs.omnibench.export import list_orders, subtask_record, task_record
from proctor.graphs.omnibench.records import SubtaskMetadata, TaskMetadata
from tests.graphs.graphs import apart, chain
from tests.graphs.omnibench import Records, dag_of, hold_to_rules
from tests.graphs.synthetic import SUBTASKS, goals_of

POOL = SubtaskPool(SUBTASKS, goals=goals_of(SUBTASKS))

SUBTASK_FIELDS = {
    "id", "instruction_template", "application", "available_parameters", "OS", "input_resources", "output_resources",
}  # fmt: skip


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_what_is_written_can_be_read(seed: int) -> None:
    tasks, subtasks = [], {}
    for composition in compose(POOL, count=3, seed=seed):
        task, parts = task_record(composition, POOL, task_id=composition.seed, instruction="Do it.", intent="Done")
        tasks.append(TaskMetadata.model_validate_json(json.dumps(task.to_json())))
        subtasks |= {part.id: SubtaskMetadata.model_validate_json(json.dumps(part.to_json())) for part in parts}
        assert tasks[-1] == task
        assert len(dag_of(task.dag).edges) == len(composition.dag.edges)
    hold_to_rules(Records(subtasks=tuple(subtasks.values()), tasks=tuple(tasks)))


def test_a_task_has_exactly_the_fields_of_the_paper_and_its_name() -> None:
    composition = next(compose(POOL, count=1, seed=1, constraints=[Constraint.parse("instruction", "3")]))
    task, parts = task_record(composition, POOL, task_id="12", instruction="Do it.", intent="Done")
    assert set(task.to_json()) == {"task_instruction", "dag", "task_intent", "successful_topo", "task_id"}
    assert set(parts[0].to_json()) == SUBTASK_FIELDS
    assert task.dag.nodes == tuple(part.id for part in parts)


def test_a_subtask_is_the_same_record_only_with_the_same_parameters() -> None:
    found = list(compose(POOL, count=40, seed=2, constraints=[Constraint.parse("instruction", "1")]))
    records = {}
    for composition in found:
        (node,) = composition.nodes
        record = subtask_record(POOL[node.subtask], node.bound)
        assert records.setdefault(record.id, record) == record
        filled = record.instruction_template.format(**record.available_parameters[0])
        assert all(thing.value in filled for thing in node.bound.gives.values())
    assert len(records) == len(found)


def test_orders_that_would_overwrite_a_slot_are_not_listed() -> None:
    found = compose(POOL, count=150, seed=4, constraints=[Constraint.parse("instruction", "5..7")])
    composition = next(one for one in found if one.ordering and Orders(one.dag).count() <= 100)
    task, _ = task_record(composition, POOL, instruction="Do it.")
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
