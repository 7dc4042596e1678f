"""The desks of a studio, one for each person, and what a crash left of earlier ones."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from starlette.exceptions import HTTPException

from proctor.errors import ProctorError, RecordError
from proctor.exam.result import lost_result
from proctor.records import Step
from proctor.runner.origin import is_repeatable
from proctor.runner.plan_record import recall
from proctor.store.folder import conclude
from proctor.store.lock import holder
from proctor.store.paths import RunPaths
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.studio.record.desk import Desk, Kind
from proctor.studio.record.journal import complete
from proctor.studio.studio import Studio
from proctor.suites.suite import Suite
from proctor.tasks.free import FREE, free_task
from proctor.tasks.task import Task

MOST_OPEN = 16
"""Desktops at once; each is a whole computer."""
MOST_KEPT = 100
CLOSING_SEC = 30.0
INTERRUPTED = "the studio ended before the person did"


class Desks:
    """Every desk by its id."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._desks: dict[str, Desk] = {}

    def list_all(self) -> list[Desk]:
        """Return the desks at which somebody works."""
        return [desk for desk in self._desks.values() if not desk.ended]

    def find(self, number: str) -> Desk | None:
        """Return the desk of an id."""
        return self._desks.get(number)

    def open(self, *, person: str, visitor: str, task: str, seed: int, kind: Kind, video: bool) -> Desk:
        """Give a person a desktop and a task; an empty name is a desktop without one."""
        suite, chosen = self._task(task, seed)
        assets = suite.assets if suite else None
        name = suite.name if suite else FREE.partition("/")[0]
        desk = Desk(person=person, visitor=visitor, task=chosen, kind=kind, suite=name, assets=assets)
        computer = suite.computer if suite and suite.computer and self._studio.computer == "sandbox" else ""
        return self.seat(desk, computer or self._studio.computer, video=video)

    def seat(self, desk: Desk, computer: str, *, video: bool = False) -> Desk:
        """Give a desk its computer, and let the person begin."""
        if len(self.list_all()) >= MOST_OPEN:
            raise HTTPException(429, f"{MOST_OPEN} desktops are open already. End one first.")
        desk.sit_down(self._studio.demonstrations, computer, video=video)
        self._desks[desk.id] = desk
        over = [each.id for each in self._desks.values() if each.ended]
        for number in over[:-MOST_KEPT]:
            del self._desks[number]
        return desk

    def close(self) -> None:
        """End every desk; what was recorded is kept and says that it was not ended by the person."""
        going_on = self.list_all()
        for desk in going_on:
            desk.leave(INTERRUPTED)
        ends = time.monotonic() + CLOSING_SEC
        for desk in going_on:
            desk.leave(INTERRUPTED, max(ends - time.monotonic(), 0.0))

    def _task(self, name: str, seed: int) -> tuple[Suite | None, Task]:
        if not name:
            return None, free_task()
        for suite in self._studio.suites:
            if suite.get(name) is not None:
                return suite, suite.task(name, seed)
        raise HTTPException(404, "There is no such task here.")


def recover(folders: Iterable[Path]) -> list[Path]:
    """Make whole what a killed studio left: steps are kept, and the episode says it was interrupted.

    Returns the runs that were made whole; one that cannot be read is left as it is, for `proctor runs verify`.
    """
    found = []
    for folder in sorted(folders):
        paths = RunPaths(folder)
        if paths.run.is_file() and not paths.seal.exists() and not holder(paths.lock):
            try:
                _make_whole(folder)
            except ProctorError:
                continue
            found.append(folder)
    return found


def left_episode(demonstrations: Path, run: str) -> Path | None:
    """Return the episode of a run that people made; None for one not recorded, or an odd name."""
    root = demonstrations / run
    if not run or Path(run).name != run or not RunPaths(root).run.is_file():
        return None
    try:
        folder = next(RunRecord.open(root).results()).folder
    except (RecordError, StopIteration):
        return None
    return RunPaths(root).at(folder) if folder else None


def left_actions(demonstrations: Path, run: str) -> list[Step]:
    """Return what was done in a run that people made, as far as it can be repeated."""
    episode = left_episode(demonstrations, run)
    return [step for step in open_episode(episode).steps() if is_repeatable(step)] if episode else []


def _make_whole(folder: Path) -> None:
    with RunRecord.resume(folder) as record:
        record.adopt()
        held = {result.key for result in record.results()}
        for job in recall(record).jobs({}, folder):
            if job.key in held:
                continue
            steps = complete(job.folder)
            account = job.account
            if job.folder.is_dir():
                account.began = open_episode(job.folder).header.started or account.began
            result = lost_result(account, INTERRUPTED, acted=steps > 0, cause="worker")
            record.add(conclude(job.folder, replace(result, steps=steps)))
        record.seal()
