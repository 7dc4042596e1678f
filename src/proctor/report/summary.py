"""A report as data: what the terminal, Markdown, JSON and the page show, worked out once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.report import failures, tables
from proctor.report.cells import ReportTable, clean_figures
from proctor.report.episodes import Episodes
from proctor.report.every_table import every_table
from proctor.report.game import TOGETHER, Gamed, game_figures, game_tables
from proctor.report.grid import ResultGrid, grid_of
from proctor.report.humans import human_tables
from proctor.report.matrix import THRESHOLD, Matrix, explanation, matrices
from proctor.report.read_runs import RunRead
from proctor.report.reviews import review_tables
from proctor.report.spreads import Spread, spreads
from proctor.report.statistics import CONFIDENCE, Paired, Rate, holm, pair, success_rate

METHOD = (
    "Success is the share of scored episodes that passed; void episodes are left out. Clean success is the share that "
    "passed and changed nothing besides what the task asked for, among the episodes in which that could be checked; "
    "the others count as unknown. If anything was unclean, all comparisons, rankings, breakdowns and pass@k use clean "
    "success, otherwise success. The raw figure is success with void episodes counted as not passed, as other "
    "harnesses do. Intervals (95 %) are Wilson's score intervals on the effective number of "
    "episodes: their number divided by the design effect of clustering by task. Agents are compared on common tasks: "
    "the interval of a difference is Agresti and Min's for matched pairs, the p-value that of a sign-flip permutation "
    "test on the differences by task, after Holm's correction."
)
COLUMNS = (
    "Active is the share of scored episodes that the agent itself ended, by saying that it is done, by an answer or by "
    "giving up, rather than a limit or a crash. Steps and seconds are medians over scored episodes; cost is the total. "
    "Stale is the share of all steps taken on a screen that had changed by itself since the agent saw it. "
    "Assisted are episodes in which a person acted in the agent's place; the person's time is a figure of its own "
    "(human_seconds) and not in the seconds."
)


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """One agent in figures."""

    agent: str
    episodes: int
    void: int
    success: Rate
    """Void episodes left out."""
    clean: Rate
    """Those that passed and changed nothing else, of those that somebody could look at for it."""
    raw: Rate
    """Void episodes counted as not passed."""
    score: float | None
    """The mean, parts of tasks counted."""
    active_finish: float | None
    steps: float | None
    """The median, as of seconds."""
    seconds: float | None
    stale: float | None
    """The share of steps that were taken on a view of the screen that no longer held; None where nobody compared."""
    cost_usd: float | None
    """Of all episodes together; None when it is not known for each of them."""
    assisted: int = 0
    """In how many episodes a person acted in its place."""

    @property
    def clean_unknown(self) -> int:
        """How many scored episodes nobody could look at for side effects."""
        return self.success.episodes - self.clean.episodes

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        named = (
            "agent",
            "episodes",
            "void",
            "score",
            "active_finish",
            "steps",
            "seconds",
            "stale",
            "cost_usd",
            "assisted",
        )
        return {
            **{name: getattr(self, name) for name in named},
            "success": self.success.value,
            "interval": list(self.success.interval),
            "passed": self.success.passed,
            **clean_figures(self.clean, self.success),
            "tasks": self.raw.tasks,
            "raw_success": self.raw.value,
            "raw_interval": list(self.raw.interval),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on their common tasks."""

    first: str
    second: str
    paired: Paired
    adjusted: float
    """The p-value after Holm's correction over all pairs of the report."""

    @property
    def distinguishable(self) -> bool:
        """Whether chance is an unlikely reason for the difference."""
        return self.paired.difference is not None and self.adjusted <= 1 - CONFIDENCE

    @property
    def verdict(self) -> str:
        """What is to be concluded, in words."""
        if self.paired.difference is None:
            return "no common tasks"
        if self.distinguishable:
            return f"{'first' if self.paired.difference > 0 else 'second'} is better"
        return "indistinguishable"

    @property
    def would_separate(self) -> str:
        """How much more would tell the two apart, if their difference is the one seen."""
        if self.distinguishable or self.paired.difference is None:
            return ""
        if self.paired.needed_tasks is None:
            return "unknown: no difference was seen" if not self.paired.difference else "unknown: one task is too few"
        ways = []
        if self.paired.needed_tasks > self.paired.tasks:
            ways.append(f"{self.paired.needed_tasks - self.paired.tasks:,} more tasks")
        if self.paired.needed_attempts:
            ways.append(f"{self.paired.needed_attempts:,} attempts at each task")
        return " or ".join(ways) or "a few more tasks"

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "first": self.first,
            "second": self.second,
            **asdict(self.paired),
            "interval": list(self.paired.interval),
            "adjusted_p": self.adjusted,
            **{name: getattr(self, name) for name in ("distinguishable", "verdict", "would_separate")},
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All that is reported."""

    runs: tuple[RunRead, ...]
    grid: ResultGrid
    """How each task ended, by each agent."""
    agents: tuple[AgentSummary, ...]
    gaming: tuple[Gamed, ...]
    """Agents that try to score without doing the work, and all of them together where there are several."""
    comparisons: tuple[Comparison, ...]
    tables: tuple[ReportTable, ...]
    """Only those that say something."""
    matrices: tuple[Matrix, ...]
    threshold: float
    spreads: tuple[Spread, ...]
    unjudged: int = 0
    """Episodes that were not to be judged; the grid alone has them."""
    headline: str = "success"
    """What is compared and ranked: `clean success` where some success was not clean."""

    @property
    def episodes(self) -> int:
        """How many there were."""
        return sum(agent.episodes for agent in self.agents) + sum(each.episodes for each in self.apart)

    @property
    def void(self) -> int:
        """How many of them say nothing."""
        return sum(agent.void for agent in self.agents) + sum(each.void for each in self.apart)

    @property
    def apart(self) -> tuple[Gamed, ...]:
        """The agents that try to score without doing the work, each by itself."""
        return tuple(each for each in self.gaming if each.agent != TOGETHER)

    @property
    def unfinished_runs(self) -> tuple[str, ...]:
        """The runs that go on, or were interrupted."""
        return tuple(run.folder for run in self.runs if not run.finished)

    @property
    def shared_agents(self) -> tuple[str, ...]:
        """The agents that more than one run has."""
        listed = [agent for run in self.runs for agent in run.agents]
        return tuple(sorted({agent for agent in listed if listed.count(agent) > 1}))

    @property
    def pooled_agents(self) -> tuple[str, ...]:
        """Those of them whose episodes were put together rather than told apart by their run."""
        known = {*(agent.agent for agent in self.agents), *(each.agent for each in self.apart)}
        return tuple(agent for agent in self.shared_agents if agent in known)

    def headline_rate(self, agent: AgentSummary) -> Rate:
        """Return the rate by which an agent is compared and ranked."""
        return agent.clean if self.headline == tables.CLEAN else agent.success

    def table(self, name: str) -> ReportTable | None:
        """Return a table by its name."""
        return next((table for table in self.tables if table.name == name), None)

    def plain(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "runs": [asdict(run) for run in self.runs],
            "finished": not self.unfinished_runs,
            "episodes": self.episodes,
            "void": self.void,
            "unjudged": self.unjudged,
            "confidence": CONFIDENCE,
            "method": METHOD,
            "columns": COLUMNS,
            "grid": self.grid.plain(),
            "shared_agents": list(self.shared_agents),
            "pooled_agents": list(self.pooled_agents),
            "headline": self.headline.replace(" ", "_"),
            "agents": [agent.plain() for agent in self.agents],
            "gaming": [each.plain() for each in self.gaming],
            "comparisons": [comparison.plain() for comparison in self.comparisons],
            "matrix": {
                "threshold": self.threshold,
                "note": explanation(self.threshold),
                "agents": [matrix.plain() for matrix in self.matrices],
            },
            "tables": {table.name: table.plain() for table in self.tables},
        }


def summarise(
    episodes: Episodes,
    runs: Sequence[RunRead] = (),
    *,
    threshold: float = THRESHOLD,
    capabilities: str = "disjoint",
) -> Report:
    """Work out a report; agents that try to score without doing the work have figures of their own."""
    judged = episodes.keep(episodes.judged)
    honest, cheating = judged, judged.of_agents(judged.gaming) if any(judged.gaming) else None
    if cheating is not None:
        honest = judged.of_agents([not games for games in judged.gaming])
    won = game_figures(cheating) if cheating is not None else ()
    found = [
        *(game_tables(cheating, won) if cheating is not None else ()),
        *(every_table(honest, capabilities) if honest.agents else ()),
        failures.flags(judged),
        *review_tables([Path(run.folder) for run in runs]),
        *human_tables(runs),
    ]
    drawn = matrices(honest, threshold) if honest.agents else ()
    return Report(
        runs=tuple(runs),
        grid=grid_of(episodes, [Path(run.folder) for run in runs]),
        agents=_agents(honest),
        gaming=won,
        comparisons=_comparisons(honest),
        tables=tuple(table for table in found if table.rows),
        matrices=tuple(matrix for matrix in drawn if matrix.cells),
        threshold=threshold,
        spreads=spreads(honest) if honest.agents else (),
        unjudged=int((~episodes.judged).sum()),
        headline=tables.headline_of(honest),
    )


def _agents(episodes: Episodes) -> tuple[AgentSummary, ...]:
    scored, raw, clean = (episodes.by_task(measure) for measure in ("success", "raw", "clean"))
    finish = failures.active_finish(episodes)
    found = []
    for place, agent in enumerate(episodes.agents):
        mine = episodes.agent == place
        counted = mine & ~episodes.void
        cost = float(episodes.figures["cost_usd"][mine].sum())
        found.append(
            AgentSummary(
                agent=agent,
                episodes=int(mine.sum()),
                void=int((mine & episodes.void).sum()),
                success=success_rate(scored[0][place], scored[1][place]),
                clean=success_rate(clean[0][place], clean[1][place]),
                raw=success_rate(raw[0][place], raw[1][place]),
                score=float(episodes.score[counted].mean()) if counted.any() else None,
                active_finish=finish[place],
                steps=_median(episodes.figures["steps"][counted]),
                seconds=_median(episodes.figures["seconds"][counted]),
                stale=_stale(episodes.figures["stale"][mine], episodes.figures["steps"][mine]),
                cost_usd=None if np.isnan(cost) else cost,
                assisted=int((mine & episodes.assists).sum()),
            )
        )
    return tuple(found)


def _stale(stale: NDArray[np.float64], steps: NDArray[np.float64]) -> float | None:
    known = ~np.isnan(stale)
    taken = float(steps[known].sum())
    return float(stale[known].sum()) / taken if taken else None


def _median(values: NDArray[np.float64]) -> float | None:
    return float(np.median(values)) if len(values) else None


def _comparisons(episodes: Episodes) -> tuple[Comparison, ...]:
    passed, scored = episodes.by_task()
    pairs = list(itertools.combinations(range(len(episodes.agents)), 2))
    outcomes = [pair((passed[a], scored[a]), (passed[b], scored[b])) for a, b in pairs]
    chances = holm([outcome.p for outcome in outcomes])
    return tuple(
        Comparison(episodes.agents[a], episodes.agents[b], outcome, chance)
        for (a, b), outcome, chance in zip(pairs, outcomes, chances, strict=True)
    )
