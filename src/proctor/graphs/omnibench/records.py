"""OmniBench's five records: subtasks, their trajectories and evaluations, tasks, and their trajectories.

The fields are those of the paper's appendix C, and two more: the name of a task, as trajectories refer to it, and the
number of orders where not all are listed. Fields that are spelled otherwise elsewhere are read as well.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import is_order

EVALUATOR = "evaluate_agent_task_completion"
_TRAJECTORY = re.compile(r"(?P<task>.+)\((?P<order>\d{1,9})\)")


class _Record(BaseModel):
    """Plain data; what is not known of a record is left aside."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data, without what is not said."""
        return self.model_dump(mode="json", exclude_none=True)


class SubtaskMetadata(_Record):
    """C.1: a subtask, and with which parameters it can be asked for."""

    id: str
    instruction_template: str
    application: str = Field(validation_alias=AliasChoices("application", "related_app"))
    available_parameters: tuple[dict[str, Any], ...]
    OS: str = ""
    input_resources: tuple[str, ...] = Field((), validation_alias=AliasChoices("input_resources", "required_resources"))
    output_resources: tuple[str, ...] = Field(
        (), validation_alias=AliasChoices("output_resources", "produced_resources")
    )

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the record as such."""
        try:
            names = {name for _, name, _, _ in Formatter().parse(self.instruction_template) if name is not None}
        except ValueError as error:
            yield f"its instruction_template cannot be read: {error}"
            return
        for number, parameters in enumerate(self.available_parameters):
            for name in sorted(names - set(parameters)):
                yield f"available_parameters {number} lacks {name!r}, which the template names"
            for name in sorted(set(parameters) - names):
                yield f"available_parameters {number} has {name!r}, which the template does not name"
        if names and not self.available_parameters:
            yield f"its template names {sorted(names)[0]!r}, but there are no available_parameters"


class Action(_Record):
    """One action of a trajectory."""

    function: str
    args: dict[str, Any] = Field(default_factory=dict)
    rect: tuple[float, float, float, float] | None = None
    description: str | None = None
    thought: str | None = None
    control_text: str | None = None


class SubtaskTrajectory(_Record):
    """C.2: how a subtask was done once."""

    trajectory_id: str
    instruction: str
    observations: tuple[str, ...]
    actions: tuple[Action, ...]
    subtask_id: str

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the record as such."""
        yield from _step_faults(self.observations, self.actions)


class Evaluation(_Record):
    """C.3: the text of a Python function that judges a subtask; it is read, never run."""

    subtask_id: str
    text: str

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the record as such."""
        try:
            functions = [node for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.FunctionDef)]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield f"it is not Python: {error}"
            return
        if not any(function.name == EVALUATOR for function in functions):
            yield f"it does not define {EVALUATOR}"


class Graph(_Record):
    """The graph of a task: its subtasks, and of each those that depend on it."""

    nodes: tuple[str, ...]
    edges: dict[str, tuple[str, ...]]

    def dag(self) -> Dag:
        """Return the graph; raises SpecError for cycles and for edges between what is not listed."""
        return Dag.from_json({"nodes": list(self.nodes), "edges": {node: list(to) for node, to in self.edges.items()}})


class TaskMetadata(_Record):
    """C.4: a task."""

    task_instruction: str
    dag: Graph
    task_intent: str = ""
    successful_topo: tuple[tuple[str, ...], ...] = ()
    task_id: str = ""
    successful_topo_count: int | None = None
    """How many orders there are, where some are listed only."""

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the record as such."""
        try:
            dag = self.dag.dag()
        except SpecError as error:
            yield f"its dag: {error.message}"
            return
        for number, order in enumerate(self.successful_topo):
            if not is_order(dag, order):
                yield f"successful_topo {number} is not a topological order of its dag"


class TaskTrajectory(_Record):
    """C.5: how a task was done once; the number at the end of its id says in which order of those listed."""

    trajectory_id: str
    task_id: str
    topological_order: tuple[str, ...]
    instruction: str
    intent: str = ""
    observations: tuple[str, ...]
    actions: tuple[Action, ...]

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the record as such."""
        found = _TRAJECTORY.fullmatch(self.trajectory_id)
        if found is None or found["task"] != self.task_id:
            yield f"its trajectory_id {self.trajectory_id!r} is not {self.task_id!r} and a number in brackets"
        yield from _step_faults(self.observations, self.actions)

    def faults_with(self, task: TaskMetadata) -> Iterator[str]:
        """Yield where it contradicts its task."""
        found = _TRAJECTORY.fullmatch(self.trajectory_id)
        number = int(found["order"]) if found else 0
        if number >= len(task.successful_topo):
            yield f"task {self.task_id!r} lists no order {number}"
        elif task.successful_topo[number] != self.topological_order:
            yield f"its topological_order is not the order {number} of task {self.task_id!r}"


def _step_faults(observations: tuple[str, ...], actions: tuple[Action, ...]) -> Iterator[str]:
    # An observation for each action, and perhaps the one after the last.
    if len(observations) - len(actions) not in (0, 1):
        yield f"it has {len(observations)} observations for {len(actions)} actions"


class Records(_Record):
    """Records that belong together."""

    subtasks: tuple[SubtaskMetadata, ...] = ()
    tasks: tuple[TaskMetadata, ...] = ()
    subtask_trajectories: tuple[SubtaskTrajectory, ...] = ()
    task_trajectories: tuple[TaskTrajectory, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()

    def faults(self) -> Iterator[str]:
        """Yield everything wrong with them, each by itself and between them."""
        subtasks = {one.id: one for one in self.subtasks}
        tasks = {name_of(task, place): task for place, task in enumerate(self.tasks)}
        yield from _repeated("subtask", [one.id for one in self.subtasks])
        yield from _repeated("task", [name_of(task, place) for place, task in enumerate(self.tasks)])
        for one in self.subtasks:
            yield from (f"subtask {one.id}: {fault}" for fault in one.faults())
        for name, task in tasks.items():
            yield from (f"task {name}: {fault}" for fault in task.faults())
            yield from _dangling(f"task {name}", "subtask", task.dag.nodes, subtasks)
        for trajectory in self.subtask_trajectories:
            where = f"subtask trajectory {trajectory.trajectory_id}"
            yield from (f"{where}: {fault}" for fault in trajectory.faults())
            yield from _dangling(where, "subtask", [trajectory.subtask_id], subtasks)
        for journey in self.task_trajectories:
            where = f"task trajectory {journey.trajectory_id}"
            yield from (f"{where}: {fault}" for fault in journey.faults())
            yield from _dangling(where, "task", [journey.task_id], tasks)
            if journey.task_id in tasks:
                yield from (f"{where}: {fault}" for fault in journey.faults_with(tasks[journey.task_id]))
        for evaluation in self.evaluations:
            where = f"evaluation of {evaluation.subtask_id}"
            yield from (f"{where}: {fault}" for fault in evaluation.faults())
            yield from _dangling(where, "subtask", [evaluation.subtask_id], subtasks)


def name_of(task: TaskMetadata, place: int) -> str:
    """Return how trajectories name a task: by its id, or by its place in the list."""
    return task.task_id or str(place)


def _repeated(what: str, ids: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            yield f"{what} {id} is there twice"
        seen.add(id)


def _dangling(
    where: str, what: str, ids: Iterator[str] | tuple[str, ...] | list[str], known: Mapping[str, Any]
) -> Iterator[str]:
    for id in ids:
        if id not in known:
            yield f"{where}: there is no {what} {id}"
