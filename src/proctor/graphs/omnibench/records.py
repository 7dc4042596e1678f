"""OmniBench's records: subtasks and tasks, and how each was done.

The fields are those of the paper's appendix C. A task has some more: its name, as trajectories refer to it, the number
of orders where not all are listed, what each subtask is asked for with, and what it takes and gives by that. Under
`proctor` stands what has no place in these forms: what a task begins with, or what people did and said.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class OmniBenchRecord(BaseModel):
    """Plain data, as one of the paper's forms has it."""

    model_config = ConfigDict(frozen=True)

    def to_json(self) -> dict[str, object]:
        """Return the record as plain data, without what is not said."""
        return self.model_dump(mode="json", exclude_none=True)


class SubtaskMetadata(OmniBenchRecord):
    """C.1: a subtask, and with which parameters it can be asked for."""

    id: str
    instruction_template: str
    application: str
    available_parameters: tuple[dict[str, str], ...]
    OS: str = ""
    input_resources: tuple[str, ...] = ()
    output_resources: tuple[str, ...] = ()


class OmniBenchAction(OmniBenchRecord):
    """One action of a trajectory."""

    function: str
    args: dict[str, object] = Field(default_factory=dict)
    rect: tuple[float, float, float, float] | None = None
    description: str | None = None
    thought: str | None = None
    control_text: str | None = None
    proctor: dict[str, object] | None = None
    """Who acted where that was not the agent, and what was there before a person corrected it."""


class SubtaskTrajectory(OmniBenchRecord):
    """C.2: how a subtask was done once."""

    trajectory_id: str
    instruction: str
    observations: tuple[str, ...]
    actions: tuple[OmniBenchAction, ...]
    subtask_id: str
    proctor: dict[str, object] | None = None


class Graph(OmniBenchRecord):
    """The graph of a task: its subtasks, and of each those that depend on it."""

    nodes: tuple[str, ...]
    edges: dict[str, tuple[str, ...]]


class TaskResources(OmniBenchRecord):
    """What one subtask of a task takes and gives, by name."""

    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()


class TaskMetadata(OmniBenchRecord):
    """C.4: a task."""

    task_instruction: str
    dag: Graph
    task_intent: str = ""
    successful_topo: tuple[tuple[str, ...], ...] = ()
    task_id: str = ""
    successful_topo_count: int | None = None
    """How many orders there are, where some are listed only."""
    parameters: dict[str, dict[str, str]] = Field(default_factory=dict)
    """By subtask, the one of its `available_parameters` that it is asked for with."""
    resources: dict[str, TaskResources] = Field(default_factory=dict)
    """By subtask, what it takes and gives; one depends on another if it takes what that gives."""
    proctor: dict[str, object] | None = None
    """What it takes to run it here: how it begins, what may change, and which subtask must be the last in a place."""


class TaskTrajectory(OmniBenchRecord):
    """C.5: how a task was done once; the number that ends its id is its place in the list of orders."""

    trajectory_id: str
    task_id: str
    topological_order: tuple[str, ...]
    instruction: str
    intent: str = ""
    observations: tuple[str, ...]
    actions: tuple[OmniBenchAction, ...]
    proctor: dict[str, object] | None = None
