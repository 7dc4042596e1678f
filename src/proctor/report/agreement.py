"""How two judges, such as a critic and the checks, agree on what passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from proctor.report.cells import Cell, Dollars, Percent, ReportTable
from proctor.report.episodes import Episodes
from proctor.report.statistics import or_none, share_of

PREFIX = "critic_"
"""Figures of episodes that a critic left."""
_NOTE = (
    "A critic is a model that judges by the screenshots, without knowing the checks; it is never part of a score. "
    "Agreement is how often it judges as the checks do; Cohen's kappa is the agreement beyond chance, from 0 to 1. "
    "Missed: passed, but the critic says failed. Believed: failed, but the critic says passed. "
    "Its cost is no part of the agents'."
)


def critics(episodes: Episodes) -> ReportTable:
    """Return how a critic agrees with the checks, for each agent and for all together."""
    figures = episodes.amounts["metrics"]
    asked = figures.get("critic_asked")
    head = ("agent", "judged", "no judgement", "agreement", "kappa", "missed", "believed", "cost")
    if asked is None:
        return ReportTable("critic", "A critic compared with the checks", head, (), _NOTE)
    said = figures.get("critic_success", np.full(len(episodes), np.nan))
    cost = figures.get("critic_cost_usd", np.full(len(episodes), np.nan))
    everybody = np.ones(len(episodes), dtype=bool)
    chosen = [(name, episodes.agent == place) for place, name in enumerate(episodes.agents)]
    if len(chosen) > 1:
        chosen.append(("all", everybody))
    rows: list[tuple[Cell, ...]] = []
    for name, mine in chosen:
        heard = mine & ~np.isnan(asked) & ~episodes.void
        judged = heard & ~np.isnan(said)
        if not heard.any():
            continue
        found = Confusion.of(
            [bool(each) for each in episodes.passes[judged]], [bool(each) for each in said[judged] == 1.0]
        )
        rows.append(
            (
                name,
                found.total,
                int(heard.sum()) - found.total,
                or_none(Percent(found.accuracy)),
                or_none(found.kappa),
                found.fn,
                found.fp,
                Dollars(float(np.nansum(cost[heard]))),
            )
        )
    return ReportTable("critic", "A critic compared with the checks", head, tuple(rows), _NOTE)


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often which of two classes was taken for which."""

    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0

    @classmethod
    def of(cls, truths: Sequence[bool], said: Sequence[bool]) -> Confusion:
        """Count answers; `True` is the positive class."""
        counts = Counter(zip(truths, said, strict=True))
        return cls(counts[True, True], counts[False, True], counts[False, False], counts[True, False])

    @property
    def total(self) -> int:
        """All answers."""
        return self.tp + self.fp + self.tn + self.fn

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return share_of(self.tp + self.tn, self.total)

    @property
    def precision(self) -> float:
        """Of what was called a success, the share that was one."""
        return share_of(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Of what was a success, the share that was called one."""
        return share_of(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float:
        """Of what was a failure, the share that was called one."""
        return share_of(self.tn, self.tn + self.fp)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 0 where no success was found, nan without any."""
        return share_of(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def balanced_accuracy(self) -> float:
        """The mean of recall and specificity: one half for whoever always says the same."""
        return (self.recall + self.specificity) / 2

    @property
    def kappa(self) -> float:
        """Cohen's: agreement beyond what chance would give, 0 for none and 1 for all."""
        if not self.total:
            return nan
        yes = (self.tp + self.fp) / self.total * (self.tp + self.fn) / self.total
        no = (self.tn + self.fn) / self.total * (self.tn + self.fp) / self.total
        by_chance = yes + no
        return nan if by_chance == 1 else (self.accuracy - by_chance) / (1 - by_chance)
