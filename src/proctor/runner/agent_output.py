"""What an agent prints while it works: kept with its episode, and out of the way of progress bars and JSON."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from proctor.exam.exam import Exam
from proctor.models.secrets import redact

PRESENT = frozenset({"human", "mcp"})
"""Agents that speak with the person, or the program, in front of this very process."""

KEPT_FIRST = 16_384
KEPT_LAST = 49_152
"""Bytes kept of what was printed, from both ends."""

_CHUNK = 65_536
_PIPEFULS = 16
_OUT, _ERR = 1, 2


class Spoken:
    """The beginning and the end of what was printed; what lies between is counted."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self._bytes = 0

    def add(self, data: bytes) -> None:
        """Take in what was printed."""
        self._bytes += len(data)
        room = KEPT_FIRST - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        del self._last[:-KEPT_LAST]

    @property
    def text(self) -> str:
        """What is kept, without secrets."""
        left_out = self._bytes - len(self._first) - len(self._last)
        between = f"\n[... {left_out:,} bytes ...]\n".encode() if left_out else b""
        return redact((self._first + between + self._last).decode("utf-8", "replace"))


@contextmanager
def catch_output() -> Iterator[Spoken]:
    """Catch what this process and those it starts write to standard output and error, until the block ends.

    File descriptors are taken rather than `sys.stdout`, so that libraries in C and child processes are caught too, and
    a logger that keeps the stream it was made with goes on working.
    """
    spoken = Spoken()
    reading, writing = os.pipe()
    stop, stopping = os.pipe()
    os.set_blocking(reading, False)
    _flush()
    saved = [(stream, os.dup(stream)) for stream in (_OUT, _ERR)]
    listener = threading.Thread(target=_listen, args=(reading, stop, spoken), name="spoken", daemon=True)
    listener.start()
    try:
        for stream, _ in saved:
            os.dup2(writing, stream)
        yield spoken
    finally:
        _flush()
        for stream, before in saved:
            os.dup2(before, stream)
            os.close(before)
        # A child that outlives the block holds the pipe open, so the end is said and not awaited.
        os.close(stopping)
        listener.join()
        for end in (reading, writing, stop):
            os.close(end)


def _listen(reading: int, stop: int, spoken: Spoken) -> None:
    """Take in what comes, and once it is to stop what has come by then."""
    while True:
        ready, _, _ = select.select([reading, stop], [], [])
        # What a pipe can hold: a child that goes on printing does not keep the listener.
        for _ in range(_PIPEFULS):
            try:
                spoken.add(os.read(reading, _CHUNK))
            except BlockingIOError:
                break
        if stop in ready:
            return


@contextmanager
def keep_output(exam: Exam, keep: Callable[[str], None], *, speaks: bool = False) -> Iterator[None]:
    """Keep what an agent prints, and the traceback of its crash.

    One that `speaks` with a person has the terminal.
    """
    spoken = Spoken()
    try:
        if speaks or exam.candidate.name in PRESENT:
            yield
        else:
            with catch_output() as spoken:
                yield
    finally:
        state = exam.account.state
        trace = redact(state.trace[-KEPT_LAST:]) if state else ""
        if text := "\n".join(filter(None, (spoken.text, trace))):
            keep(text)


@contextmanager
def aside() -> Iterator[None]:
    """Send what is printed to standard error, so that a program that reads standard output is not disturbed."""
    _flush()
    before = os.dup(_OUT)
    os.dup2(_ERR, _OUT)
    try:
        yield
    finally:
        _flush()
        os.dup2(before, _OUT)
        os.close(before)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # Closed or replaced by something that cannot be flushed: then nothing waits in it.
        with suppress(AttributeError, ValueError, OSError):
            stream.flush()
