"""What episodes took of their machine, and how many an hour that makes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.episodes import Episodes

HOUR = 3600.0
HEAD = (
    "agent", "episodes", "processor seconds", "of these outside", "per step", "MB inside", "MB outside", "MB recorded",
    "episodes an hour and core",
)  # fmt: skip
NOTE = (
    "Means of scored episodes in which the machine could be asked; the megabytes are medians. Outside the computer are "
    "Proctor and the agent's own code. A core that is always busy gets through so many episodes an hour; a machine has "
    "as many times that as it has cores, as long as its memory holds the episodes and the model keeps up."
)


def costs(episodes: Episodes) -> ReportTable:
    """Return what each agent's episodes took of processors, memory and disk."""
    rows = [found for agent in range(len(episodes.agents)) if (found := _costs_of(episodes, agent))]
    return ReportTable("costs", "What episodes took of the machine", HEAD, tuple(rows), NOTE)


def _costs_of(episodes: Episodes, agent: int) -> tuple[Cell, ...]:
    """Return the line of an agent; none where nothing is known."""
    mine = (episodes.agent == agent) & ~episodes.void
    inside, outside = (_amounts(episodes, f"{where}_seconds") for where in ("inside", "outside"))
    counted = mine & ~np.isnan(inside) & ~np.isnan(outside)
    number = int(counted.sum())
    if not number:
        return ()
    ours = float(outside[counted].sum())
    total = float(inside[counted].sum()) + ours
    steps = float(episodes.figures["steps"][counted].sum())
    sizes = (_median(_amounts(episodes, name)[mine]) for name in ("inside_mb", "outside_mb", "record_mb"))
    return (
        episodes.agents[agent],
        number,
        total / number,
        Percent(ours / total) if total else None,
        total / steps if steps else None,
        *sizes,
        HOUR * number / total if total else None,
    )


def _amounts(episodes: Episodes, name: str) -> NDArray[np.float64]:
    return episodes.amounts["costs"].get(name, np.full(len(episodes), np.nan))


def _median(values: NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None
