"""The agent that is there all day and does nothing: what it scores, nobody has earned."""

from __future__ import annotations

from proctor.actions.action import Done, WaitForChange
from proctor.agents.agent import Turn
from proctor.observations.observation import Observation, Want
from proctor.records import Brief


class Onlooker:
    """Looks on until nothing new has come for a while, and says that it is done."""

    want = Want()

    def __init__(self, *, patience: int = 8, seconds: float = 1.0) -> None:
        """Say how long it looks on.

        Args:
            patience: After how many waits without anything new it ends.
            seconds: How long it waits each time at most.
        """
        self._patience, self._seconds = patience, seconds
        self._seen: bytes | None = None
        self._quiet = self._waits = self._most = 0

    def start(self, brief: Brief) -> None:
        """Learn only how long it may stay."""
        self._seen, self._quiet, self._waits, self._most = None, 0, 0, brief.max_steps

    def act(self, observation: Observation) -> Turn:
        """Wait for what comes, and be done once nothing comes any more."""
        picture = observation.screenshot
        seen = picture.tobytes() if picture is not None else None
        self._quiet = self._quiet + 1 if seen is not None and seen == self._seen else 0
        self._seen = seen
        if self._quiet >= self._patience or self._waits >= self._most:
            return Turn(actions=(Done(),))
        self._waits += 1
        return Turn(actions=(WaitForChange(seconds=self._seconds),))
