"""One piece of reading: a caged child takes bytes, and answers with plain data or a fault."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proctor.errors import MissingExtra
from proctor.tasks.evidence import presentable
from proctor.tasks.findings import CannotSee
from proctor.tasks.reader import confine
from proctor.tasks.reader.load import watch_for_missing
from proctor.tasks.reader.wire import LENGTH, MOST_ANSWER


def read_and_end(job: socket.socket, function: Callable[..., object] | None, seconds: float) -> None:
    """Lock this freshly forked process up, do one piece of reading and end.

    Without a function, tell how locked up.
    """
    os.closerange(3, job.fileno())
    os.closerange(job.fileno() + 1, 1024)
    locked = confine.enter(_size_of_this_process() + confine.MEMORY_BYTES, seconds)
    if function is None:
        payload = json.dumps({"value": locked}).encode()
    else:
        label, arguments = _receive(job)
        missing = watch_for_missing()
        answer = run_function(label, function, arguments)
        # Whatever came of it without a part of a library that was looked for is not the answer yet.
        payload = json.dumps({"lacks": sorted(missing)} if missing else answer, allow_nan=False).encode()
        if len(payload) > MOST_ANSWER:
            payload = json.dumps({"fault": "refused", "why": f"{label} holds more than is looked at"}).encode()
    for piece in (LENGTH.pack(len(payload)), payload):
        _write(job.fileno(), piece)
    os._exit(0)


def run_function(label: str, function: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    """Return what a function makes of its arguments, or why it cannot be seen.

    Whatever it raises is a reason.
    """
    try:
        return {"value": presentable(function(*arguments), label)}
    except CannotSee as error:
        return error.fault.to_json()
    except MissingExtra as error:
        return {"missing": error.extra}
    except MemoryError:
        return {
            "fault": "refused",
            "why": f"{label} takes more than {confine.MEMORY_BYTES >> 20} MiB of memory to read",
        }
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        return {"fault": "unreadable", "why": f"{label} cannot be read: {type(error).__name__}: {said}"}


def _receive(job: socket.socket) -> tuple[str, list[object]]:
    (length,) = LENGTH.unpack(_exactly(job, LENGTH.size))
    header = json.loads(_exactly(job, length))
    given = [_exactly(job, each["bytes"]) if "bytes" in each else each["json"] for each in header["arguments"]]
    return header["label"], given


def _exactly(job: socket.socket, count: int) -> bytes:
    # One call and one piece of memory, however large it is.
    data = job.recv(count, socket.MSG_WAITALL) if count else b""
    if len(data) != count:
        raise EOFError("the harness gave up")
    return data


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _size_of_this_process() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
