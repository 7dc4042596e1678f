"""A program that is spoken to in lines, with bounds on its time and on what it may say."""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

from proctor.errors import AgentError, SpecError
from proctor.models.secrets import redact

STDERR_KEPT = 4_000
GRACE_SEC = 1.0
"""How long a program may take to end once its input is closed."""

_CHUNK = 65_536
_STALE = 1_048_576
"""As much as a pipe can hold."""


class LineTooLong(AgentError):
    """A line was over the limit; it was thrown away as it came, and the next one can be asked for."""


class LineProcess:
    """A running program, in a process group of its own so that it can be ended with its children."""

    def __init__(self, argv: Sequence[str], *, max_line: int) -> None:
        self._max_line = max_line
        self._name = argv[0]
        self._unsent = b""
        self._line = bytearray()
        self._complete = False
        """Whether the line has ended."""
        self._too_long = False
        self._over = False
        """Whether its output has ended."""
        self._stderr = b""
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise SpecError(f"cannot start {self._name!r}: {error.strerror}", remedy="check the command") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out, self._err = self._process.stdin, self._process.stdout, self._process.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)

    @property
    def running(self) -> bool:
        """Whether it has neither been ended nor ended by itself."""
        return not self._in.closed and not self._has_ended(0)

    def tell(self, line: bytes, *, patience: float) -> None:
        """Send a line; raises AgentError when the program does not take it in time."""
        self._talk(line, patience, answer=False)

    def ask(self, line: bytes, *, patience: float) -> bytes:
        """Send a line and return the one that is answered.

        Raises LineTooLong for one over the limit, AgentError when none comes in time or the program ends instead.
        """
        return self._talk(line, patience, answer=True)

    def close(self) -> None:
        """End the program and its children: kindly by closing its input, then by force."""
        if self._in.closed:
            return
        self._in.close()
        self._listen(time.monotonic() + GRACE_SEC)
        # Before it is waited for, its number cannot have become that of another group.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._out.close()
        self._err.close()

    def _talk(self, line: bytes, patience: float, *, answer: bool) -> bytes:
        """Write and read side by side, so that neither end waits for the other to empty a full pipe."""
        if self._in.closed:
            raise AgentError(f"the agent's program {self._name!r} has been ended", remedy="open the agent again")
        if answer:
            self._forget_stale()
        deadline = time.monotonic() + patience
        self._unsent = line + b"\n"
        with self._listener() as selector:
            selector.register(self._in, selectors.EVENT_WRITE, self._send)
            while not self._over and (self._unsent or (answer and not self._complete)):
                ready = selector.select(max(deadline - time.monotonic(), 0))
                if not ready or time.monotonic() > deadline:
                    raise self._late(patience)
                _serve(selector, ready)
        return self._take_line() if answer else b""

    def _take_line(self) -> bytes:
        if self._too_long:
            raise LineTooLong(f"{self._name} wrote a line over the limit", remedy="make it write less")
        if not self._line:
            raise self._end_error()
        return bytes(self._line)

    def _send(self) -> bool:
        """Write some of what is unsent; tell whether there is more."""
        try:
            self._unsent = self._unsent[os.write(self._in.fileno(), self._unsent[:_CHUNK]) :]
        except BrokenPipeError:  # it reads no more, but may still answer
            self._unsent = b""
        return bool(self._unsent)

    def _hear(self) -> bool:
        """Read some of what it says, and keep one line within the limit; tell whether it may say more."""
        said = os.read(self._out.fileno(), _CHUNK)
        self._over = not said
        if not self._line and not self._too_long:
            said = said.lstrip(b"\r\n")
        if said and not self._complete:
            head, newline, _ = said.partition(b"\n")
            self._complete = bool(newline)
            self._line += b"" if self._too_long else head
            if len(self._line) > self._max_line:
                self._line.clear()
                self._too_long = True
        return not self._over

    def _hear_stderr(self) -> bool:
        said = os.read(self._err.fileno(), _CHUNK)
        self._stderr = (self._stderr + said)[-STDERR_KEPT:]
        # Passed on to our own: a run keeps that with the episode.
        with suppress(OSError):
            os.write(2, said)
        return bool(said)

    def _forget_stale(self) -> None:
        """Throw away what was said before the question was put: it cannot be the answer."""
        self._line.clear()
        self._complete = self._too_long = False
        with suppress(BlockingIOError):
            os.read(self._out.fileno(), _STALE)

    def _listen(self, deadline: float) -> None:
        """Take in what it still says until it says no more, or until the deadline."""
        with self._listener() as selector:
            while selector.get_map() and (left := deadline - time.monotonic()) > 0:
                _serve(selector, selector.select(left))

    def _listener(self) -> selectors.BaseSelector:
        selector = selectors.DefaultSelector()
        selector.register(self._out, selectors.EVENT_READ, self._hear)
        selector.register(self._err, selectors.EVENT_READ, self._hear_stderr)
        return selector

    def _late(self, patience: float) -> AgentError:
        self.close()
        return AgentError(
            f"the agent's program {self._name!r} did not answer within {patience:g} s{self._complaint()}",
            remedy="answer each observation with one line of JSON and flush it, or allow more with patience=SECONDS",
        )

    def _end_error(self) -> AgentError:
        self._listen(time.monotonic() + GRACE_SEC)
        has_ended = self._has_ended(GRACE_SEC)
        self.close()
        how = f"ended with status {self._process.returncode}" if has_ended else "closed its output"
        return AgentError(f"the agent's program {self._name!r} {how}{self._complaint()}")

    def _has_ended(self, timeout_sec: float) -> bool:
        """Wait for its end without taking note of it: until then its number remains its own."""
        descriptor = os.pidfd_open(self._process.pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            return bool(poll.poll(timeout_sec * 1000))
        finally:
            os.close(descriptor)

    def _complaint(self) -> str:
        said = redact(self._stderr.decode("utf-8", "replace").strip())
        # The last line of what a program says tells what happened; lists show only the first line of an error.
        last = said.rpartition("\n")[2]
        return f"; it said: {last}" + (f"\n\n{said}" if said != last else "") if said else ""


def _serve(selector: selectors.BaseSelector, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
    for key, _ in ready:
        if not key.data():
            selector.unregister(key.fileobj)
