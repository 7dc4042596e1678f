"""Appends to the index of a run: many lines at once, after their episodes are durable."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from proctor.store.files import disk_trouble, open_to_change, sync_file_system, write_whole

EVERY_SEC = 1.0
"""How often lines are made durable while they come in."""


class IndexWriter:
    """Collects lines and commits them about once a second in a background thread.

    A line is written after the files of its episode are on the disk. A crash therefore leaves no line without its
    episode; it may leave an episode without its line, which is found again when the run is resumed.
    """

    def __init__(self, path: Path, size: int, clock: Callable[[], float]) -> None:
        self._path = path
        self._size = size
        self._clock = clock
        self._committed = clock()
        self._pending: list[bytes] = []
        with disk_trouble(path):
            self._fd = open_to_change(path)
        self._one_at_a_time = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._under_way: Future[None] | None = None

    def check(self) -> None:
        """Raise what went wrong in the background, once; the lines in question wait for the next commit."""
        if self._under_way is not None and self._under_way.done():
            finished, self._under_way = self._under_way, None
            finished.result()

    def add(self, line: bytes) -> None:
        """Take in a line."""
        self._pending.append(line)
        if self._under_way is None and self._clock() - self._committed >= EVERY_SEC:
            self._thread = self._thread or ThreadPoolExecutor(1, thread_name_prefix="record")
            # At the end of the interpreter no thread begins any more; `close` then writes what waits.
            with suppress(RuntimeError):
                self._under_way = self._thread.submit(self._flush)

    def commit(self) -> None:
        """Make every line durable that was taken in."""
        under_way, self._under_way = self._under_way, None
        if under_way is not None:
            # Its failure is of no interest: what it did not write is tried again now.
            under_way.exception()
        self._flush()

    def close(self) -> None:
        """Commit and let go, whatever comes of it."""
        try:
            self.commit()
        finally:
            if self._thread is not None:
                self._thread.shutdown()
            os.close(self._fd)

    def _flush(self) -> None:
        with self._one_at_a_time:
            self._committed = self._clock()
            count = len(self._pending)
            data = b"".join(self._pending[:count])
            if not data:
                return
            with disk_trouble(self._path):
                sync_file_system(self._fd)
                try:
                    _write_at(self._fd, data, self._size)
                    os.fdatasync(self._fd)
                except OSError:
                    # No half of a line may stay where the next attempt goes on.
                    os.ftruncate(self._fd, self._size)
                    raise
            self._size += len(data)
            del self._pending[:count]


def _write_at(fd: int, data: bytes, offset: int) -> None:
    rest = memoryview(data)
    while rest:
        written = os.pwrite(fd, rest, offset)
        rest, offset = rest[written:], offset + written


def make_index(path: Path) -> None:
    """Make an index where there is none; raises OSError where something else stands in its place."""
    os.close(open_to_change(path))


def cut_torn_end(path: Path, offset: int) -> bool:
    """Move what a crash left at the end of an index to `index.torn-<n>`; False for anything else."""
    with os.fdopen(open_to_change(path), "r+b") as file:
        file.seek(offset)
        rest = file.read()
        # Some file systems leave zeros where data never arrived.
        if b"\n" in rest[:-1] and b"\0" not in rest:
            return False
        number = 1
        while os.path.lexists(aside := path.with_name(f"index.torn-{number}")):
            number += 1
        write_whole(path.parent, aside.name, rest, durable=True)
        file.truncate(offset)
        os.fsync(file.fileno())
    return True
