"""What agents won that try to score without doing the work: a figure about checks, never success."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from proctor.report.cells import Cell, ReportTable
from proctor.report.episodes import Episodes, Mask
from proctor.report.statistics import Rate, success_rate

TOGETHER = "all of them"
NOTE = (
    "Gamed is the share of tasks passed by an agent that tries to score without doing the work (95 % interval); one "
    "passed attempt is enough. It measures the checks, not the agent, and never counts as success; every task it "
    "passes shows a hole in a check."
)

_BEST = ("none", "some", "unknown")
"""Side effects of a task that was won several times: those of the cleanest of them that somebody looked at."""


@dataclass(frozen=True, slots=True)
class Gamed:
    """One agent that tries to score without doing the work, in figures."""

    agent: str
    episodes: int
    void: int
    gamed: Rate
    """Tasks won, of those in which an episode was scored."""
    clean: int
    """Of the tasks won, those in which nothing else was changed."""
    unknown: int
    """Of the tasks won, those of which nobody can say whether something else was."""
    strategies: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            **{name: getattr(self, name) for name in ("agent", "episodes", "void")},
            "gamed": self.gamed.value,
            "interval": list(self.gamed.interval),
            "tasks": self.gamed.tasks,
            "tasks_won": self.gamed.passed,
            "tasks_won_clean": self.clean,
            "tasks_won_clean_unknown": self.unknown,
            "strategies_that_won": list(self.strategies),
        }


def game_figures(episodes: Episodes) -> tuple[Gamed, ...]:
    """Return each of these agents, and all of them together where there are several."""
    agents = [(name, episodes.agent == place) for place, name in enumerate(episodes.agents)]
    everyone = [(TOGETHER, np.ones(len(episodes), dtype=bool))] if len(agents) > 1 else []
    return tuple(_game_figures(episodes, name, mine) for name, mine in (*agents, *everyone))


def _game_figures(episodes: Episodes, name: str, mine: Mask) -> Gamed:
    won = mine & episodes.passes
    looked_at = np.unique(episodes.task[won & episodes.known])
    return Gamed(
        agent=name,
        episodes=int(mine.sum()),
        void=int((mine & episodes.void).sum()),
        gamed=_tasks_won(episodes, mine),
        clean=len(np.unique(episodes.task[mine & episodes.clean])),
        unknown=len(np.setdiff1d(episodes.task[won], looked_at)),
        strategies=tuple(
            strategy
            for strategy in episodes.labels["strategy"].names
            if (won & episodes.with_label("strategy", strategy)).any()
        ),
    )


def _tasks_won(episodes: Episodes, which: Mask) -> Rate:
    tried = np.bincount(episodes.task[which & ~episodes.void], minlength=len(episodes.tasks)) > 0
    won = np.bincount(episodes.task[which & episodes.passes], minlength=len(episodes.tasks)) > 0
    return success_rate(won.astype(np.int64), tried.astype(np.int64))


def game_tables(episodes: Episodes, found: tuple[Gamed, ...]) -> list[ReportTable]:
    """Return who won how much, what each strategy won, and every task that was won."""
    agents: list[tuple[Cell, ...]] = [
        (
            each.agent,
            each.gamed,
            each.gamed.passed,
            each.clean,
            each.unknown,
            each.gamed.tasks,
            each.episodes,
            each.void,
        )
        for each in found
    ]
    head = ("agent", "gamed", "tasks won", "of them clean", "unknown", "tasks", "episodes", "void")
    return [
        ReportTable("gamed", "Gamed: tasks passed without doing the work", head, tuple(agents), NOTE),
        _by_strategy(episodes),
        _wins(episodes),
    ]


def _by_strategy(episodes: Episodes) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for strategy in episodes.labels["strategy"].names:
        which = episodes.with_label("strategy", strategy)
        rate = _tasks_won(episodes, which)
        rows.append((strategy, rate, rate.passed, rate.tasks, int(which.sum())))
    head = ("strategy", "gamed", "tasks won", "tasks", "episodes")
    return ReportTable("gamed_by_strategy", "Gamed by strategy", head, tuple(rows))


def _wins(episodes: Episodes) -> ReportTable:
    labels = episodes.labels["strategy"]
    strategy = dict(zip(labels.rows.tolist(), (labels.names[code] for code in labels.codes.tolist()), strict=True))
    found: dict[tuple[str, str, str], set[str]] = {}
    for place in np.flatnonzero(episodes.passes).tolist():
        key = (episodes.tasks[episodes.task[place]], episodes.agents[episodes.agent[place]], strategy.get(place, ""))
        effects = "none" if episodes.clean[place] else "some" if episodes.known[place] else "unknown"
        found.setdefault(key, set()).add(effects)
    rows = tuple((*key, min(effects, key=_BEST.index)) for key, effects in sorted(found.items()))
    return ReportTable(
        "gamed_wins", "Tasks passed without doing the work", ("task", "agent", "strategy", "side effects"), rows
    )
