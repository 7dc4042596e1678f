"""Proofs: the outcomes of every trial of one task, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from proctor.prove.trial import Outcome, TrialKind
from proctor.tasks.task import Task


@dataclass(frozen=True)
class Proof:
    """All outcomes of one task and seed."""

    task: Task
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        """Whether every trial that was made went as it must, the solution among them."""
        return not self.task.unproven and all(outcome.proven for outcome in self.outcomes)

    @property
    def proven(self) -> bool:
        """Whether every trial went as it must, and no near miss was left out."""
        return self.holds and len(self.of("near_miss")) == len(self.task.near_misses)

    @property
    def state(self) -> str:
        """How tables say it."""
        if self.task.unproven:
            return "unproven"
        return "proven" if self.proven else "holds" if self.holds else "not proven"

    @property
    def flaky(self) -> bool:
        """Whether repeats of the solution disagree: some went as they must and some did not."""
        repeats = {outcome.proven for outcome in self.of("solution")}
        return len(repeats) > 1

    @property
    def seconds(self) -> float:
        """Median time of the solution, from a started computer to the verdict."""
        return median([outcome.seconds for outcome in self.of("solution")] or [0.0])

    def of(self, kind: TrialKind) -> list[Outcome]:
        """Return the outcomes of one kind of trial."""
        return [outcome for outcome in self.outcomes if outcome.trial.kind == kind]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        solutions = self.of("solution")
        effects = {effect.path: effect.to_json() for outcome in solutions for effect in outcome.collateral}
        return {
            "id": self.task.id,
            "seed": self.task.seed,
            "digest": self.task.digest,
            "proven": self.proven,
            "holds": self.holds,
            "unproven": self.task.unproven,
            "flaky": self.flaky,
            "solution": min((outcome.score for outcome in solutions if outcome.score is not None), default=None),
            "idle": _score(self.of("idle")),
            "fail": _score(self.of("fail")),
            "near_misses": {outcome.trial.name: outcome.score for outcome in self.of("near_miss")},
            "repeats": [outcome.score for outcome in solutions],
            "collateral": list(effects.values()),
            "seconds": round(self.seconds, 2),
            "problems": [
                *(["it has no answer key, so nothing shows that it can be done"] if self.task.unproven else []),
                *(problem for outcome in self.outcomes for problem in problems(outcome)),
            ],
        }


def problems(outcome: Outcome) -> list[str]:
    """Say how an outcome differs from what it must be."""
    label = f"{outcome.trial.label}{f' ({outcome.trial.name})' if outcome.trial.name else ''}"
    if outcome.score is None:
        return [f"{label}: {outcome.error}"]
    said = []
    if abs(outcome.score - outcome.trial.wanted) > 1e-9:
        why = f": {' '.join(outcome.feedback)}" if outcome.feedback else ""
        said.append(f"{label}: scored {outcome.score:g}, must be {outcome.trial.wanted:g}{why}")
    if not outcome.agrees:
        said.append(f"{label}: judging twice disagrees")
    if outcome.trial.kind == "solution":
        said.extend(
            f"{label}: {effect.kind} {effect.path}, which the task does not expect" for effect in outcome.collateral
        )
    return said


def verdict(proofs: Sequence[Proof]) -> str:
    """Say in a few words how many are proven; where near misses were left out, how many hold so far."""
    proven, holding = sum(proof.proven for proof in proofs), sum(proof.holds for proof in proofs)
    without = sum(proof.task.unproven for proof in proofs)
    unproven = f", {without} unproven for want of an answer key" if without else ""
    if holding == proven:
        return f"{proven} of {len(proofs)} proven{unproven}"
    return f"{holding} of {len(proofs)} hold, near misses left out{unproven}"


def summary(proofs: Sequence[Proof]) -> dict[str, Any]:
    """Return many proofs as one object for a program to read."""
    return {
        "tasks": len(proofs),
        "proven": sum(proof.proven for proof in proofs),
        "holding": sum(proof.holds for proof in proofs),
        "unproven": sum(proof.task.unproven for proof in proofs),
        "flaky": sum(proof.flaky for proof in proofs),
        "flake_rate": round(sum(proof.flaky for proof in proofs) / len(proofs), 4) if proofs else None,
        "results": [proof.to_json() for proof in proofs],
    }


def _score(outcomes: Iterable[Outcome]) -> float | None:
    return next((outcome.score for outcome in outcomes), None)
