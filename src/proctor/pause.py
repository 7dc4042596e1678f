"""The one place where time is let go by on purpose."""

from __future__ import annotations

import time


def pause(seconds: float) -> None:
    """Let time go by; for what nothing announces, and for what is meant to take its time.

    Where there is an event, a process or a socket to wait for, wait for that, with a deadline.
    """
    time.sleep(max(seconds, 0.0))
