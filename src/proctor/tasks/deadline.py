"""By when a judgement must be over, whatever was left to be judged."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from proctor.errors import Overrun

JUDGEMENT_SEC = 19.0
"""All that the probes and checks of one judgement may take together: 20 s, of which one is for the processes."""
CHECKS_SEC = 10.0
"""The most that the checks take of it; honest ones take milliseconds."""
CHECKS_SHARE = 0.25
"""What of it is kept for the checks, which are asked when everything was looked at."""


class Deadline:
    """The time of one judgement: handed to everything in it, and used up by nothing else."""

    def __init__(self, seconds: float = JUDGEMENT_SEC, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._ends = clock() + seconds

    def left(self) -> float:
        """Return the seconds that are left; raises Overrun where there are none."""
        return self._left(0.0)

    def left_to_look(self) -> float:
        """Return the seconds that are left to probes; raises Overrun where there are none."""
        return self._left(CHECKS_SHARE * self._seconds)

    def put_off(self, seconds: float) -> None:
        """Give back time in which nothing was judged: others were waited for, or something of ours began."""
        self._ends += seconds

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Bind whatever is read in the block, by whichever probe."""
        token = _HELD.set(self)
        try:
            yield
        finally:
            _HELD.reset(token)

    def _left(self, kept: float) -> float:
        left = self._ends - kept - self._clock()
        if left <= 0:
            raise Overrun(f"what was left takes more than {self._seconds:g} s to judge", seconds=self._seconds)
        return left


_HELD: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def to_look() -> float:
    """Return the seconds that are left to probes now.

    Raises Overrun where there are none.
    """
    deadline = _HELD.get()
    return deadline.left_to_look() if deadline is not None else math.inf


def put_off(seconds: float) -> None:
    """Give time back to the judgement that goes on."""
    if (deadline := _HELD.get()) is not None:
        deadline.put_off(seconds)
