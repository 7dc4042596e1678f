"""Workers on this machine: one process per episode slot, replaced when it dies or hangs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from proctor.exam.watcher import Watcher, asked_aloud
from proctor.models.retry import announced_to
from proctor.records import Result
from proctor.runner.admission import LOOK_EVERY_SEC, EpisodeAdmission
from proctor.runner.job import Job
from proctor.runner.watchers.pace import PaceWatcher
from proctor.runner.worker_pool import Lost, WorkerPool, say_doing, tell

GRACE_SEC = 300.0
"""How much longer than its agent may work an episode may take: setup, judgement, a slow machine."""


def hold_aloud(job: Job) -> Result:
    """Hold an episode in a worker, and say when its model is asked again or a watcher is."""
    from proctor.runner.run_episode import run_episode

    with announced_to(tell), asked_aloud(say_doing):
        return run_episode(job, watchers=[PaceWatcher()])


class LocalWorkers:
    """A pool of processes that run episodes, as many at a time as `admission` lets in."""

    def __init__(self, admission: EpisodeAdmission, *, longest_sec: float) -> None:
        self.admission = admission
        self._crew = WorkerPool(f"{__name__}:hold_aloud", admission.most, patience_sec=longest_sec + GRACE_SEC)
        self._crew.felt = lambda job, said: admission.beat(job.folder, said.seconds)

    def hear(self, heard: Callable[[Job, str], None]) -> None:
        """Pass on what workers say of their episodes while they go on, such as that a model does not answer."""
        self._crew.heard = heard

    @property
    def room(self) -> int:
        """How many more episodes can be taken now."""
        return min(self._crew.room, self.admission.room)

    def give(self, job: Job) -> None:
        """Begin an episode."""
        self.admission.begin(job.folder)
        self._crew.give(job)

    def finished(self) -> Iterator[tuple[Job, Result | Lost]]:
        """Wait for a word, or until it is time to look for room; yield episodes that have ended."""
        for job, outcome in self._crew.results(most_sec=LOOK_EVERY_SEC):
            self.admission.end(job.folder)
            yield job, outcome

    def close(self) -> None:
        """Stop everything at once."""
        self._crew.close()


class HereWorkers:
    """Holds one episode at a time in this very process, for agents that speak with somebody in front of it."""

    def __init__(self, offered: Mapping[str, Any] | None = None, along: Sequence[Watcher] = ()) -> None:
        """Take what is offered besides the rules.

        Args:
            offered: What agents are given besides their options, where their constructors name it.
            along: Who goes along with every episode.
        """
        self._offered, self._along = offered, along
        self._job: Job | None = None

    @property
    def room(self) -> int:
        """One when nothing is going on."""
        return 0 if self._job else 1

    def give(self, job: Job) -> None:
        """Take the episode that `finished` will hold."""
        self._job = job

    def finished(self) -> Iterator[tuple[Job, Result | Lost]]:
        """Hold the episode."""
        from proctor.runner.run_episode import run_episode

        job, self._job = self._job, None
        if job is not None:
            yield job, run_episode(job, self._offered, self._along)

    def close(self) -> None:
        """Nothing is left running."""
