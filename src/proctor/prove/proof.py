"""Proofs: the outcomes of every trial of one task, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from proctor.prove.mutation import Mutation, MutationTally, mutation_score
from proctor.prove.trial import MUST_BE_CLEAN, MUST_NOT_SUCCEED, Outcome, TrialKind
from proctor.tasks.task import Task

COLUMNS: dict[TrialKind, str] = {
    "solution": "solution",
    "idle": "idle",
    "fail": "fail",
    "silent": "silent",
    "busy": "busy",
    "expected": "expected files",
    "other_way": "other ways",
    "near_miss": "near misses",
    "cheat": "cheats",
}
"""The kinds of trials as tables show them, in order."""


def columns(proofs: Iterable[Proof]) -> dict[TrialKind, str]:
    """Return the kinds of trials that any of some tasks had."""
    made = {outcome.trial.kind for proof in proofs for outcome in proof.outcomes}
    return {kind: name for kind, name in COLUMNS.items() if kind in made}


@dataclass(frozen=True)
class Proof:
    """All outcomes of one task and seed."""

    task: Task
    outcomes: tuple[Outcome, ...]
    strict: bool = True
    """Whether a mutant that survives or a variant that is rejected counts against it."""

    @property
    def holds(self) -> bool:
        """Whether every trial that was made went as it must, the solution among them."""
        sound = not self.strict or self.tally is None or self.tally.sound
        return not self.task.unproven and all(outcome.proven for outcome in self.outcomes) and sound

    @property
    def proven(self) -> bool:
        """Whether every trial went as it must, and nothing was left out."""
        task = self.task
        ways = len(self.of("near_miss")) + len(self.of("other_way")) + len(self.of("cheat"))
        whole = ways == len(task.near_misses) + len(task.other_ways) + len(task.cheats)
        return self.holds and whole and self.tally is not None and not self.unbroken

    @property
    def unbroken(self) -> list[str]:
        """The checkpoints of which no near miss shows that they can be missed alone."""
        broken = {miss.breaks for miss in self.task.near_misses}
        return [each.name for each in self.task.checkpoints if each.name not in broken]

    @property
    def tally(self) -> MutationTally | None:
        """What changing the end state brought to light; None where it was not changed."""
        tried = [outcome.mutation for outcome in self.outcomes if outcome.mutation]
        if not tried:
            return None
        return MutationTally(sum(tried, Mutation()), self.task.may_differ, composed=self.task.graph is not None)

    @property
    def state(self) -> str:
        """How tables say it."""
        if self.task.unproven:
            return "unproven"
        return "proven" if self.proven else "holds" if self.holds else "not proven"

    @property
    def complete(self) -> bool:
        """Whether nothing went otherwise than it must, for want of an answer key or not."""
        elsewhere = self.task.unproven and self.task.source is not None
        return self.holds or (elsewhere and all(outcome.proven for outcome in self.outcomes))

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

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        solutions = self.of("solution")
        effects = {effect.place: effect.to_json() for outcome in solutions for effect in outcome.collateral}
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
            **({"silent": _score(self.of("silent")), "busy": _score(self.of("busy"))} if self.task.day else {}),
            "file": self.task.source.file if self.task.source else "",
            "other_ways": {outcome.trial.name: outcome.score for outcome in self.of("other_way")},
            "near_misses": {outcome.trial.name: outcome.score for outcome in self.of("near_miss")},
            "cheats": {outcome.trial.name: outcome.score for outcome in self.of("cheat")},
            "mutants": self.tally.mutants_json() if self.tally else None,
            "variants": self.tally.variants_json() if self.tally else None,
            "repeats": [outcome.score for outcome in solutions],
            "collateral": list(effects.values()),
            "seconds": round(self.seconds, 2),
            "problems": [
                *(["it has no answer key, so nothing shows that it can be done"] if self.task.unproven else []),
                *(problem for outcome in self.outcomes for problem in problems(outcome)),
                *(self.tally.problems() if self.tally else ()),
                *(f"no near miss breaks the checkpoint {name!r} alone" for name in self.unbroken),
            ],
        }


TOLD_BY_TABLES = frozenset({"expected", "ignored"})
"""Trials that may score anything: expected files that are not compared for being equal, ignored disturbances."""


def problems(outcome: Outcome) -> list[str]:
    """Say how an outcome differs from what it must be."""
    label = f"{outcome.trial.label}{f' ({outcome.trial.name})' if outcome.trial.name else ''}"
    if outcome.score is None:
        return [f"{label}: {outcome.error}"]
    said = []
    if outcome.trial.kind in MUST_NOT_SUCCEED:
        if outcome.score >= 1.0 and not outcome.collateral:
            said.append(f"{label}: scored {outcome.score:g} and left nothing else changed; a cheat must not")
    elif abs(outcome.score - outcome.trial.wanted) > 1e-9 and outcome.trial.kind not in TOLD_BY_TABLES:
        why = f": {' '.join(outcome.feedback)}" if outcome.feedback else ""
        said.append(f"{label}: scored {outcome.score:g}, must be {outcome.trial.wanted:g}{why}")
    if outcome.breaks_otherwise:
        missing = " and ".join(map(repr, outcome.missing)) or "nothing"
        said.append(f"{label}: it breaks {missing}, must break {outcome.trial.breaks!r} alone")
    if not outcome.agrees:
        said.append(f"{label}: judging twice disagrees")
    if outcome.trial.kind in MUST_BE_CLEAN:
        said.extend(
            f"{label}: {effect.kind} {effect.place}, which the task does not expect" for effect in outcome.collateral
        )
    return said


def verdict(proofs: Sequence[Proof]) -> str:
    """Say briefly how many are proven, or hold so far where near misses and the like were left out."""
    proven, holding = sum(proof.proven for proof in proofs), sum(proof.holds for proof in proofs)
    without = sum(proof.task.unproven for proof in proofs)
    unproven = f", {without} unproven for want of an answer key" if without else ""
    if holding == proven:
        return f"{proven} of {len(proofs)} proven{unproven}"
    return f"{holding} of {len(proofs)} hold, near misses and the like skipped{unproven}"


def mutants_caught(proof: Proof) -> str:
    """Say how many mutants did not survive, of how many; those that the task admits are named apart."""
    if proof.tally is None:
        return ""
    survived, admitted = (len(found) for found in (proof.tally.of("survived"), proof.tally.admissible("survived")))
    tried = proof.tally.mutation.mutants
    return f"{tried - survived - admitted} of {tried}" + (f", {admitted} admitted" if admitted else "")


def variants_kept(proof: Proof) -> str:
    """Say how many variants still counted, of how many."""
    if proof.tally is None:
        return ""
    tried = proof.tally.mutation.variants
    return f"{tried - len(proof.tally.of('rejected')) - len(proof.tally.admissible('rejected'))} of {tried}"


def mutation_words(proofs: Sequence[Proof]) -> str:
    """Say briefly what changing the end states brought to light; nothing where none was changed."""
    tallies = [proof.tally for proof in proofs if proof.tally]
    found = mutation_summary(tallies)
    if found["score"] is None:
        return "no end state was changed"
    return (
        f"mutation score {found['score']:.1%}: {found['survived']} of {found['mutants']} mutants survived, "
        f"{found['admitted']} allowed; {found['rejected']} of {found['variants']} variants rejected"
        + (f"; {found['defects']} defects" if found["defects"] else "")
    )


def summary(proofs: Sequence[Proof]) -> dict[str, object]:
    """Return many proofs as one object for a program to read."""
    return {
        "tasks": len(proofs),
        "proven": sum(proof.proven for proof in proofs),
        "holding": sum(proof.holds for proof in proofs),
        "unproven": sum(proof.task.unproven for proof in proofs),
        "flaky": sum(proof.flaky for proof in proofs),
        "flake_rate": round(sum(proof.flaky for proof in proofs) / len(proofs), 4) if proofs else None,
        "mutation": mutation_summary([proof.tally for proof in proofs if proof.tally]),
        "results": [proof.to_json() for proof in proofs],
    }


def mutation_summary(tallies: Sequence[MutationTally]) -> dict[str, object]:
    """Return what changing the end states of many tasks brought to light, in figures."""
    mutants, variants = ([getattr(tally.mutation, name) for tally in tallies] for name in ("mutants", "variants"))
    return {
        "tasks": len(tallies),
        "mutants": sum(mutants),
        "survived": sum(len(tally.of("survived")) for tally in tallies),
        "admitted": sum(len(tally.admissible("survived")) for tally in tallies),
        "score": mutation_score(tallies),
        "variants": sum(variants),
        "rejected": sum(len(tally.of("rejected")) for tally in tallies),
        "defects": sum(len(tally.of("defect")) for tally in tallies),
        "median_mutants": median(mutants) if mutants else None,
        "median_variants": median(variants) if variants else None,
        "seconds": round(sum(tally.mutation.seconds for tally in tallies), 1),
    }


def _score(outcomes: Iterable[Outcome]) -> float | None:
    return next((outcome.score for outcome in outcomes), None)
