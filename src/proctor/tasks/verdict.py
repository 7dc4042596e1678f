"""Verdicts: a score, the reasons for it in plain words, and the evidence it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proctor.tasks.findings import Finding


@dataclass(frozen=True)
class Verdict:
    """What the judge says about one episode."""

    score: float
    feedback: tuple[str, ...]
    """What is wrong, one sentence each; empty for full marks."""
    finding: Finding
    """The finding of each check."""
    evidence: Mapping[str, object] = field(default_factory=dict)
    """What each probe saw, as plain data by the probe's call: enough to judge again without a computer."""
    metrics: Mapping[str, float] = field(default_factory=dict)
    """Other metrics of a composed task: coverage, consistency and related figures."""

    @property
    def passed(self) -> bool:
        """Whether the task was done, all of it."""
        return self.score >= 1.0

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "score": self.score,
            "feedback": list(self.feedback),
            "finding": self.finding.to_json(),
            "evidence": dict(self.evidence),
            **({"metrics": dict(self.metrics)} if self.metrics else {}),
        }
