"""Every table about the work of agents, in the order of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proctor.report import ablations, failures, long_work, tables
from proctor.report.agreement import critics
from proctor.report.cells import ReportTable
from proctor.report.costs import costs
from proctor.report.days import days
from proctor.report.episodes import DIMENSIONS, Episodes
from proctor.report.events import disturbances, events
from proctor.report.graphs import graph_tables
from proctor.report.pairs import pairs


def every_table(episodes: Episodes, capabilities: str) -> list[ReportTable]:
    """Return all tables about the work of agents, also those without a row."""
    return [
        *(tables.breakdown(episodes, dimension) for dimension in DIMENSIONS),
        *graph_tables(episodes, capabilities),
        long_work.parts(episodes),
        long_work.checkpoints(episodes),
        long_work.scenarios(episodes),
        failures.stops(episodes),
        failures.modes(episodes),
        failures.voids(episodes),
        failures.collateral(episodes),
        failures.besides(episodes),
        disturbances(episodes),
        events(episodes),
        days(episodes),
        pairs(episodes),
        tables.distributions(episodes),
        costs(episodes),
        tables.repeats(episodes),
        *_number_names(ablations.ablations(episodes)),
        ablations.paraphrases(episodes),
        critics(episodes),
        tables.metrics(episodes),
        tables.difficulties(episodes),
    ]


def _number_names(found: Sequence[ReportTable]) -> list[ReportTable]:
    """Return tables with different names, where a setting varies in several families of agents."""
    names: dict[str, int] = {}
    numbered = []
    for table in found:
        names[table.name] = number = names.get(table.name, 0) + 1
        numbered.append(table if number == 1 else replace(table, name=f"{table.name}_{number}"))
    return numbered
