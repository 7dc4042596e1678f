"""Workers on a Ray cluster: one task per episode, held where there is room, its record brought back as it ends."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from proctor.errors import ProctorError, SpecError
from proctor.records import Result
from proctor.runner.capacity import share
from proctor.runner.job import Job
from proctor.runner.worker_pool import Lost
from proctor.runner.workers.away import Begun, hold_away
from proctor.runner.workers.cluster import Cluster
from proctor.runner.workers.local import GRACE_SEC
from proctor.runner.workers.parcels import Arrival, Parcel
from proctor.store.completeness import fault_of
from proctor.version import VERSION

LOOK_SEC = 5.0
"""How often the cluster is asked which nodes it has."""
FETCH_SEC = 60.0
"""A record of which nothing more has come for so long is lost."""
AHEAD = 4
"""Parcels a node may have under way; it waits with the next until one is unpacked."""


@dataclass
class _Going:
    """An episode that was given out."""

    job: Job
    begun: Begun | None = None
    """None while it waits for a place."""
    arrival: Arrival | None = None
    deadline: float = float("inf")

    def begin(self, begun: Begun) -> None:
        longest = self.job.rules.seconds_for(self.job.task.limits.seconds)
        self.begun = begun
        self.deadline = time.monotonic() + longest + GRACE_SEC
        self.arrival = Arrival(self.job.folder)

    @property
    def where(self) -> str:
        return f" on the node {self.begun.address}" if self.begun else ""


class RayWorkers:
    """Holds episodes on the nodes of a Ray cluster, or on one of its own on this machine when no address is given.

    Without a size there are as many at once as the nodes have processors and memory for; nodes that come later are
    used, those that go are not waited for. Ray repeats nothing: what was lost is told, and the schedule decides.
    """

    def __init__(
        self, address: str = "", *, size: int | None = None, images: Iterable[str] = (), thinking: bool = False
    ) -> None:
        if size is not None and size < 1:
            raise SpecError(f"{size} workers are too few", remedy="give 1 or more")
        self._share = share(images, thinking=thinking)
        self._size = size
        self._going: dict[Any, _Going] = {}
        self._cluster = Cluster(address, self._share)
        self._slots = self._cluster.slots()
        self._look = time.monotonic() + LOOK_SEC
        self._task = self._cluster.ray.remote(hold_away)
        self._options = {
            "num_returns": "streaming",
            "num_cpus": self._share.cores,
            "memory": int(self._share.gigabytes * 2**30),
            "max_retries": 0,
            "scheduling_strategy": "SPREAD",
            "_generator_backpressure_num_objects": AHEAD,
        }

    @property
    def room(self) -> int:
        """How many more episodes can be taken now; one may always wait for a node to come."""
        if self._size is not None:
            return self._size - len(self._going)
        if time.monotonic() >= self._look:
            self._slots = self._cluster.slots()
            self._look = time.monotonic() + LOOK_SEC
        return max(self._slots, 1) - len(self._going)

    def give(self, job: Job) -> None:
        """Begin an episode, or let it wait for a place."""
        stream = self._task.options(**self._options, **self._cluster.elsewhere()).remote(job, VERSION)
        self._going[stream] = _Going(job)

    def finished(self) -> Iterator[tuple[Job, Result | Lost]]:
        """Wait until a node says something or the cluster may have changed; yield each episode that has ended.

        Raises WorkersGone where the cluster is gone: then what it did not finish says nothing about an episode.
        """
        speaking = self._messages()
        if self._going and not speaking:
            self._cluster.check()
        for stream in speaking:
            going = self._going[stream]
            outcome = self._hear(stream, going)
            if isinstance(outcome, Lost):
                self._cluster.check()
            if outcome is not None:
                del self._going[stream]
                self._judge(going, outcome)
                yield going.job, outcome
        late = [stream for stream, going in self._going.items() if time.monotonic() >= going.deadline]
        self._cluster.stop(late)
        for stream in late:
            going = self._going.pop(stream)
            yield going.job, Lost(f"it did not end in time{going.where}")

    def close(self) -> None:
        """Stop everything at once and leave the cluster; one that was started here ends."""
        streams = list(self._going)
        self._going.clear()
        self._cluster.leave(streams)

    def _messages(self) -> list[Any]:
        """Wait until an episode has something to say, but not for long, and return it."""
        if not self._going:
            return []
        soonest = min(going.deadline for going in self._going.values()) - time.monotonic()
        ready, _ = self._cluster.ray.wait(list(self._going), timeout=max(0.0, min(soonest, LOOK_SEC)))
        return list(ready)

    def _hear(self, stream: Any, going: _Going) -> Result | Lost | None:
        """Take in what an episode says: that it has begun, or all of its record; returns what it came to then."""
        while True:
            match self._next(stream, going):
                case Begun() as begun:
                    going.begin(begun)
                    return None
                case Parcel() as parcel:
                    assert going.arrival is not None
                    going.arrival.take(parcel)
                case Result() as result:
                    fault = fault_of(going.job.folder)
                    return Lost(f"its record came damaged{going.where}: {fault}") if fault else result
                case Lost() as lost:
                    self._cluster.stop([stream])
                    return lost

    def _next(self, stream: Any, going: _Going) -> Begun | Parcel | Result | Lost:
        """Return the next message of an episode."""
        ray = self._cluster.ray
        try:
            if not ray.wait([stream], timeout=FETCH_SEC)[0]:
                return Lost(f"its record stopped coming{going.where}")
            message: Begun | Parcel | Result = ray.get(next(stream), timeout=FETCH_SEC)
        except StopIteration:
            return Lost(f"it ended without a result{going.where}")
        except ray.exceptions.RayTaskError as error:
            return _failed(error, going)
        except ray.exceptions.RayError as error:
            return Lost(f"{_in_short(error)}{going.where}")
        return message

    def _judge(self, going: _Going, outcome: Result | Lost) -> None:
        """Keep account of nodes whose computers fail again and again."""
        if going.begun is None:
            return
        if isinstance(outcome, Result) and outcome.cause not in ("computer", "host"):
            self._cluster.pleased(going.begun.node)
            return
        why = outcome.error if isinstance(outcome, Result) else outcome.why
        self._cluster.spoilt(going.begun.node, f"{why}{going.where}")


def _failed(error: Any, going: _Going) -> Lost:
    """Tell what an error of the task itself means; raises what is wrong with every episode."""
    cause = error.cause
    if isinstance(cause, ProctorError) and not isinstance(cause, SpecError):
        return Lost(f"{cause}{going.where}")
    if isinstance(cause, (ImportError, AttributeError, RuntimeError)):
        raise SpecError(
            f"a node of the Ray cluster cannot run episodes: {_in_short(cause)}",
            remedy="install the same Proctor on every node and continue with `proctor runs resume`",
        ) from error
    raise cause from error


def _in_short(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0][:300]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
