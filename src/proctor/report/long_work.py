"""Long work: which checkpoints agents reach, and whether they solve a scenario with every seed."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.episodes import Episodes
from proctor.report.statistics import mean_of_shares, success_rate
from proctor.report.tables import headline_of

REACHED_NOTE = (
    "Share of scored episodes in which a checkpoint held at the end, in the order in which the solution reaches them; "
    "where a share falls is where agents stop. Checkpoints that were given to the agent are left out."
)


def parts(episodes: Episodes) -> ReportTable:
    """Return how many tasks with checkpoints were completed, and what their parts earned."""
    rows: list[tuple[Cell, ...]] = []
    with_parts = np.zeros(len(episodes), dtype=bool)
    with_parts[list(episodes.checkpoints)] = True
    tasks = len(episodes.tasks)
    for agent, name in enumerate(episodes.agents):
        mine = with_parts & (episodes.agent == agent) & ~episodes.void
        if not mine.any():
            continue
        counts = np.bincount(episodes.task[mine], minlength=tasks)
        done = np.bincount(episodes.task[mine & episodes.passes], minlength=tasks)
        sums = np.bincount(episodes.task[mine], weights=episodes.score[mine], minlength=tasks).astype(np.float64)
        held = [list(episodes.checkpoints[at].values()) for at in np.flatnonzero(mine).tolist()]
        reached = Percent(np.mean([sum(each) / len(each) for each in held]))
        rows.append(
            (name, int(mine.sum()), success_rate(done, counts), mean_of_shares(sums, counts, len(held)), reached)
        )
    head = ("agent", "episodes", "complete", "score", "checkpoints reached")
    note = (
        "Episodes of tasks with checkpoints. Complete: all of them held. Score: what those that held weigh, on average."
    )
    return ReportTable("parts", "Long tasks", head, tuple(rows), note)


def checkpoints(episodes: Episodes) -> ReportTable:
    """Return for each checkpoint in what share of the episodes each agent reached it."""
    tallies: dict[tuple[int, str], list[list[bool]]] = defaultdict(lambda: [[] for _ in episodes.agents])
    order: dict[tuple[int, str], int] = {}
    for at, held in episodes.checkpoints.items():
        for number, (name, holds) in enumerate(held.items(), 1):
            place = (int(episodes.task[at]), name)
            order.setdefault(place, number)
            if not np.isnan(episodes.score[at]):
                tallies[place][episodes.agent[at]].append(holds)
    rows: list[tuple[Cell, ...]] = []
    for place in sorted(tallies, key=lambda place: (episodes.tasks[place[0]], order[place])):
        shares = (Percent(np.mean(found)) if found else None for found in tallies[place])
        rows.append((episodes.tasks[place[0]], order[place], place[1], *shares))
    head = ("task", "number", "checkpoint", *episodes.agents)
    return ReportTable("checkpoints", "Where agents stop", head, tuple(rows), REACHED_NOTE, len(episodes.agents))


def scenarios(episodes: Episodes) -> ReportTable:
    """Return in how many scenarios each agent was successful with every seed, beside the mean."""
    rows: list[tuple[Cell, ...]] = []
    for agent, name in enumerate(episodes.agents):
        mine = (episodes.agent == agent) & episodes.comparable
        cases: dict[int, dict[int, bool]] = defaultdict(dict)
        won = episodes.successes
        for at in np.flatnonzero(mine).tolist():
            found = cases[int(episodes.task[at])]
            case = int(episodes.case[at])
            found[case] = found.get(case, True) and bool(won[at])
        several = {task: found for task, found in cases.items() if len(found) > 1}
        if not several:
            continue
        every = np.array([all(found.values()) for found in several.values()], dtype=np.int64)
        chosen = mine & np.isin(episodes.task, list(several))
        counts = np.bincount(episodes.task[chosen], minlength=len(episodes.tasks))
        passed = np.bincount(episodes.task[chosen & won], minlength=len(episodes.tasks))
        seeds = float(np.mean([len(found) for found in several.values()]))
        rows.append((name, len(several), seeds, success_rate(every, np.ones_like(every)), success_rate(passed, counts)))
    head = ("agent", "scenarios", "variants each", "solved in every variant", headline_of(episodes))
    note = (
        "A scenario is a task with all its seeds and wordings; it is solved if every scored episode of it is a "
        f"{headline_of(episodes)}. Intervals are over scenarios."
    )
    return ReportTable("scenarios", "Consistency over seeds", head, tuple(rows), note)
