"""The worker's side of a pool of workers: it does one job after another, and what it says travels through a pipe."""

from __future__ import annotations

import ctypes
import importlib
import os
import pickle
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing.connection import Connection

from proctor.interpreters import forget_own_modules_only

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Awake:
    """What a worker says first."""


@dataclass(frozen=True)
class Word:
    """What a worker says of its job while it works on it."""

    text: str


_TELL: ContextVar[Callable[[str], None] | None] = ContextVar("tell", default=None)


def tell(text: str) -> None:
    """Say something of the job at hand to the caller of this worker; outside of one, nobody hears it."""
    if told := _TELL.get():
        told(text)


def serve(work: str, pipe: Connection, parent: int) -> None:
    """Do jobs until the other end of the pipe is closed."""
    # A caller that was killed leaves no worker behind: one that went on would write where the next run does.
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    # Ctrl-C reaches every process of the terminal; only the caller decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    forget_own_modules_only()
    module, _, name = work.partition(":")
    function = getattr(importlib.import_module(module), name)
    pipe.send(Awake())
    _TELL.set(lambda text: pipe.send(Word(text)))
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            result = function(job)
        except Exception as error:
            # The caller raises it: a defect of ours, not an outcome.
            result = portable(error)
        with suppress(BrokenPipeError):
            pipe.send(result)


def portable(error: Exception) -> Exception:
    """Return an error that can be sent and read again: one that cannot would take the caller down instead."""
    try:
        arrived: Exception = pickle.loads(pickle.dumps(error))
    except Exception:
        arrived = RuntimeError(f"{type(error).__name__}: {error}")
    # Where it came up does not travel, and the caller's own lines do not tell.
    arrived.add_note("".join(traceback.format_exception(error)))
    return arrived
