"""Making trials: a fresh computer is prepared, something is done on it, and it is judged twice."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from proctor.actions.action import Fail
from proctor.computers.blame import blame
from proctor.computers.computer import Computer
from proctor.errors import ComputerLost, ProctorError, SpecError
from proctor.prove.mutate import mutate
from proctor.prove.prefixes import followed, looking, require_metrics
from proctor.prove.trial import EFFECTS_COUNT, Outcome, Trial
from proctor.tasks.collateral import collateral
from proctor.tasks.judge import judge
from proctor.tasks.perform import MoveFailed, perform
from proctor.tasks.prepare import conclude, prepare
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import NearMiss, Task, Way
from proctor.tasks.watch import Watch


def attempt(task: Task, trials: Sequence[Trial], computer: Computer, *, assets: Path | None = None) -> list[Outcome]:
    """Prepare a fresh, started computer and make trials on it; all but the last must leave it as it is."""
    started = time.monotonic()
    try:
        prepare(task, computer, assets=assets)
    except ProctorError as error:
        said = f"{type(error).__name__}: {error}"
        picture = _picture(computer)
        return [Outcome(trial, None, time.monotonic() - started, error=said, screenshot=picture) for trial in trials]
    outcomes = []
    for trial in trials:
        outcomes.append(_try(task, trial, computer, started))
        started = time.monotonic()
    return outcomes


def _try(task: Task, trial: Trial, computer: Computer, started: float) -> Outcome:
    watch = Watch(task.graph) if task.graph else None
    mutation = None
    try:
        before = judge(task, computer, Ending()).evidence if trial.mutated else {}
        ending = _act(task, trial, computer, watch)
        if trial.kind == "solution" and len(computer.history) > task.limits.steps:
            raise SpecError(
                f"the solution takes {len(computer.history)} actions and the task allows {task.limits.steps}",
                remedy="raise limits.steps, to twice as many at least",
            )
        conclude(task, computer)
        first = judge(task, computer, ending, watch)
        seconds = time.monotonic() - started
        second = judge(task, computer, ending, watch)
        if task.graph and trial.kind == "solution":
            require_metrics(task.graph, first.metrics)
        effects = tuple(collateral(task, computer)) if trial.kind in EFFECTS_COUNT else ()
        if trial.mutated and first.passed and not effects:
            mutation = mutate(task, computer, ending, before)
    except (ProctorError, OSError) as error:
        said = _said(error, computer)
        return Outcome(trial, None, time.monotonic() - started, error=said, screenshot=_picture(computer))
    agrees = (first.score, first.feedback) == (second.score, second.feedback)
    outcome = Outcome(trial, first.score, seconds, first.feedback, agrees=agrees, collateral=effects, mutation=mutation)
    return outcome if outcome.proven else replace(outcome, screenshot=_picture(computer))


def _act(task: Task, trial: Trial, computer: Computer, watch: Watch | None) -> Ending:
    if trial.kind == "fail":
        return Ending(Fail(reason="it cannot be done"))
    if trial.kind == "idle":
        return perform(task, (), computer)
    if trial.kind == "solution":
        return perform(task, task.solution, computer, followed(watch, computer) if watch else None)
    ways: dict[str, Sequence[NearMiss | Way]] = {
        "near_miss": task.near_misses,
        "other_way": task.other_ways,
        "cheat": task.cheats,
    }
    moves = [way.moves for way in ways[trial.kind]][trial.number]
    return perform(task, moves, computer, looking(watch, computer) if watch else None)


def _said(error: Exception, computer: Computer) -> str:
    """Say what ended a trial; where the computer was lost, also whether the moves did it or its host."""
    said = f"{type(error).__name__}: {error}"
    origin = error.__cause__ if isinstance(error, MoveFailed) else error
    if not isinstance(origin, ComputerLost) or not computer.history:
        return said
    found = blame(origin, computer)
    who = "its host is to blame" if found.whose == "host" else "what was done on it broke it"
    return "\n".join(filter(None, [said, f"the computer is broken, and {who}: {found.why}", found.defect]))


def _picture(computer: Computer) -> bytes:
    try:
        buffer = io.BytesIO()
        computer.screenshot().save(buffer, "WEBP", quality=60)
    except (ProctorError, OSError):
        return b""  # the computer is gone, and the error that is reported says why
    return buffer.getvalue()
