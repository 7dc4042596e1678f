"""Waiting as an action: for a time, or until something new is on the screen."""

from __future__ import annotations

from proctor.computers.drift import always_moving, differences
from proctor.computers.performer import Performer

SLICE_SEC = 0.2
"""How often whoever has something to do meanwhile is asked."""


def let_time_pass(computer: Performer, seconds: float) -> None:
    """Wait; what happens by itself meanwhile may happen."""
    if computer.idle is None:
        computer.pass_time(seconds)
        return
    ends = computer.clock() + seconds
    while (left := ends - computer.clock()) > 0:
        computer.pass_time(min(left, SLICE_SEC))
        computer.idle()


def wait_for_change(computer: Performer, seconds: float) -> None:
    """Wait until the screen shows something new, carets, clocks and the pointer aside."""
    ends, watch = computer.clock() + seconds, ChangeWatch(computer)
    while (left := ends - computer.clock()) > 0 and not watch.sees_change(min(left, SLICE_SEC)):
        pass


class ChangeWatch:
    """Tells whether the screen shows something else than when this began."""

    def __init__(self, computer: Performer) -> None:
        self._computer = computer
        # Asked first: what is drawn from here on may be missing in the picture.
        self._drawings, self._before = computer.parts.rest.drawings(), computer.screenshot(cursor=False)

    def sees_change(self, seconds: float) -> bool:
        """Wait until something moves, or so long; tell whether there is something new."""
        computer = self._computer
        computer.wait_activity(seconds)
        if computer.idle is not None:
            computer.idle()
        drawn = computer.parts.rest.drawings()
        if drawn is not None and drawn == self._drawings:
            return False
        self._drawings, now = drawn, computer.screenshot(cursor=False)
        return now.size != self._before.size or bool(differences(self._before, now, ignore=always_moving(computer)))
