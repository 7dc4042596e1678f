"""Watching a graph: after every action, which subtasks of a composed task are completed by it."""

from __future__ import annotations

from dataclasses import replace

from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watcher
from proctor.records import Step
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
