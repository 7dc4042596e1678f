"""OmniBench's records: subtasks and tasks, and how each was done.

The fields are those of the paper's appendix C, and three more: the name of a task, as trajectories refer to it, the
number of orders where not all are listed, and `proctor`, what people did and said.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True)

    def to_json(self) -> dict[str, object]:
        """Return the record as plain data, without what is not said."""
        return self.model_dump(mode="json", exclude_none=True)


class SubtaskMetadata(_Record):
    """C.1: a subtask, and with which parameters it can be asked for."""

    id: str
    instruction_template: str
    application: str
    available_parameters: tuple[dict[str, str], ...]
    OS: str = ""
    input_resources: tuple[str, ...] = ()
    output_resources: tuple[str, ...] = ()


class OmniBenchAction(_Record):
    """One action of a trajectory."""

    function: str
    args: dict[str, object] = Field(default_factory=dict)
    rect: tuple[float, float, float, float] | None = None
    description: str | None = None
    thought: str | None = None
    control_text: str | None = None
    proctor: dict[str, object] | None = None
    """Who acted where that was not the agent, and what was there before a person corrected it."""


class SubtaskTrajectory(_Record):
    """C.2: how a subtask was done once."""

    trajectory_id: str
    instruction: str
    observations: tuple[str, ...]
    actions: tuple[OmniBenchAction, ...]
    subtask_id: str
    proctor: dict[str, object] | None = None


class Graph(_Record):
    """The graph of a task: its subtasks, and of each those that depend on it."""

    nodes: tuple[str, ...]
    edges: dict[str, tuple[str, ...]]


class TaskMetadata(_Record):
    """C.4: a task."""

    task_instruction: str
    dag: Graph
    task_intent: str = ""
    successful_topo: tuple[tuple[str, ...], ...] = ()
    task_id: str = ""
    successful_topo_count: int | None = None
    """How many orders there are, where some are listed only."""


class TaskTrajectory(_Record):
    """C.5: how a task was done once; the number that ends its id is its place in the list of orders."""

    trajectory_id: str
    task_id: str
    topological_order: tuple[str, ...]
    instruction: str
    intent: str = ""
    observations: tuple[str, ...]
    actions: tuple[OmniBenchAction, ...]
    proctor: dict[str, object] | None = None
