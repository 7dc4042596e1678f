"""The reader itself: a warm process that forks a caged child for each piece of reading."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from proctor.tasks.reader import confine
from proctor.tasks.reader.checks import get_ready
from proctor.tasks.reader.child import read_and_end
from proctor.tasks.reader.load import load, load_encodings, load_late
from proctor.tasks.reader.wire import END, NO_CHILD, NOT_LOADED

IDLE_MS = 2000
GRACE_SEC = 2.0


def main(fd: int, harness: int) -> None:
    """Serve orders that come in by a socket until its other end or the harness is gone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    load_encodings()
    with socket.socket(fileno=fd) as control:
        while _comes(control, harness):
            message, fds, _, _ = socket.recv_fds(control, 65536, 1)
            if not message:
                return
            order = json.loads(message)
            for name in order.get("load", ()):
                with suppress(ImportError):  # whoever needs it will say so
                    load(name)
            for name in order.get("late", ()):
                load_late(name)
            for name in order.get("checks", ()):
                get_ready(name)
            for passed in fds:
                with socket.socket(fileno=passed) as job:
                    _serve(job, order)


def _comes(control: socket.socket, harness: int) -> bool:
    """Wait for an order; False when the one who gives them is gone."""
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    while os.getppid() == harness:
        if waiting.poll(IDLE_MS):
            return True
    return False


def _serve(job: socket.socket, order: dict[str, object]) -> None:
    function: Callable[..., object] | None = None
    if "call" in order:
        module, _, name = str(order["call"]).partition(":")
        try:
            function = getattr(load(module), name)
        except (ImportError, AttributeError):
            _tell(job, NOT_LOADED)
            return
    seconds = min(float(str(order.get("seconds", confine.WALL_SEC))), confine.WALL_SEC)
    began = time.monotonic()
    try:
        pid = os.fork()
    except OSError:
        pid = -1
    if pid == 0:
        try:
            read_and_end(job, function, seconds)
        finally:
            os._exit(1)
    code, overdue = _reap(pid, seconds) if pid > 0 else (NO_CHILD, False)
    _tell(job, code, overdue, round(1000 * (time.monotonic() - began)))


def _tell(job: socket.socket, code: int, overdue: bool = False, milliseconds: int = 0) -> None:
    # Whoever waits may have given up, and then there is nobody to tell.
    with suppress(OSError):
        job.settimeout(GRACE_SEC)
        job.sendall(END.pack(code, overdue, milliseconds))


def _reap(pid: int, seconds: float) -> tuple[int, bool]:
    """Return how a child ended (negative: by which signal); one that does not end is killed."""
    deadline = time.monotonic() + seconds + GRACE_SEC
    overdue = False
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), overdue
        left = deadline - time.monotonic()
        if left <= 0 and not overdue:
            os.kill(pid, signal.SIGKILL)
            overdue = True
        signal.sigtimedwait({signal.SIGCHLD}, max(left, 0.1))
