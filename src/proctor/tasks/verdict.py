"""Verdicts: a score, the reasons for it in plain words, and the evidence it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from proctor.tasks.findings import Finding

SPOILT = "spoilt"
"""Under what name the evidence keeps the side effects because of which nothing counts."""


@dataclass(frozen=True)
class Verdict:
    """What the judge says about one episode."""

    score: float
    """From 0 to 1; for a day from -1."""
    feedback: tuple[str, ...]
    """What is wrong, one sentence each; empty for full marks."""
    finding: Finding
    """The finding of each check."""
    evidence: Mapping[str, object] = field(default_factory=dict)
    """What each probe saw, as plain data by the probe's call: enough to judge again without a computer."""
    metrics: Mapping[str, float] = field(default_factory=dict)
    """Other metrics of a composed task: coverage, consistency and related figures."""
    checkpoints: Mapping[str, bool] = field(default_factory=dict)
    """Which checkpoints of the task hold, by their names and in their order."""
    notes: tuple[str, ...] = ()
    """What is worth knowing though it costs nothing, such as a subtask done in another application than its own."""
    other: Finding | None = None
    """For a task from elsewhere: what is found there, where that is another score; ours, once it is `faithful`."""
    faithful: bool = False
    """Whether it is the verdict of the system that the task is from, and not ours."""

    @property
    def passed(self) -> bool:
        """Whether the task was done, all of it."""
        return self.score >= 1.0

    @property
    def differs(self) -> str:
        """How our verdict and that of the task's own system differ, in words; nothing where they do not."""
        if self.other is None:
            return ""
        ours, theirs = (self.other, self.finding) if self.faithful else (self.finding, self.other)
        why = " ".join((ours if ours.score < theirs.score else theirs).feedback)
        return f"ours {ours.score:g}, the original's {theirs.score:g}: {why}"

    def as_original(self) -> Self:
        """Return the verdict of the system that the task is from, where it is another."""
        if self.other is None or self.faithful:
            return self
        theirs = self.other
        return replace(
            self, score=theirs.score, feedback=theirs.feedback, finding=theirs, other=self.finding, faithful=True
        )

    def spoil(self, effects: Sequence[str]) -> Self:
        """Return it with nothing earned, because of what else was changed."""
        said = (f"Something else was changed, so nothing counts: {', '.join(effects)}.", *self.feedback)
        return replace(self, score=0.0, feedback=said, evidence={**self.evidence, SPOILT: list(effects)})

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "score": self.score,
            "feedback": list(self.feedback),
            "finding": self.finding.to_json(),
            "evidence": dict(self.evidence),
            **({"checkpoints": dict(self.checkpoints)} if self.checkpoints else {}),
            **({"metrics": dict(self.metrics)} if self.metrics else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({"other": self.other.to_json(), "differs": self.differs} if self.other else {}),
        }
