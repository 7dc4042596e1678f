"""The clock of an exam: how long there is, how much of it the agent thought, and an alarm when it is over."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SHORTEST = 1e-6
"""Seconds; a timer of 0 would never ring."""


class TimeIsUp(BaseException):
    """Raised where an agent is when its time is up; no `except Exception` of its own stops it."""


class ExamClock:
    """Counts the time of an exam. The agent has it, except while the exam carries something out.

    Signals reach only the main thread; in any other nobody is interrupted, and the time limit shows with the next step.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        """Start it with the agent at work; 0 seconds are without end."""
        self._since: float | None = time.monotonic()
        self._deadline = self._since + seconds if seconds else float("inf")
        self.thought = 0.0
        """Seconds that the agent had, in all."""
        self._lap = 0.0
        self._rings = False
        """Whether it interrupts whoever has the time now."""

    @property
    def is_up(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self._deadline

    def put_off(self, seconds: float) -> None:
        """Give back time in which neither the agent nor its computer was at work."""
        self._deadline += seconds

    def lap(self) -> float:
        """Return how long the agent thought since this was last asked."""
        lap, self._lap = self._lap, 0.0
        return lap

    def give(self) -> None:
        """Let the agent have its time."""
        self._since = time.monotonic()
        if self._rings and self._deadline != float("inf"):
            signal.setitimer(signal.ITIMER_REAL, max(self._deadline - self._since, SHORTEST))

    def take_back(self) -> None:
        """Take the time back: nothing of ours is interrupted. A second time has no effect."""
        if self._rings:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self._since is not None:
            spent, self._since = time.monotonic() - self._since, None
            self.thought += spent
            self._lap += spent

    @contextmanager
    def alarm(self, *, rings: bool = True) -> Iterator[None]:
        """Raise TimeIsUp inside the block once the time is up while the agent has it."""
        if self.is_up:
            raise TimeIsUp
        self._rings = rings and threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGALRM, _ring) if self._rings else None
        self.give()
        try:
            yield
        finally:
            try:
                self.take_back()
            finally:  # it may ring this very moment
                if self._rings:
                    signal.signal(signal.SIGALRM, before)
                    self._rings = False


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TimeIsUp
