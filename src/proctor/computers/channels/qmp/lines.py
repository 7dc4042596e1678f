"""JSON messages over a socket, one a line."""

from __future__ import annotations

import json
import select
import socket
import time
from array import array
from typing import Any

LONGEST = 64 << 20
"""Bytes of one message: what a guest agent returns of a file is the longest."""
RECEIVE_BYTES = 1 << 18
SEND_SEC = 10.0


class LineEnded(Exception):
    """The other side closed the connection, or it broke."""


class Silent(Exception):
    """Nothing came in time."""


class Garbled(Exception):
    """What came is not a message."""


class QmpLines:
    """A connected socket that carries JSON; it belongs to one thread."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._inbox = bytearray()
        self._searched = 0  # how much of the inbox is known to hold no end of a line

    def close(self) -> None:
        self._sock.close()

    def send(self, message: dict[str, Any], *, before: bytes = b"", fd: int | None = None) -> None:
        """Write a message, with a descriptor if given; raises Ended, or Silent when it is not taken."""
        pending = memoryview(before + json.dumps(message).encode() + b"\n")
        ends = time.monotonic() + SEND_SEC
        handed: list[Any] = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [fd]))]
        while pending:
            try:
                pending = pending[self._sock.sendmsg([pending], handed) :]
                handed = []
            except BlockingIOError:
                if not self._poll(select.POLLOUT, ends):
                    raise Silent from None
            except OSError as error:
                raise LineEnded(error.strerror or str(error)) from error

    def receive(self, ends: float) -> dict[str, Any]:
        """Return the next message; raises Ended, Garbled, or Silent at a time of the monotonic clock."""
        while (end := self._inbox.find(b"\n", self._searched)) < 0:
            self._searched = len(self._inbox)
            if self._searched > LONGEST:
                raise Garbled(f"a message of more than {LONGEST} bytes")
            self._fill(ends)
        line = bytes(self._inbox[:end])
        del self._inbox[: end + 1]
        self._searched = 0
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Garbled(f"{line[:80]!r} is not JSON") from error
        if not isinstance(message, dict):
            raise Garbled(f"{line[:80]!r} is not a message")
        return message

    def skip_to(self, mark: bytes, ends: float) -> None:
        """Forget all up to a byte that no message holds; raises Ended, or Silent at the time given."""
        while mark not in self._inbox:
            self._inbox.clear()
            self._fill(ends)
        del self._inbox[: self._inbox.index(mark) + 1]
        self._searched = 0

    def _fill(self, ends: float) -> None:
        if not self._poll(select.POLLIN, ends):
            raise Silent
        try:
            data = self._sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            raise LineEnded(error.strerror or str(error)) from error
        if not data:
            raise LineEnded("it was closed")
        self._inbox += data

    def _poll(self, events: int, ends: float) -> bool:
        poller = select.poll()
        try:
            poller.register(self._sock, events)
        except (OSError, ValueError) as error:
            raise LineEnded("it was closed") from error
        return bool(poller.poll(max(0.0, ends - time.monotonic()) * 1000))
