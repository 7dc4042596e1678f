"""The tables of a report: success by every dimension, distributions, repeats, difficulty."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.report import agreement, days
from proctor.report.cells import Cell, Dollars, Percent, ReportTable
from proctor.report.episodes import Episodes
from proctor.report.graphs import FIGURES as FIGURES_OF_GRAPHS
from proctor.report.statistics import difficulty, flip_rate, pass_at_k, pass_hat_k

TITLES = {
    "suite": "suite",
    "app": "application",
    "category": "category of application",
    "level": "automation level",
    "domain": "demand: domain",
    "scenario": "demand: scenario",
    "demand": "demand",
    "feasible": "whether it can be done",
}
FIGURES = {
    "steps": "steps",
    "seconds": "seconds",
    "agent_seconds": "seconds of the agent",
    "input_tokens": "input tokens",
    "cached_tokens": "cached input tokens",
    "cache_write_tokens": "input tokens written to a cache",
    "output_tokens": "output tokens",
    "cost_usd": "cost",
}
MAX_K = 10
CLEAN = "clean success"


def headline_of(episodes: Episodes) -> str:
    """Return what is compared: clean success needs no name of its own where nothing was unclean."""
    return CLEAN if episodes.differ else "success"


def breakdown(episodes: Episodes, dimension: str) -> ReportTable:
    """Return each agent's success for each label of a dimension; void episodes are left out."""
    clean, success = episodes.split(dimension, "clean"), episodes.split(dimension, "success")
    labels = episodes.labels[dimension].names
    rows: list[tuple[Cell, ...]] = []
    for place, label in enumerate(labels):
        tasks = int((success[1][:, place].sum(axis=0) > 0).sum())
        found = (
            [(passed[agent, place], counted[agent, place]) for passed, counted in (clean, success)]
            for agent in range(len(episodes.agents))
        )
        rows.append((label, tasks, *(episodes.rates(*counts) for counts in found)))
    title = f"{headline_of(episodes)} by {TITLES[dimension]}".capitalize()
    return ReportTable(
        f"by_{dimension}", title, (dimension, "tasks", *episodes.agents), tuple(rows), agents=len(episodes.agents)
    )


def distributions(episodes: Episodes) -> ReportTable:
    """Return medians, quartiles and the most of steps, time, tokens and cost."""
    rows: list[tuple[Cell, ...]] = []
    for figure, title in FIGURES.items():
        values = episodes.figures[figure]
        if not np.nan_to_num(values).any():
            continue
        for agent, name in enumerate(episodes.agents):
            mine = values[(episodes.agent == agent) & ~episodes.void]
            known = mine[~np.isnan(mine)]
            if not len(known):
                continue
            total = float(np.nansum(values[episodes.agent == agent]))
            kind = Dollars if figure == "cost_usd" else float
            spread = (kind(value) for value in np.quantile(known, [0.25, 0.5, 0.75, 1.0]))
            rows.append((title, name, *spread, kind(total), len(mine) - len(known)))
    head = ("what", "agent", "lower quartile", "median", "upper quartile", "most", "total", "unknown")
    note = "Over scored episodes; the total counts void ones too, since they were paid for."
    return ReportTable("distributions", "Steps, time, tokens and cost", head, tuple(rows), note)


def repeats(episodes: Episodes) -> ReportTable:
    """Return pass@k, pass^k and how often repeated outcomes differ; no rows without repeats."""
    rows: list[tuple[Cell, ...]] = []
    for agent, name in enumerate(episodes.agents):
        passed, scored = episodes.by_case(agent)
        most = int(min(MAX_K, scored.max())) if len(scored) else 0
        flips = flip_rate(passed, scored)
        for k in range(1, most + 1) if most > 1 else ():
            at, hat = pass_at_k(passed, scored, k), pass_hat_k(passed, scored, k)
            shares = (None if value is None else Percent(value) for value in (at, hat, flips))
            rows.append((name, k, *shares, int((scored >= k).sum())))
    note = (
        f"pass@k: at least one of k attempts is a {headline_of(episodes)}; pass^k: all of them are. Both are unbiased "
        "estimates over cases (task, seed and wording) with k scored attempts or more. Flips: repeated cases whose "
        "outcomes differ."
    )
    return ReportTable("repeats", "Repeats", ("agent", "k", "pass@k", "pass^k", "flips", "cases"), tuple(rows), note)


def difficulties(episodes: Episodes) -> ReportTable:
    """Return every task, the hardest first."""
    passed, scored = episodes.by_task()
    hardness = difficulty(passed, scored)
    solvers, tried = (passed > 0).sum(axis=0), (scored > 0).sum(axis=0)
    void = np.bincount(episodes.task[episodes.void], minlength=len(episodes.tasks))
    steps = _median_steps(episodes)
    known = np.flatnonzero(np.bincount(episodes.task, minlength=len(episodes.tasks))).tolist()
    order = sorted(known, key=lambda task: (-np.nan_to_num(hardness[task], nan=-1.0), task))
    rows = tuple(
        (
            episodes.tasks[task],
            None if np.isnan(hardness[task]) else Percent(hardness[task]),
            f"{solvers[task]} of {tried[task]}",
            int(scored[:, task].sum()),
            int(void[task]),
            None if np.isnan(steps[task]) else float(steps[task]),
        )
        for task in order
    )
    head = ("task", "difficulty", "agents that passed it", "episodes", "void", "median steps when passed")
    note = f"Difficulty is the share of episodes without a {headline_of(episodes)}, each agent counted alike."
    return ReportTable("difficulty", "Difficulty of tasks", head, rows, note)


def _median_steps(episodes: Episodes) -> NDArray[np.float64]:
    passed = episodes.successes
    task, steps = episodes.task[passed], episodes.figures["steps"][passed]
    order = np.lexsort((steps, task))
    task, steps = task[order], steps[order]
    counts = np.bincount(task, minlength=len(episodes.tasks))
    begins = np.cumsum(counts) - counts
    found = np.full(len(counts), np.nan)
    some = counts > 0
    lower, upper = begins[some] + (counts[some] - 1) // 2, begins[some] + counts[some] // 2
    found[some] = (steps[lower] + steps[upper]) / 2
    return found


def metrics(episodes: Episodes) -> ReportTable:
    """Return the means of other figures of episodes; those of task graphs have their own tables."""
    rows: list[tuple[Cell, ...]] = []
    told = FIGURES_OF_GRAPHS if "coverage" in episodes.amounts["metrics"] else {}
    for metric, values in episodes.amounts["metrics"].items():
        if metric in told or metric.startswith((agreement.PREFIX, days.PREFIX)):
            continue
        known = ~np.isnan(values) & ~episodes.void
        mine = [values[known & (episodes.agent == agent)] for agent in range(len(episodes.agents))]
        means = [float(found.mean()) if len(found) else None for found in mine]
        rows.append((metric, int(known.sum()), *means))
    head = ("figure", "episodes", *episodes.agents)
    return ReportTable("metrics", "Other figures, means", head, tuple(rows), agents=len(episodes.agents))
