"""What an exam takes of its machine: processor time and memory."""

from __future__ import annotations

import re
import resource
import threading
import time
from pathlib import Path
from typing import ClassVar
from weakref import WeakSet

from proctor.computers.computer import Computer

MB = 1e6


class CostMeter:
    """Counts from when it is made.

    What exams that share a process took of it cannot be told apart, so then it is not told at all.
    """

    _lock: ClassVar = threading.Lock()
    _counting: ClassVar[WeakSet[CostMeter]] = WeakSet()

    def __init__(self) -> None:
        self._alone = True
        with CostMeter._lock:
            for other in CostMeter._counting:
                other._alone = self._alone = False
            CostMeter._counting.add(self)
        self._began, self._used = time.monotonic(), _own_seconds()

    @property
    def seconds(self) -> float:
        """How long it has counted."""
        return time.monotonic() - self._began

    def finish(self, computer: Computer | None) -> dict[str, float]:
        """Return what was taken, as far as somebody counts it.

        `inside_seconds` and `outside_seconds` of processors, `inside_mb` at the most and `outside_mb` now. Outside are
        the harness and the agent's own code.
        """
        found: dict[str, float | None] = {}
        with CostMeter._lock:
            CostMeter._counting.discard(self)
        inside = computer.costs() if computer is not None else None
        if inside is not None:
            found["inside_seconds"] = inside.processor_seconds
            found["inside_mb"] = None if inside.memory_bytes is None else inside.memory_bytes / MB
        if self._alone:
            found["outside_seconds"] = _own_seconds() - self._used
            found["outside_mb"] = _own_memory()
        return {name: round(amount, 3) for name, amount in found.items() if amount is not None}


def _own_seconds() -> float:
    """Return the processor time of this process and of the programs that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _own_memory() -> float | None:
    """Return the memory that only this process has; None if nobody says."""
    try:
        told = Path("/proc/self/smaps_rollup").read_text()
    except OSError:
        return None
    found = re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+) kB", told, re.MULTILINE)
    return sum(map(int, found)) * 1024 / MB if found else None
