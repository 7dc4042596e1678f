"""Judging a run again from the evidence in its record, without a computer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from proctor.errors import CheckError, SpecError
from proctor.records import EpisodeKey, Result
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.tasks.judge import regrade
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task

Setter = Callable[[Result], Task]
"""Returns the task by which an episode is judged again."""


@dataclass(frozen=True)
class Regrade:
    """One episode judged again."""

    key: EpisodeKey
    before: float
    after: float | None
    """None when the evidence does not suffice."""
    why: str = ""
    """What is missing now, or why it could not be judged."""

    @property
    def differs(self) -> bool:
        """Whether the score is another one now."""
        return self.after != self.before


def regrade_run(record: RunRecord, task_of: Setter | None = None) -> Iterator[Regrade]:
    """Judge every scored episode again, by the tasks in the record unless told otherwise."""
    setter = task_of or _recorded_tasks(record)
    for result in record.final():
        if result.score is None:
            continue
        verdict = open_episode(record.paths.at(result.folder)).verdict
        try:
            if verdict is None:
                raise CheckError("the record holds no verdict", remedy="see `proctor runs verify`")
            now = regrade(setter(result), verdict.evidence)
        except (CheckError, SpecError) as error:
            yield Regrade(result.key, result.score, None, error.message)
            continue
        yield Regrade(result.key, result.score, now.score, " ".join(now.feedback))


def _recorded_tasks(record: RunRecord) -> Setter:
    known: dict[str, Task] = {}

    def task_of(result: Result) -> Task:
        if result.digest not in known:
            known[result.digest] = task_from_json(json.loads(record.task(result.digest)))
        return known[result.digest]

    return task_of
