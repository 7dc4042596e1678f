"""The clock of an episode: whoever is at work, agent, person or answer key, is interrupted when the time is up."""

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


class Clock:
    """Counts the time of an episode, and how much of it the agent thought.

    Signals reach only the main thread; in any other nobody is interrupted, and whoever owns the process must end it.
    """

    def __init__(self, seconds: float) -> None:
        """Start it; 0 seconds are without end."""
        self._deadline = time.monotonic() + seconds if seconds else float("inf")
        self.thought = 0.0
        """Seconds that the agent had, in all."""
        self._lap = 0.0
        self._since = 0.0
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

    @contextmanager
    def agents_time(self, *, rings: bool = True) -> Iterator[None]:
        """Let the agent have its time; where the clock rings, TimeIsUp is raised inside the block when that is over."""
        if self.is_up:
            raise TimeIsUp
        self._rings = rings and threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGALRM, _ring) if self._rings else None
        self._give()
        try:
            yield
        finally:
            try:
                self._take_back()
            finally:  # it may ring this very moment
                if self._rings:
                    signal.signal(signal.SIGALRM, before)

    @contextmanager
    def our_time(self) -> Iterator[None]:
        """Take the time back from a driver while its turn is carried out: nothing of ours is interrupted."""
        self._take_back()
        try:
            yield
        finally:
            self._give()

    def _give(self) -> None:
        self._since = time.monotonic()
        if self._rings and self._deadline != float("inf"):
            signal.setitimer(signal.ITIMER_REAL, max(self._deadline - self._since, SHORTEST))

    def _take_back(self) -> None:
        if self._rings:
            signal.setitimer(signal.ITIMER_REAL, 0)
        spent = time.monotonic() - self._since
        self.thought += spent
        self._lap += spent


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TimeIsUp
