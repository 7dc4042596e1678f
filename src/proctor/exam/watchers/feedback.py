"""Feedback: an agent that says it is done is told what is missing, so many times, and may go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from proctor.actions.action import Action, Answer, Done
from proctor.exam.state import ExamState
from proctor.exam.watcher import Refusal, Reply, Watcher
from proctor.records import Told
from proctor.tasks.probe_context import Ending

Missing = Callable[[Ending], tuple[str, ...]]
"""Judges the computer as it is and returns what is missing; nothing when the task is done."""


class FeedbackWatcher(Watcher):
    """Has the agent's last word judged before it is taken."""

    looks = True

    def __init__(self, missing: Missing, times: int) -> None:
        self._missing = missing
        self._left = times

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Tell what is missing, unless nothing is."""
        if not self._left or not isinstance(action, Done | Answer):
            return None
        self._left -= 1
        missing = self._missing(replace(exam.ending, signal=action))
        return Refusal(tuple(Told("feedback", sentence) for sentence in missing)) if missing else None
