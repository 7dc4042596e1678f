"""Watching a day: when it becomes too late for something, it is seen whether it is done."""

from __future__ import annotations

from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watcher
from proctor.records import Step
from proctor.tasks.day_watch import DayWatch


class DayWatcher(Watcher):
    """Looks at what was to be done until an event as soon as the event has happened.

    It goes after the watcher of events, so that nothing can be done in between.
    """

    looks = True

    def __init__(self, watch: DayWatch, troubles: Troubles) -> None:
        self._watch, self._troubles = watch, troubles

    def before(self, exam: ExamState, action: object) -> None:
        """Look before the next action at what an event has made too late while the agent was thinking."""
        self._look(exam)

    def after(self, exam: ExamState, step: Step) -> Step:
        """Look at what an event has made too late after a step."""
        self._look(exam)
        return step

    def end(self, exam: ExamState) -> None:
        """Look a last time, as an event may have come since the last action."""
        self._look(exam)

    def _look(self, exam: ExamState) -> None:
        happened = {each.name for each in exam.happenings if each.happened}
        for opportunity in self._watch.is_due(happened):
            self._watch.look(opportunity, exam.computer, self._troubles if exam.acted else None)
