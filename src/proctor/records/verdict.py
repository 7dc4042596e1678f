"""What the judge found: `verdict.json`, and the paths that changed: `changes.json`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedFinding:
    """What one check found."""

    check: str = ""
    score: float | None = None
    """From 0, not fulfilled, to 1, fully fulfilled."""
    feedback: tuple[str, ...] = ()
    """Every mismatch, one sentence each."""
    known: bool = True
    """False if the check could not see what it judges."""
    parts: tuple[dict[str, object], ...] = ()
    """The findings of the parts of a combined check, in the same form."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedVerdict:
    """The verdict on an episode."""

    score: float | None = None
    feedback: tuple[str, ...] = ()
    """What is wrong, one sentence each; empty for full marks."""
    finding: RecordedFinding | None = None
    """The finding of each check."""
    evidence: dict[str, object] = field(default_factory=dict)
    """What each probe saw, keyed by the probe's call: enough to judge again without a computer."""
    metrics: dict[str, float] = field(default_factory=dict)
    """Other metrics of a composed task: coverage, consistency and related figures."""
    notes: tuple[str, ...] = ()
    """What is worth knowing though it costs nothing, such as a subtask done in another application than its own."""
    other: RecordedFinding | None = None
    """Of a task from another system: what it finds there, or we find where a run is `faithful`, if that differs."""
    differs: str = ""
    """How the two differ, in words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedPath:
    """One path that changed on the computer."""

    path: str = ""
    kind: str = ""
    """`created`, `changed` or `deleted`."""
    file: str = ""
    """What is there: `file`, `folder` or `link`."""
    size: int | None = None
    """Bytes."""
    part: str = ""
    """The part that changed, in words, such as `mode 644 -> 6777`; for a store, the path is its name."""
    collateral: str = ""
    """Severity, if the task did not ask for the change."""
