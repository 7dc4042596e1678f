"""What the judge found: `verdict.json`, and the paths that changed: `changes.json`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedFinding:
    """What one check found."""

    check: str = ""
    score: float | None = None
    """From 0, not at all, to 1, all of it."""
    feedback: tuple[str, ...] = ()
    """Every mismatch, one sentence each."""
    known: bool = True
    """False when the check could not see what it judges."""
    parts: tuple[dict[str, object], ...] = ()
    """What the parts of a combined check found, each the same again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedVerdict:
    """The judgement of an episode."""

    score: float | None = None
    feedback: tuple[str, ...] = ()
    """What is wrong, one sentence each; empty for full marks."""
    finding: RecordedFinding | None = None
    """The same, check by check."""
    evidence: dict[str, object] = field(default_factory=dict)
    """What each probe saw, by the probe's call: enough to judge again without a computer."""
    metrics: dict[str, float] = field(default_factory=dict)
    """Other figures, for a composed task: coverage, consistency and what goes with them."""
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
    """What lies there: `file`, `folder`, `link`."""
    size: int | None = None
    """Bytes."""
    part: str = ""
    """Which part of it changed, in words, such as `mode 644 -> 6777`; the path of a store is its name."""
    collateral: str = ""
    """Severity, where the task did not ask for the change."""
