"""The ordinary proof of a proposal whose check was held against keys and foreign trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.prove.proof import Proof
from proctor.prove.trial import Outcome
from proctor.synth.bench import TrialBench
from proctor.synth.cross_verify import cross_verify, every_trial, with_foreign
from proctor.synth.parts import TaskParts
from proctor.synth.repair import SynthFault, faults_of_proof
from proctor.tasks.task import Task, Way


@dataclass(frozen=True)
class Gate:
    """What came of a proposal on computers."""

    faults: tuple[SynthFault, ...]
    proof: Proof | None = None
    scores: dict[str, float] | None = None
    """What near misses scored that are given a part of the credit, by their names."""
    refused: int = 0
    """Foreign trajectories that the check refused."""


def pass_gate(
    task: Task, parts: TaskParts, others: Sequence[Way], rounds: int, bench: TrialBench, folder: Path
) -> Gate:
    """Cross-verify a proposal and prove it as any task is, with the trials that were held already."""
    tried = with_foreign(task, parts, others)
    every = every_trial(tried, rounds)
    ledger = bench.ledger(tried, every, folder)
    verified = cross_verify(tried, every, bench, ledger)
    if verified.faults:
        return Gate(verified.faults, refused=verified.refusals)
    again = bench.hold(tried, [trial for trial in every if trial.kind == "solution" and trial.number], ledger)
    own = [_with_its_score(each) for each in (*verified.outcomes, *again) if each.trial.kind != "foreign"]
    scores = {each.trial.name: each.trial.wanted for each in own if each.trial.kind == "near_miss"}
    proof = Proof(task, tuple(own))
    return Gate(tuple(faults_of_proof(proof)), proof, scores, verified.refusals)


def _with_its_score(outcome: Outcome) -> Outcome:
    """Return a near miss as one that is to score what it did: a check may give a part of the credit."""
    if outcome.trial.kind != "near_miss" or outcome.score is None:
        return outcome
    return replace(outcome, trial=replace(outcome.trial, wanted=outcome.score))
