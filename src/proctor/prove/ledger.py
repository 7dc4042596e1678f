"""The ledger of a proof run: outcomes as they come in, so that an interrupted run goes on."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.prove.mutation import Mutation
from proctor.prove.trial import Outcome, Trial
from proctor.store.files import read_whole, write_whole
from proctor.store.line_file import append_lines, drop_torn_line, text_of_lines
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
    return _key(task.digest, task.seed, trial)


def _key(digest: str, seed: int | None, trial: Trial) -> Key:
    # A solution without mutants, as a quick run makes it, does not stand in for one with them.
    return digest, seed, f"{trial.label} with mutants" if trial.mutated else trial.label


@dataclass
class Ledger:
    """One file of outcomes; a line is written when a trial ends and never changed.

    The folder may be one that others can write to, so a link in the place of the file is never followed.
    """

    folder: Path
    outcomes: dict[Key, Outcome]

    @classmethod
    def open(cls, folder: Path, every: Iterable[Trials], *, images: dict[str, str], fresh: bool) -> Ledger:
        """Go on with a run that was interrupted in a folder, or begin a new one.

        What was found out of tasks that are still the same is kept. Where that is not all, the run before stays beside
        the new one under another name.
        """
        wanted = {key(task, trial): task for task, its in every for trial in its}
        path = folder / NAME
        before: dict[Key, Outcome] = {}
        held = b""
        if os.path.lexists(path):
            drop_torn_line(path)
            held = read_whole(path)
        if held and not fresh:
            before = _read_unfinished(path, held, images)
        ledger = cls(folder, {found: outcome for found, outcome in before.items() if found in wanted})
        if before and len(ledger.outcomes) == len(before):
            return ledger
        folder.mkdir(parents=True, exist_ok=True)
        if held:
            write_whole(folder, PREVIOUS, held)
        lines = [_line(wanted[found], outcome) for found, outcome in ledger.outcomes.items()]
        # Whole or not at all: a kill in between must not cost what is kept.
        write_whole(folder, NAME, text_of_lines([{"proctor": VERSION, "images": images}, *lines]), durable=True)
        return ledger

    def add(self, task: Task, outcome: Outcome) -> None:
        """Keep an outcome."""
        self.outcomes[key(task, outcome.trial)] = outcome
        append_lines(self.folder / NAME, [_line(task, outcome)])

    def finish(self) -> None:
        """Say that the run is complete: the next one begins again."""
        append_lines(self.folder / NAME, [{"finished": True}])


def _line(task: Task, outcome: Outcome) -> dict[str, object]:
    picture = base64.b64encode(outcome.screenshot).decode()
    named = {"id": task.id, "digest": task.digest, "seed": task.seed}
    return {**named, **outcome.to_json(), **({"screenshot": picture} if picture else {})}


def _read_unfinished(path: Path, data: bytes, images: dict[str, str]) -> dict[Key, Outcome]:
    """Return the outcomes of a run that was interrupted; none if it was finished or had other images."""
    held: dict[Key, Outcome] = {}
    # Feedback may hold any character; only a line feed ends a line.
    for number, line in enumerate(data.split(b"\n")[:-1]):
        try:
            found = json.loads(line)
            if number == 0:
                if found.get("images") != images or found.get("proctor") != VERSION:
                    return {}
            elif found.get("finished"):
                return {}
            else:
                outcome = _outcome(found)
                held[_key(found["digest"], found["seed"], outcome.trial)] = outcome
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise SpecError(f"{path}:{number + 1} is damaged: {error}", remedy="start over with --fresh") from error
    return held


def _outcome(data: dict[str, Any]) -> Outcome:
    return Outcome(
        trial=Trial(
            data["kind"], data["number"], data["name"], data["wanted"], data.get("breaks", ""), data["mutated"]
        ),
        score=data["score"],
        seconds=data["seconds"],
        feedback=tuple(data["feedback"]),
        error=data["error"],
        agrees=data["agrees"],
        missing=tuple(data.get("missing", ())),
        came=data.get("came", False),
        collateral=tuple(Collateral(**effect) for effect in data["collateral"]),
        screenshot=base64.b64decode(data.get("screenshot", "")),
        mutation=Mutation.from_json(data["mutation"]) if "mutation" in data else None,
    )
