"""OmniBench's trajectories of tasks and subtasks, of episodes that passed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from proctor.errors import RecordError
from proctor.graphs.omnibench.export import graph_record, list_orders, subtask_id
from proctor.graphs.omnibench.records import SubtaskMetadata, SubtaskTrajectory, TaskMetadata, TaskTrajectory
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
    tasks: dict[str, _Composed] = {}
    subtasks: dict[str, SubtaskMetadata] = {}
    with ExitStack() as stack:
        of_tasks, of_subtasks = (
            stack.enter_context((out / f"{name}_trajectories.jsonl").open("w", encoding="utf-8"))
            for name in ("task", "subtask")
        )
        for number, item in enumerate(recorded):
            steps = Steps.of(item, out, f"observations/{number:06d}")
            if not _is_composed(item.result):
                # Asked for as it was.
                key, app = f"{_task_name(item.result)} {item.result.digest}", item.result.apps[0]
                alone = _subtask(key, app, item.episode.instruction)
                subtasks[alone.id] = alone
                of_subtasks.write(_line(_subtask_trajectory(item, alone, steps, number)))
                continue
            name = _task_name(item.result)
            if name not in tasks:
                tasks[name] = _Composed.of(name, item)
            of_tasks.write(_line(tasks[name].trajectory(item, steps)))
    for composed in tasks.values():
        subtasks |= {subtask.id: subtask for subtask in composed.subtasks.values()}
    (out / "tasks.jsonl").write_text("".join(_line(task.metadata()) for task in tasks.values()), encoding="utf-8")
    (out / "subtasks.jsonl").write_text("".join(map(_line, subtasks.values())), encoding="utf-8")


@dataclass
class _Composed:
    """A composed task, and the orders in which it can be done; those that agents took are among them."""

    name: str
    instruction: str
    intent: str
    graph: TaskGraph
    subtasks: dict[str, SubtaskMetadata]
    """By the id of their node."""
    orders: list[tuple[str, ...]]
    count: int | None

    @classmethod
    def of(cls, name: str, item: Recorded) -> _Composed:
        task = item.task
        try:
            graph = TaskGraph.model_validate(task.get("graph"))
        except ValidationError as error:
            raise RecordError(
                f"the graph of {name} cannot be read: {error}", remedy="see `proctor runs verify`"
            ) from error
        orders, count = list_orders(graph.gates, name)
        subtasks = {node.id: _subtask(f"{node.subtask} {node.ask}", node.app, node.ask) for node in graph.nodes}
        brief = item.episode.header.brief
        intent = brief.intent if brief else ""
        return cls(name, str(task.get("instruction", "")), intent, graph, subtasks, orders, count)

    def trajectory(self, item: Recorded, steps: Steps) -> TaskTrajectory:
        order = _order_of_completion(item)
        if sorted(order) != sorted(self.subtasks):
            raise RecordError(f"{item.result.folder} passed, but not all of its subtasks are completed")
        if order not in self.orders:
            self.orders.append(order)
        return TaskTrajectory(
            trajectory_id=f"{self.name}({self.orders.index(order)})",
            task_id=self.name,
            topological_order=self._subtask_ids(order),
            instruction=item.episode.instruction,
            intent=self.intent,
            observations=tuple(steps.observations),
            actions=tuple(steps.actions),
            proctor=about_people(item) or None,
        )

    def metadata(self) -> TaskMetadata:
        return TaskMetadata(
            task_id=self.name,
            task_instruction=self.instruction,
            dag=graph_record(self.graph.dag, {node: subtask.id for node, subtask in self.subtasks.items()}),
            task_intent=self.intent,
            successful_topo=tuple(self._subtask_ids(order) for order in self.orders),
            successful_topo_count=None if self.count == len(self.orders) else self.count,
        )

    def _subtask_ids(self, nodes: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.subtasks[node].id for node in nodes)


def _order_of_completion(item: Recorded) -> tuple[str, ...]:
    found: object = item.episode.verdict.evidence if item.episode.verdict else {}
    for name in ("graph", "progress", "completed"):
        found = found.get(name) if isinstance(found, dict) else None
    steps = found if isinstance(found, dict) else {}
    return tuple(sorted(steps, key=lambda node: int(steps[node])))


def _subtask(key: str, app: str, ask: str) -> SubtaskMetadata:
    return SubtaskMetadata(
        id=subtask_id(key),
        instruction_template=ask.replace("{", "{{").replace("}", "}}"),
        application=app,
        available_parameters=({},),
        OS="Linux",
        # A task says who depends on whom, and not by what kind of thing.
        input_resources=(),
        output_resources=(),
    )


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


def _line(record: SubtaskMetadata | SubtaskTrajectory | TaskMetadata | TaskTrajectory) -> str:
    return json.dumps(record.to_json(), ensure_ascii=False) + "\n"
