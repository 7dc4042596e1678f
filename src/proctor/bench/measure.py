"""Time things fairly: repeat, take the median, and say how often."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One measured number."""

    key: str
    """Its name in the JSON output."""
    what: str
    value: float | None
    """None when it could not be measured; `note` says why."""
    unit: str
    goal: float | None = None
    """What we want to reach; None where there is nothing to reach."""
    note: str = ""
    """How it was measured, or the baseline it is compared with."""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        return None if self.goal is None or self.value is None else self.value <= self.goal


def median_ms(action: Callable[[], object], times: int) -> float:
    """Return the median time of an action in milliseconds."""
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        spent.append((time.perf_counter() - began) * 1000)
    return statistics.median(spent)
