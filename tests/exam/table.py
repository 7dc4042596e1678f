"""An exam on the fake computer, a scripted agent, and a recorder in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from proctor.agents.agent import Agent, Driver
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.observations.observation import Observation, Want
from proctor.records import Brief, ChangedPath, ModelCall, Result, Saw, Step, without_defaults
from proctor.runner.loop import examine
from proctor.tasks.person import Reply, User
from tests.prove.machines import shopping


class Notes:
    """A recorder that keeps lines in memory."""

    folder = None

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.notes: dict[str, Any] = {}

    def note(self, **known: Any) -> None:
        self.notes |= known

    def see(self, observation: Observation, number: int) -> Saw:
        return Saw(told=observation.told)

    def call(self, call: ModelCall, turn: int) -> ModelCall:
        return call.bare()

    def step(self, step: Step) -> None:
        self.lines.append(without_defaults(step))

    def finish(self, result: Result, verdict: Mapping[str, Any] | None, changes: Sequence[ChangedPath]) -> Result:
        self.verdict, self.changes = verdict, list(changes)
        return result

    def conclude(self, result: Result) -> Result:
        return result

    def close(self) -> None:
        self.closed = True


class Scripted:
    """An agent that gives its answers one after another, and repeats the last."""

    want = Want()

    def __init__(self, answers: Iterable[object]) -> None:
        self.answers = list(answers)
        self.seen: list[Observation] = []

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def act(self, observation: Observation) -> Any:
        self.seen.append(observation)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer() if callable(answer) else answer


TASK = shopping(user=User(replies=(Reply(about=("brand",), reply="Any brand."),)))


class Table:
    """A computer, an exam on it that is not judged, and its notes."""

    def __init__(
        self,
        *,
        rules: Rules | None = None,
        steps: int = 20,
        seconds: float | None = None,
        watchers: Sequence[Watcher] = (),
        prepare: Callable[[Computer], None] = lambda _computer: None,
    ) -> None:
        self.computer = FakeComputer().start()
        self.notes = Notes()
        rules = replace(rules or Rules(), steps=steps, seconds=seconds)
        self.exam = Exam(TASK, self.computer, rules, recorder=self.notes, watchers=watchers, prepare=prepare)

    def play(self, *answers: object) -> ExamState:
        self.agent = Scripted(answers)
        return self.drive(self.agent)

    def drive(self, agent: Agent | Driver) -> ExamState:
        examine(self.exam, agent)
        self.exam.end()
        return self.exam.state
