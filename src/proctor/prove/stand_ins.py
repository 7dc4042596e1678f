"""What is put in the place of results: the files they are compared with, or spoilt ones."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.home import absolute
from proctor.prove.mutant_log import Trying
from proctor.prove.mutate_files import try_files
from proctor.prove.mutation import Mutation
from proctor.prove.spoil import spoil
from proctor.prove.trial import Outcome, Trial
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.task import Task


def try_expected(task: Task, trial: Trial, computer: Computer, started: float, assets: Path | None) -> Outcome:
    """Put expected files in place, judge them twice, and change them where they score 1."""
    context = SetupContext(computer, assets, task.assets)
    for path, asset in task.counterparts.items():
        computer.write_file(path, context.asset(asset))
    first, second = (judge(task, computer, Ending()) for _ in range(2))
    mutation = _mutate(task, computer) if first.passed else None
    agrees = (first.score, first.feedback) == (second.score, second.feedback)
    seconds = time.monotonic() - started
    return Outcome(trial, first.score, seconds, first.feedback, agrees=agrees, mutation=mutation)


def try_spoilt(task: Task, trial: Trial, computer: Computer, started: float) -> Outcome:
    """Put spoilt files in place; what came of each stands in the outcome's mutation."""
    mutation = spoil(task, computer)
    return Outcome(trial, 0.0, time.monotonic() - started, mutation=mutation)


def _mutate(task: Task, computer: Computer) -> Mutation:
    """Try mutants only: which variants its own system counts is that system's affair."""
    trying = Trying(task, computer, Ending(), Random(task.id))
    started = time.monotonic()
    try:
        try_files(trying, ("mutant",), [absolute(path, computer.home) for path in task.counterparts])
    except (ProctorError, OSError) as error:
        trying.untried.append(f"what was left: {type(error).__name__}: {error}")
    return trying.mutation(time.monotonic() - started)
