"""The clock by which patience is counted."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """The time on a computer; a computer in memory may count its own."""

    def now(self) -> float:
        """Return seconds that only grow."""

    def pass_time(self, seconds: float) -> None:
        """Let this much time go by on the computer, whatever happens meanwhile."""


class WallClock:
    """Our own time."""

    def now(self) -> float:
        """Return the monotonic clock of this machine."""
        return time.monotonic()

    def pass_time(self, seconds: float) -> None:
        """Wait."""
        threading.Event().wait(seconds)
