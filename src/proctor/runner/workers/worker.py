"""What the schedule asks of workers, wherever they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from proctor.errors import HostError
from proctor.records import Result
from proctor.runner.job import Job
from proctor.runner.worker_pool import Lost


class WorkersGone(HostError):
    """Nothing can be begun any more, and nothing more will be heard of what was going on."""


class Workers(Protocol):
    """Hold episodes side by side."""

    @property
    def room(self) -> int:
        """How many more episodes can be taken now."""

    def give(self, job: Job) -> None:
        """Begin an episode; only while there is room."""

    def finished(self) -> Iterable[tuple[Job, Result | Lost]]:
        """Wait until at least one episode has ended, and return all that have; nothing when none is going on.

        Raises WorkersGone when there is nobody left to wait for.
        """

    def close(self) -> None:
        """Stop everything at once; what was going on is lost and will be repeated."""
