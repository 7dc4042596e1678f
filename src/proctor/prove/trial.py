"""Trials: one way of meeting a task (its solution, doing nothing, giving up, a near miss) on one fresh computer."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from proctor.actions.action import Fail
from proctor.computers.computer import Computer
from proctor.errors import ProctorError, SpecError
from proctor.prove.truncated import followed, require_metrics
from proctor.tasks.collateral import Collateral, collateral
from proctor.tasks.graph.watch import Watch
from proctor.tasks.judge import judge
from proctor.tasks.perform import perform
from proctor.tasks.prepare import conclude, prepare
from proctor.tasks.scene import Ending
from proctor.tasks.task import Task

TrialKind = Literal["solution", "idle", "fail", "near_miss"]


@dataclass(frozen=True)
class Trial:
    """What is tried, and the score it must have."""

    kind: TrialKind
    number: int = 0
    """Which repeat of the solution, or which near miss."""
    name: str = ""
    wanted: float = 0.0

    @property
    def label(self) -> str:
        """How tables name it."""
        return f"{self.kind} {self.number + 1}" if self.kind in ("solution", "near_miss") else self.kind


@dataclass(frozen=True)
class Outcome:
    """What came of a trial."""

    trial: Trial
    score: float | None
    """None when there is no score: setup, a move or the evaluator failed."""
    seconds: float
    feedback: tuple[str, ...] = ()
    error: str = ""
    agrees: bool = True
    """Whether judging a second time gave the same."""
    collateral: tuple[Collateral, ...] = ()
    screenshot: bytes = field(default=b"", repr=False)
    """WebP of the screen at the end, kept where the trial did not go as it must."""

    @property
    def proven(self) -> bool:
        """Whether the trial went as it must."""
        clean = self.trial.kind != "solution" or not self.collateral
        return self.score is not None and abs(self.score - self.trial.wanted) < 1e-9 and self.agrees and clean

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, without the picture."""
        return {
            "kind": self.trial.kind,
            "number": self.trial.number,
            "name": self.trial.name,
            "wanted": self.trial.wanted,
            "score": self.score,
            "proven": self.proven,
            "seconds": round(self.seconds, 3),
            "feedback": list(self.feedback),
            "error": self.error,
            "agrees": self.agrees,
            "collateral": [effect.to_json() for effect in self.collateral],
        }


def trials(task: Task, repeats: int = 3) -> Iterator[Trial]:
    """Yield everything that a task's proof consists of."""
    for number in range(repeats):
        yield Trial("solution", number, wanted=1.0)
    yield Trial("idle")
    yield Trial("fail", wanted=0.0 if task.tags.feasible else 1.0)
    for number, miss in enumerate(task.near_misses):
        yield Trial("near_miss", number, miss.name, miss.score)


def attempt(task: Task, trials: Sequence[Trial], computer: Computer, *, assets: Path | None = None) -> list[Outcome]:
    """Prepare a fresh, started computer and make trials on it; all but the last must leave it as it is."""
    started = time.monotonic()
    try:
        prepare(task, computer, assets=assets)
    except ProctorError as error:
        said = f"{type(error).__name__}: {error}"
        picture = _picture(computer)
        return [Outcome(trial, None, time.monotonic() - started, error=said, screenshot=picture) for trial in trials]
    outcomes = []
    for trial in trials:
        outcomes.append(_try(task, trial, computer, started))
        started = time.monotonic()
    return outcomes


def _try(task: Task, trial: Trial, computer: Computer, started: float) -> Outcome:
    watch = Watch(task.graph) if task.graph else None
    try:
        ending = _act(task, trial, computer, watch)
        if trial.kind == "solution" and len(computer.history) > task.limits.steps:
            raise SpecError(
                f"the solution takes {len(computer.history)} actions and the task allows {task.limits.steps}",
                remedy="raise limits.steps, to twice as many at least",
            )
        conclude(task, computer)
        first = judge(task, computer, ending, watch)
        seconds = time.monotonic() - started
        second = judge(task, computer, ending, watch)
        if task.graph and trial.kind == "solution":
            require_metrics(task.graph, first.metrics)
        effects = tuple(collateral(task, computer)) if trial.kind == "solution" else ()
    except ProctorError as error:
        said = f"{type(error).__name__}: {error}"
        return Outcome(trial, None, time.monotonic() - started, error=said, screenshot=_picture(computer))
    agrees = (first.score, first.feedback) == (second.score, second.feedback)
    outcome = Outcome(trial, first.score, seconds, first.feedback, agrees=agrees, collateral=effects)
    return outcome if outcome.proven else replace(outcome, screenshot=_picture(computer))


def _act(task: Task, trial: Trial, computer: Computer, watch: Watch | None) -> Ending:
    if trial.kind == "fail":
        return Ending(Fail(reason="it cannot be done"))
    if trial.kind == "idle":
        return perform(task, (), computer)
    if trial.kind == "solution":
        follow = followed(watch, computer) if watch else None
        return perform(task, task.solution, computer, follow)
    moves = task.near_misses[trial.number].moves
    return perform(task, moves, computer, (lambda _made: _look(watch, computer)) if watch else None)


def _look(watch: Watch, computer: Computer) -> None:
    watch.look(computer)


def _picture(computer: Computer) -> bytes:
    try:
        buffer = io.BytesIO()
        computer.screenshot().save(buffer, "WEBP", quality=60)
    except ProctorError:
        return b""  # the computer is gone, and the error that is reported says why
    return buffer.getvalue()
