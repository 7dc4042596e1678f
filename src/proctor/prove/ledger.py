"""The ledger of a proof run: every outcome as it comes in, so that an interrupted run goes on where it was."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.prove.trial import Outcome, Trial
from proctor.tasks.collateral import Collateral
from proctor.tasks.task import Task
from proctor.version import VERSION

NAME = "outcomes.jsonl"
PREVIOUS = "outcomes.previous.jsonl"

Trials = tuple[Task, Sequence[Trial]]
"""A task, and what is tried with it."""
Key = tuple[str, int | None, str]
"""A trial of a run: the task's digest, its seed, the label of the trial."""


def key(task: Task, trial: Trial) -> Key:
    """Return what names a trial in a run."""
    return task.digest, task.seed, trial.label


@dataclass
class Ledger:
    """One file of outcomes; a line is written when a trial ends and never changed."""

    folder: Path
    outcomes: dict[Key, Outcome]

    @classmethod
    def open(cls, folder: Path, every: Iterable[Trials], *, images: dict[str, str], fresh: bool) -> Ledger:
        """Go on with a run that was broken off in a folder, or begin a new one.

        What was found out of tasks that are still the same is kept. Where that is not all, the run before stays beside
        the new one under another name.
        """
        wanted = {key(task, trial): task for task, its in every for trial in its}
        path = folder / NAME
        before: dict[Key, Outcome] = {}
        if path.exists() and not fresh:
            _drop_torn_line(path)
            before = _unfinished(path, images)
        ledger = cls(folder, {found: outcome for found, outcome in before.items() if found in wanted})
        if before and len(ledger.outcomes) == len(before):
            return ledger
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            shutil.copyfile(path, folder / PREVIOUS)
        # Whole or not at all: a kill in between must not cost what is kept.
        begun = folder / f"{NAME}.new"
        begun.unlink(missing_ok=True)
        lines = [_line(wanted[found], outcome) for found, outcome in ledger.outcomes.items()]
        _append(begun, [{"proctor": VERSION, "images": images}, *lines])
        begun.replace(path)
        return ledger

    def add(self, task: Task, outcome: Outcome) -> None:
        """Keep an outcome."""
        self.outcomes[key(task, outcome.trial)] = outcome
        _append(self.folder / NAME, [_line(task, outcome)])

    def finish(self) -> None:
        """Say that the run is complete: the next one begins anew."""
        _append(self.folder / NAME, [{"finished": True}])


def _line(task: Task, outcome: Outcome) -> dict[str, Any]:
    picture = base64.b64encode(outcome.screenshot).decode()
    return {
        "id": task.id,
        "digest": task.digest,
        "seed": task.seed,
        **outcome.to_json(),
        **({"screenshot": picture} if picture else {}),
    }


def _append(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())


def _drop_torn_line(path: Path) -> None:
    """Cut off the line that was being written when the run was killed."""
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)


def _unfinished(path: Path, images: dict[str, str]) -> dict[Key, Outcome]:
    """Return the outcomes of a run that was broken off; none if it was finished or had other images."""
    held: dict[Key, Outcome] = {}
    # Feedback may hold any character; only a line feed ends a line.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1]):
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise SpecError(f"{path}:{number + 1} is damaged: {error}", remedy="begin anew with --fresh") from error
        if number == 0:
            if data.get("images") != images or data.get("proctor") != VERSION:
                return {}
        elif data.get("finished"):
            return {}
        else:
            outcome = _outcome(data)
            held[data["digest"], data["seed"], outcome.trial.label] = outcome
    return held


def _outcome(data: dict[str, Any]) -> Outcome:
    return Outcome(
        trial=Trial(data["kind"], data["number"], data["name"], data["wanted"]),
        score=data["score"],
        seconds=data["seconds"],
        feedback=tuple(data["feedback"]),
        error=data["error"],
        agrees=data["agrees"],
        collateral=tuple(Collateral(**effect) for effect in data["collateral"]),
        screenshot=base64.b64decode(data.get("screenshot", "")),
    )
