"""Readiness: when has a desktop finished reacting? Events and process states tell, not time."""

from __future__ import annotations

import time

from proctor.computers.channels.x11 import X11, Damaged
from proctor.computers.channels.x11_windows import active_window
from proctor.computers.sandbox.machine import Machine

QUIET_SEC = 0.04
"""A screen with no drawing for this long is quiet; toolkits draw within one or two frames of 16 ms."""
BUSY_SEC = 1.0
"""How long programs that work without drawing are waited for; a busy loop must not hold up every step."""


def settle(x: X11, machine: Machine, *, timeout_sec: float) -> bool:
    """Wait until the active application has read its input, drawing has stopped and no program is at work."""
    deadline = time.monotonic() + timeout_sec
    x.nudge()
    x.sync()
    _answered(x, deadline)
    drawn = time.monotonic()
    while True:
        now = time.monotonic()
        if now >= deadline:
            return False
        events = x.wait(min(QUIET_SEC, deadline - now))
        if any(isinstance(event, Damaged) for event in events):
            drawn = time.monotonic()
        elif time.monotonic() - drawn >= QUIET_SEC:
            waited = time.monotonic() - drawn
            if waited >= BUSY_SEC or not machine.busy():
                return True


def _answered(x: X11, deadline: float) -> None:
    """Let the active window answer a ping: it does so after all the input before it."""
    active = active_window(x)
    if active:
        x.ping(active, timeout_sec=max(deadline - time.monotonic(), 0.01))
