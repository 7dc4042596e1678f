"""How a report is put to people: its headline, a line for each agent, comparisons, short names."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.plain_text import printable
from proctor.report.cells import Cell, Chance, Difference, Dollars, Percent, ReportTable, percent
from proctor.report.matrix import SCOPES, explanation
from proctor.report.summary import COLUMNS, METHOD, Report

UNKNOWN = "unknown"
"""The column of episodes that nobody could look at for side effects."""
NO_PRICE = "price unknown"
"""What stands for the cost of an agent that asked a model without a known price."""
MOST_NAMED = 5
"""Tasks that a sentence names; the rest are counted."""


def overview(report: Report) -> ReportTable:
    """Return one line for each agent."""
    rows: list[tuple[Cell, ...]] = []
    for agent in report.agents:
        finish = None if agent.active_finish is None else Percent(agent.active_finish)
        cost = NO_PRICE if agent.cost_usd is None else Dollars(agent.cost_usd)
        raw = None if agent.raw.value is None else Percent(agent.raw.value)
        counts = (agent.episodes, agent.void)
        stale = None if agent.stale is None else Percent(agent.stale)
        rows.append(
            (agent.agent, agent.clean, agent.clean_unknown, agent.success, raw, *counts, finish, agent.steps,
             agent.seconds, stale, agent.assisted, cost)
        )  # fmt: skip
    head = ("agent", "clean", UNKNOWN, "success", "raw", "episodes", "void", "active", "steps", "seconds", "stale",
            "assisted", "cost")  # fmt: skip
    return ReportTable("agents", "Agents", head, tuple(rows), f"{METHOD} {COLUMNS}")


def comparison_table(report: Report) -> ReportTable:
    """Return the comparisons for people."""
    rows: list[tuple[Cell, ...]] = []
    for item in report.comparisons:
        difference = None
        if item.paired.difference is not None:
            difference = Difference(item.paired.difference, item.paired.interval)
        outcome = (difference, Chance(item.adjusted), item.verdict, item.would_separate)
        rows.append((item.first, item.second, item.paired.tasks, *outcome))
    head = ("first", "second", "tasks", "difference", "p", "verdict", "what would separate them")
    note = (
        "Differences are in points, on common tasks, with Agresti and Min's interval for matched pairs. p is that of a "
        "sign-flip permutation test on the differences by task, after Holm's correction for the number of pairs. "
        "What would separate two agents is computed for 95 % confidence and 80 % power, and holds if their true "
        "difference is the one seen."
    )
    return ReportTable("comparisons", "Agents compared", head, tuple(rows), note)


def matrix_table(report: Report) -> ReportTable:
    """Return the matrices of all agents as one table, a line for each agent and level."""
    rows: list[tuple[Cell, ...]] = []
    for matrix in report.matrices:
        for level in matrix.levels:
            cells = [matrix.cells[level, scope] for scope in SCOPES]
            shown = (f"{cell.reached} of {cell.examined}{' ✓' if cell.holds else ''}" for cell in cells)
            rows.append((matrix.agent, level, *shown))
    return ReportTable(
        "matrix", "Level by scope", ("agent", "level", *SCOPES), tuple(rows), explanation(report.threshold)
    )


def headline(report: Report) -> str:
    """Return how much was examined, and whether it is all."""
    void = report.void
    number = f"{report.episodes:,} episode{'' if report.episodes == 1 else 's'}"
    text = f"{number}, {f'{void:,} of them void ({percent(void / report.episodes)})' if void else 'none void'}"
    if report.unjudged:
        text += f"; {report.unjudged:,} more not to be judged"
    if report.unfinished_runs:
        text += f"; not finished: {', '.join(report.unfinished_runs)}"
    return text


def about_runs(report: Report) -> str:
    """Return what to know of the runs: shared agents, tasks without a proof, episodes left out."""
    return " ".join(filter(None, [_about_shared(report), _unproven(report), _differences(report), _unfit(report)]))


def _about_shared(report: Report) -> str:
    if not report.shared_agents:
        return ""
    listed = ", ".join(report.shared_agents)
    if report.pooled_agents:
        return f"In more than one run, and combined: {listed}. With --compare each run is shown separately."
    return f"In more than one run, and compared run by run: {listed}."


def _unproven(report: Report) -> str:
    tasks = sorted({task for run in report.runs for task in run.unproven})
    if not tasks:
        return ""
    listed = ", ".join(map(printable, tasks[:MOST_NAMED])) + (
        f" and {len(tasks) - MOST_NAMED} more" * (len(tasks) > MOST_NAMED)
    )
    number = "1 task is" if len(tasks) == 1 else f"{len(tasks)} tasks are"
    return f"{number} unproven (no answer key shows that it can be done): {listed}."


def _differences(report: Report) -> str:
    listed = sorted({said for run in report.runs for said in run.differing})
    if not listed:
        return ""
    more = f"; {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    told = "; ".join(printable(said.rstrip(".")) for said in listed[:MOST_NAMED])
    return f"Verdicts that differ from those of the tasks' own system: {told}{more}."


def _unfit(report: Report) -> str:
    number = sum(run.unfit for run in report.runs)
    if not number:
        return ""
    left = "1 task of an agent was" if number == 1 else f"{number} tasks of agents were"
    return f"{left} left out, because the computer, the task and the agent do not fit (--skip-unfit)."


def short_names(agents: Sequence[str]) -> dict[str, str]:
    """Return each agent's label without the options that all agents of that name share."""
    families: dict[str, list[set[str]]] = {}
    for agent in agents:
        name, *options = agent.split(",")
        families.setdefault(name, []).append(set(options))
    shared = {name: set.intersection(*found) if len(found) > 1 else set() for name, found in families.items()}
    found = {}
    for agent in agents:
        name, *options = agent.split(",")
        found[agent] = ",".join([name, *(option for option in options if option not in shared[name])])
    return found


def letters(place: int) -> str:
    """Return A for 0, B for 1, AA after Z: what stands for an agent where its name has no room."""
    return (letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)
