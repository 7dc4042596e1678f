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
    ends = computer.clock() + seconds
    drawings, before = computer.parts.rest.drawings(), computer.screenshot(cursor=False)
    while (left := ends - computer.clock()) > 0:
        computer.wait_activity(min(left, SLICE_SEC))
        if computer.idle is not None:
            computer.idle()
        drawn = computer.parts.rest.drawings()
        if drawn is not None and drawn == drawings:
            continue
        now = computer.screenshot(cursor=False)
        if now.size != before.size or differences(before, now, ignore=always_moving(computer)):
            return
        drawings = drawn
