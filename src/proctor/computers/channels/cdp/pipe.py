"""Messages of the DevTools protocol over a pair of pipes: JSON texts, each ended by a zero byte."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import time
from typing import Any

from proctor.errors import ComputerError

MOST_BYTES = 128 << 20
"""Longest message that is taken in: a page decides how much a browser says about it."""
CHUNK = 1 << 18


class BrowserGone(ComputerError):
    """The browser at the other end has ended, or was closed."""


class Pipe:
    """Our ends of the two pipes of a browser that was started with `--remote-debugging-pipe`."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        for fd in (reading, writing):
            os.set_blocking(fd, False)
        self._arrived = bytearray()
        self._searched = 0
        self.open = True

    def send(self, message: dict[str, Any], deadline: float) -> None:
        """Write one message; raises BrowserGone when nobody is there, ComputerError when it is not taken in time."""
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            try:
                data = data[os.write(self._fd(self._writing), data) :]
            except BlockingIOError:
                if not _wait(self._writing, selectors.EVENT_WRITE, deadline):
                    raise ComputerError("the browser does not read its input") from None
            except OSError as error:
                raise self._loss() from error

    def receive(self, deadline: float) -> dict[str, Any] | None:
        """Return the next message; None when none comes in time."""
        while True:
            if (message := self._next()) is not None:
                return message
            try:
                part = os.read(self._fd(self._reading), CHUNK)
            except BlockingIOError:
                if not _wait(self._reading, selectors.EVENT_READ, deadline):
                    return None
                continue
            except OSError as error:
                raise self._loss() from error
            if not part:
                raise self._loss()
            self._arrived += part
            if len(self._arrived) > MOST_BYTES:
                self.close()
                raise BrowserGone(f"the browser sent a message of more than {MOST_BYTES >> 20} MB")

    def _next(self) -> dict[str, Any] | None:
        """Take the first whole message out of what has arrived; what is none is left out."""
        while (end := self._arrived.find(0, self._searched)) >= 0:
            text = bytes(self._arrived[:end])
            del self._arrived[: end + 1]
            self._searched = 0
            try:
                message = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict):
                return message
        self._searched = len(self._arrived)
        return None

    def _fd(self, fd: int) -> int:
        if not self.open:
            raise self._loss()
        return fd

    def _loss(self) -> BrowserGone:
        self.close()
        return BrowserGone("the browser was closed", remedy="start a fresh computer")

    def close(self) -> None:
        """Let go of both ends; twice has no effect."""
        if self.open:
            self.open = False
            for fd in {self._reading, self._writing}:
                with contextlib.suppress(OSError):  # closed by whoever it was shared with
                    os.close(fd)


def _wait(fd: int, what: int, deadline: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(fd, what)
        return bool(selector.select(max(deadline - time.monotonic(), 0)))
