"""The reader's process, as the harness holds it: started when needed, and again when it died."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypedDict

import pydantic

from proctor.applications import brought_from
from proctor.errors import HostError
from proctor.tasks.reader.confine import WALL_SEC
from proctor.tasks.reader.wire import END, LENGTH, MOST_ANSWER, NO_CHILD, NOT_LOADED

PATIENCE_SEC = WALL_SEC + 60.0
"""The reader itself ends what takes too long; when even it says nothing for this long, the host is in trouble."""
_PACKAGES = Path(__file__).parents[3]
_LIBRARIES = Path(pydantic.__file__).parents[1]
"""Where libraries are, which an interpreter by itself finds only at their usual place."""
PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); sys.path.extend(sys.argv[2:]); "
    "from proctor.tasks.reader.server import main; main({}, {})"
)
_ENVIRONMENT = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}


class Needs(TypedDict, total=False):
    """What a reader loads before it is asked."""

    load: list[str]
    """Modules that read or check."""
    checks: list[str]
    """Checks whose arguments will be read."""
    late: list[str]
    """Parts of libraries that turned out to be needed."""


class ReaderAnswer(NamedTuple):
    """What came of one piece of reading."""

    answer: bytes
    code: int
    """How the child ended; negative: by which signal."""
    seconds: float
    """What it took, without what others took before."""


class _Gone(Exception):
    """The reader ended."""


class Reader:
    """The one reader of this process: started when it is needed, started again when it died."""

    def __init__(self, program: str = PROGRAM) -> None:
        self._program = program
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def ask(self, call: str, label: str, arguments: tuple[object, ...], seconds: float, needs: Needs) -> ReaderAnswer:
        """Return what was answered and how the child ended; one piece of reading is done at a time.

        Args:
            call: The function, as `module:name`.
            label: What is read.
            arguments: What the function is given: bytes and plain data.
            seconds: What the child may take.
            needs: What the reader loads before.

        Raises HostError where the reader does not run, even with nothing to read.
        """
        order = {"call": call, "seconds": seconds, **needs}
        blobs = [given for given in arguments if isinstance(given, bytes)]
        shown = [{"bytes": len(each)} if isinstance(each, bytes) else {"json": each} for each in arguments]
        header = json.dumps({"label": label, "arguments": shown}).encode()
        pieces = [LENGTH.pack(len(header)), header, *blobs]
        with self._lock:
            for _ in range(2):
                with suppress(_Gone):
                    reading = self._exchange(order, pieces)
                    if reading.code != -signal.SIGKILL:
                        return reading
                    # Whoever killed it may have been the host, for want of memory.
            self._facts()
            # Fresh ones as well, and with nothing to read it lives: it is what was to be read that ends it.
            return ReaderAnswer(b"", -signal.SIGKILL, seconds)

    def facts(self) -> ReaderAnswer:
        """Return what the reader says of itself; raises HostError where it does not run."""
        with self._lock:
            return self._facts()

    def load(self, needs: Needs) -> None:
        """Let the reader load what will be needed, without waiting."""
        with self._lock:
            control = self._start()
            with suppress(OSError):  # it is started again when it is asked
                control.send(json.dumps(needs).encode())

    def stop(self) -> None:
        """End the reader; the next question starts another one."""
        with self._lock:
            self._stop()

    def forget(self) -> None:
        """Let go of a reader that belongs to the process this one was forked from."""
        if self._control is not None:
            self._control.close()
        self.__init__(self._program)  # type: ignore[misc]  # the lock may have been held by a thread that is not here

    @property
    def pid(self) -> int | None:
        """Process of the reader; None where it does not run."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def _start(self) -> socket.socket:
        if self._control is not None and self.pid is not None:
            return self._control
        self._stop()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            program = self._program.format(theirs.fileno(), os.getpid())
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-c", program, *map(str, (_PACKAGES, _LIBRARIES, *brought_from()))],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=_ENVIRONMENT,
                    cwd="/",
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            except OSError as error:
                ours.close()
                raise HostError(
                    f"the program that reads files could not be started: {error}",
                    remedy="give this process more memory or processes",
                ) from error
        self._control = ours
        return ours

    def _facts(self) -> ReaderAnswer:
        try:
            return self._exchange({}, [])
        except _Gone as error:
            raise HostError("the program that reads files is not running", remedy="check this machine") from error

    def _exchange(self, order: Mapping[str, object], pieces: list[bytes]) -> ReaderAnswer:
        try:
            return self._ask_child(order, pieces)
        except _Gone:
            self._stop()
            raise

    def _ask_child(self, order: Mapping[str, object], pieces: list[bytes]) -> ReaderAnswer:
        control = self._start()
        ours, theirs = socket.socketpair()
        with ours:
            ours.settimeout(PATIENCE_SEC)
            with theirs:
                try:
                    socket.send_fds(control, [json.dumps(order).encode()], [theirs.fileno()])
                except OSError as error:
                    raise _Gone from error
            try:
                with suppress(ConnectionError):  # a child that died does not read on; how it died is told below
                    for piece in pieces:
                        ours.sendall(piece)
                answer = _until_the_end(ours)
            except TimeoutError as error:
                self._stop()
                raise HostError(f"the program that reads files did not answer within {PATIENCE_SEC:g} s") from error
        if len(answer) < END.size:
            raise _Gone
        code, overdue, milliseconds = END.unpack(answer[-END.size :])
        if code == NO_CHILD:
            raise HostError("no process can be started to read a file", remedy="allow this user more processes")
        if code == NOT_LOADED:
            raise HostError(
                f"the program that reads files cannot load {order['call']}",
                remedy="install the distribution that it belongs to for this interpreter",
            )
        return ReaderAnswer(answer[: -END.size], -signal.SIGALRM if overdue else code, milliseconds / 1000)

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _until_the_end(job: socket.socket) -> bytes:
    pieces: list[bytes] = []
    room = LENGTH.size + MOST_ANSWER + END.size
    with suppress(ConnectionResetError):
        while piece := job.recv(min(room + 1, 2**18)):
            pieces.append(piece)
            room -= len(piece)
            if room < 0:
                return bytes(END.size)  # nothing that is fit to be read
    return b"".join(pieces)
