"""Workers behind a lobby: the client outside says which episode comes next."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.agents.external.door import Door
from proctor.agents.external.lobby import Lobby
from proctor.records import Result
from proctor.runner.job import Job
from proctor.runner.run_episode import run_episode
from proctor.runner.worker_pool import Lost
from proctor.runner.workers.worker import WorkersGone

INTERRUPTED = "The examination was interrupted."


class LobbyWorkers:
    """Takes all episodes, and holds each in this process when it is chosen.

    The last call of each is answered when its result is in the record.
    """

    def __init__(self, lobby: Lobby, *, tell: bool = False) -> None:
        """Stand behind a lobby; `tell` says whether the client hears its verdicts."""
        self._lobby, self._tell = lobby, tell
        self._jobs: dict[str, Job] = {}
        self._last: tuple[str, Door, str] | None = None

    @property
    def room(self) -> int:
        """As many as there are tasks."""
        return len(self._lobby.states) - len(self._jobs)

    def give(self, job: Job) -> None:
        """Keep an episode until it is chosen."""
        self._jobs[job.key.task] = job

    def finished(self) -> Iterator[tuple[Job, Result | Lost]]:
        """Wait for a choice, and hold that episode; raises WorkersGone once the client has left."""
        self.tell_last()
        chosen = self._lobby.next()
        if chosen is None:
            left = len(self._lobby.tasks_left)
            raise WorkersGone(f"the client left when {left} task{'' if left == 1 else 's'} had not begun")
        task, door = chosen
        self._last = task, door, INTERRUPTED
        job = self._jobs[task]
        result = run_episode(job, {"door": door})
        self._last = task, door, last_words(result, tell=self._tell)
        yield job, result

    def tell_last(self) -> None:
        """Tell the client how the last episode ended; what came of it is in the record now."""
        if self._last is not None:
            self._lobby.over(*self._last)
        self._last = None

    def close(self) -> None:
        """Nothing is left running."""


def last_words(result: Result, *, tell: bool) -> str:
    """Return what the client is told when an episode has ended."""
    if result.void:
        return f"The examination could not be held: {result.error.splitlines()[0] if result.error else result.cause}."
    how = f"The examination is over ({result.stop.replace('_', ' ')}) and is recorded."
    if not tell or result.score is None:
        return how
    return f"{how} Score: {result.score:g}; {'passed' if result.passed else 'not passed'}."
