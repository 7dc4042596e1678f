"""Patience that waits for nothing: its clock moves when it is told to wait."""

from __future__ import annotations

from proctor.models.retry import Patience


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def patience(self, seconds: float = 300.0) -> Patience:
        return Patience(seconds=seconds, wait=self.wait, clock=lambda: self.now, jitter=lambda: 1.0)
