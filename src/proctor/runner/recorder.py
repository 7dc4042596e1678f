"""What an episode is written to as it happens; the store's writer is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from proctor.observations.observation import Observation
from proctor.records import ModelCall


class Recorder(Protocol):
    """Keeps what an episode consists of."""

    def note(self, more: Mapping[str, Any]) -> None:
        """Add something to what is known of the whole episode."""

    def see(self, observation: Observation, number: int) -> Mapping[str, Any]:
        """Keep what was seen and return how to find it again."""

    def call(self, call: ModelCall, turn: int) -> dict[str, Any]:
        """Keep what a model was sent and answered, and return the call as a line holds it."""

    def step(self, line: dict[str, Any]) -> None:
        """Append a line."""
