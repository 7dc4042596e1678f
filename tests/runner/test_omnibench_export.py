"""Runs as OmniBench's records: trajectories of what passed, and everything that they name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from proctor.agents.spec import AgentSpec
from proctor.errors import RecordError
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.plan_record import begin
from proctor.runner.schedule import carry_out
from proctor.runner.workers.local import HereWorkers
from proctor.store.export import Exported, export
from proctor.tasks.shelves import hand
from proctor.tasks.task import Task
from tests.graphs.composed import diamond
from tests.graphs.omnibench import read_records
from tests.prove.machines import shopping
from tests.runner.jobs import FAKE


def recorded(folder: Path, tasks: Sequence[Task], samples: int = 1) -> Path:
    agents = tuple(AgentSpec.parse(name) for name in ("oracle", "idle"))
    plan = Plan(suite="test", tasks=plan_tasks(tasks), agents=agents, rules=FAKE, samples=samples)
    with begin(plan, folder, images={}) as record:
        carry_out(plan, record, HereWorkers())
    return folder


def test_what_passed_is_exported_and_reads_back(tmp_path: Path) -> None:
    task = diamond()
    assert task.graph
    run = recorded(tmp_path / "run", [task, shopping()], samples=2)
    assert export(run, "omnibench", tmp_path / "out") == Exported(4, 4)
    records = read_records(tmp_path / "out")
    assert len(records.subtasks) == 5 and len(records.tasks) == 1
    (metadata,) = records.tasks
    assert metadata.task_instruction == task.instruction and metadata.task_intent
    asks = {subtask.id: subtask.instruction_template for subtask in records.subtasks}
    nodes = {node.id: node.ask for node in task.graph.nodes}
    for id, parameters in metadata.parameters.items():
        asks[id] = asks[id].format(**parameters).removesuffix(".")
    for trajectory in records.task_trajectories:
        assert [asks[id].lower() for id in trajectory.topological_order] == [
            nodes[id].lower() for id in task.graph.order
        ]
        assert len(trajectory.observations) == len(trajectory.actions) + 1
        assert all((tmp_path / "out" / picture).is_file() for picture in trajectory.observations)
        assert {action.function for action in trajectory.actions} <= {"click_input", "keyboard_input"}
    assert len(records.task_trajectories) == len(records.subtask_trajectories) == 2
    assert records.subtask_trajectories[0].instruction == shopping().instruction


def test_answer_keys_stay_where_they_are(tmp_path: Path) -> None:
    export(recorded(tmp_path / "run", [diamond()]), "omnibench", tmp_path / "out")
    for path in (tmp_path / "out").glob("*.jsonl"):
        assert "near_miss" not in path.read_text() and '"check"' not in path.read_text()


def test_what_omnibench_has_no_function_for_keeps_our_name(tmp_path: Path) -> None:
    task = shopping()
    dragged = task.model_copy(
        update={"solution": (hand.drag({"role": "text"}, {"role": "menu", "name": "File"}), *task.solution)}
    )
    export(recorded(tmp_path / "run", [dragged]), "omnibench", tmp_path / "out")
    (trajectory,) = read_records(tmp_path / "out").subtask_trajectories
    assert [action.function for action in trajectory.actions][:2] == ["drag", "keyboard_input"]
    assert "path" in trajectory.actions[0].args and "given" not in trajectory.actions[0].args


def test_a_task_that_was_changed_since_is_refused(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", [diamond()])
    (kept,) = (run / "tasks").iterdir()
    kept.write_bytes(kept.read_bytes() + b" ")
    with pytest.raises(RecordError, match="does not match its name"):
        export(run, "omnibench", tmp_path / "out")
    kept.unlink()
    with pytest.raises(RecordError, match="cannot read"):
        export(run, "omnibench", tmp_path / "out")
    assert not (tmp_path / "out").exists()
