"""OmniBench's trajectories of tasks and subtasks, of episodes that passed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from pydantic import ValidationError

from proctor.errors import RecordError
from proctor.graphs.omnibench.export import SubtaskCollection, TaskRecords, lone_subtask
from proctor.graphs.omnibench.folder import SUBTASKS, TASKS, line, write_lines
from proctor.graphs.omnibench.records import SubtaskMetadata, SubtaskTrajectory, TaskTrajectory
from proctor.records import Result
from proctor.store.collection import Recorded
from proctor.store.export_parts import about_people
from proctor.store.exports.omnibench.steps import Steps
from proctor.tasks.task_graph import TaskGraph


def takes(result: Result, everything: bool) -> bool:
    """Take honest episodes that passed, of composed tasks and of tasks in one application (subtasks)."""
    return (
        result.passed and result.goal != "game" and result.feasible and (_is_composed(result) or len(result.apps) == 1)
    )


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write the four files of records, and the pictures that trajectories name."""
    tasks: dict[str, TaskRecords] = {}
    subtasks = SubtaskCollection()
    with ExitStack() as stack:
        of_tasks, of_subtasks = (
            stack.enter_context((out / f"{name}_trajectories.jsonl").open("w", encoding="utf-8"))
            for name in ("task", "subtask")
        )
        for number, item in enumerate(recorded):
            steps = Steps.of(item, out, f"observations/{number:06d}")
            name = _task_name(item.result)
            if not _is_composed(item.result):
                # Asked for as it was.
                alone = lone_subtask(f"{name} {item.result.digest}", item.result.apps[0], item.episode.instruction)
                subtasks.add(alone)
                of_subtasks.write(line(_subtask_trajectory(item, alone, steps, number)))
                continue
            if name not in tasks:
                tasks[name] = _task_records(name, item)
                for record in tasks[name].subtasks.values():
                    subtasks.add(record)
            of_tasks.write(line(_task_trajectory(item, tasks[name], steps)))
    write_lines(out / TASKS, (task.metadata() for task in tasks.values()))
    write_lines(out / SUBTASKS, subtasks)


def _task_records(name: str, item: Recorded) -> TaskRecords:
    try:
        graph = TaskGraph.model_validate(item.task.get("graph"))
    except ValidationError as error:
        raise RecordError(f"the graph of {name} cannot be read: {error}", remedy="see `proctor runs verify`") from error
    brief = item.episode.header.brief
    return TaskRecords(
        graph, name=name, instruction=str(item.task.get("instruction", "")), intent=brief.intent if brief else ""
    )


def _task_trajectory(item: Recorded, task: TaskRecords, steps: Steps) -> TaskTrajectory:
    order = _order_of_completion(item)
    if sorted(order) != sorted(task.subtasks):
        raise RecordError(f"{item.result.folder} passed, but not all of its subtasks are completed")
    if order not in task.orders:
        task.orders.append(order)
    return TaskTrajectory(
        trajectory_id=f"{task.name}({task.orders.index(order)})",
        task_id=task.name,
        topological_order=task.ids(order),
        instruction=item.episode.instruction,
        intent=task.intent,
        observations=tuple(steps.observations),
        actions=tuple(steps.actions),
        proctor=about_people(item) or None,
    )


def _order_of_completion(item: Recorded) -> tuple[str, ...]:
    found: object = item.episode.verdict.evidence if item.episode.verdict else {}
    for name in ("graph", "progress", "completed"):
        found = found.get(name) if isinstance(found, dict) else None
    steps = found if isinstance(found, dict) else {}
    return tuple(sorted(steps, key=lambda node: int(steps[node])))


def _subtask_trajectory(item: Recorded, subtask: SubtaskMetadata, steps: Steps, number: int) -> SubtaskTrajectory:
    return SubtaskTrajectory(
        trajectory_id=str(number),
        instruction=item.episode.instruction,
        observations=tuple(steps.observations),
        actions=tuple(steps.actions),
        subtask_id=subtask.id,
        proctor=about_people(item) or None,
    )


def _task_name(result: Result) -> str:
    return f"{result.key.task} {result.key.seed}"


def _is_composed(result: Result) -> bool:
    return "shape" in result.labels
