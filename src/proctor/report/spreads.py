"""Histograms: how steps, time, tokens and cost are distributed over episodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.report.episodes import Episodes
from proctor.report.tables import FIGURES

_BINS = 24


@dataclass(frozen=True, slots=True)
class Spread:
    """How a figure is distributed over scored episodes, in bins that all agents share."""

    title: str
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    """For each agent; the last bin takes all that is beyond."""


def spreads(episodes: Episodes) -> tuple[Spread, ...]:
    """Return a histogram of each figure that is known and not always 0."""
    found = []
    for figure, title in FIGURES.items():
        values = episodes.figures[figure]
        known = ~episodes.void & ~np.isnan(values)
        if not values[known].any():
            continue
        edges = _edges(values[known], whole=figure == "steps")
        mine = (
            np.minimum(values[known & (episodes.agent == agent)], edges[-1]) for agent in range(len(episodes.agents))
        )
        counts = tuple(tuple(np.histogram(part, edges)[0].tolist()) for part in mine)
        found.append(Spread(title, tuple(edges.tolist()), counts))
    return tuple(found)


def _edges(values: NDArray[np.float64], *, whole: bool) -> NDArray[np.float64]:
    """Return bins from 0 to where all but 1 % of values end; whole numbers get whole widths."""
    end = float(np.quantile(values, 0.99)) or float(values.max())
    if not whole:
        return np.linspace(0, end, _BINS + 1)
    width = max(1.0, np.ceil((end + 1) / _BINS))
    return np.arange(0, np.ceil((end + 1) / width) * width + width / 2, width)
