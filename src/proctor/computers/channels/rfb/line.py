"""The line to an RFB server, in TLS if asked for; no read or write waits without a deadline."""

from __future__ import annotations

import math
import select
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from proctor.errors import ComputerLost

RECEIVE_BYTES = 1 << 18
MOST_WAITING = 64 << 20
"""Bytes of one message that are gathered at most; rectangles are bounded by the screen, which is bounded too."""
REMEDY = "check that the server works and is reachable, and start again"


class LineCut(ComputerLost):
    """The server went away in the middle; it may be there again when it is called again."""


class RfbNonsense(ComputerLost):
    """The server broke the protocol, which nobody does who merely ends or cuts it."""


class RfbLine:
    """A connected socket to a server. It belongs to one thread, and whatever is read is waited for within a time."""

    def __init__(self, sock: socket.socket, *, timeout_sec: float) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._timeout_sec = timeout_sec
        self._inbox = bytearray()
        self._at = 0  # how much of the inbox was read
        self._ends = math.inf

    def fileno(self) -> int:
        """Return the descriptor, for a poll; what was already received does not make it readable."""
        return self._sock.fileno()

    def close(self) -> None:
        self._sock.close()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Bound all that happens in the block together; of nested blocks the earliest end counts."""
        before = self._ends
        self._ends = min(before, time.monotonic() + seconds)
        try:
            yield
        finally:
            self._ends = before

    def secure(self, context: ssl.SSLContext, host: str) -> None:
        """Go on in TLS; raises ssl.SSLError where the two do not come to terms."""
        if self._left():
            self.nonsense("sent data before TLS was agreed on")
        self._sock = context.wrap_socket(self._sock, do_handshake_on_connect=False, server_hostname=host or None)
        began, deadline = time.monotonic(), self._deadline()
        while True:
            try:
                self._sock.do_handshake()
                return
            except ssl.SSLWantReadError:
                self._await(select.POLLIN, deadline, began, "did not finish the TLS handshake for")
            except ssl.SSLWantWriteError:
                self._await(select.POLLOUT, deadline, began, "did not finish the TLS handshake for")
            except ssl.SSLError:
                raise
            except OSError as error:
                raise self._loss(error) from error

    # -- reading ------------------------------------------------------------------------------------------------------

    def take(self, count: int) -> bytes:
        """Return exactly so many bytes."""
        if count > MOST_WAITING:
            self.nonsense(f"announced {count} bytes at once")
        if self._left() < count:
            self._fill(count)
        at = self._at
        taken = bytes(memoryview(self._inbox)[at : at + count])
        self._at += count
        if self._at == len(self._inbox):
            self._inbox.clear()
            self._at = 0
        return taken

    def byte(self) -> int:
        """Return the next byte."""
        return self.take(1)[0]

    def skip(self, count: int) -> None:
        """Pass over so many bytes without keeping them."""
        while count > 0:
            count -= len(self.take(min(count, RECEIVE_BYTES)))

    def ready(self, timeout_sec: float = 0.0) -> bool:
        """Tell whether something can be read, now or within the time."""
        if self._left() or (isinstance(self._sock, ssl.SSLSocket) and self._sock.pending()):
            return True
        ends = min(time.monotonic() + timeout_sec, self._ends)
        return bool(self._poll(select.POLLIN, ends))

    def _left(self) -> int:
        return len(self._inbox) - self._at

    def _fill(self, count: int) -> None:
        """Receive so many bytes; a server that sends drop by drop is as lost as a silent one."""
        if self._at:
            del self._inbox[: self._at]
            self._at = 0
        began, deadline = time.monotonic(), self._deadline()
        while len(self._inbox) < count:
            try:
                data = self._sock.recv(max(RECEIVE_BYTES, min(count - len(self._inbox), 4 * RECEIVE_BYTES)))
            except (BlockingIOError, ssl.SSLWantReadError):
                self._await(select.POLLIN, deadline, began, "stopped in the middle of a message for")
                continue
            except ssl.SSLWantWriteError:
                self._await(select.POLLOUT, deadline, began, "stopped in the middle of a message for")
                continue
            except OSError as error:
                raise self._loss(error) from error
            if not data:
                raise LineCut("the VNC server closed the connection", remedy=REMEDY)
            self._inbox += data
            if time.monotonic() > deadline and len(self._inbox) < count:
                self._late(began, "was too slow with a message for")

    # -- writing ------------------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Write everything, receiving meanwhile so that neither side blocks the other."""
        began, deadline = time.monotonic(), self._deadline()
        pending = memoryview(data)
        while pending:
            try:
                pending = pending[self._sock.send(pending) :]
            except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
                ready = self._await(select.POLLOUT | select.POLLIN, deadline, began, "took no input for")
                if ready & select.POLLIN:
                    self._overhear()
            except OSError as error:
                raise self._loss(error) from error

    def _overhear(self) -> None:
        if self._left() > MOST_WAITING:
            self.nonsense("sends more than was requested")
        try:
            data = self._sock.recv(RECEIVE_BYTES)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError as error:
            raise self._loss(error) from error
        if not data:
            raise LineCut("the VNC server closed the connection", remedy=REMEDY)
        self._inbox += data

    # -- bounds -------------------------------------------------------------------------------------------------------

    def _deadline(self) -> float:
        return min(time.monotonic() + self._timeout_sec, self._ends)

    def _await(self, events: int, deadline: float, began: float, what: str) -> int:
        ready = self._poll(events, deadline)
        if not ready or time.monotonic() > deadline:
            self._late(began, what)
        return ready

    def _poll(self, events: int, ends: float) -> int:
        poller = select.poll()
        poller.register(self._sock, events)
        ready = poller.poll(max(0.0, ends - time.monotonic()) * 1000)
        return ready[0][1] if ready else 0

    def _late(self, began: float, what: str) -> NoReturn:
        raise ComputerLost(f"the VNC server {what} {time.monotonic() - began:.2g} s", remedy=REMEDY)

    def nonsense(self, what: str) -> NoReturn:
        """Give up on a server that breaks the protocol."""
        raise RfbNonsense(f"the VNC server {what}", remedy="check that it is a VNC server, and that it works")

    def _loss(self, error: OSError) -> LineCut:
        return LineCut(f"the connection to the VNC server broke: {error.strerror or error}", remedy=REMEDY)
