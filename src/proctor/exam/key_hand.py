"""The hand that carries out an answer key: its actions are the exam's steps, like any agent's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from proctor.actions.action import Action, AskUser, SignalAction
from proctor.computers.computer import Computer, Performed
from proctor.computers.relay import RoutedComputer
from proctor.errors import AgentError
from proctor.observations.observation import Observation
from proctor.tasks.move_context import MoveContext

Perform = Callable[[Action], Observation]
"""Carries out one action and returns what is seen."""


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


def key_hand(computer: Computer, step: Perform, between: Callable[[], None] = lambda: None) -> MoveContext:
    """Return the hand that makes moves on a computer.

    Args:
        computer: Where.
        step: Carries out one action.
        between: Called before each action and after it.
    """

    def perform_step(action: Action) -> Performed:
        between()
        before = len(computer.history)
        seen = step(action)
        if len(computer.history) == before:
            raise AgentError(" ".join(told.text for told in seen.told if told.kind == "refused"))
        done = computer.history[-1]
        between()
        return done

    return _SteppingHand(RoutedComputer(computer, perform_step), _nobody, step=step)
