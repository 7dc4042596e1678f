"""What an exam is written to as it happens; the store's writer is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from proctor.observations.observation import Observation
from proctor.records import ChangedPath, ModelCall, Result, Saw, Step


class Recorder(Protocol):
    """Keeps what an exam consists of; raises HostError where that cannot be written."""

    @property
    def folder(self) -> Path | None:
        """Where, if it lies on this machine's disk."""

    def note(self, **known: Any) -> None:
        """Fill in fields of the header of the episode."""

    def see(self, observation: Observation, number: int) -> Saw:
        """Keep what was seen and return how to find it again."""

    def call(self, call: ModelCall, turn: int) -> ModelCall:
        """Keep what a model was sent and answered, and return the call as a step holds it."""

    def step(self, step: Step) -> None:
        """Append a step."""

    def finish(self, result: Result, verdict: Mapping[str, Any] | None, changes: Sequence[ChangedPath]) -> Result:
        """Complete the record, and return the result with its place."""

    def conclude(self, result: Result) -> Result:
        """Complete a record that could not be finished, with what was written so far."""

    def close(self) -> None:
        """Let go of everything; without `finish` the record stays unfinished. A second time has no effect."""


class Unrecorded:
    """Keeps nothing."""

    folder = None

    def note(self, **known: Any) -> None:
        """Keep nothing."""

    def see(self, observation: Observation, number: int) -> Saw:
        """Keep nothing."""
        return Saw()

    def call(self, call: ModelCall, turn: int) -> ModelCall:
        """Keep nothing."""
        return call.bare()

    def step(self, step: Step) -> None:
        """Keep nothing."""

    def finish(self, result: Result, verdict: Mapping[str, Any] | None, changes: Sequence[ChangedPath]) -> Result:
        """Keep nothing."""
        return result

    def conclude(self, result: Result) -> Result:
        """Keep nothing."""
        return result

    def close(self) -> None:
        """Keep nothing."""
