"""Trials: one way of meeting a task (its solution, doing nothing, giving up, a near miss) and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from proctor.tasks.collateral import Collateral
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


def trials(task: Task, repeats: int = 3, *, near_misses: bool = True) -> Iterator[Trial]:
    """Yield everything that a task's proof consists of; without the near misses it is none, but soon made.

    Of a task without an answer key only doing nothing and giving up can be tried.
    """
    for number in range(0 if task.unproven else repeats):
        yield Trial("solution", number, wanted=1.0)
    yield Trial("idle")
    yield Trial("fail", wanted=0.0 if task.tags.feasible else 1.0)
    for number, miss in enumerate(task.near_misses if near_misses else ()):
        yield Trial("near_miss", number, miss.name, miss.score)
