"""OmniBench's records: made from compositions, read back, and refused with every fault named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose
from proctor.graphs.compose.pool import Pool
from proctor.graphs.mathematics.constraints import Constraint
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders, is_order
from proctor.graphs.omnibench.export import evaluation_record, listed_orders, subtask_record, task_record
from proctor.graphs.omnibench.importing import read_records
from proctor.graphs.omnibench.records import Evaluation, Records, SubtaskMetadata, TaskMetadata, TaskTrajectory
from tests.graphs.graphs import apart, chain
from tests.graphs.synthetic import SUBTASKS, TEXTS

POOL = Pool(SUBTASKS)

SUBTASK = {
    "id": "s1",
    "instruction_template": "Open '{xlsx_path}' and copy it.",
    "application": "Excel",
    "available_parameters": [{"xlsx_path": "a.xlsx"}],
    "OS": "Windows",
    "input_resources": ["xlsx_path"],
    "output_resources": ["table_in_clipboard"],
}
TASK = {
    "task_instruction": "Copy the table, then paste it.",
    "dag": {"nodes": ["s1", "s2"], "edges": {"s1": ["s2"], "s2": []}},
    "task_intent": "Hand on a table",
    "successful_topo": [["s1", "s2"]],
}
ACTION = {"function": "click_input", "args": {"button": "left"}, "rect": [1, 2, 3, 4], "control_text": "OK"}
JOURNEY = {
    "trajectory_id": "0(0)",
    "task_id": "0",
    "topological_order": ["s1", "s2"],
    "instruction": "Copy the table, then paste it.",
    "intent": "Hand on a table",
    "observations": ["1.png"],
    "actions": [ACTION],
}


def write(folder: Path, **files: list[Any]) -> Path:
    for name, records in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def faults(folder: Path) -> str:
    with pytest.raises(SpecError) as caught:
        read_records(folder)
    return caught.value.message


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_what_is_written_can_be_read(seed: int) -> None:
    tasks, subtasks = [], {}
    for composition in compose(POOL, count=3, seed=seed):
        task, parts = task_record(composition, POOL, task_id=composition.seed, instruction="Do it.", intent="Done")
        tasks.append(TaskMetadata.model_validate_json(json.dumps(task.to_json())))
        subtasks |= {part.id: SubtaskMetadata.model_validate_json(json.dumps(part.to_json())) for part in parts}
        assert tasks[-1] == task
        assert len(task.dag.dag().edges) == len(composition.dag.edges)
    assert list(Records(subtasks=tuple(subtasks.values()), tasks=tuple(tasks)).faults()) == []


def test_a_task_has_exactly_the_fields_of_the_paper_and_its_name() -> None:
    composition = next(compose(POOL, count=1, seed=1, constraints=[Constraint.parse("instruction", "3")]))
    task, parts = task_record(composition, POOL, task_id="12", instruction="Do it.", intent="Done")
    assert set(task.to_json()) == {"task_instruction", "dag", "task_intent", "successful_topo", "task_id"}
    assert set(parts[0].to_json()) == set(SUBTASK)
    assert task.dag.nodes == tuple(part.id for part in parts)


def test_a_subtask_is_the_same_record_only_with_the_same_parameters() -> None:
    found = list(compose(POOL, count=40, seed=2, constraints=[Constraint.parse("instruction", "1")], apps=["mousepad"]))
    records = {}
    for composition in found:
        (node,) = composition.nodes
        record = subtask_record(POOL[node.subtask], node.bound)
        assert records.setdefault(record.id, record) == record
        filled = record.instruction_template.format(**record.available_parameters[0])
        assert all(thing.value in filled for thing in node.bound.gives.values())
    assert len(records) == len(found)


def test_orders_that_would_overwrite_a_slot_are_not_listed() -> None:
    apps = ["mousepad", "gedit", "evince", "libreoffice-writer"]
    found = compose(POOL, count=150, seed=4, apps=apps, constraints=[Constraint.parse("instruction", "5")])
    composition = next(one for one in found if one.ordering and Orders(one.dag).count() <= 100)
    task, _ = task_record(composition, POOL, instruction="Do it.")
    assert len(task.successful_topo) == Orders(composition.admitted).count() < Orders(composition.dag).count()


def test_many_orders_are_sampled_and_counted() -> None:
    assert listed_orders(chain(4), "x") == ([tuple("abcd")], 1)
    some, count = listed_orders(apart(7), "x")
    assert count == 5040
    assert 10 <= len(some) <= 20
    assert all(is_order(apart(7), order) for order in some)
    assert listed_orders(apart(7), "x")[0] == some


def test_orders_beyond_counting_are_not_counted() -> None:
    rows = [[f"{row}.{column}" for column in range(22)] for row in range(2)]
    tangle = Dag.from_edges(
        [(rows[0][one], rows[1][other]) for one in range(22) for other in range(22) if (one * 7 + other * 5) % 3],
        [*rows[0], *rows[1]],
    )
    some, count = listed_orders(tangle, "x")
    assert count is None
    assert is_order(tangle, some[0])


def test_evaluations_are_python_that_says_what_is_checked() -> None:
    composition = next(compose(Pool(TEXTS), count=1, seed=3))
    node = composition.nodes[0]
    record = evaluation_record(POOL[node.subtask], node)
    assert list(record.faults()) == []
    space: dict[str, Any] = {"proctor_score": lambda check: (0.5, check["check"])}
    exec(record.text, space)
    result = space["evaluate_agent_task_completion"]()
    assert (result.success, result.message, result.progress) == (False, "text_is", 0.5)


def test_foreign_records_are_read(tmp_path: Path) -> None:
    other = {**SUBTASK, "id": "s2", "related_app": "Word", "required_resources": ["table_in_clipboard"], "new": 1}
    for name in ("application", "input_resources", "output_resources"):
        del other[name]
    step = {"trajectory_id": "x", "instruction": "i", "observations": ["1.png", "2.png"], "actions": [ACTION]}
    write(
        tmp_path,
        subtasks=[SUBTASK, other],
        tasks=[TASK],
        task_trajectories=[JOURNEY],
        subtask_trajectories=[{**step, "subtask_id": "s1"}],
    )
    (tmp_path / "evaluations").mkdir()
    (tmp_path / "evaluations" / "s1.txt").write_text("def evaluate_agent_task_completion(xlsx_path): ...")
    records = read_records(tmp_path)
    assert records.subtasks[1].application == "Word"
    assert records.subtasks[1].input_resources == ("table_in_clipboard",)
    assert records.tasks[0].dag.dag() == Dag.from_edges([("s1", "s2")])
    assert isinstance(records.task_trajectories[0], TaskTrajectory)
    assert records.task_trajectories[0].actions[0].rect == (1, 2, 3, 4)


def test_one_list_in_a_file_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "subtasks.json").write_text(json.dumps([SUBTASK]))
    assert len(read_records(tmp_path).subtasks) == 1


def test_every_fault_is_named(tmp_path: Path) -> None:
    write(
        tmp_path,
        subtasks=[
            {**SUBTASK, "available_parameters": [{"csv_path": "a.csv"}]},
            {**SUBTASK, "id": "s3", "available_parameters": []},
            {**SUBTASK, "id": "s3", "instruction_template": "Open {"},
            {**SUBTASK, "id": 7},
        ],
        tasks=[
            TASK,
            {**TASK, "dag": {"nodes": ["s1", "s3"], "edges": {"s1": ["s3"], "s3": ["s1"]}}},
            {**TASK, "dag": {"nodes": ["s1"], "edges": {"s9": ["s1"]}}},
            {**TASK, "successful_topo": [["s2", "s1"]]},
        ],
        task_trajectories=[
            {**JOURNEY, "trajectory_id": "0(4)"},
            {**JOURNEY, "topological_order": ["s2", "s1"], "observations": []},
            {**JOURNEY, "task_id": "99"},
        ],
        subtask_trajectories=[
            {"trajectory_id": "x", "instruction": "i", "observations": [], "actions": [], "subtask_id": "s8"}
        ],
    )
    (tmp_path / "evaluations").mkdir()
    (tmp_path / "evaluations" / "s1.txt").write_text("def judge(): ...")
    (tmp_path / "evaluations" / "s7.txt").write_text("def judge(")
    told = faults(tmp_path)
    for fault in (
        "subtask s1: available_parameters 0 lacks 'xlsx_path', which the template names",
        "subtask s1: available_parameters 0 has 'csv_path', which the template does not name",
        "subtask s3: its template names 'xlsx_path', but there are no available_parameters",
        "subtask s3: its instruction_template cannot be read",
        "subtask s3 is there twice",
        "subtasks.jsonl line 4: id: input should be a valid string",
        "task 0: there is no subtask s2",
        "task 1: its dag: the graph has a cycle",
        "task 2: its dag: unknown node 's9'",
        "task 3: successful_topo 0 is not a topological order of its dag",
        "task trajectory 0(4): task '0' lists no order 4",
        "task trajectory 0(0): its topological_order is not the order 0 of task '0'",
        "task trajectory 0(0): it has 0 observations for 1 actions",
        "task trajectory 0(0): its trajectory_id '0(0)' is not '99' and a number in brackets",
        "task trajectory 0(0): there is no task 99",
        "subtask trajectory x: there is no subtask s8",
        "evaluation of s1: it does not define evaluate_agent_task_completion",
        "evaluation of s7: it is not Python",
        "evaluation of s7: there is no subtask s7",
    ):
        assert fault in told


def test_broken_files_are_named_by_line(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text('{"task_instruction": \n[]\n')
    told = faults(tmp_path)
    assert "tasks.jsonl line 1: not JSON" in told
    assert "tasks.jsonl line 2:" in told


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    assert "has no records" in faults(tmp_path)


@given(st.text(max_size=60))
def test_no_evaluation_is_ever_run(text: str) -> None:
    assert list(Evaluation(subtask_id="s1", text=text).faults())
