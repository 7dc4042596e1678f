"""Pace: tells a run when a computer is prepared, and how long each step takes."""

from __future__ import annotations

from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.records import Step
from proctor.runner.worker_pool import beat

THEIR_OWN_TIME = frozenset({"wait", "wait_for_change", "run_code", "type"})
"""Actions that take as long as they are asked to."""


class PaceWatcher(Watcher):
    """Says how quick the machine is, so that a run knows when it has room for more."""

    def begin(self, exam: ExamState) -> None:
        """The computer stands, and was looked at."""
        beat()

    def after(self, exam: ExamState, step: Step) -> Step:
        """Tell how long it took to act and to see what came of it."""
        if step.seconds is not None and step.seconds.act is not None and step.kind not in THEIR_OWN_TIME:
            beat(step.seconds.act + (step.seconds.see or 0.0))
        return step
