"""An answer key as moves on an exam: its actions are the exam's steps, like any agent's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from proctor.actions.action import Action, AskUser, SignalAction
from proctor.computers.computer import Computer, Performed
from proctor.computers.relay import RoutedComputer
from proctor.errors import AgentError, ComputerLost
from proctor.observations.observation import Observation
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed, make_moves
from proctor.tasks.task import Task

Perform = Callable[[Action], Observation]


@dataclass
class _SteppingHand(MoveContext):
    """A hand whose words go through the exam; its actions do by the way its computer routes them."""

    step: Perform | None = None

    def say(self, signal: SignalAction) -> str:
        """Say something to the examiner or ask the user, whose reply is returned."""
        self.still_going()
        assert self.step is not None
        seen = self.step(signal)
        if not isinstance(signal, AskUser):
            self.signal = signal
        return " ".join(told.text for told in seen.told if told.kind == "reply")


def _nobody(_question: str) -> str:
    raise AssertionError("questions go through the exam")


def hand_on(computer: Computer, step: Perform) -> MoveContext:
    """Return the hand that makes moves on a computer, with a function that carries out one action."""

    def perform_step(action: Action) -> Performed:
        before = len(computer.history)
        seen = step(action)
        if len(computer.history) == before:
            raise AgentError(" ".join(told.text for told in seen.told if told.kind == "refused"))
        return computer.history[-1]

    return _SteppingHand(RoutedComputer(computer, perform_step), _nobody, step=step)


def moves(task: Task, computer: Computer, *, miss: int = 0) -> Callable[[Perform], None]:
    """Return the moves of a task's solution, to be made with a function that carries out one action.

    With `miss` those of its n-th near miss; raises AgentError when the task has not so many.
    """
    if miss > len(task.near_misses) or miss < 0:
        raise AgentError(f"the task {task.id} has {len(task.near_misses)} near misses and no number {miss}")
    wanted = task.near_misses[miss - 1].moves if miss else task.solution

    def make(step: Perform) -> None:
        try:
            make_moves(wanted, hand_on(computer, step))
        except MoveFailed as error:
            if isinstance(error.__cause__, ComputerLost):
                raise error.__cause__ from None
            raise

    return make
