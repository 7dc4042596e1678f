"""What changing the end state of a solution piece by piece brought to light about the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from typing import Any, Literal

from proctor.tasks.task import Admission

FoundKind = Literal["survived", "rejected", "enough", "defect"]
"""`survived`: a mutant that still counts as a clean success; `rejected`: a variant that does not; `enough`: a spoilt
file that counts where one only has to be there; `defect`: none of it could be judged, because a check, a probe or the
change itself crashed."""


@dataclass(frozen=True)
class Found:
    """One change that was not judged as it must be."""

    kind: FoundKind
    label: str
    """What was changed and how: `Documents/letter.txt: its last line dropped`."""
    why: str = ""
    """The feedback on a rejected variant, or what crashed."""


@dataclass(frozen=True)
class Mutation:
    """Everything that was tried on one end state."""

    mutants: int = 0
    """How many were judged that must not count as a clean success."""
    variants: int = 0
    """How many were judged that must still count as one."""
    found: tuple[Found, ...] = ()
    untried: tuple[str, ...] = ()
    """What could not be tried, and why."""
    seconds: float = 0.0
    spoilt: int = 0
    """How many were judged with a file that no program can read: they must come to a verdict."""

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        found, untried = [asdict(each) for each in self.found], list(self.untried)
        return {**asdict(self), "found": found, "untried": untried, "seconds": round(self.seconds, 3)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Mutation:
        """Read what `to_json` returned."""
        found = tuple(Found(each["kind"], each["label"], each["why"]) for each in data["found"])
        return cls(
            data["mutants"], data["variants"], found, tuple(data["untried"]), data["seconds"], data.get("spoilt", 0)
        )

    def __add__(self, other: Mutation) -> Mutation:
        """Return what both brought to light."""
        ours, theirs = ([getattr(each, field.name) for field in fields(each)] for each in (self, other))
        return Mutation(*(one + another for one, another in zip(ours, theirs, strict=True)))


@dataclass(frozen=True)
class MutationTally:
    """What was tried on one end state, less what the task admits in words."""

    mutation: Mutation
    admissions: tuple[Admission, ...]
    composed: bool = False
    """Whether they are those of the parts of a graph: what one part leaves, another may have replaced."""

    def of(self, kind: FoundKind) -> list[Found]:
        """Return what was found of one kind and is not admitted; a defect never is."""
        return [each for each in self.mutation.found if each.kind == kind and self._admission(each) is None]

    def admissible(self, kind: FoundKind) -> list[tuple[Found, str]]:
        """Return what the task admits of one kind, with its reasons."""
        return [(each, why) for each in self.mutation.found if each.kind == kind and (why := self._admission(each))]

    @property
    def idle_admissions(self) -> list[Admission]:
        """Admissions of what does not survive, and of which no variant is rejected."""
        if self.composed:
            return []
        labels = [each.label for each in self.mutation.found if each.kind != "defect"]
        return [one for one in self.admissions if not any(fnmatchcase(label, one.which) for label in labels)]

    @property
    def sound(self) -> bool:
        """Whether every mutant was caught and every variant counted, or the task admits it."""
        return not any(True for _ in self.problems())

    def problems(self) -> Iterable[str]:
        """Yield how it differs from what it must be."""
        for each in self.of("survived"):
            yield f"mutant survived: {each.label}"
        for each in self.of("rejected"):
            yield f"variant rejected: {each.label}{f': {each.why}' if each.why else ''}"
        for each in self.of("defect"):
            yield f"defect: {each.label}: {each.why}"
        for one in self.idle_admissions:
            yield f"may_differ allows what does not survive: {one.which}"

    def _admission(self, found: Found) -> str | None:
        if found.kind == "defect":
            return None
        return next((one.why for one in self.admissions if fnmatchcase(found.label, one.which)), None)

    def mutants_json(self) -> dict[str, object]:
        """Return what became of the mutants, as plain data."""
        return {
            "tried": self.mutation.mutants,
            "survived": len(self.of("survived")),
            "admitted": len(self.admissible("survived")),
            "score": mutation_score([self]),
            "survivors": [each.label for each in self.of("survived")],
            "admissions": [{"label": each.label, "why": why} for each, why in self.admissible("survived")],
            "defects": [f"{each.label}: {each.why}" for each in self.of("defect")],
            "untried": list(self.mutation.untried),
            "seconds": round(self.mutation.seconds, 2),
        }

    def variants_json(self) -> dict[str, object]:
        """Return what became of the variants, as plain data."""
        return {
            "tried": self.mutation.variants,
            "rejected": [{"label": each.label, "feedback": each.why} for each in self.of("rejected")],
            "admitted": len(self.admissible("rejected")),
        }


def mutation_score(tallies: Sequence[MutationTally]) -> float | None:
    """Return the share of mutants killed, admitted ones left out; None where none is left."""
    tried = sum(tally.mutation.mutants - len(tally.admissible("survived")) for tally in tallies)
    survived = sum(len(tally.of("survived")) for tally in tallies)
    return round((tried - survived) / tried, 4) if tried else None
