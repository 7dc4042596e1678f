"""OmniBench's records read back as its own programs would, and held to what they must keep to."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import TypeVar

from pydantic import BaseModel

from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import is_order
from proctor.graphs.omnibench.export import CONTENTS
from proctor.graphs.omnibench.records import (
    Graph,
    OmniBenchAction,
    SubtaskMetadata,
    SubtaskTrajectory,
    TaskMetadata,
    TaskTrajectory,
)

RecordT = TypeVar("RecordT", bound=BaseModel)


@dataclass(frozen=True)
class Records:
    subtasks: tuple[SubtaskMetadata, ...] = ()
    tasks: tuple[TaskMetadata, ...] = ()
    subtask_trajectories: tuple[SubtaskTrajectory, ...] = ()
    task_trajectories: tuple[TaskTrajectory, ...] = ()


def read_records(folder: Path) -> Records:
    """Return the records in a folder; each is a line, and together they are sound."""
    records = Records(
        _lines(folder, "subtasks", SubtaskMetadata),
        _lines(folder, "tasks", TaskMetadata),
        _lines(folder, "subtask_trajectories", SubtaskTrajectory),
        _lines(folder, "task_trajectories", TaskTrajectory),
    )
    assert records != Records()
    hold_to_rules(records)
    return records


def _lines(folder: Path, name: str, form: type[RecordT]) -> tuple[RecordT, ...]:
    path = folder / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return tuple(form.model_validate(json.loads(line)) for line in lines)


def dag_of(graph: Graph) -> Dag:
    return Dag.from_json({"nodes": list(graph.nodes), "edges": {node: list(to) for node, to in graph.edges.items()}})


def edges_of(task: TaskMetadata) -> frozenset[tuple[str, str]]:
    """Return which subtask takes what another gives, by the names of these things alone."""
    listed = task.resources.items()
    return frozenset(
        (one, other) for one, made in listed for other, taken in listed if set(made.gives) & set(taken.takes)
    )


def hold_to_rules(records: Records) -> None:
    """Hold records to themselves and to each other."""
    subtasks = {one.id for one in records.subtasks}
    tasks = {one.task_id: one for one in records.tasks}
    assert (len(subtasks), len(tasks)) == (len(records.subtasks), len(records.tasks))
    for subtask in records.subtasks:
        names = {name for _, name, _, _ in Formatter().parse(subtask.instruction_template) if name is not None}
        assert subtask.available_parameters or not names
        assert all(set(parameters) - {CONTENTS} == names for parameters in subtask.available_parameters)
        assert len({json.dumps(parameters) for parameters in subtask.available_parameters}) == len(
            subtask.available_parameters
        )
    for task in records.tasks:
        assert set(task.dag.nodes) <= subtasks
        assert all(is_order(dag_of(task.dag), order) for order in task.successful_topo)
        listed = {one.id: one for one in records.subtasks}
        for id, parameters in task.parameters.items():
            assert parameters in listed[id].available_parameters
        assert edges_of(task) == (dag_of(task.dag).edges if task.resources else frozenset())
        for first, later in dag_of(task.dag).edges if task.resources else ():
            assert set(listed[first].output_resources) & set(listed[later].input_resources)
    for one in records.subtask_trajectories:
        assert one.subtask_id in subtasks
        _hold_steps(one.observations, one.actions)
    for journey in records.task_trajectories:
        found = re.fullmatch(r"(?P<task>.+)\((?P<order>\d{1,9})\)", journey.trajectory_id)
        assert found and found["task"] == journey.task_id
        assert tasks[journey.task_id].successful_topo[int(found["order"])] == journey.topological_order
        _hold_steps(journey.observations, journey.actions)


def _hold_steps(observations: tuple[str, ...], actions: tuple[OmniBenchAction, ...]) -> None:
    # An observation for each action, and perhaps the one after the last.
    assert len(observations) - len(actions) in (0, 1)
