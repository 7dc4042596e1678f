"""What an episode is written to as it happens; the store's writer is one."""

from __future__ import annotations

from typing import Any, Protocol

from proctor.observations.observation import Observation
from proctor.records import ModelCall, Saw, Step


class Recorder(Protocol):
    """Keeps what an episode consists of."""

    def note(self, **known: Any) -> None:
        """Fill in fields of the header of the episode."""

    def see(self, observation: Observation, number: int) -> Saw:
        """Keep what was seen and return how to find it again."""

    def call(self, call: ModelCall, turn: int) -> ModelCall:
        """Keep what a model was sent and answered, and return the call as a step holds it."""

    def step(self, step: Step) -> None:
        """Append a step."""
