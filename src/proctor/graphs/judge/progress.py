"""How far an episode is in its task graph: which nodes wait, are examined, are completed.

A node is examined once all it depends on is completed, and stays completed once it is. What the agent did before a
node came up for examination does not count for it; `since` says where its own time begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from proctor.errors import RecordError, SpecError
from proctor.graphs.judge.coverage import coverage_rate, refuse_empty
from proctor.graphs.mathematics.dag import Dag

PATIENCE = 20
"""After how many steps without a completion the task has failed, unless told otherwise."""


class State(StrEnum):
    """Where a node stands."""

    WAITING = "waiting"
    EVALUATING = "evaluating"
    COMPLETED = "completed"


class Progress:
    """The progress of one episode; when each node was completed says it all."""

    def __init__(self, dag: Dag, *, patience: int | None = PATIENCE) -> None:
        """Start before the first step; patience is how many steps may complete nothing, None for any."""
        refuse_empty(dag)
        if patience is not None and patience < 1:
            raise SpecError(f"patience of {patience} steps", remedy="allow at least one step, or None for no limit")
        self.dag, self.patience = dag, patience
        self.step = 0
        self.completed: dict[str, int] = {}
        """The step at which each completed node was completed, in the order of completion."""

    def advance(self, holds: Callable[[str], bool]) -> tuple[str, ...]:
        """Examine after one more step; return the nodes completed by it, none once the episode is over.

        Each node is asked about at most once. A node whose turn comes only now, because the last it depends on was
        completed in this very step, is asked about too, so the outcome does not depend on the order of the nodes.
        """
        over = self.over
        self.step += 1
        if over:
            return ()
        asked: set[str] = set()
        completed_now: list[str] = []
        while fresh := [node for node in self.open_nodes if node not in asked]:
            asked.update(fresh)
            held = [node for node in fresh if holds(node)]
            self.completed.update(dict.fromkeys(held, self.step))
            completed_now += held
        return tuple(completed_now)

    @property
    def open_nodes(self) -> tuple[str, ...]:
        """The nodes under examination, in the order of the graph."""
        return tuple(node for node in self.dag.nodes if self.state(node) is State.EVALUATING)

    def state(self, node: str) -> State:
        """Return where a node stands."""
        if node in self.completed:
            return State.COMPLETED
        ready = all(first in self.completed for first in self.dag.predecessors(node))
        return State.EVALUATING if ready else State.WAITING

    def since(self, node: str) -> int:
        """Return the step from which work on a node counts: its last dependency's."""
        if self.state(node) is State.WAITING:
            raise SpecError(f"node {node!r} still waits", remedy="ask when all it depends on is completed")
        return max((self.completed[first] for first in self.dag.predecessors(node)), default=0)

    @property
    def finished(self) -> bool:
        """Whether every node is completed."""
        return len(self.completed) == len(self.dag.nodes)

    @property
    def failed(self) -> bool:
        """Whether too many steps passed without a completion."""
        last = max(self.completed.values(), default=0)
        return not self.finished and self.patience is not None and self.step - last >= self.patience

    @property
    def over(self) -> bool:
        """Whether nothing can change any more."""
        return self.finished or self.failed

    @property
    def ties(self) -> tuple[tuple[str, ...], ...]:
        """What was completed, step by step; nodes completed in one step stand together."""
        steps: dict[int, list[str]] = {}
        for node, step in self.completed.items():
            steps.setdefault(step, []).append(node)
        return tuple(tuple(nodes) for nodes in steps.values())

    @property
    def coverage(self) -> float:
        """The coverage rate so far."""
        return coverage_rate(self.dag, self.completed)

    @property
    def reward(self) -> float:
        """What the latest step added to the coverage; over an episode these add up to it."""
        return coverage_rate(self.dag, [node for node, step in self.completed.items() if step == self.step])

    def to_json(self) -> dict[str, Any]:
        """Return the progress as plain data; the graph is not part of it."""
        return {"step": self.step, "patience": self.patience, "completed": dict(self.completed)}

    @classmethod
    def from_json(cls, dag: Dag, data: Mapping[str, Any]) -> Progress:
        """Take up again where `to_json` left off.

        Raises:
            RecordError: The data is damaged, or belongs to another graph.
        """
        step, patience, completed = data.get("step"), data.get("patience"), data.get("completed")
        sound = (
            isinstance(step, int)
            and isinstance(patience, int | None)
            and isinstance(completed, Mapping)
            and all(isinstance(when, int) and 1 <= when <= step for when in completed.values())
            and set(completed) <= set(dag.nodes)
            and all(completed.get(first, step + 1) <= completed[node] for first, node in dag.edges if node in completed)
        )
        if not sound or not isinstance(step, int) or not isinstance(completed, Mapping):
            raise RecordError(
                "progress that does not fit its graph", remedy="start over from the record of the episode"
            )
        progress = cls(dag, patience=patience)
        progress.step = step
        progress.completed = dict(sorted(completed.items(), key=lambda entry: entry[1]))
        return progress
