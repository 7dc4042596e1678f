"""The line to an X server: nothing waits without a deadline, and a line that is cut is opened again."""

from __future__ import annotations

import math
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from proctor.errors import ComputerLost

MAX_REOPENED = 20
"""How often a line that was cut is opened again: any program on the display may cut it."""
RECEIVE_BYTES = 1 << 18
REMEDY = "start a fresh computer; this one's screen is gone"

Result = TypeVar("Result")


class Reopened(ComputerLost):
    """The line was cut and is open again; what was under way is to be done anew (`surviving`)."""


class XWire:
    """A connected socket to a display. It belongs to one thread.

    A display that dies, stays silent or talks nonsense raises ComputerLost, and so does every later call. A line that
    is cut is opened again where somebody said how.
    """

    def __init__(
        self,
        sock: socket.socket,
        *,
        timeout_sec: float = 10.0,
        dial: Callable[[], socket.socket] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        """Begin a conversation, dialled again when it is cut; `note` is told what happened to it."""
        self._timeout_sec = timeout_sec
        self._dial = dial
        self._note = note or (lambda what: None)
        self._look_ends, self._look_sec = math.inf, math.inf
        self._reopened = 0
        self._surviving = False
        self._open(sock)

    def reopen_by(self, dial: Callable[[], socket.socket], note: Callable[[str], None]) -> None:
        """Say how to connect again from now on, and whom to tell what happened."""
        self._dial, self._note = dial, note

    def _open(self, sock: socket.socket) -> None:
        self._sock = sock
        self._lost = ""
        self._outbox = bytearray()
        self._opening = True
        sock.setblocking(False)
        try:
            self._enter()
        except BaseException:
            sock.close()
            raise
        finally:
            self._opening = False

    def _enter(self) -> None:
        """Say the first words, each time the line was opened; subclasses say which."""

    def _take(self, data: bytes) -> None:
        """Take in what was read; subclasses say how."""

    def fileno(self) -> int:
        """Return the socket's descriptor for a poll, another once reopened; it may be read already."""
        return self._sock.fileno()

    def close(self) -> None:
        self._lost = self._lost or "the connection was closed"
        self._sock.close()

    # -- bounds -----------------------------------------------------------------------------------------------------

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Bound all that happens in the block, for late answers add up; nested, the earliest end counts."""
        before = self._look_ends, self._look_sec
        self._look_ends, self._look_sec = min(before, (time.monotonic() + seconds, seconds))
        try:
            yield
        finally:
            self._look_ends, self._look_sec = before

    def surviving(self, operation: Callable[[], Result]) -> Result:
        """Do something, and once more when the line was cut meanwhile, in the outermost such call."""
        if self._surviving:
            return operation()
        self._surviving = True
        try:
            while True:
                try:
                    return operation()
                except Reopened:
                    continue  # which `MAX_REOPENED` bounds
        finally:
            self._surviving = False

    def _deadline(self) -> float:
        return min(time.monotonic() + self._timeout_sec, self._look_ends)

    def _run_out(self, began: float, what: str) -> NoReturn:
        waited_sec = time.monotonic() - began
        if waited_sec < min(self._look_sec, self._timeout_sec) / 2:
            self._give_up(f"the display was too slow: one look at it took longer than {self._look_sec:g} s")
        self._give_up(f"the display {what} {waited_sec:.2g} s")

    # -- the end, and beginning again ----------------------------------------------------------------------------------

    @property
    def lost(self) -> str:
        """Why the display is gone for good; empty while it is there."""
        return self._lost

    def _check_alive(self) -> None:
        if self._lost:
            raise ComputerLost(self._lost, remedy=REMEDY)

    def _give_up(self, why: str) -> NoReturn:
        self._lost = self._lost or why
        self._sock.close()
        raise ComputerLost(self._lost, remedy=REMEDY)

    def _hang_up(self, why: str) -> NoReturn:
        """Begin again after the line was cut, where that is possible."""
        if self._opening or self._dial is None:
            self._give_up(why)
        self._sock.close()
        deadline = self._deadline()
        while self._reopened < MAX_REOPENED and time.monotonic() < deadline:
            self._reopened += 1
            try:
                self._open(self._dial())
            except OSError as error:
                self._give_up(f"{why}; reconnecting failed: {error.strerror}")
            except ComputerLost as error:
                why = error.message
                continue
            self._note(f"{why}; it was reopened")
            raise Reopened(why, remedy=REMEDY)
        self._give_up(f"{why}; it was reopened {self._reopened} times")

    # -- bytes --------------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything queued, reading meanwhile so that neither side blocks the other."""
        self._check_alive()
        began, deadline = time.monotonic(), self._deadline()
        pending = memoryview(self._outbox)
        self._outbox = bytearray()
        while pending:
            try:
                pending = pending[self._sock.send(pending) :]
            except BlockingIOError:
                ready = self._wait_ready(select.POLLOUT | select.POLLIN, deadline)
                if not ready or time.monotonic() > deadline:
                    self._run_out(began, "took no input for")
                if ready & ~select.POLLOUT:
                    self._take(self._read())
            except OSError as error:
                self._hang_up(f"the display went away: {error.strerror}")

    def pump(self, timeout_sec: float = 0.0) -> bool:
        """Send what is queued, then read what comes within the time; tell whether anything did."""
        self.flush()
        return self._receive(time.monotonic() + timeout_sec)

    def _send_with(self, descriptor: int, data: bytes) -> None:
        """Write everything queued, then these bytes along with a file descriptor."""
        self.flush()
        began = time.monotonic()
        if not self._wait_ready(select.POLLOUT, self._deadline()):
            self._run_out(began, "took no input for")
        try:
            # The descriptor travels with the first byte, so a short write needs no second one.
            sent = socket.send_fds(self._sock, [data], [descriptor])
        except OSError as error:
            self._hang_up(f"the display went away: {error.strerror}")
        self._outbox += data[sent:]

    def _receive(self, deadline: float) -> bool:
        self._check_alive()
        if not self._wait_ready(select.POLLIN, deadline):
            return False
        self._take(self._read())
        return True

    def _wait_ready(self, events: int, deadline: float) -> int:
        poller = select.poll()
        poller.register(self._sock, events)
        ready = poller.poll(max(0.0, deadline - time.monotonic()) * 1000)
        return ready[0][1] if ready else 0

    def _read(self) -> bytes:
        try:
            data = self._sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            self._hang_up(f"the display went away: {error.strerror}")
        if not data:
            self._hang_up("the display closed the connection")
        return data
