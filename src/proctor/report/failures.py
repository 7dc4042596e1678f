"""Why episodes ended, how agents failed, what they broke, and what says nothing about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.episodes import Episodes, Mask
from proctor.report.statistics import Counts

ACTIVE = frozenset({"done", "answered", "gave_up"})
"""Stops by the agent's own word."""


def active_finish(episodes: Episodes) -> list[float | None]:
    """Return how often each agent itself ended a scored episode, rather than a limit or a crash."""
    labels = episodes.labels["stop"]
    active = np.isin(labels.codes, [place for place, name in enumerate(labels.names) if name in ACTIVE])
    own = np.bincount(episodes.agent[labels.rows[active & ~episodes.void[labels.rows]]], minlength=len(episodes.agents))
    scored = _by_agent(episodes, ~episodes.void)
    return [float(ended / all_) if all_ else None for ended, all_ in zip(own, scored, strict=True)]


def stops(episodes: Episodes) -> ReportTable:
    """Return how often each reason ended an episode."""
    note = "Shares of all episodes. An agent finishes actively when it says that it is done, answers or gives up."
    return _shares(
        episodes, "stop", ReportTable("stop_reasons", "Why episodes ended", (), (), note), _by_agent(episodes)
    )


def modes(episodes: Episodes) -> ReportTable:
    """Return how often each mode of failure was seen."""
    note = (
        "Shares of scored episodes; one may show several. broke_the_computer: the computer failed after the agent had "
        "acted on it, while its host was well."
    )
    frame = ReportTable("failure_modes", "How agents failed", (), (), note)
    return _shares(episodes, "mode", frame, _by_agent(episodes, ~episodes.void))


def _shares(episodes: Episodes, labels: str, frame: ReportTable, totals: Counts) -> ReportTable:
    """Fill a table with the share of each agent's episodes that carry each label."""
    counts = episodes.count(labels)
    rows: list[tuple[Cell, ...]] = []
    for place in np.argsort(-counts.sum(axis=0), kind="stable"):
        found = zip(counts[:, place], totals, strict=True)
        shares = (Percent(count / total) if total else None for count, total in found)
        rows.append((episodes.labels[labels].names[place], int(counts[:, place].sum()), *shares))
    head = (labels, "episodes", *episodes.agents)
    return replace(frame, head=head, rows=tuple(rows), agents=len(episodes.agents))


def voids(episodes: Episodes) -> ReportTable:
    """Return whose failure made episodes void, with an example of what was said."""
    counts = episodes.count("cause")
    rows: list[tuple[Cell, ...]] = [
        (label, episodes.errors.get(label, ""), *(int(count) for count in counts[:, place]))
        for place, label in enumerate(episodes.labels["cause"].names)
    ]
    if episodes.retried.any():
        rows.append(("tried again", "", *(int(count) for count in episodes.retried)))
    note = (
        "A void episode says nothing about the agent: the host, the setup, the model's provider or Proctor itself "
        "failed. Please report a defect, with the trace in the episode's record. Those tried again are not counted "
        "elsewhere."
    )
    head = ("cause", "for example", *episodes.agents)
    return ReportTable("voids", "Void episodes", head, tuple(rows), note, len(episodes.agents))


def collateral(episodes: Episodes) -> ReportTable:
    """Return what agents changed that the task did not ask for, by severity."""
    scored = ~episodes.void & episodes.known
    totals = _by_agent(episodes, scored)
    rows: list[tuple[Cell, ...]] = []
    for severity, amounts in episodes.amounts["collateral"].items():
        found = zip(_by_agent(episodes, scored & (amounts > 0)), totals, strict=True)
        shares = (Percent(count / total) if total else None for count, total in found)
        rows.append((severity, int(amounts[scored].sum()), *shares))
    unknown = ~episodes.void & ~episodes.known
    if unknown.any():
        found = zip(_by_agent(episodes, unknown), _by_agent(episodes, ~episodes.void), strict=True)
        rows.append(("unknown", None, *(Percent(count / total) if total else None for count, total in found)))
    note = (
        "Shares of scored episodes with at least one side effect of that severity, of those in which somebody could "
        "look; unknown is the share of all scored episodes in which nobody could."
    )
    head = ("severity", "side effects", *episodes.agents)
    return ReportTable("collateral", "Side effects", head, tuple(rows), note, len(episodes.agents))


def flags(episodes: Episodes) -> ReportTable:
    """Return how many signs there are that agents tried to reach the judge or the answer, by rule."""
    totals = _by_agent(episodes)
    rows: list[tuple[Cell, ...]] = []
    for rule, amounts in episodes.amounts["flags"].items():
        found = zip(_by_agent(episodes, amounts > 0), totals, strict=True)
        shares = (Percent(count / total) if total else None for count, total in found)
        rows.append((rule, int(amounts.sum()), *shares))
    note = (
        "Shares of all episodes with at least one sign of that kind; `canary` is a planted token that turned up. A "
        "sign is no proof and never changes a score: the replay shows what was done."
    )
    head = ("flag", "signs", *episodes.agents)
    return ReportTable(
        "flags", "Attempts to reach the judge or the answer", head, tuple(rows), note, len(episodes.agents)
    )


def _by_agent(episodes: Episodes, which: Mask | None = None) -> Counts:
    agents = episodes.agent if which is None else episodes.agent[which]
    return np.bincount(agents, minlength=len(episodes.agents))
