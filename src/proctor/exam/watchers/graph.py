"""Watching a graph: after every action, which subtasks of a composed task are completed by it."""

from __future__ import annotations

from dataclasses import replace

from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watcher
from proctor.records import Step
from proctor.tasks.watch import Watch


class GraphWatcher(Watcher):
    """Looks on while an agent works on a composed task, and ends it when nothing is completed any more."""

    def __init__(self, watch: Watch, troubles: Troubles) -> None:
        self.watch = watch
        self._troubles = troubles

    def after(self, exam: ExamState, step: Step) -> Step:
        """Note the subtasks that were completed."""
        if exam.result is None:
            return step
        completed = self.watch.look(exam.computer, trouble=self._troubles)
        if self.watch.progress.failed:
            exam.finish("no_progress")
        return replace(step, nodes=tuple(completed))
