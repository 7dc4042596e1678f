"""Judging a run again from the evidence in its record, without a computer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from proctor.errors import CheckError, SpecError
from proctor.home import HOME
from proctor.records import EpisodeKey, Result
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.tasks.compare import beyond
from proctor.tasks.inside.compare import BEFORE, compare_states
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

    new: tuple[str, ...] = ()
    """Side effects inside documents and stores that count now and did not."""
    gone: tuple[str, ...] = ()
    """Those that counted and do not now."""

    @property
    def differs(self) -> bool:
        """Whether the score or what counts as side effects is another one now."""
        return self.after != self.before or bool(self.new or self.gone)


def regrade_run(record: RunRecord, task_of: Setter | None = None) -> Iterator[Regrade]:
    """Judge every scored episode again, by the tasks in the record unless told otherwise."""
    setter = task_of or _recorded_tasks(record)
    faithful = bool(record.config.get("rules", {}).get("faithful"))
    for result in record.final():
        if result.score is None:
            continue
        episode = open_episode(record.paths.at(result.folder))
        verdict = episode.verdict
        try:
            if verdict is None:
                raise CheckError("the record has no verdict", remedy="see `proctor runs verify`")
            task = setter(result)
            now = regrade(task, verdict.evidence)
            now = now.as_original() if faithful else now
            besides = _insides(task, verdict.evidence) if now.passed else []
        except (CheckError, SpecError) as error:
            yield Regrade(result.key, result.score, None, error.message)
            continue
        recorded = [f"{change.path}: {change.part}" for change in episode.changes if change.part and not change.file]
        new, gone = (tuple(beyond(*pair, key=_below_home)) for pair in ((besides, recorded), (recorded, besides)))
        yield Regrade(result.key, result.score, now.score, " ".join(now.feedback), new, gone)


def _below_home(place: str) -> str:
    """Return a place as it is told wherever the user's home was."""
    path, divider, part = place.partition(": ")
    return f"{path.rpartition('/')[2]}{divider}{part}"


def _insides(task: Task, evidence: Mapping[str, object]) -> list[str]:
    """Return what changed besides inside documents and stores, by how a record says that they were."""
    before = evidence.get(BEFORE)
    found = compare_states(task, evidence, before if isinstance(before, Mapping) else {}, HOME)
    return [effect.place for effect in found.effects]


def _recorded_tasks(record: RunRecord) -> Setter:
    known: dict[str, Task] = {}

    def task_of(result: Result) -> Task:
        if result.digest not in known:
            known[result.digest] = task_from_json(json.loads(record.task(result.digest)))
        return known[result.digest]

    return task_of
