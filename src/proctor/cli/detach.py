"""A process that outlives the client that started it, so that what was begun is completed.

MCP clients end their servers within seconds of closing the connection, by SIGKILL if need be, and with them all in
their process group. Judging takes longer.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def detach() -> None:
    """Go on in a child of its own session; what was started stands in for it and ends with it.

    Only for a process that has one thread. Standard output and error may lose their reader, and then say nothing.
    """
    child = os.fork()
    if child:
        _stand_in(child)
    os.setsid()
    sys.stdout, sys.stderr = _unheard(1), _unheard(2)


def end_process(status: int) -> NoReturn:
    """End this process whatever its threads wait for."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _stand_in(child: int) -> NoReturn:
    def pass_on(number: int, _frame: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    for number in PASSED_ON:
        signal.signal(number, pass_on)
    _, status = os.waitpid(child, 0)
    os._exit(max(os.waitstatus_to_exitcode(status), 0) or (128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0))


class _Unheard(io.FileIO):
    def write(self, data: Any, /) -> int:
        """Write, or let it go where nobody reads any more."""
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            return len(data)


def _unheard(descriptor: int) -> io.TextIOWrapper:
    raw = _Unheard(descriptor, "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="replace", line_buffering=True)
