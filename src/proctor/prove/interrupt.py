"""Trials of a solution that is interrupted: something comes in between, and is answered or not."""

from __future__ import annotations

import time

from proctor.errors import ComputerLost
from proctor.prove.key_exam import KeyExam
from proctor.prove.trial import Outcome, Trial
from proctor.runner.answer_key import follow
from proctor.runner.reactions import Reactions
from proctor.tasks.perform import MoveFailed
from proctor.tasks.task import Task


def try_disturbed(task: Task, trial: Trial, exam: KeyExam, started: float) -> Outcome:
    """Follow the key while something comes in between; without an answer to that, a move may fail."""
    reactions = Reactions.of(task, trial.name, lambda: exam.state.happenings) if trial.kind == "disturbed" else None
    hand, failed = exam.hand(reactions), ""
    try:
        follow(task.solution, hand, reactions)
    except MoveFailed as error:
        if isinstance(error.__cause__, ComputerLost):
            raise
        failed = str(error)
    verdict = exam.end_with_verdict()
    came = any(each.disturbance and each.happened for each in exam.state.happenings)
    seconds = time.monotonic() - started
    return Outcome(trial, verdict.score, seconds, verdict.feedback, error=failed, came=came)
