"""What happened by itself while agents worked: events, and what disturbances cost."""

from __future__ import annotations

import numpy as np

from proctor.report.cells import Cell, Difference, Percent, ReportTable
from proctor.report.episodes import Episodes, Mask
from proctor.report.statistics import Counts, pair, success_rate

WORDS = {
    "happened": "happened",
    "unseen": "happened, and the agent ended without another look",
    "failed": "failed",
    "missed": "did not happen, as the episode ended before",
}
ANY = "any kind"
"""Stands for all kinds together where there are several."""
NOTE = (
    "Points lost are the success on the same tasks undisturbed less that with a disturbance of the kind in sight, "
    "where the report has both, with the interval for matched pairs. An episode with several kinds counts for each of "
    "them; only a run with one kind tells what that kind costs. An agent is back once the application that was in use "
    "has the focus again; actions are the mean from the first sight until then, 0 where the focus was never lost."
)


def events(episodes: Episodes) -> ReportTable:
    """Return how many events there were by what became of them."""
    counts = episodes.amounts["events"]
    rows: list[tuple[Cell, ...]] = []
    for word, said in WORDS.items():
        if (amounts := counts.get(word)) is not None:
            mine = np.bincount(episodes.agent, weights=amounts, minlength=len(episodes.agents))
            rows.append((said, int(amounts.sum()), *map(int, mine)))
    note = "Events of tasks and disturbances of runs."
    head = ("event", "in all", *episodes.agents)
    return ReportTable("events", "What happened meanwhile", head, tuple(rows), note, len(episodes.agents))


def disturbances(episodes: Episodes) -> ReportTable:
    """Return what each kind of disturbance cost each agent, and how it recovered."""
    kinds = episodes.amounts["disturbed"]
    asked = np.zeros(len(episodes), dtype=bool)
    hits: dict[str, Mask] = {}
    for kind, amounts in kinds.items():
        asked |= ~np.isnan(amounts)
        hits[kind] = np.nan_to_num(amounts) > 0
    together = {ANY: np.logical_or.reduce(list(hits.values()))} if len(hits) > 1 else {}
    rows: list[tuple[Cell, ...]] = []
    for kind, hit in {**hits, **together}.items():
        names = list(kinds) if kind == ANY else [kind]
        for agent, label in enumerate(episodes.agents):
            mine = episodes.agent == agent
            if (hit & mine).any():
                rows.append(
                    (kind, label, *_cost(episodes, hit & mine, ~asked & mine), *_back(episodes, hit & mine, names))
                )
    head = ("disturbance", "agent", "episodes", "success", "undisturbed", "points lost", "back", "actions")
    return ReportTable("disturbances", "What disturbances cost", head, tuple(rows), NOTE)


def _cost(episodes: Episodes, hit: Mask, quiet: Mask) -> tuple[Cell, ...]:
    """Return how many episodes there are, their success, that undisturbed, and the difference."""
    disturbed, calm = _by_task(episodes, hit), _by_task(episodes, quiet)
    common = (disturbed[1] > 0) & (calm[1] > 0)
    paired = pair(calm, disturbed)
    lost = None if paired.difference is None else Difference(paired.difference, paired.interval)
    quietly = success_rate(calm[0][common], calm[1][common]) if common.any() else None
    return int(hit.sum()), success_rate(*disturbed), quietly, lost


def _by_task(episodes: Episodes, which: Mask) -> tuple[Counts, Counts]:
    counted, size = which & episodes.comparable, len(episodes.tasks)
    won = counted & episodes.successes
    return (
        np.bincount(episodes.task[won], minlength=size),
        np.bincount(episodes.task[counted], minlength=size),
    )


def _back(episodes: Episodes, hit: Mask, kinds: list[str]) -> tuple[Cell, ...]:
    """Return after which share of disturbances the agent was back, and its actions until then."""

    def total(name: str) -> float:
        found = episodes.amounts[name]
        return sum(float(np.nan_to_num(found[kind][hit]).sum()) for kind in kinds if kind in found)

    seen, back = total("disturbed"), total("recovered")
    return Percent(back / seen) if seen else None, total("recovery") / back if back else None
