"""Time things fairly: repeat, take the median, and say how it was done."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One measured number."""

    key: str
    """Its name in the JSON output."""
    what: str
    value: float | None
    """None when it could not be measured; `note` says why."""
    unit: str = "ms"
    goal: float | None = None
    """What we want to reach; None where there is nothing to reach."""
    note: str = ""
    """How it was measured, or the baseline it is compared with."""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        return None if self.goal is None or self.value is None else self.value <= self.goal


@dataclass(slots=True)
class Laps:
    """Collects the milliseconds of repeated pieces of work."""

    spent: list[float] = field(default_factory=list)

    @contextmanager
    def lap(self) -> Iterator[None]:
        """Time one piece of work."""
        began = time.perf_counter()
        yield
        self.spent.append((time.perf_counter() - began) * 1000)

    @property
    def median(self) -> float:
        """The median so far."""
        return statistics.median(self.spent)


def median_ms(action: Callable[[], object], times: int) -> float:
    """Return the median time of an action in milliseconds."""
    watch = Laps()
    for _ in range(times):
        with watch.lap():
            action()
    return watch.median


def measure_parts(parts: Iterable[tuple[str, Callable[[], list[Figure]]]], say: Callable[[str], None]) -> list[Figure]:
    """Return the figures of all parts; `say` is told which is measured next."""
    figures = []
    for what, part in parts:
        say(what)
        figures += part()
    return figures


def to_json(figures: list[Figure]) -> str:
    """Return the figures by key, with their details beside."""
    values = {figure.key: None if figure.value is None else round(figure.value, 2) for figure in figures}
    details = {
        figure.key: {"unit": figure.unit, "goal": figure.goal, "reached": figure.reached, "note": figure.note}
        for figure in figures
    }
    return json.dumps({**values, "details": details}, indent=1)
