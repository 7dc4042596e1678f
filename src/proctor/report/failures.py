"""Why episodes ended, how agents failed, what they broke, and what says nothing about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.episodes import Episodes, Mask
from proctor.report.statistics import Counts

MOST_NAMED = 100
"""Side effects that are listed one by one."""

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
    counts = episodes.count(labels)
    rows: list[tuple[Cell, ...]] = []
    for place in np.argsort(-counts.sum(axis=0), kind="stable"):
        mine = counts[:, place]
        rows.append((episodes.labels[labels].names[place], int(mine.sum()), *_parts(mine, totals)))
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
    scored = ~episodes.void
    known = scored & episodes.known
    rows: list[tuple[Cell, ...]] = [
        (severity, int(amounts[known].sum()), *_share_of(episodes, known, amounts > 0))
        for severity, amounts in episodes.amounts["collateral"].items()
    ]
    if (scored & ~known).any():
        rows.append(("unknown", None, *_share_of(episodes, scored, ~known)))
    note = (
        "Shares of scored episodes with at least one side effect of that severity, among those in which side "
        "effects could be checked; unknown is the share of all scored episodes in which they could not."
    )
    head = ("severity", "side effects", *episodes.agents)
    return ReportTable("collateral", "Side effects", head, tuple(rows), note, len(episodes.agents))


def besides(episodes: Episodes) -> ReportTable:
    """Return what agents changed that the task did not ask for, part by part."""
    found = Counter(
        (episodes.agents[episodes.agent[at]], episodes.tasks[episodes.task[at]], what)
        for at, told in episodes.besides.items()
        if not episodes.void[at]
        for what in told
    )
    rows = [(agent, task, what, number) for (agent, task, what), number in sorted(found.items())]
    left = len(rows) - MOST_NAMED
    note = "Paths, and the named parts of documents and of what programs and services keep."
    note += f" {left:,} more are not listed." if left > 0 else ""
    head = ("agent", "task", "changed though nobody asked", "episodes")
    return ReportTable("besides", "All side effects", head, tuple(rows[:MOST_NAMED]), note)


def flags(episodes: Episodes) -> ReportTable:
    """Return how many signs there are that agents tried to reach the judge or the answer, by rule."""
    everything = np.ones(len(episodes), dtype=bool)
    rows: list[tuple[Cell, ...]] = [
        (rule, int(amounts.sum()), *_share_of(episodes, everything, amounts > 0))
        for rule, amounts in episodes.amounts["flags"].items()
    ]
    note = (
        "Shares of all episodes with at least one sign of that kind; `canary` is a planted token that turned up. A "
        "sign is not a proof and never changes a score: the replay shows what was done."
    )
    head = ("flag", "signs", *episodes.agents)
    title = "Attempts to reach the judge or the answer"
    return ReportTable("flags", title, head, tuple(rows), note, len(episodes.agents))


def _share_of(episodes: Episodes, counted: Mask, which: Mask) -> list[Percent | None]:
    return _parts(_by_agent(episodes, counted & which), _by_agent(episodes, counted))


def _parts(counts: Counts, totals: Counts) -> list[Percent | None]:
    return [Percent(count / total) if total else None for count, total in zip(counts, totals, strict=True)]


def _by_agent(episodes: Episodes, which: Mask | None = None) -> Counts:
    agents = episodes.agent if which is None else episodes.agent[which]
    return np.bincount(agents, minlength=len(episodes.agents))
