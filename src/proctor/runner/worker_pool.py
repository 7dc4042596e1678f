"""A pool of processes that do jobs one at a time.

One that dies or hangs is replaced, and its job is told as lost.
"""

from __future__ import annotations

import ctypes
import importlib
import math
import multiprocessing
import os
import pickle
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from ctypes import Array, c_char
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Self

from proctor.errors import SpecError
from proctor.interpreters import own_modules_only

PR_SET_PDEATHSIG = 1
_WARM = "proctor.runner.workers.warm"
"""What the process imports that workers are forked from."""
_UNKNOWN_STATUS = 255
"""What a worker ended with where the process that it was forked from was killed, and it with that one."""
STARTUP_SEC = 120.0
"""A worker that has not imported its work by then will not."""


@dataclass(frozen=True)
class Lost:
    """What stands for the result of a job whose worker died or hung."""

    why: str
    killed: bool = False
    """Whether somebody outside ended it: the kernel, for want of memory, or an operator."""
    doing: str = ""
    """What it was doing, where it had said that."""


@dataclass(frozen=True)
class Awake:
    """What a worker says first."""


@dataclass(frozen=True)
class Word:
    """What a worker says of its job while it works on it."""

    text: str


@dataclass(frozen=True)
class Beat:
    """What a worker says of its job: it is prepared, or a step of it took so long."""

    seconds: float | None = None


_TELL: ContextVar[Callable[[Word | Beat], None] | None] = ContextVar("tell", default=None)


def tell(text: str) -> None:
    """Say something of the job at hand to the caller of this worker; outside of one, nobody hears it."""
    if told := _TELL.get():
        told(Word(text))


def beat(seconds: float | None = None) -> None:
    """Tell the caller of this worker that the job at hand is prepared, or how long a step of it took."""
    if told := _TELL.get():
        told(Beat(seconds))


_DOING: ContextVar[Array[c_char] | None] = ContextVar("doing", default=None)
MOST_DOING = 200
"""Characters by which a worker says what it does."""


def say_doing(what: str) -> None:
    """Say what this worker does from now on, for the case that it is lost.

    Empty for nothing in particular. It costs next to nothing and survives the worker, as both sides have this memory.
    """
    if (shared := _DOING.get()) is not None:
        shared.value = what.encode("ascii", "replace")[:MOST_DOING]


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    doing: Array[c_char]
    """Memory in which it says what it does."""
    job: Any = None
    busy: bool = False
    awake: bool = False
    """Whether it has imported what it needs; the time that takes is not the job's."""
    deadline: float = 0.0


class WorkerPool:
    """Worker processes that call one function, named as `module:function`, with one job after another.

    Jobs and results travel through pipes, so both must be picklable. Each worker is forked from a process that has
    imported things and done nothing else: nothing of the caller's state (open computers, threads, locks) leaks into
    it. A worker ends when its caller does.
    """

    def __init__(self, work: str, size: int, *, patience_sec: float) -> None:
        if size < 1:
            raise SpecError(f"{size} workers are too few", remedy="give 1 or more")
        self._work = work
        self._size = size
        self._patience_sec = patience_sec
        self._context = multiprocessing.get_context("forkserver")
        # Every worker is forked from one process that has imported the work already, and shares its memory.
        self._context.set_forkserver_preload([_WARM])
        self._workers: list[_Worker] = []
        self.heard: Callable[[Any, str], None] | None = None
        """Called with a job and what its worker says of it."""
        self.felt: Callable[[Any, Beat], None] | None = None
        """Called with a job and how it goes."""

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

    def results(self, *, most_sec: float = math.inf) -> Iterator[tuple[Any, Any]]:
        """Wait until a worker says something, or for at most so long, and yield each job that has ended.

        There is nothing when none is going on.
        """
        if busy := [worker for worker in self._workers if worker.busy]:
            yield from self._results(busy, most_sec)

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
        doing = self._context.RawArray("c", MOST_DOING + 1)
        given = (self._work, theirs, doing, dict(os.environ))
        process = self._context.Process(target=_serve, args=given, daemon=True)
        with own_modules_only():
            process.start()
        theirs.close()
        worker = _Worker(process, ours, doing)
        self._workers.append(worker)
        return worker

    def _give(self, worker: _Worker, job: Any) -> None:
        worker.job, worker.busy = job, True
        worker.deadline = time.monotonic() + (self._patience_sec if worker.awake else STARTUP_SEC)
        # A worker that has died meanwhile is found out when its answer is awaited.
        with suppress(BrokenPipeError):
            worker.pipe.send(job)

    def _results(self, busy: list[_Worker], most_sec: float) -> Iterator[tuple[Any, Any]]:
        left = min(worker.deadline for worker in busy) - time.monotonic()
        ready = wait([worker.pipe for worker in busy], timeout=max(0.0, min(left, most_sec)))
        for worker in busy:
            if worker.pipe in ready:
                result = self._result(worker)
                if isinstance(result, Word):
                    if self.heard is not None:
                        self.heard(worker.job, result.text)
                elif isinstance(result, Beat):
                    if self.felt is not None:
                        self.felt(worker.job, result)
                elif not isinstance(result, Awake):
                    yield worker.job, result
            elif time.monotonic() >= worker.deadline:
                limit = self._patience_sec if worker.awake else STARTUP_SEC
                self._dismiss(worker)
                why = f"it did not {'end' if worker.awake else 'begin'} within {limit:g} s"
                yield worker.job, Lost(why, doing=worker.doing.value.decode())

    def _result(self, worker: _Worker) -> Any:
        try:
            result = worker.pipe.recv()
            if isinstance(result, Word | Beat):
                return result
            if isinstance(result, Awake):
                worker.awake = True
                worker.deadline = time.monotonic() + self._patience_sec
                return result
        except (EOFError, ConnectionResetError):
            worker.process.join(5)
            self._dismiss(worker)
            code = worker.process.exitcode
            why, doing = f"its process ended with status {code}", worker.doing.value.decode()
            return Lost(why, killed=code in (-signal.SIGKILL, _UNKNOWN_STATUS), doing=doing)
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


def _serve(work: str, pipe: Connection, doing: Array[c_char], environment: dict[str, str]) -> None:
    """Do jobs in a worker until the other end of the pipe is closed."""
    # A caller that was killed leaves no worker behind: one that went on would write where the next run does. The
    # process that workers are forked from ends with its caller, and they with it; where it has ended before this line,
    # there is nobody to send the first word to.
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _be_its_own(environment)
    # Ctrl-C reaches every process of the terminal; only the caller decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    module, _, name = work.partition(":")
    function = getattr(importlib.import_module(module), name)
    pipe.send(Awake())
    _TELL.set(pipe.send)
    _DOING.set(doing)
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            result = function(job)
        except Exception as error:
            # The caller raises it: a defect of ours, not an outcome.
            result = portable(error)
        with suppress(BrokenPipeError):
            pipe.send(result)


def _be_its_own(environment: dict[str, str]) -> None:
    """Take the caller's environment of now, and random numbers of its own."""
    os.environ.clear()
    os.environ.update(environment)
    if numpy := sys.modules.get("numpy"):
        # Python's own generator is seeded anew by a fork.
        numpy.random.seed()


def portable(error: Exception) -> Exception:
    """Return an error that can be sent and read again: one that cannot would take the caller down instead."""
    try:
        arrived: Exception = pickle.loads(pickle.dumps(error))
    except Exception:
        arrived = RuntimeError(f"{type(error).__name__}: {error}")
    # Where it came up does not travel, and the caller's own lines do not tell.
    arrived.add_note("".join(traceback.format_exception(error)))
    return arrived
