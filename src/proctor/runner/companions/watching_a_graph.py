"""Watching a graph: after every action, which subtasks of a composed task are completed by it."""

from __future__ import annotations

from dataclasses import replace

from proctor.records import Step
from proctor.runner.companion import Companion
from proctor.runner.state import EpisodeState
from proctor.runner.trouble import Troubles
from proctor.tasks.watch import Watch


class WatchingAGraph(Companion):
    """Looks on while an agent works on a composed task, and ends it when nothing is completed any more."""

    def __init__(self, watch: Watch, troubles: Troubles) -> None:
        self.watch = watch
        self._troubles = troubles

    def after_action(self, episode: EpisodeState, step: Step) -> Step:
        """Note the subtasks that were completed."""
        if episode.result is None:
            return step
        completed = self.watch.look(episode.computer, trouble=self._troubles)
        if self.watch.progress.failed:
            episode.finish("no_progress")
        return replace(step, nodes=tuple(completed))
