"""What failed of a proposal, and which of its writers is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from proctor.errors import SpecError
from proctor.graphs.compose.resource import KINDS, is_a
from proctor.home import HOME
from proctor.prove.proof import Proof
from proctor.prove.trial import Outcome
from proctor.suites.lint import lint_task
from proctor.synth.foreign import LEAST
from proctor.synth.parts import TaskParts, Writer, WrittenKey, plain_calls
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task
from proctor.tasks.words import loose

MOST_WORDS = 600
"""Characters of one fault."""
_QUOTED = re.compile(r'"([^"\n]{1,120})"|“([^”\n]{1,120})”')
_SAME_AS_KEY = "a near miss has the same moves as the solution"
"""What lint says where it is not told which of the two is wrong."""
_KEYS: Mapping[str, tuple[Writer, str]] = {"solution": ("moves", "these moves"), "other_way": ("route", "these moves")}


@dataclass(frozen=True)
class SynthFault:
    """Something wrong with a proposal."""

    writer: Writer
    """Who is told."""
    step: str
    """Where it came up: form, start, keys, effects, foreign, proof, or computer."""
    text: str


def faults_of_form(parts: TaskParts, data: Mapping[str, object], names: str) -> tuple[Task | None, list[SynthFault]]:
    """Return the task that the parts make, and what is wrong with it without a computer.

    `names` has what the application shows.
    """
    try:
        task = task_from_json(data)
    except SpecError as error:
        return None, [SynthFault("verdict", "form", error.message[:MOST_WORDS])]
    remarks = (remark.message for remark in lint_task(task))
    found = [SynthFault(_writer_of(said), "form", said) for said in remarks if said != _SAME_AS_KEY]
    found += [SynthFault("propose", "form", said) for said in _names_nothing(parts, names)]
    found += [SynthFault("verdict", "form", said) for said in _not_looked_at(parts)]
    if parts.route.moves == parts.moves.moves:
        found.append(SynthFault("route", "form", "these are the moves of the obvious way; take another route"))
    found += [*_key_among_misses("moves", parts.moves, parts), *_key_among_misses("route", parts.route, parts)]
    return task, found


def _key_among_misses(writer: Writer, key: WrittenKey, parts: TaskParts) -> Iterator[SynthFault]:
    """Yield that a key has the moves of a near miss, of which only one can be right."""
    for miss in parts.misses.near_misses:
        if miss.moves == key.moves:
            yield SynthFault(writer, "form", f"somebody who was to get it wrong made the same moves: {miss.name}")
            yield SynthFault("foreign", "form", f"{miss.name}: these are the moves of somebody who was to do it right")


def _writer_of(remark: str) -> Writer:
    """Return who wrote what a remark of lint is about."""
    if "near miss" in remark:
        return "foreign"
    if remark.startswith(("its instruction", "it has no paraphrase")) or "trailing blanks" in remark:
        return "propose"
    return "route" if remark.startswith("another way") else "verdict"


def _names_nothing(parts: TaskParts, names: str) -> Iterator[str]:
    """Yield what the instruction quotes that is neither there nor asked for by the check."""
    proposal = parts.proposal
    known = json.dumps([plain_calls(proposal.setup), parts.verdict.check.to_json()], ensure_ascii=False)
    texts = loose(" ".join([json.dumps(known, ensure_ascii=False), names, *(each.value for each in proposal.gives)]))
    texts = _letters(texts)
    for match in _QUOTED.finditer(proposal.instruction):
        quoted = (match[1] or match[2]).strip(" .,;:")
        if _letters(loose(quoted)) not in texts:
            yield f'the instruction names "{quoted}", which is nowhere: neither at the start nor in what is judged'


def _letters(text: str) -> str:
    # Escapes, quotes and blanks are written differently in data than in words.
    return re.sub(r"\\+[nrt\"]|[^\w]+", "", text)


def _not_looked_at(parts: TaskParts) -> Iterator[str]:
    check = json.dumps(parts.verdict.check.to_json(), ensure_ascii=False)
    gives = [thing for thing in parts.proposal.gives if thing.kind in KINDS]
    files = [thing.value for thing in gives if is_a(thing.kind, "file") or thing.kind == "folder"]
    if files and not any(_is_named(path.removeprefix(f"{HOME}/").rstrip("/"), check) for path in files):
        yield f"the task leaves {', '.join(files)} behind, and the check looks at none of it"


def _is_named(path: str, check: str) -> bool:
    folder, _, name = path.rpartition("/")
    return path in check or (name in check and folder in check)


# -- what came up on computers ------------------------------------------------------------------------------------


def faults_of_keys(outcomes: Sequence[Outcome]) -> list[SynthFault]:
    """Return what the start and the two keys show."""
    found: list[SynthFault] = []
    scores = [outcome.score for outcome in outcomes if outcome.trial.kind in _KEYS]
    for outcome in outcomes:
        if outcome.score is None:
            found += _tell_void(outcome)
        elif not outcome.agrees:
            found.append(SynthFault("verdict", "keys", "judging twice gives different results"))
        elif outcome.trial.kind in ("idle", "fail") and outcome.score > 0:
            found.append(SynthFault("verdict", "start", f"before anybody does anything it scores {outcome.score:g}"))
        elif outcome.trial.kind in _KEYS and outcome.score < 1:
            found += _tell_unsatisfied(outcome, alone=1.0 in scores)
    return [*found, *_effects(outcomes)]


def _tell_void(outcome: Outcome) -> Iterator[SynthFault]:
    error = outcome.error[:MOST_WORDS]
    kind = outcome.trial.kind
    if "setup step" in error or error.startswith("SetupFailed"):
        yield SynthFault("propose", "start", f"the start could not be prepared: {error}")
    elif error.startswith("CheckError"):
        yield SynthFault("verdict", "keys", f"it could not be judged: {error}")
    elif kind in _KEYS or kind == "near_miss":
        writer = _KEYS[kind][0] if kind in _KEYS else "foreign"
        named = f"{outcome.trial.name}: " if kind == "near_miss" else ""
        yield SynthFault(writer, "keys", f"{named}it could not be carried out: {error}")
    else:
        yield SynthFault("verdict", "keys", error)


def _tell_unsatisfied(outcome: Outcome, *, alone: bool) -> Iterator[SynthFault]:
    """Yield whom to tell of a key that does not score 1; the check is at fault at least as often."""
    said = " ".join(outcome.feedback)[:MOST_WORDS] or "nothing more is said"
    yield SynthFault(_KEYS[outcome.trial.kind][0], "keys", f"these moves score {outcome.score:g}: {said}")
    others = "another independent way scores 1" if alone else "so does another, independent way"
    yield SynthFault("verdict", "keys", f"a way that was to do the task scores {outcome.score:g}: {said} ({others})")


def _effects(outcomes: Sequence[Outcome]) -> Iterator[SynthFault]:
    """Yield what keys changed besides; the writer of the check hears of it only where both did."""
    places = {
        outcome.trial.kind: {f"{effect.kind} {effect.place}" for effect in outcome.collateral}
        for outcome in outcomes
        if outcome.trial.kind in _KEYS
    }
    both = set.intersection(*places.values()) if len(places) > 1 else set()
    for said in sorted(both):
        yield SynthFault("verdict", "effects", f"every way to do it has also {said}, which `expected` does not name")
    for kind, listed in places.items():
        for said in sorted(listed - both):
            yield SynthFault(_KEYS[kind][0], "effects", f"these moves have also {said}, which nobody asked for")


def faults_of_foreign(outcomes: Sequence[Outcome]) -> list[SynthFault]:
    """Return what trajectories show that must be refused."""
    found: list[SynthFault] = []
    refused = 0
    for outcome in outcomes:
        if outcome.score is None:
            found += _tell_void(outcome)
        elif outcome.score < 1 or (outcome.collateral and outcome.trial.kind == "foreign"):
            refused += 1
        elif outcome.trial.name.startswith("key "):
            found.append(SynthFault("verdict", "foreign", "a way that ends too early scores 1"))
            writer: Writer = "moves" if outcome.trial.name.startswith("key 1") else "route"
            found.append(SynthFault(writer, "foreign", f"{outcome.trial.name} score 1: leave out what is not needed"))
        else:
            found.append(SynthFault("verdict", "foreign", f"what is wrong scores 1: {outcome.trial.name}"))
    if refused < LEAST and not found:
        found.append(SynthFault("foreign", "foreign", f"only {refused} wrong ways are refused; give {LEAST} or more"))
    return found


def faults_of_proof(proof: Proof) -> list[SynthFault]:
    """Return what an ordinary proof shows besides: mutants, variants, repeats."""
    if proof.proven:
        return []
    tally = list(proof.tally.problems()) if proof.tally else ["its end state could not be changed piece by piece"]
    flaky = [outcome for outcome in proof.outcomes if not outcome.proven]
    found = [SynthFault("verdict", "proof", said[:MOST_WORDS]) for said in tally]
    return [*found, *faults_of_keys([each for each in flaky if each.trial.kind in ("solution", "other_way")])]


def texts_for(writer: Writer, faults: Iterable[SynthFault]) -> list[str]:
    """Return what one writer is told, each thing once."""
    return list(dict.fromkeys(fault.text for fault in faults if fault.writer == writer))
