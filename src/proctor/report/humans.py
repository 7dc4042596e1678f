"""What people came to who did tasks in the studio, and agents on the same tasks beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from proctor.errors import RecordError
from proctor.records import Result
from proctor.report.cells import Cell, Percent, ReportTable
from proctor.report.read_runs import RunRead
from proctor.report.statistics import Rate, success_rate
from proctor.store.account import ACCOUNT
from proctor.store.bounds import load_json
from proctor.store.files import read_whole
from proctor.store.run import RunRecord

HUMAN = "human"
TIMED = "validate"
MOST_FAULTS = 3
MOST_WORDS = 120

_NOTE = (
    "People's episodes that were timed in the studio, not those recorded to show how something is done, and "
    "the other agents on the same tasks. Seconds are a median over passed episodes, for people not counting pauses. "
    "Agreement of people is how often two people got the same result on a task; that of an agent is how often its "
    "usual result on a task is that of most people. Clear and hard are means of their "
    "ratings from 1 to 5."
)
_TASKS_NOTE = "Only tasks that people did against the clock; the hardest for them first."


@dataclass(frozen=True, slots=True)
class Attempt:
    """One person at one task."""

    result: Result
    account: dict[str, Any]

    @property
    def person(self) -> str:
        """Who it was."""
        return str(self.account.get("person", ""))

    @property
    def seconds(self) -> float | None:
        """How long they worked."""
        return _number(self.account.get("working_seconds"))

    @property
    def fault(self) -> str:
        """What they say is wrong with the task."""
        fault = self.account.get("fault")
        return " ".join(fault.split())[:MOST_WORDS] if isinstance(fault, str) else ""


@dataclass
class _Task:
    attempts: list[Attempt] = field(default_factory=list)
    others: dict[str, list[Result]] = field(default_factory=dict)

    @property
    def mostly_passed(self) -> bool:
        passed = [attempt.result.passed for attempt in self.attempts]
        return 2 * sum(passed) > len(passed)


def human_tables(runs: Sequence[RunRead]) -> list[ReportTable]:
    """Return two tables, without rows where no person did a task against the clock."""
    found: dict[str, _Task] = {}
    if any(HUMAN in run.agents for run in runs):
        _gather(runs, found)
    return [_people(found), _tasks(found)]


def _gather(runs: Sequence[RunRead], found: dict[str, _Task]) -> None:
    others: list[Result] = []
    for run in runs:
        for result in RunRecord.open(Path(run.folder)).final():
            if result.score is None:
                continue
            if result.key.agent != HUMAN:
                others.append(result)
            elif (account := _account(Path(run.folder) / result.folder)).get("kind") == TIMED:
                found.setdefault(result.key.task, _Task()).attempts.append(Attempt(result, account))
    for result in others:
        if task := found.get(result.key.task):
            task.others.setdefault(result.key.agent, []).append(result)


def _account(folder: Path) -> dict[str, Any]:
    try:
        data = load_json(read_whole(folder / ACCOUNT))
    except (RecordError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _people(tasks: dict[str, _Task]) -> ReportTable:
    head = (
        "who",
        "people",
        "tasks",
        "episodes",
        "success",
        "seconds",
        "agreement",
        "clear",
        "hard",
        "gave up",
        "faults",
    )
    everyone = [attempt for task in tasks.values() for attempt in task.attempts]
    rows: list[tuple[Cell, ...]] = []
    if everyone:
        timed = [attempt.seconds for attempt in everyone if attempt.result.passed and attempt.seconds is not None]
        rows.append(
            (
                HUMAN,
                len({attempt.person for attempt in everyone}),
                len(tasks),
                len(everyone),
                _success([attempt.result for attempt in everyone]),
                _middle(timed),
                _agreement(tasks.values()),
                _mean(everyone, "clarity"),
                _mean(everyone, "difficulty"),
                sum(attempt.result.stop == "gave_up" for attempt in everyone),
                sum(bool(attempt.fault) for attempt in everyone),
            )
        )
    for agent in dict.fromkeys(agent for task in tasks.values() for agent in task.others):
        mine = [task for task in tasks.values() if agent in task.others]
        results = [result for task in mine for result in task.others[agent]]
        seconds = [result.seconds for result in results if result.passed]
        alike = [_mostly(task.others[agent]) == task.mostly_passed for task in mine]
        gave_up = sum(result.stop == "gave_up" for result in results)
        rows.append(
            (agent, None, len(mine), len(results), _success(results), _middle(seconds),
             Percent(mean(alike)), None, None, gave_up, None)
        )  # fmt: skip
    return ReportTable("humans", "People, timed, and agents on the same tasks", head, tuple(rows), _NOTE)


def _tasks(tasks: dict[str, _Task]) -> ReportTable:
    head = ("task", "people", "passed", "seconds", "clear", "hard", "agents that mostly pass", "faults")
    rows: list[tuple[Cell, ...]] = []
    order = sorted(tasks.items(), key=lambda item: (mean(a.result.passed for a in item[1].attempts), item[0]))
    for name, task in order:
        passed = [attempt for attempt in task.attempts if attempt.result.passed]
        faults = [attempt.fault for attempt in task.attempts if attempt.fault]
        rows.append(
            (
                name,
                len({attempt.person for attempt in task.attempts}),
                f"{len(passed)} of {len(task.attempts)}",
                _middle([attempt.seconds for attempt in passed if attempt.seconds is not None]),
                _mean(task.attempts, "clarity"),
                _mean(task.attempts, "difficulty"),
                f"{sum(_mostly(results) for results in task.others.values())} of {len(task.others)}",
                "; ".join(faults[:MOST_FAULTS]) + (" ..." if len(faults) > MOST_FAULTS else ""),
            )
        )
    return ReportTable("human_tasks", "People's results, task by task", head, tuple(rows), _TASKS_NOTE)


def _success(results: Sequence[Result]) -> Rate:
    by_task: dict[str, list[bool]] = {}
    for result in results:
        by_task.setdefault(result.key.task, []).append(result.passed)
    passed, tried = ([count(each) for each in by_task.values()] for count in (sum, len))
    return success_rate(np.array(passed), np.array(tried))


def _agreement(tasks: Iterable[_Task]) -> Percent | None:
    """Return the share of pairs of people at one task who came out alike; None without a pair."""
    alike = [
        one.result.passed == other.result.passed
        for task in tasks
        for one, other in combinations(task.attempts, 2)
        if one.person != other.person
    ]
    return Percent(mean(alike)) if alike else None


def _mostly(results: Sequence[Result]) -> bool:
    return 2 * sum(result.passed for result in results) > len(results)


def _middle(values: Sequence[float]) -> float | None:
    return float(median(values)) if values else None


def _mean(attempts: Sequence[Attempt], name: str) -> float | None:
    found = [value for attempt in attempts if (value := _number(attempt.account.get(name))) is not None]
    return round(mean(found), 2) if found else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
