"""Weights of casts, so that all subtasks and sizes have their share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ROUNDS = 150
STEP = 0.4
"""How far a round goes towards equal shares."""
KEPT = 0.995
"""How much of what was pushed before stays in a round."""
LEAST = 0.01
"""The least weight, as a share of the mean, so that nothing is left out."""
MOST = 6.0
"""The most weight, likewise, so that nothing comes again and again."""
MOST_GENERIC = 0.36
"""The share of links into kinds that say little."""
MOST_REPEATS = 0.06
"""The share of tasks in which a subtask occurs twice."""
MOST_SCATTERED = 0.03
"""The share of tasks in which no two subtasks of one application can follow one another."""
SHARES = {size: 1.0 if size < 6 else 0.65 for size in range(1, 9)}
"""How likely each size is; larger ones share what the smallest has twice."""
MANY = 60
"""A size of which there are fewer casts than this has less, so that they do not come again and again."""


@dataclass(frozen=True, slots=True)
class Features:
    """What counts of one cast."""

    goal: str
    subtasks: tuple[str, ...]
    links: int
    generic: int
    """How many of its links go into kinds that say little."""
    repeats: bool
    coherent: bool
    """Whether two subtasks of one application can follow one another."""


def weigh(listed: Sequence[Features]) -> list[float]:
    """Return how often each cast is to be drawn."""
    if not listed:
        return []
    held, served = _count([one.subtasks for one in listed]), _count([(one.goal,) for one in listed])
    sizes = np.array([len(one.subtasks) for one in listed])
    links, generic = (np.array([getattr(one, name) for one in listed], float) for name in ("links", "generic"))
    scattered = np.array([not one.coherent for one in listed])
    repeats = np.array([one.repeats for one in listed])
    weights = np.ones(len(listed))
    for _ in range(ROUNDS):
        # Back towards equal weights: shares that cannot be equal would otherwise push all weight onto a few casts.
        weights **= KEPT
        weights *= np.exp(STEP * np.clip(held @ _pull(weights @ held) / sizes, -2, 2))
        weights *= np.exp(STEP * np.clip(served @ _pull(weights @ served), -2, 2) / 2)
        if (weights @ generic) > MOST_GENERIC * (weights @ links):
            weights *= np.exp(-STEP * (generic - MOST_GENERIC * links) / np.maximum(sizes, 1))
        for marked, most in ((scattered, MOST_SCATTERED), (repeats, MOST_REPEATS)):
            _limit(weights, marked, most)
        _share_out(weights, sizes)
        weights = np.clip(weights, weights.mean() * LEAST, weights.mean() * MOST)
    _limit(weights, scattered, MOST_SCATTERED)
    return [float(weight) for weight in weights / weights.sum()]


def _count(listed: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Return how often each row has each name."""
    place = {name: number for number, name in enumerate(sorted({name for names in listed for name in names}))}
    counts = np.zeros((len(listed), len(place)))
    for row, names in enumerate(listed):
        for name in names:
            counts[row, place[name]] += 1
    return counts


def _pull(totals: np.ndarray) -> np.ndarray:
    """Return how much rarer each is than it would be among equals; what is commoner pushes."""
    pull: np.ndarray = -np.log(totals / totals.sum() * len(totals) + 1e-9)
    return pull


def _limit(weights: np.ndarray, marked: np.ndarray, most: float) -> None:
    """Leave those marked no more than a share of the weight, unless there are no others."""
    inside, outside = weights[marked].sum(), weights[~marked].sum()
    if outside and inside > most * (inside + outside):
        weights[marked] *= most / (1 - most) * outside / inside


def _share_out(weights: np.ndarray, sizes: np.ndarray) -> None:
    """Give each size its share."""
    large = sorted({int(size) for size in sizes if size not in SHARES})
    for size in {int(size) for size in sizes}:
        mine = sizes == size
        share = (SHARES.get(size) or 2 / len(large)) * min(1.0, mine.sum() / MANY)
        weights[mine] *= share / weights[mine].sum()
