"""The watch over a composed task: sees after every step which subtasks are completed."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from proctor.computers.computer import Computer
from proctor.errors import CheckError, RecordError
from proctor.graphs.judge.coverage import completion_ratio, coverage_rate, longest_unfinished_path
from proctor.graphs.judge.progress import Progress, State
from proctor.tasks.call import walk
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import examine, look_back, looker
from proctor.tasks.findings import Finding
from proctor.tasks.look_safely import Trouble, look_safely
from proctor.tasks.place_of_work import CODE, place_of_work
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.task_graph import TaskGraph

Evidence = dict[str, object]
"""What probes saw, by their calls."""


class Watch:
    """Looks on while an agent works on a composed task."""

    def __init__(self, graph: TaskGraph) -> None:
        self.graph = graph
        self.progress = Progress(graph.gates, patience=graph.patience)
        self._evidence: dict[str, Evidence] = {}
        """What was last seen of each subtask that was looked at; once it is completed, what was seen then."""
        self._findings: dict[str, Finding] = {}
        self._actions = [0]
        """How many actions there had been at each step."""
        self.apps: dict[str, str] = {}
        """In which application each completed subtask was done, as far as that was seen."""
        self._probes = {
            node.id: sorted({call.key for _, call in walk(node.check, ()) if call.kind == "probe"})
            for node in graph.nodes
        }
        """What the check of each subtask asks."""

    def look(
        self,
        computer: Computer,
        ending: Ending | None = None,
        trouble: Trouble | None = None,
        live: Mapping[str, object] | None = None,
        deadline: Deadline | None = None,
    ) -> tuple[str, ...]:
        """Look at the computer after one more step; return what was completed by it.

        `trouble` is told where it cannot be looked at, and `live` is what live programs told before, as in `judge`;
        without a deadline the look has one of its own.
        """
        deadline = deadline or Deadline()
        self._actions.append(len(computer.history))
        # What several subtasks look at is looked at once, but not once and for all.
        seen: dict[int, Evidence] = {}

        def holds(id: str) -> bool:
            begun = self._actions[self.progress.since(id)]
            context = ProbeContext(computer, ending or Ending(), tuple(computer.history[begun:]), deadline)
            evidence, check = seen.setdefault(begun, dict(live or {})), self.graph.node(id).check
            self._findings[id] = examine(check, look_safely(looker(context, evidence), evidence, trouble), deadline)
            self._evidence[id] = {key: evidence[key] for key in self._probes[id] if key in evidence}
            return self._findings[id].passed

        completed = self.progress.advance(holds)
        for id in completed:
            begun, before = self._actions[self.progress.since(id)], self._actions[-2]
            actions = computer.history
            if app := place_of_work(self.graph.node(id).app, actions[begun:], actions[max(begun, before) :]):
                self.apps[id] = app
        return completed

    def to_the_end(
        self,
        computer: Computer,
        ending: Ending,
        trouble: Trouble | None = None,
        live: Mapping[str, object] | None = None,
        deadline: Deadline | None = None,
    ) -> Watch:
        """Return the watch after a last look; this one stays as it is."""
        last = Watch(self.graph)
        last.progress = Progress.from_json(self.graph.gates, self.progress.to_json())
        last._evidence, last._findings = deepcopy(self._evidence), dict(self._findings)
        last._actions, last.apps = list(self._actions), dict(self.apps)
        last.look(computer, ending, trouble, live, deadline)
        return last

    # What comes of it.

    @property
    def completed(self) -> tuple[str, ...]:
        """The subtasks completed so far, in the order of completion."""
        return tuple(self.progress.completed)

    def subtasks(self) -> dict[str, bool]:
        """Return which subtasks are completed, in the order in which the solution does them."""
        return {f"{id} {self.graph.node(id).subtask}": id in self.progress.completed for id in self.graph.order}

    @property
    def coverage(self) -> float:
        """The coverage rate so far."""
        return coverage_rate(self.graph.dag, self.completed)

    def metrics(self) -> dict[str, float]:
        """Return every figure of the episode that is defined."""
        dag = self.graph.dag
        order = self.graph.consistency(self.progress.ties, self.apps)
        figures: dict[str, float | None] = {
            "coverage": self.coverage,
            "consistency": order.overall,
            "consistency_of_completed": order.conditional,
            # The paper's goes by the applications that the subtasks are meant for.
            "consistency_by_dependencies": self.graph.consistency(self.progress.ties).by_dependencies,
            "done_differently": len(self.done_differently) / len(self.completed) if self.completed else None,
            "completion": completion_ratio(dag, self.completed),
            "unfinished_path": float(longest_unfinished_path(dag, self.completed)),
        }
        return {name: figure for name, figure in figures.items() if figure is not None}

    @property
    def done_differently(self) -> dict[str, str]:
        """The completed subtasks that were done in another application than theirs, and in which."""
        return {id: app for id, app in self.apps.items() if app != self.graph.node(id).app}

    def notes(self) -> tuple[str, ...]:
        """Return what is worth knowing of what was completed, though it costs nothing."""
        return tuple(
            f"{id} {self.graph.node(id).subtask}: done differently, {'by' if app == CODE else 'in'} {app} and not in "
            f"{self.graph.node(id).app}."
            for id, app in self.done_differently.items()
        )

    def finding(self) -> Finding:
        """Return what is done and what is not, subtask by subtask."""
        parts = tuple(self._part(node.id) for node in self.graph.nodes)
        return Finding(
            self.coverage, tuple(said for part in parts for said in part.feedback), check="graph", parts=parts
        )

    def _part(self, id: str) -> Finding:
        node = self.graph.node(id)
        name = f"{id} {node.subtask}"
        state = self.progress.state(id)
        if state is State.COMPLETED:
            return Finding(1.0, check=name)
        asked = f"{node.ask[:1].upper()}{node.ask[1:]}"
        if state is State.WAITING:
            missing = [first for first in self.graph.gates.predecessors(id) if first not in self.progress.completed]
            return Finding(0.0, (f"{asked}: not looked at, as {', '.join(missing)} must come first.",), check=name)
        found = self._findings.get(id)
        why = " ".join(found.feedback) if found else "The task had failed before."
        return Finding(0.0, (f"{asked}: not done. {why}",), check=name, parts=(found,) if found else ())

    # The record.

    def to_json(self) -> dict[str, object]:
        """Return it as plain data: progress, what was seen of each subtask, and where it was done."""
        return {
            "progress": self.progress.to_json(),
            "actions": list(self._actions),
            "nodes": deepcopy(self._evidence),
            "apps": dict(self.apps),
        }

    @classmethod
    def from_json(cls, graph: TaskGraph, data: Any) -> Watch:
        """Judge again from what `to_json` kept: a subtask counts if what was seen of it passes now.

        Raises:
            CheckError: There is nothing to judge from.
        """
        if not isinstance(data, Mapping):
            raise CheckError("the evidence holds nothing of the graph", remedy="run the task again")
        kept: Mapping[str, Evidence] = data["nodes"]
        try:
            before = Progress.from_json(graph.gates, data["progress"])
        except RecordError as error:
            raise CheckError(error.message, remedy=error.remedy) from error
        watch = cls(graph)
        watch._evidence, watch._actions = deepcopy(dict(kept)), list(data["actions"])
        for id in graph.gates.order:
            if id in kept:
                watch._findings[id] = examine(graph.node(id).check, look_back(kept[id]))
        step_of = {**dict.fromkeys(kept, before.step), **before.completed}
        completed: dict[str, int] = {}
        for id in graph.gates.order:
            first = graph.gates.predecessors(id)
            if id in kept and watch._findings[id].passed and all(one in completed for one in first):
                completed[id] = max([step_of[id], *(completed[one] for one in first)])
        watch.progress = Progress.from_json(graph.gates, {**before.to_json(), "completed": completed})
        watch.apps = {id: str(app) for id, app in dict(data.get("apps", {})).items() if id in completed}
        return watch
