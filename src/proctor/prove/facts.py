"""What a proof shows of tasks without an answer key: what can be seen all the same."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.prove.mutation import MutationTally
from proctor.prove.proof import Proof
from proctor.prove.trial import Outcome, TrialKind


def facts(proof: Proof) -> tuple[str, ...]:
    """Return what holds of a task without an answer key, in words."""
    if not proof.task.unproven:
        return ()
    idle, fail, expected = (_outcome(proof, kind) for kind in ("idle", "fail", "expected"))
    found = [
        "doing nothing scores 0" if _as_wanted(idle) else "",
        f"giving up scores {fail.score:g}" if fail and fail.score is not None and _as_wanted(fail) else "",
        "judged twice alike" if proof.outcomes and all(outcome.agrees for outcome in proof.outcomes) else "",
        _withstand(_tally(proof, "spoilt")),
        "the expected files score 1" if expected and expected.score == 1.0 else "",
        _notice(_tally(proof, "expected")),
    ]
    return tuple(filter(None, found))


def facts_in_words(proofs: Sequence[Proof]) -> str:
    """Say briefly what was shown of the tasks without an answer key; nothing where there is none."""
    without = [proof for proof in proofs if proof.task.unproven]
    if not without:
        return ""
    tallies = [tally for proof in without if (tally := _tally(proof, "spoilt"))]
    changed = [tally for proof in without if (tally := _tally(proof, "expected"))]
    spoilt = sum(tally.mutation.spoilt + tally.mutation.mutants for tally in tallies)
    crashed, credited = (sum(len(tally.of(kind)) for tally in tallies) for kind in ("defect", "survived"))
    mutants, missed = sum(t.mutation.mutants for t in changed), sum(len(t.of("survived")) for t in changed)
    said = [
        f"doing nothing scores 0 in {sum(_as_wanted(_outcome(proof, 'idle')) for proof in without)}",
        f"giving up scores as it should in {sum(_as_wanted(_outcome(proof, 'fail')) for proof in without)}",
        f"judged twice alike {sum(all(each.agrees for each in proof.outcomes) for proof in without)}",
    ]
    if spoilt:
        said.append(f"{spoilt - crashed - credited} of {spoilt} spoilt files withstood")
    if placed := [outcome for proof in without if (outcome := _outcome(proof, "expected"))]:
        said.append(f"the expected files score 1 in {sum(each.score == 1.0 for each in placed)} of {len(placed)}")
    if mutants:
        said.append(f"{mutants - missed} of {mutants} changes to them noticed")
    return f"of {len(without)} without an answer key: {'; '.join(said)}"


def _outcome(proof: Proof, kind: TrialKind) -> Outcome | None:
    return next(iter(proof.of(kind)), None)


def _as_wanted(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.score == outcome.trial.wanted


def _tally(proof: Proof, kind: TrialKind) -> MutationTally | None:
    outcome = _outcome(proof, kind)
    return MutationTally(outcome.mutation, ()) if outcome and outcome.mutation else None


def _withstand(tally: MutationTally | None) -> str:
    if tally is None or tally.of("defect") or tally.of("survived"):
        return ""
    tried = tally.mutation.spoilt + tally.mutation.mutants
    return f"{tried} spoilt files withstood" if tried else ""


def _notice(tally: MutationTally | None) -> str:
    if tally is None or not tally.mutation.mutants:
        return ""
    missed = len(tally.of("survived"))
    return f"{tally.mutation.mutants - missed} of {tally.mutation.mutants} changes to them noticed"
