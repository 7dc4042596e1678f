"""The bookkeeping of changed end states: what was judged, and what was not judged as it must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from proctor.computers.computer import Computer
from proctor.errors import CheckError
from proctor.prove.mutation import Found, Mutation
from proctor.prove.transforms.shelf import ChangeKind
from proctor.tasks.collateral import collateral
from proctor.tasks.deadline import Deadline
from proctor.tasks.inside.compare import compare_insides
from proctor.tasks.inside.earlier import kept_of
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict

MOST_WHY = 400
"""Characters of feedback that are kept."""

Judged = tuple[Verdict | None, bool]
"""The verdict on a changed end state, and whether there are side effects; no verdict where these settle it."""


@dataclass
class Trying:
    """One end state, and everything that was tried on it."""

    task: Task
    computer: Computer
    ending: Ending
    draw: Random
    before: Mapping[str, object] = field(default_factory=dict)
    """What probes saw before the solution."""
    mutants: int = 0
    variants: int = 0
    spoilt: int = 0
    found: list[Found] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)

    def notices(self, verdict: Verdict) -> bool:
        """Tell whether an end state that is judged right holds anything that nobody asked for."""
        if not verdict.passed:
            return False
        if collateral(self.task, self.computer):
            return True
        found = compare_insides(self.task, self.computer, self.ending, verdict, kept_of(self.before), Deadline())
        return bool(found.effects)

    def note(self, label: str, kind: ChangeKind, judged: Callable[[], Judged]) -> None:
        """Judge a change and keep what is not as it must be; a crash is a defect of the check."""
        try:
            verdict, effects = judged()
        except CheckError as error:
            self._count(kind)
            self.found.append(Found("defect", label, f"the check crashed: {error.message}"[:MOST_WHY]))
            return
        self._count(kind)
        clean = verdict is not None and verdict.score >= 1.0 and not effects
        if kind == "mutant" and clean:
            self.found.append(Found("survived", label))
        elif kind == "spoilt" and clean:
            self.found.append(Found("enough", label))
        elif kind == "variant" and not clean:
            said = " ".join(verdict.feedback) if verdict else ""
            why = said or ("something changed that the task does not expect" if effects else "")
            self.found.append(Found("rejected", label, why[:MOST_WHY]))

    def mutation(self, seconds: float) -> Mutation:
        """Return what came to light."""
        return Mutation(self.mutants, self.variants, tuple(self.found), tuple(self.untried), seconds, self.spoilt)

    def _count(self, kind: ChangeKind) -> None:
        self.mutants += kind == "mutant"
        self.variants += kind == "variant"
        self.spoilt += kind == "spoilt"
