"""Pair accuracy: tasks and their twins, right only where both are."""

from __future__ import annotations

from collections import Counter

import numpy as np

from proctor.report.cells import Cell, ReportTable
from proctor.report.episodes import Episodes
from proctor.report.statistics import success_rate

NOTE = (
    "A task and its twin differ only in what makes one of them infeasible, or in what happens under way. A pair is "
    "right when both are successes, clean ones where clean success is compared, in the same run, seed, wording and "
    "attempt; an agent that always gives up, or never does, or that always or never reacts, gets none right."
)


def pairs(episodes: Episodes) -> ReportTable:
    """Return how many pairs each agent got right; no rows where no pair was scored."""
    number = {task: place for place, task in enumerate(episodes.tasks)}
    twins = {number[task]: number[twin] for task, twin in zip(episodes.tasks, episodes.twin, strict=True)
             if twin in number}  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for agent, name in enumerate(episodes.agents):
        outcomes = _outcomes(episodes, agent, twins)
        if not outcomes:
            continue
        tried, right = Counter(pair for pair, _, _ in outcomes), Counter(pair for pair, a, b in outcomes if a and b)
        counts = (np.array([found[pair] for pair in tried], dtype=np.int64) for found in (right, tried))
        kinds = Counter((possible, impossible) for _, possible, impossible in outcomes)
        alone = (kinds[True, False], kinds[False, True], kinds[False, False])
        rows.append((name, success_rate(*counts), len(tried), len(outcomes), *alone))
    head = ("agent", "pair accuracy", "pairs", "attempts", "only the twin", "only the task", "neither")
    return ReportTable("pairs", "Tasks with their twins", head, tuple(rows), NOTE)


def _outcomes(episodes: Episodes, agent: int, twins: dict[int, int]) -> list[tuple[int, bool, bool]]:
    wanted = np.isin(episodes.task, [*twins, *twins.values()])
    mine = np.flatnonzero((episodes.agent == agent) & episodes.comparable & wanted).tolist()
    right = {
        (int(episodes.task[place]), int(episodes.attempt[place])): bool(episodes.successes[place]) for place in mine
    }
    return [
        (task, right[twins[task], attempt], good)
        for (task, attempt), good in right.items()
        if task in twins and (twins[task], attempt) in right
    ]
