"""The files of one episode, the costly ones made and written in a background thread."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable

from proctor.store.files import Sum, write_new, write_whole

WAITING = 4
"""Files that may wait to be made; beyond them the caller waits, so that memory stays bounded."""

_Job = tuple[str, Callable[[], bytes]]


class EpisodeFiles:
    """Writes files into a folder and remembers their sums.

    A failure in the background is raised by the next call, and by every later one: a record with a hole is not
    completed.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.sums: dict[str, Sum] = {}
        self.failure: Exception | None = None
        self._queue: queue.Queue[_Job | None] | None = None
        self._thread: threading.Thread | None = None

    def put(self, name: str, data: bytes) -> None:
        """Write a file now, in place of an earlier one."""
        self.check()
        # A rename costs as much as a file, so only what somebody may be reading is replaced that way.
        write = write_whole if name in self.sums else write_new
        try:
            self.sums[name] = write(self.folder, name, data)
        except Exception as error:
            self.failure = error
            raise

    def put_later(self, name: str, make: Callable[[], bytes]) -> None:
        """Make and write a file in the background; waits while too many are waiting."""
        self.check()
        if self._queue is None:
            self._queue = queue.Queue(WAITING)
            self._thread = threading.Thread(target=self._work, args=(self._queue,), name="record", daemon=True)
            self._thread.start()
        self._queue.put((name, make))

    def settle(self) -> None:
        """Wait until everything that waits is written, or has failed."""
        if self._queue is not None:
            self._queue.join()
        self.check()

    def file_like(self, sha256: str, like: re.Pattern[str]) -> str | None:
        """Return the file of this content whose name is like a pattern, if there is one."""
        names = (name for name, found in self.sums.items() if found.sha256 == sha256 and like.fullmatch(name))
        return next(names, None)

    def check(self) -> None:
        """Raise what went wrong before."""
        if self.failure is not None:
            raise self.failure

    def drain(self) -> None:
        """Wait until everything is written, or has failed; the thread ends."""
        if self._queue is not None and self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._queue = self._thread = None

    def _work(self, jobs: queue.Queue[_Job | None]) -> None:
        while (job := jobs.get()) is not None:
            # After a failure the queue is still emptied, so that nobody waits for room in vain.
            if self.failure is None:
                name, make = job
                try:
                    self.sums[name] = write_whole(self.folder, name, make())
                except Exception as error:
                    # The boundary of the thread: the caller gets it with the next call.
                    self.failure = error
            jobs.task_done()
