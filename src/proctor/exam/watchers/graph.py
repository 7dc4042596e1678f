"""Watching composed tasks and days: what an action completes, and what was done in time."""

from __future__ import annotations

from dataclasses import replace

from proctor.actions.action import Action
from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Reply, Watcher
from proctor.records import Step
from proctor.tasks.day_watch import DayWatch, Looking
from proctor.tasks.watch import Watch

QUICK_SEC = 1.0
"""What a look may take that is not slow; honest ones take a tenth of it."""
SLOW_SEC = 60.0
"""How long slow looks may take together; then nobody looks before the end."""


class GraphWatcher(Watcher):
    """Looks on at a composed task, and ends it when nothing is completed any more.

    Programs run on meanwhile: what holds them still may end one, which would change what is examined. Each look has a
    deadline, and all together have one, as an agent may make every one of them slow.
    """

    looks = True

    def __init__(self, watch: Watch, troubles: Troubles) -> None:
        self.watch = watch
        self._troubles = troubles
        self._slow = 0.0

    def after(self, exam: ExamState, step: Step) -> Step:
        """Note the subtasks that were completed."""
        if exam.result is None:
            return step
        if self._slow >= SLOW_SEC:
            exam.figures["unwatched_steps"] = exam.figures.get("unwatched_steps", 0.0) + 1.0
            return step
        began = exam.computer.clock()
        completed = self.watch.look(exam.computer, trouble=self._troubles)
        self._slow += max(exam.computer.clock() - began - QUICK_SEC, 0.0)
        if self.watch.progress.failed:
            exam.finish("no_progress")
        return replace(step, nodes=tuple(completed))


class DayWatcher(Watcher):
    """Looks at what was to be done until an event as soon as the event has happened.

    It goes after the watcher of events, so that nothing can be done in between.
    """

    looks = True

    def __init__(self, watch: DayWatch, troubles: Troubles) -> None:
        self._watch, self._troubles = watch, troubles

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Look before an action at what an event has made too late while the agent was thinking."""
        self._look(exam)
        return None

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


def watcher_of(watch: Looking | None, troubles: Troubles) -> Watcher | None:
    """Return who looks on at a composed task or a day; None for any other task."""
    if watch is None:
        return None
    return GraphWatcher(watch, troubles) if isinstance(watch, Watch) else DayWatcher(watch, troubles)
