"""OmniBench's records: how tasks and subtasks were done, and the tasks and subtasks that these trajectories name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pydantic import ValidationError

from proctor.actions.action import from_json
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.omnibench import OmniBench
from proctor.errors import AgentError, RecordError
from proctor.records import Result
from proctor.store.exports.export import Recorded
from proctor.store.files import write_new
from proctor.store.read import part, text
from proctor.tasks.graph.omnibench import (
    Action,
    Graph,
    SubtaskMetadata,
    SubtaskTrajectory,
    TaskMetadata,
    TaskTrajectory,
)
from proctor.tasks.graph.omnibench_export import listed_orders
from proctor.tasks.graph.task_graph import GraphNode, TaskGraph

SIGNALS = ("done", "fail", "answer", "ask_user")
"""What is said and not done; OmniBench has a status for it, and no action."""


def wanted(result: Result, everything: bool) -> bool:
    """Take episodes that passed: of composed tasks, and of tasks in one application, which are subtasks."""
    return result.passed and result.feasible and (_is_composed(result) or len(result.apps) == 1)


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write the four files of records, and the pictures that trajectories name."""
    tasks: dict[str, _Composed] = {}
    subtasks: dict[str, SubtaskMetadata] = {}
    with ExitStack() as stack:
        opened = partial(Path.open, mode="w", encoding="utf-8")
        of_tasks = stack.enter_context(opened(out / "task_trajectories.jsonl"))
        of_subtasks = stack.enter_context(opened(out / "subtask_trajectories.jsonl"))
        for number, item in enumerate(recorded):
            steps = _Steps.of(item, out, f"observations/{number:06d}")
            if not _is_composed(item.result):
                alone = _alone(item)
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
            raise RecordError(f"the graph of {name} cannot be read: {error}", remedy="see `proctor verify`") from error
        orders, count = listed_orders(graph.gates, name)
        subtasks = {node.id: _of_node(node) for node in graph.nodes}
        intent = text(part(item.episode.header, "brief"), "intent")
        return cls(name, text(task, "instruction"), intent, graph, subtasks, orders, count)

    def trajectory(self, item: Recorded, steps: _Steps) -> TaskTrajectory:
        order = _completed(item)
        if sorted(order) != sorted(self.subtasks):
            raise RecordError(f"{item.result.folder} passed, but not all of its subtasks are completed")
        if order not in self.orders:
            self.orders.append(order)
        return TaskTrajectory(
            trajectory_id=f"{self.name}({self.orders.index(order)})",
            task_id=self.name,
            topological_order=self._named(order),
            instruction=item.episode.instruction,
            intent=self.intent,
            observations=tuple(steps.observations),
            actions=tuple(steps.actions),
        )

    def metadata(self) -> TaskMetadata:
        dag = self.graph.dag.to_json()
        return TaskMetadata(
            task_id=self.name,
            task_instruction=self.instruction,
            dag=Graph(
                nodes=self._named(dag["nodes"]),
                edges={self.subtasks[node].id: self._named(later) for node, later in dag["edges"].items()},
            ),
            task_intent=self.intent,
            successful_topo=tuple(self._named(order) for order in self.orders),
            successful_topo_count=None if self.count == len(self.orders) else self.count,
        )

    def _named(self, nodes: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.subtasks[node].id for node in nodes)


@dataclass
class _Steps:
    """What was seen before each action and after the last, and what was done."""

    observations: list[str] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)

    @classmethod
    def of(cls, item: Recorded, out: Path, folder: str) -> _Steps:
        """Gather the steps of an episode and copy its pictures."""
        (out / folder).mkdir(parents=True)
        width, height = part(item.episode.header, "brief").get("size") or (1, 1)
        frame = Frame(desktop=(width, height), image=(width, height))
        steps, copied, shown = cls(), set[str](), ""
        for line in item.episode.steps():
            # Several actions of one turn were decided on one picture.
            if picture := part(line, "saw").get("screenshot"):
                shown = f"{folder}/{picture}"
                if picture not in copied:
                    write_new(str(out / folder), picture, item.episode.picture(picture))
                    copied.add(picture)
            done = part(line, "action")
            if line.get("end"):
                steps.observations.append(shown)
            elif done and done.get("type") not in SIGNALS and "refused" not in line:
                steps.observations.append(shown)
                steps.actions.append(_action(line, done, frame))
        return steps


def _action(line: dict[str, Any], done: dict[str, Any], frame: Frame) -> Action:
    element = part(line, "element")
    box = element.get("box")
    rect = (box[0], box[1], box[0] + box[2], box[1] + box[3]) if isinstance(box, list) and len(box) == 4 else None
    function, arguments = _called(done, frame)
    return Action(
        function=function,
        args=arguments,
        rect=rect,
        thought=text(line, "thought") or None,
        control_text=text(element, "name") or None,
    )


def _called(done: dict[str, Any], frame: Frame) -> tuple[str, dict[str, Any]]:
    """Return an action as one of OmniBench's functions, or as ours where it has none: dragging, waiting, code."""
    dialect = OmniBench()
    try:
        action = from_json(done)
        dialect.write([action], frame)
    except AgentError:
        return text(done, "type"), {name: value for name, value in done.items() if name not in ("type", "given")}
    entry = dialect.data(action, frame)
    return entry["Function"], entry["Args"]


def _completed(item: Recorded) -> tuple[str, ...]:
    """Return the subtasks in the order of their completion, as the judge has it."""
    found = part(part(part(item.episode.verdict or {}, "evidence"), "graph"), "progress")
    steps = part(found, "completed")
    return tuple(sorted(steps, key=lambda node: int(steps[node])))


def _alone(item: Recorded) -> SubtaskMetadata:
    """Return a task of one application as a subtask, asked for as it was."""
    return _subtask(f"{_task_name(item.result)} {item.result.digest}", item.result.apps[0], item.episode.instruction)


def _of_node(node: GraphNode) -> SubtaskMetadata:
    return _subtask(f"{node.subtask} {node.ask}", node.app, node.ask)


def _subtask(key: str, app: str, ask: str) -> SubtaskMetadata:
    return SubtaskMetadata(
        id=str(uuid5(NAMESPACE_URL, f"proctor:subtask:{key}")),
        instruction_template=ask.replace("{", "{{").replace("}", "}}"),
        application=app,
        available_parameters=({},),
        OS="Linux",
        # A task says who depends on whom, and not by what kind of thing.
        input_resources=(),
        output_resources=(),
    )


def _subtask_trajectory(item: Recorded, subtask: SubtaskMetadata, steps: _Steps, number: int) -> SubtaskTrajectory:
    return SubtaskTrajectory(
        trajectory_id=str(number),
        instruction=item.episode.instruction,
        observations=tuple(steps.observations),
        actions=tuple(steps.actions),
        subtask_id=subtask.id,
    )


def _task_name(result: Result) -> str:
    return f"{result.key.task} {result.key.seed}"


def _is_composed(result: Result) -> bool:
    return "shape" in result.labels


def _line(record: SubtaskMetadata | SubtaskTrajectory | TaskMetadata | TaskTrajectory) -> str:
    return json.dumps(record.to_json(), ensure_ascii=False) + "\n"
