"""What an episode is written to as it happens; the store's writer is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from proctor.observations.observation import Observation


class Recorder(Protocol):
    """Keeps what an episode consists of."""

    def note(self, more: Mapping[str, Any]) -> None:
        """Add something to what is known of the whole episode."""

    def see(self, observation: Observation, number: int) -> Mapping[str, Any]:
        """Keep what was seen and return how to find it again."""

    def step(self, line: dict[str, Any]) -> None:
        """Append a line."""
