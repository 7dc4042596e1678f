"""A time limit on code that is not ours: it is interrupted where it stands."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeIsUp(BaseException):
    """Raised where an agent is when its time is up; no `except Exception` of its own stops it."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise TimeIsUp inside the block after so many seconds.

    Signals reach only the main thread; in any other the block is not interrupted, and whoever owns the process must
    end it. Infinity sets no alarm.
    """
    if seconds == float("inf") or threading.current_thread() is not threading.main_thread():
        yield
        return
    if seconds <= 0:
        raise TimeIsUp

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
