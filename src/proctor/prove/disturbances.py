"""Disturbances proven both ways: who answers one solves the task, who takes no notice does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from proctor.exam.disturbances.disturbance import Disturbance
from proctor.exam.disturbances.wish import KINDS, DisturbanceWish
from proctor.prove.proof import Proof
from proctor.prove.trial import Outcome, Trial
from proctor.tasks.task import Task

LATEST = 2
"""After how many actions a disturbance comes at the latest, so that it comes before a short key ends."""


def trials_with(kind: str, seed: int) -> tuple[Trial, Trial]:
    """Return the solution disturbed in one way, by who answers it and by who takes no notice."""
    asked = f"{kind},seed={seed},latest={LATEST}"
    return Trial("disturbed", name=asked, wanted=1.0), Trial("ignored", name=asked)


def fits(kind: Disturbance, task: Task) -> bool:
    """Tell whether there is something in a task to disturb in this way, and a key to do it by."""
    return not task.unproven and bool(DisturbanceWish((kind,)).events(task))


@dataclass(frozen=True)
class KindProof:
    """What came of one kind on several tasks; only those count during whose key it came."""

    kind: Disturbance
    answered: tuple[Outcome, ...]
    ignored: tuple[Outcome, ...]

    @property
    def solutions(self) -> int:
        """How often the task was solved nevertheless."""
        return sum(outcome.score == 1.0 for outcome in self.answered)

    @property
    def failures(self) -> int:
        """How often who took no notice did not solve it."""
        return sum(outcome.score != 1.0 for outcome in self.ignored)

    @property
    def state(self) -> str:
        """How tables say it."""
        if not self.answered or not self.ignored:
            return "not tried"
        if self.solutions < len(self.answered):
            return "not proven: an answer is not enough"
        if self.kind.harmless:
            return "harmless" if not self.failures else "not proven: it is declared harmless, and hinders"
        return "proven" if self.failures else "not proven: it hinders nobody"

    @property
    def holds(self) -> bool:
        """Whether it is as it must be; what was never tried shows nothing."""
        return self.state in ("proven", "harmless", "not tried")

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "kind": self.kind.name,
            "harmless": self.kind.harmless,
            "answered": len(self.answered),
            "solved": self.solutions,
            "ignored": len(self.ignored),
            "hindered": self.failures,
            "state": self.state,
        }


def by_kind(proofs: Sequence[Proof]) -> list[KindProof]:
    """Return what came of each kind, in the order of the kinds."""
    every = [outcome for proof in proofs for outcome in proof.outcomes]
    tried = {outcome.trial.name.partition(",")[0] for outcome in every}
    return [KindProof(kind, *(tuple(_of(every, name, way)) for way in ("disturbed", "ignored")))
            for name, kind in KINDS.items() if name in tried]  # fmt: skip


def _of(every: Iterable[Outcome], kind: str, way: str) -> Iterator[Outcome]:
    for outcome in every:
        # An outcome without a score is void: nobody knows whether the disturbance came.
        void = outcome.score is None and way == "disturbed"
        if outcome.trial.kind == way and outcome.trial.name.partition(",")[0] == kind and (outcome.came or void):
            yield outcome
