"""A pool keeps started computers ready, so that leasing one is nearly free."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from proctor.computers.computer import Computer
from proctor.errors import NotReady, SpecError


class Pool:
    """Started computers waiting to be leased; each is used once and never shared.

    While computers are out on lease, replacements start in the background: there are up to `size` waiting beside those
    leased. A computer that could not be started is an error of the lease that would have had it; the next one is tried
    only then, so a host that cannot start computers is not hammered.
    """

    def __init__(self, factory: Callable[[], Computer], size: int) -> None:
        if size < 1:
            raise SpecError(f"a pool cannot have the size {size}", remedy="give 1 or more")
        self._factory = factory
        self._changed = threading.Condition()
        self._ready: deque[Computer | BaseException] = deque()
        self._threads: set[threading.Thread] = set()
        self._close_errors: list[Exception] = []
        self._closed = False
        for _ in range(size):
            self._in_background(self._start_one, "start")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()

    @contextmanager
    def lease(self, *, timeout_sec: float = 120.0) -> Iterator[Computer]:
        """Lend a new computer, closed afterwards in the background; raises its error, or NotReady."""
        computer = self._take(timeout_sec)
        try:
            yield computer
        finally:
            self._give_back(computer)

    @property
    def ready(self) -> int:
        """How many computers can be leased at once."""
        with self._changed:
            return sum(isinstance(item, Computer) for item in self._ready)

    def wait_ready(self, count: int, *, timeout_sec: float = 120.0) -> None:
        """Wait until this many computers are started (or failed to), for measurements and warm-up."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._ready) >= count, timeout_sec):
                raise NotReady(f"{len(self._ready)} of {count} computers were started within {timeout_sec:g} s")

    def close(self) -> None:
        """Close every waiting computer, and raise the first error; those on lease close at its end."""
        with self._changed:
            self._closed = True
            waiting = [item for item in self._ready if isinstance(item, Computer)]
            self._ready.clear()
            self._changed.notify_all()
        for computer in waiting:
            self._stop_one(computer)
        while threads := self._live_threads():
            for thread in threads:
                thread.join()
        if self._close_errors:
            raise self._close_errors.pop(0)

    def _live_threads(self) -> list[threading.Thread]:
        with self._changed:
            return list(self._threads)

    def _take(self, timeout_sec: float) -> Computer:
        with self._changed:
            arrived = self._changed.wait_for(lambda: self._ready or self._closed, timeout_sec)
            if self._closed:
                raise SpecError("the pool is closed", remedy="lease before closing it")
            if not arrived:
                raise NotReady(
                    f"no computer was ready within {timeout_sec:g} s", remedy="use a larger pool, or wait longer"
                )
            item = self._ready.popleft()
        try:
            self._in_background(self._start_one, "start")
        except BaseException:
            if isinstance(item, Computer):
                item.close()
            raise
        if isinstance(item, BaseException):
            raise item
        return item

    def _give_back(self, computer: Computer) -> None:
        with self._changed:
            closed = self._closed
        if closed:
            computer.close()
        else:
            self._in_background(lambda: self._stop_one(computer), "stop")

    def _start_one(self) -> None:
        computer: Computer | None = None
        try:
            computer = self._factory()
            item: Computer | BaseException = computer.start()
        except BaseException as error:  # carried to whoever leases, and raised in their thread
            item = error
            if computer is not None:
                self._stop_one(computer)
        with self._changed:
            if not self._closed:
                self._ready.append(item)
                self._changed.notify_all()
                return
        if isinstance(item, Computer):
            self._stop_one(item)

    def _stop_one(self, computer: Computer) -> None:
        try:
            computer.close()
        except Exception as error:  # carried to whoever closes the pool
            with self._changed:
                self._close_errors.append(error)

    def _in_background(self, work: Callable[[], None], what: str) -> None:
        def run() -> None:
            try:
                work()
            finally:
                with self._changed:
                    self._threads.discard(threading.current_thread())

        thread = threading.Thread(target=run, name=f"proctor-pool-{what}")
        with self._changed:
            thread.start()
            self._threads.add(thread)
