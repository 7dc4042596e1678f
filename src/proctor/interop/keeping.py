"""Records of episodes that somebody else's loop steps: a run folder like any other, one episode at a time or many."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.computers.values import Performed
from proctor.env import StepResult
from proctor.observations.observation import Observation
from proctor.records import Brief, Cause, EpisodeKey, Header, Hit, NamedAgent, Output, Result, SetTask, Step, Stop, Told
from proctor.store.episode import EpisodeWriter
from proctor.store.run import RunRecord
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict
from proctor.version import VERSION

MOST_TEXT = 2_000
_STOPS: dict[str, Stop] = {
    "done": "done", "answered": "answered", "gave_up": "gave_up", "step_limit": "step_limit",
    "time_limit": "time_limit", "left_off": "agent_error", "broke_the_computer": "broke_the_computer",
}  # fmt: skip
"""How an end is called in a record; whoever leaves off without a word has failed by itself."""


class Keeping:
    """The run folder of a server; episodes may begin and end in any thread."""

    def __init__(self, folder: Path, *, agent: str, served: Mapping[str, Any]) -> None:
        """Begin a run in a new or empty folder; raises RecordError where there is something else."""
        self._run = RunRecord.create(folder, {"proctor": VERSION, "served": dict(served)})
        self._agent = agent
        self._held: Counter[tuple[str, int]] = Counter()
        self._lock = threading.Lock()
        self._closed = False

    def begin(self, task: Task, computer: Computer, brief: Brief, sees: tuple[str, ...]) -> Keeper:
        """Begin the record of an episode."""
        with self._lock:
            place = task.id, task.seed or 0
            key = EpisodeKey(task=task.id, agent=self._agent, seed=place[1], sample=self._held[place])
            self._held[place] += 1
            self._run.keep_task(task.digest, task.to_json())
        header = Header(
            key=key,
            task=SetTask(
                id=task.id, seed=task.seed, digest=task.digest, instruction=task.instruction, unproven=task.unproven
            ),
            agent=NamedAgent(name=self._agent, label=self._agent),
            started=time.time(),
            computer=computer.facts(),
            brief=brief,
            sees=sees,
        )
        return Keeper(self, EpisodeWriter.begin(self._run.paths.episode(key), header), key, task)

    def add(self, result: Result) -> None:
        """Take in what came of an episode; after the end its record stands, and the run does not list it."""
        with self._lock:
            if not self._closed:
                self._run.add(result)

    def close(self) -> None:
        """Complete the record of the run, and seal it."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._run.seal()
                self._run.close()


class Keeper:
    """Writes one episode down; once it has ended, nothing more is written."""

    def __init__(self, keeping: Keeping, writer: EpisodeWriter, key: EpisodeKey, task: Task) -> None:
        self._keeping, self._writer, self._task = keeping, writer, task
        self._began, self._clock = time.time(), time.monotonic()
        self._number = 0
        self._over = False
        tags = task.tags
        self._result = Result(
            key=key, digest=task.digest, apps=tags.apps, categories=tags.categories, level=tags.level,
            domain=tags.domain, scenario=tags.scenario, demand=tags.demand, feasible=tags.feasible, twin=task.twin,
            unproven=task.unproven, started=round(self._began, 3),
        )  # fmt: skip

    def step(
        self, seen: Observation, action: Action | None, result: StepResult | None, *, refused: str = "", told: str = ""
    ) -> None:
        """Write what was seen, what was done then and what came of it."""
        performed = result.performed if result else None
        came = _came(performed) if performed else {}
        said = replace(seen, told=(Told("output", told),) if told else ())
        self._writer.step(
            Step(
                step=self._number,
                turn=self._number + 1,
                at=time.time(),
                saw=self._writer.see(said, self._number),
                action=action.to_json() if action is not None else None,
                refused=refused,
                trouble=result.trouble if result else "",
                **came,
            )
        )
        self._number += 1
        acted = performed is not None
        self._result = replace(
            self._result,
            steps=self._result.steps + acted,
            acted=self._result.acted or acted,
            refused=self._result.refused + bool(refused),
            turns=self._number,
        )

    def end(self, seen: Observation, stop: str, score: float, verdict: Verdict | None, error: str = "") -> None:
        """Complete the record of an episode that was judged."""
        if self._over:
            return
        named = _STOPS.get(stop, "agent_error")
        saw = self._writer.see(seen, self._number)
        self._writer.step(Step(step=self._number, end=True, at=time.time(), saw=saw, stop=named))
        left = "it was ended from outside without a last word" if stop == "left_off" else ""
        self._finish(replace(self._result, stop=named, score=score, error=error or left), verdict)

    def void(self, why: str) -> None:
        """Complete the record of an episode of which nothing can be said."""
        if not self._over:
            cause: Cause = "computer" if not self._result.acted else "host"
            self._finish(replace(self._result, stop="void", cause=cause, score=None, error=why[:MOST_TEXT]), None)

    def _finish(self, result: Result, verdict: Verdict | None) -> None:
        self._over = True
        result = replace(result, seconds=round(time.monotonic() - self._clock, 4))
        self._keeping.add(self._writer.finish(result, verdict.to_json() if verdict else None, []))


def _came(performed: Performed) -> dict[str, Any]:
    node, result = performed.element, performed.result
    box = node.box if node else None
    return {
        "settled": performed.settled,
        "verified": performed.verified,
        "element": node
        and Hit(
            role=node.role, name=node.name, text=node.text[:MOST_TEXT], app=node.app, window=node.window,
            box=(box.x, box.y, box.width, box.height) if box else None,
        ),
        "output": result and Output(text=result.output, error=result.error, timed_out=result.timed_out),
    }  # fmt: skip
