"""What people said of episodes in the studio, beside what the checks and the record say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from proctor.records import Result
from proctor.report.agreement import Confusion
from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.statistics import or_none
from proctor.store.reviews import Review, read_reviews
from proctor.store.run import RunRecord

_NOTE = (
    "Reviewers looked at the replay and said whether the task was done, which step was wrong first, and how it failed; "
    "this is never part of a score. Agreement is how often they judge as the checks do; Cohen's kappa is the agreement "
    "beyond chance. Missed: passed, but the reviewer says failed. Believed: failed, but the reviewer says passed. "
    "The first wrong step is a median, counted from 1."
)
_MODES_NOTE = (
    "Of the reviewed episodes only: in how many the record finds a mode of failure, in how many a reviewer does, and "
    "in how many both do."
)


class _Reviewed(NamedTuple):
    result: Result
    reviews: list[Review]


def review_tables(runs: Sequence[Path]) -> list[ReportTable]:
    """Return two tables, without rows where nobody reviewed anything."""
    reviewed = [each for run in runs for each in _reviewed_episodes(run)]
    return [_agents(reviewed), _modes(reviewed)]


def _reviewed_episodes(run: Path) -> list[_Reviewed]:
    reviews = read_reviews(run)
    if not reviews:
        return []
    results = RunRecord.open(run).final()
    return [_Reviewed(result, reviews[result.folder]) for result in results if result.folder in reviews]


def _agents(reviewed: Sequence[_Reviewed]) -> ReportTable:
    head = ("agent", "reviewed", "reviews", "agreement", "kappa", "missed", "believed", "first wrong step")
    rows: list[tuple[Cell, ...]] = []
    agents = list(dict.fromkeys(each.result.key.agent for each in reviewed))
    for agent in agents:
        mine = [each for each in reviewed if each.result.key.agent == agent]
        said = [(each.result.passed, one.success) for each in mine for one in each.reviews if one.success is not None]
        found = Confusion.of([passed for passed, _ in said], [success for _, success in said])
        steps = [one.first_wrong + 1 for each in mine for one in each.reviews if one.first_wrong is not None]
        rows.append(
            (
                agent,
                len(mine),
                sum(len(each.reviews) for each in mine),
                Percent(found.accuracy) if said else None,
                or_none(found.kappa),
                found.fn,
                found.fp,
                float(median(steps)) if steps else None,
            )
        )
    return ReportTable("reviews", "Reviewers compared with the checks", head, tuple(rows), _NOTE)


def _modes(reviewed: Sequence[_Reviewed]) -> ReportTable:
    automatic, human, both = Counter[str](), Counter[str](), Counter[str]()
    for each in reviewed:
        told = {failure for one in each.reviews for failure in one.failures}
        automatic.update(each.result.modes)
        human.update(told)
        both.update(told & set(each.result.modes))
    names = sorted({*automatic, *human}, key=lambda name: (-automatic[name] - human[name], name))
    rows: list[tuple[Cell, ...]] = [(name, automatic[name], human[name], both[name]) for name in names]
    head = ("mode", "record", "reviewers", "both")
    return ReportTable("reviewed_modes", "How reviewed episodes failed", head, tuple(rows), _MODES_NOTE)
