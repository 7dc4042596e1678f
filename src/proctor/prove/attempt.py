"""Making trials: an exam is begun on a computer, something is done on it, and it is judged twice."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from proctor.actions.action import Done, Fail
from proctor.agents.agent import Over
from proctor.computers.computer import Computer
from proctor.errors import ProctorError, SpecError
from proctor.prove.interrupt import try_disturbed
from proctor.prove.key_exam import KeyExam
from proctor.prove.mutate import mutate
from proctor.prove.prefixes import compare_on_the_way, require_metrics
from proctor.prove.stand_ins import try_expected, try_spoilt
from proctor.prove.trial import DAILY, DISTURBED, EFFECTS_COUNT, Outcome, Trial
from proctor.tasks.call import Call
from proctor.tasks.judge import judge
from proctor.tasks.perform import make_as_many, make_moves
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import NearMiss, Task, Way
from proctor.tasks.weigh import weigh_side_effects


def attempt(task: Task, trials: Sequence[Trial], computer: Computer, *, assets: Path | None = None) -> list[Outcome]:
    """Make trials on a fresh, started computer; all but the last must leave it as it was set up."""
    outcomes: list[Outcome] = []
    for trial in trials:
        started = time.monotonic()
        disturb = trial.name if trial.kind in DISTURBED else ""
        prepare = _leave_as_it_is if outcomes else None
        with KeyExam(task, computer, assets=assets, prepare=prepare, disturb=disturb) as exam:
            outcome = _try(task, trial, exam, started, assets)
            if not exam.begun:
                return [*outcomes, *(replace(outcome, trial=left) for left in trials[len(outcomes) :])]
        outcomes.append(outcome)
    return outcomes


def _leave_as_it_is(computer: Computer) -> None:
    """The trial before has left the computer prepared."""


def _try(task: Task, trial: Trial, exam: KeyExam, started: float, assets: Path | None) -> Outcome:
    mutation = None
    try:
        if trial.kind in DISTURBED:
            found = try_disturbed(task, trial, exam, started)
            return found if found.proven else replace(found, screenshot=_picture(exam))
        hand = exam.hand()
        computer = exam.computer
        if trial.kind == "spoilt":
            return try_spoilt(task, trial, computer, started)
        if trial.kind == "expected":
            return try_expected(task, trial, computer, started, assets)
        before = judge(task, computer, Ending()).evidence if trial.mutated else {}
        compare = compare_on_the_way(task, exam) if trial.kind == "solution" else None
        with suppress(Over):  # nothing was completed for long, which the verdict says
            make = make_as_many if trial.kind == "foreign" else make_moves
            make(_moves(task, trial), hand, compare)
        if trial.kind == "solution" and exam.state.steps > task.limits.steps:
            raise SpecError(
                f"the solution takes {exam.state.steps} actions and the task allows {task.limits.steps}",
                remedy="raise limits.steps to at least twice as many",
            )
        first = exam.end_with_verdict(Fail(reason="it cannot be done") if trial.kind == "fail" else Done())
        seconds = time.monotonic() - started
        second = judge(task, computer, exam.state.ending, exam.watch)
        second = weigh_side_effects(task, second, exam.account.side_effects.effects)
        if task.graph and trial.kind == "solution":
            require_metrics(task.graph, first.metrics)
        effects = exam.find_effects() if trial.kind in EFFECTS_COUNT else ()
        if trial.mutated and first.passed and not effects:
            # What events changed in mailboxes and the like is how they were before.
            mutation = mutate(task, computer, exam.state.ending, {**before, **exam.side_effects.kept})
    except (ProctorError, OSError) as error:
        said = exam.words_of(error)
        return Outcome(trial, None, time.monotonic() - started, error=said, screenshot=_picture(exam))
    agrees = (first.score, first.feedback) == (second.score, second.feedback)
    missing = tuple(name for name, holds in first.checkpoints.items() if not holds)
    outcome = Outcome(
        trial,
        first.score,
        seconds,
        first.feedback,
        agrees=agrees,
        collateral=effects,
        mutation=mutation,
        missing=missing,
    )
    return outcome if outcome.proven else replace(outcome, screenshot=_picture(exam))


def _moves(task: Task, trial: Trial) -> Sequence[Call]:
    ways: dict[str, Sequence[NearMiss | Way]] = {
        "near_miss": task.near_misses,
        "other_way": task.other_ways,
        "cheat": task.cheats,
        "foreign": task.cheats,
    }
    if trial.kind in ways:
        return ways[trial.kind][trial.number].moves
    if task.day is not None and trial.kind in DAILY:
        return task.day.waits if trial.kind == "silent" else task.day.busy_moves
    return task.solution if trial.kind == "solution" else ()


def _picture(exam: KeyExam) -> bytes:
    try:
        buffer = io.BytesIO()
        exam.computer.screenshot().save(buffer, "WEBP", quality=60)
    except (ProctorError, OSError):
        return b""  # the computer is gone, and the error that is reported says why
    return buffer.getvalue()
