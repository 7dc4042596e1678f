"""Where and how a door holds exams: on which computers, under which rules, recorded in which run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proctor.computers import open_computer, open_for
from proctor.computers.computer import Computer
from proctor.errors import SpecError
from proctor.exam.brief import offered_actions
from proctor.exam.candidate import Candidate
from proctor.exam.door_run import DoorRun
from proctor.exam.exam import Exam
from proctor.exam.preparation import Opening
from proctor.exam.rules import Rules
from proctor.exam.watcher import Watcher
from proctor.observations.observation import Want
from proctor.tasks.task import Task


@dataclass(frozen=True, kw_only=True)
class Venue:
    """How tasks are set by somebody else's loop."""

    computer: str | Callable[[], Computer] = "sandbox"
    """Name of a backend, which is told what a task needs, or a function that returns a computer."""
    options: Mapping[str, object] = field(default_factory=dict)
    """What the backend is opened with, before what a task would like."""
    rules: Rules = Rules()
    want: Want = Want()
    """What whoever steps is shown."""
    uses: tuple[str, ...] = ()
    """Kinds of actions that are offered beside the usual ones, such as `run_code`."""
    agent: str = "client"
    """What whoever steps is called in records."""
    assets: Path | None = None
    """The folder of the files that tasks use."""
    run: DoorRun | None = None
    """Where episodes are recorded, where they are."""
    watchers: Callable[[], Sequence[Watcher]] = tuple
    """Returns who goes along with an exam, besides those that the rules ask for."""

    prepare: Callable[[Computer], None] | None = None
    """Makes the computer ready, in place of a task's setup."""
    judge: Callable[[Computer], float] | None = None
    """Looks at the computer at the end and returns a score, in place of a task's check."""

    def open(self, task: Task | None = None) -> Computer:
        """Return a computer, not yet started; raises SpecError that names all it lacks."""
        if isinstance(self.computer, str):
            if task is None:
                return open_computer(self.computer, **self.options)
            return open_for(self.computer, task.needs, self.options)
        if self.options:
            raise SpecError(
                f"unknown options {sorted(self.options)}", remedy="give them to the function that makes computers"
            )
        return self.computer()

    def offers(self, task: Task) -> tuple[str, ...]:
        """Return the kinds of actions that a client may take; the computer is asked and not started."""
        computer = self.open(task)
        try:
            return offered_actions(computer, self.rules.actions, self.uses)
        finally:
            computer.close()

    def exam(self, task: Task, computer: Computer | Opening | None = None) -> Exam:
        """Return the exam of a task, which has not begun, on a computer of its own unless one is given.

        Raises SpecError for a task that cannot be held here.
        """
        if computer is None:
            own = self.open(task)
            return self.exam(task, lambda: own)
        make = Exam if self.run is None else self.run.exam
        return make(
            task,
            computer,
            self.rules,
            candidate=Candidate(name=self.agent, want=self.want, uses=self.uses),
            watchers=self.watchers(),
            assets=self.assets,
            prepare=self.prepare,
            judge=self.judge,
        )
