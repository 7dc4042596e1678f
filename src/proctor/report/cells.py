"""What tables are made of: cells that know how they are shown to people and to programs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from proctor.report.statistics import Interval, Mean, Rate

UNDEFINED = "undefined"
"""What a figure is that has no meaning in any episode at hand, which is not 0."""


class Percent(float):
    """A share, shown in per cent."""


class Dollars(float):
    """An amount of money."""


class Chance(float):
    """A p-value."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of shares with its interval."""

    value: float
    interval: Interval


Cell = str | int | float | Rate | Mean | Difference | None


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table with its name, its heading, and what must be known to read it."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    agents: int = 0
    """How many of the last columns belong to an agent each."""

    def plain(self) -> dict[str, Any]:
        """Return it as plain data: one object a row."""
        own = len(self.head) - self.agents
        rows = []
        for row in self.rows:
            cells = [plain(cell) for cell in row]
            found: dict[str, Any] = dict(zip(self.head[:own], cells[:own], strict=True))
            if self.agents:
                found["agents"] = dict(zip(self.head[own:], cells[own:], strict=True))
            rows.append(found)
        return {"title": self.title, "note": self.note, "rows": rows}


def cell_text(cell: Cell) -> str:
    """Return a cell as people read it; what is not known is a dash."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, Rate):
        return "–" if cell.value is None else f"{percent(cell.value)} {interval(cell.interval)}"
    if isinstance(cell, Mean):
        return mean_text(cell)
    if isinstance(cell, Difference):
        return f"{100 * cell.value:+.0f} {interval(cell.interval, signed=True)}"
    if isinstance(cell, Percent):
        return percent(cell)
    if isinstance(cell, Dollars):
        return f"${cell:,.0f}" if cell >= 100 else f"${cell:,.2f}" if cell >= 1 or not cell else f"${cell:.2g}"
    if isinstance(cell, Chance):
        return "< 0.001" if cell < 0.001 else f"{cell:.3f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 or cell == int(cell) else f"{cell:.3g}"
    return cell


def mean_text(mean: Mean, *, bare: bool = False) -> str:
    """Return a mean, with its interval unless bare, and in how many episodes it is defined."""
    if mean.value is None:
        return UNDEFINED if mean.scored else "–"
    within = "" if bare else f" {interval(mean.interval)}"
    return f"{percent(mean.value)}{within}{definedness(mean)}"


def definedness(mean: Mean) -> str:
    """Return in how many episodes a mean is defined; nothing where it is in all."""
    return "" if mean.episodes == mean.scored else f" n={mean.episodes:,}"


def percent(share: float) -> str:
    """Return a share in whole per cent; 100 and 0 only where nothing is missing or there is nothing."""
    whole = round(100 * share)
    if (whole == 100 and share < 1) or (whole == 0 and share > 0):
        return f"{100 * share:.1f} %"
    return f"{whole} %"


def interval(ends: Interval, *, signed: bool = False) -> str:
    """Return an interval of shares in per cent."""
    low, high = ends
    form = "+.0f" if signed else ".0f"
    return f"[{100 * low:{form}}, {100 * high:{form}}]"


def plain(cell: Cell) -> Any:
    """Return a cell as plain data."""
    if isinstance(cell, Rate):
        passed, clean = cell.beside or cell, cell if cell.beside else cell.clean
        return {
            "success": passed.value,
            "interval": list(passed.interval),
            "passed": passed.passed,
            "episodes": passed.episodes,
            "tasks": passed.tasks,
            **(clean_figures(clean, passed) if clean else {}),
        }
    if isinstance(cell, Mean):
        return {
            "mean": cell.value,
            "interval": list(cell.interval),
            "episodes": cell.episodes,
            "scored": cell.scored,
            "tasks": cell.tasks,
        }
    if isinstance(cell, Difference):
        return {"difference": cell.value, "interval": list(cell.interval)}
    if isinstance(cell, float):
        return float(cell) if math.isfinite(cell) else None
    return cell


def clean_figures(clean: Rate, success: Rate) -> dict[str, Any]:
    """Return the rate of clean success as plain data, with how many scored episodes are unknown."""
    return {
        "clean_success": clean.value,
        "clean_interval": list(clean.interval),
        "clean": clean.passed,
        "clean_unknown": success.episodes - clean.episodes,
    }


def size(cell: Cell) -> float | None:
    """Return by what a cell is sorted among its like; None for words and for what is not known."""
    if isinstance(cell, Rate | Mean | Difference):
        return cell.value
    return None if cell is None or isinstance(cell, str) or math.isnan(cell) else float(cell)
