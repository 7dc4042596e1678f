"""The agent that does nothing: a task that it passes is not a task."""

from __future__ import annotations

from proctor.actions.action import Done
from proctor.agents.agent import Turn
from proctor.observations.observation import Observation, Want
from proctor.records import Brief


class Idle:
    """Says at once that the task is finished."""

    want = Want(screenshot=False)

    def start(self, brief: Brief) -> None:
        """Take no notice."""

    def act(self, observation: Observation) -> Turn:
        """Be done."""
        return Turn(actions=(Done(),))
