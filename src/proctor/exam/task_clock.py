"""The clock of events: so many seconds for an action, or those that pass."""

from __future__ import annotations

from proctor.actions.action import Action, Wait, WaitForChange
from proctor.computers.computer import Computer
from proctor.errors import SpecError

REAL = "real"
LONGEST_SEC = 3600.0


def read_time(text: str) -> float | None:
    """Return how many seconds an action counts for, None for those that pass; raises SpecError."""
    if text == REAL:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= LONGEST_SEC:
        raise SpecError(f"the time is {text!r}", remedy=f"give real, or the seconds of an action up to {LONGEST_SEC:g}")
    return seconds


class TaskClock:
    """Stands while an agent thinks and goes on with every action, unless it counts real seconds.

    Waiting always counts as long as it lasts.
    """

    def __init__(self, time: str, computer: Computer) -> None:
        self._action_sec, self._computer = read_time(time), computer
        self._began = computer.clock()
        self._acted = 0.0
        """Seconds up to the action under way."""
        self._waiting_since: float | None = None
        """When the agent began to wait, while it does."""

    def now(self) -> float:
        """Return how many seconds have been counted."""
        if self._action_sec is None:
            return self._computer.clock() - self._began
        return self._acted + self._wait_sec()

    def begin(self, action: Action) -> None:
        """Say that an action begins."""
        self._waiting_since = self._computer.clock() if isinstance(action, Wait | WaitForChange) else None

    def end(self, *, performed: bool) -> None:
        """Say that a step is over, and whether its action was carried out."""
        if performed and self._action_sec is not None:
            self._acted += self._action_sec if self._waiting_since is None else self._wait_sec()
        self._waiting_since = None

    def _wait_sec(self) -> float:
        return 0.0 if self._waiting_since is None else self._computer.clock() - self._waiting_since
