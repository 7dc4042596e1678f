"""The clock by which patience is counted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from proctor.pause import pause

LOOK_SEC = 0.25
"""How often it is asked what the host took away: often enough for patience, seldom enough to cost nothing."""
MOST_TAKEN = 0.9
"""Share of any time that may count as taken: whatever the host does, patience ends."""
_TICKS = os.sysconf("SC_CLK_TCK")
_STOLEN = 8
"""Column of a processor's line in /proc/stat."""


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
        pause(seconds)


def taken_by_the_host() -> float:
    """Return how many seconds the host let the worst served processor wait; 0.0 where unknown.

    It is the column `steal` of /proc/stat: a guest cannot run then, and sees none of it on its own clocks.
    """
    try:
        lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    rows = [line.split() for line in lines if line.startswith("cpu") and not line.startswith("cpu ")]
    return max((int(row[_STOLEN]) / _TICKS for row in rows if len(row) > _STOLEN), default=0.0)


class PatientClock(WallClock):
    """Our own time, less what the host took away: patience must not run out while all stands.

    At most `most_taken`, a share of any time, counts as taken.
    """

    def __init__(
        self,
        *,
        real: Callable[[], float] = time.monotonic,
        taken: Callable[[], float] = taken_by_the_host,
        most_taken: float = MOST_TAKEN,
    ) -> None:
        self._real, self._taken, self._most_taken = real, taken, most_taken
        self._looked, self._known = real(), taken()
        self._lost = 0.0
        self._latest = self._looked

    def now(self) -> float:
        """Return seconds that only grow, and more slowly while the host has our processors."""
        real = self._real()
        since = real - self._looked
        if since >= LOOK_SEC:
            taken = self._taken()
            self._lost += min(max(taken - self._known, 0.0), self._most_taken * since)
            self._looked, self._known = real, taken
        self._latest = max(self._latest, real - self._lost)
        return self._latest
