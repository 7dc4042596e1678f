"""The ledger of a proof run: every outcome as it comes in, so that an interrupted run goes on where it was."""

from __future__ import annotations

import base64
import hashlib
import json
import os
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
        """Go on with the run in a folder if it is the same and was not finished; otherwise begin a new one.

        The run before stays beside it under another name.
        """
        plan = _plan(every, images)
        path = folder / NAME
        if path.exists() and not fresh:
            _drop_torn_line(path)
            if (held := _unfinished(path, plan)) is not None:
                return cls(folder, held)
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.replace(folder / PREVIOUS)
        ledger = cls(folder, {})
        ledger._write({"plan": plan, "proctor": VERSION, "images": images})
        return ledger

    def add(self, task: Task, outcome: Outcome) -> None:
        """Keep an outcome."""
        self.outcomes[key(task, outcome.trial)] = outcome
        picture = base64.b64encode(outcome.screenshot).decode()
        self._write(
            {
                "id": task.id,
                "digest": task.digest,
                "seed": task.seed,
                **outcome.to_json(),
                **({"screenshot": picture} if picture else {}),
            }
        )

    def finish(self) -> None:
        """Say that the run is complete: the next one begins anew."""
        self._write({"finished": True})

    def _write(self, line: dict[str, Any]) -> None:
        with (self.folder / NAME).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _plan(every: Iterable[Trials], images: dict[str, str]) -> str:
    parts = [[task.id, task.seed, task.digest, *(trial.label for trial in trials)] for task, trials in every]
    text = json.dumps([parts, images], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _drop_torn_line(path: Path) -> None:
    """Cut off the line that was being written when the run was killed."""
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)


def _unfinished(path: Path, plan: str) -> dict[Key, Outcome] | None:
    """Return the outcomes of a run that was broken off, None when it is another run or complete."""
    held: dict[Key, Outcome] = {}
    # Feedback may hold any character; only a line feed ends a line.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1]):
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise SpecError(f"{path}:{number + 1} is damaged: {error}", remedy="begin anew with --fresh") from error
        if number == 0:
            if data.get("plan") != plan or data.get("proctor") != VERSION:
                return None
        elif data.get("finished"):
            return None
        else:
            outcome = _outcome(data)
            held[data["digest"], data["seed"], outcome.trial.label] = outcome
    return held or None


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
