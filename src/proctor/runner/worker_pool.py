"""A pool of processes that do jobs one at a time.

One that dies or hangs is replaced, and its job is told as lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from proctor.errors import SpecError
from proctor.interpreters import own_modules_only
from proctor.runner.pool_worker import Awake, Word, serve

STARTUP_SEC = 120.0
"""A worker that has not imported its work by then will not."""


@dataclass(frozen=True)
class Lost:
    """What stands for the result of a job whose worker died or hung."""

    why: str
    killed: bool = False
    """Whether somebody outside ended it: the kernel, for want of memory, or an operator."""


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    job: Any = None
    busy: bool = False
    awake: bool = False
    """Whether it has imported what it needs; the time that takes is not the job's."""
    deadline: float = 0.0


class WorkerPool:
    """Worker processes that call one function, named as `module:function`, with one job after another.

    Jobs and results travel through pipes, so both must be picklable. Each worker is a fresh interpreter: nothing of
    the caller's state (open computers, threads, locks) leaks into it. A worker ends when its caller does.
    """

    def __init__(self, work: str, size: int, *, patience_sec: float) -> None:
        if size < 1:
            raise SpecError(f"{size} workers cannot do anything", remedy="give 1 or more")
        self._work = work
        self._size = size
        self._patience_sec = patience_sec
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self.heard: Callable[[Any, str], None] | None = None
        """Called with a job and what its worker says of it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def do(self, jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield each job with its result, or Lost, as they are finished.

        An error of the function itself is raised.
        """
        waiting = deque(jobs)
        while waiting or self.room < self._size:
            while waiting and self.room:
                self.give(waiting.popleft())
            yield from self.results()

    @property
    def room(self) -> int:
        """How many more jobs can be taken now."""
        return self._size - sum(worker.busy for worker in self._workers)

    def give(self, job: Any) -> None:
        """Hand out a job; only while there is room."""
        worker = self._free()
        assert worker is not None, "a job was given to a pool that has no room"
        self._give(worker, job)

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Wait until a worker says something, and yield each job that has ended.

        There is nothing when none is going on.
        """
        if busy := [worker for worker in self._workers if worker.busy]:
            yield from self._results(busy)

    def close(self) -> None:
        """Stop every worker at once; what they hold (computers too) ends with them."""
        for worker in self._workers:
            self._kill(worker)
        self._workers.clear()

    def _free(self) -> _Worker | None:
        free = next((worker for worker in self._workers if not worker.busy), None)
        if free is None and len(self._workers) < self._size:
            free = self._hire()
        return free

    def _hire(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=serve, args=(self._work, theirs, os.getpid()), daemon=True)
        with own_modules_only():
            process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _give(self, worker: _Worker, job: Any) -> None:
        worker.job, worker.busy = job, True
        worker.deadline = time.monotonic() + (self._patience_sec if worker.awake else STARTUP_SEC)
        # A worker that has died meanwhile is found out when its answer is awaited.
        with suppress(BrokenPipeError):
            worker.pipe.send(job)

    def _results(self, busy: list[_Worker]) -> Iterator[tuple[Any, Any]]:
        now = time.monotonic()
        ready = wait([worker.pipe for worker in busy], timeout=max(0.0, min(w.deadline for w in busy) - now))
        for worker in busy:
            if worker.pipe in ready:
                result = self._result(worker)
                if isinstance(result, Word):
                    if self.heard is not None:
                        self.heard(worker.job, result.text)
                elif not isinstance(result, Awake):
                    yield worker.job, result
            elif time.monotonic() >= worker.deadline:
                limit = self._patience_sec if worker.awake else STARTUP_SEC
                self._dismiss(worker)
                yield worker.job, Lost(f"it did not {'end' if worker.awake else 'begin'} within {limit:g} s")

    def _result(self, worker: _Worker) -> Any:
        try:
            result = worker.pipe.recv()
            if isinstance(result, Word):
                return result
            if isinstance(result, Awake):
                worker.awake = True
                worker.deadline = time.monotonic() + self._patience_sec
                return result
        except (EOFError, ConnectionResetError):
            worker.process.join(5)
            self._dismiss(worker)
            code = worker.process.exitcode
            return Lost(f"its process ended with status {code}", killed=code == -signal.SIGKILL)
        worker.busy = False
        if isinstance(result, BaseException):
            raise result
        return result

    def _dismiss(self, worker: _Worker) -> None:
        self._kill(worker)
        self._workers.remove(worker)

    def _kill(self, worker: _Worker) -> None:
        worker.pipe.close()
        if worker.process.is_alive():
            worker.process.kill()
        worker.process.join()
