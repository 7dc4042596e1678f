"""What a check found, and what could not be seen: plain values that checks and probes exchange."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

PlainData = Any
"""What goes into the cage of the judge's reader and comes out of it: texts, numbers, lists and dictionaries."""

FaultKind = Literal["absent", "unreadable", "refused"]
"""`absent`: it is not there; `unreadable`: it is there and is broken; `refused`: it is there and must not be read."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something could not be seen; it stands in for what a probe would have returned."""

    kind: FaultKind
    why: str

    def to_json(self) -> dict[str, str]:
        """Return it as plain data."""
        return {"fault": self.kind, "why": self.why}

    @classmethod
    def from_json(cls, data: object) -> Fault | None:
        """Return the fault that plain data stands for, or None when it is something else."""
        if isinstance(data, dict) and data.keys() == {"fault", "why"}:
            return cls(data["fault"], data["why"])
        return None


class CannotSee(Exception):
    """Raised by a probe: what it looks for is absent, broken or must not be read.

    It is a fact about the computer and leads to a plain verdict. Everything else that a probe raises is a failure of
    the machine, or of the probe itself, which makes the judgement void.
    """

    def __init__(self, kind: FaultKind, why: str) -> None:
        super().__init__(why)
        self.fault = Fault(kind, why)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: a score, and what is wrong in words a person understands."""

    score: float
    """From 0, not fulfilled, to 1, fully fulfilled."""
    feedback: tuple[str, ...] = ()
    """Every mismatch, one sentence each; empty when all is well."""
    known: bool = True
    """False when the check could not see what it judges; its opposite is then not true either."""
    check: str = ""
    """Name of the check, filled in by the judge."""
    parts: tuple[Finding, ...] = ()
    """What the parts of a combined check found."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Other figures that records and reports keep beside the score, by name."""

    @property
    def passed(self) -> bool:
        """Whether everything is as it should be."""
        return self.score >= 1.0

    @classmethod
    def from_json(cls, data: Any) -> Finding:
        """Return the finding that `to_json` made.

        Raises KeyError, TypeError or ValueError for anything else.
        """
        score, feedback = data["score"], data.get("feedback", ())
        if isinstance(score, bool) or not 0.0 <= score <= 1.0 or not all(isinstance(text, str) for text in feedback):
            raise ValueError("it is not a finding")
        parts = tuple(cls.from_json(part) for part in data.get("parts", ()))
        figures = {str(name): float(figure) for name, figure in data.get("figures", {}).items()}
        return cls(score, tuple(feedback), data.get("known", True) is True, str(data["check"]), parts, figures)

    def all_figures(self) -> dict[str, float]:
        """Return its figures and those of its parts; of two with one name, the first."""
        found = dict(self.figures)
        for part in self.parts:
            found = part.all_figures() | found
        return found

    def to_json(self) -> dict[str, object]:
        """Return it as plain data; what is empty is left out."""
        data: dict[str, object] = {"check": self.check, "score": self.score}
        if self.feedback:
            data["feedback"] = list(self.feedback)
        if not self.known:
            data["known"] = False
        if self.parts:
            data["parts"] = [part.to_json() for part in self.parts]
        if self.figures:
            data["figures"] = dict(self.figures)
        return data


def right() -> Finding:
    """Everything is as it should be."""
    return Finding(1.0)


def wrong(*feedback: str) -> Finding:
    """Something is not; say what, in whole sentences."""
    return Finding(0.0, tuple(feedback))


def unless(problems: Iterable[str]) -> Finding:
    """Right when there are no problems, wrong with all of them otherwise."""
    listed = tuple(problems)
    return Finding(0.0, listed) if listed else Finding(1.0)
