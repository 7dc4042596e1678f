"""How a sandbox failed: which of its processes ended and how, its last words, and what its control groups counted."""

from __future__ import annotations

import contextlib
import re
import signal
from pathlib import Path
from typing import Any

from proctor.computers.sandbox_machine.running_desktop import RunningDesktop
from proctor.errors import ComputerError

COUNTERS = (
    "memory.events", "memory.failcnt", "memory.oom_control", "memory.max_usage_in_bytes", "memory.peak", "pids.events",
    "pids.current", "cpu.stat",
)  # fmt: skip
MOST_CHARS = 1000
LAST_BREATH_SEC = 1.0
"""How long a display takes to end that has closed its connections."""
CRASHES = frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGSYS})
"""Signals that a process brings upon itself; the others come from somebody."""
STATUS = re.compile(r"(process 1|supervisor) ended with status (-?\d+)\s*\Z")
TRACE = "Traceback (most recent call last)"


def autopsy(desktop: RunningDesktop) -> dict[str, Any]:
    """Return what is known of how a sandbox failed, as plain data.

    Nothing inside can signal its process 1 or the supervisor, so a signal to either came from `outside`.
    """
    machine = desktop.machine
    with contextlib.suppress(ComputerError):  # when the machine is gone, its end is what there is to know
        machine.wait(desktop.session.display_pid, LAST_BREATH_SEC)
    words = machine.last_words
    found: dict[str, Any] = {
        "supervisor": {"code": machine.supervisor_code},
        "process_1": {"state": _state(machine.first), "last_words": words},
        "programs": {
            "display": _end(desktop, desktop.session.display_pid),
            "session_bus": _end(desktop, desktop.session.bus_pid),
        },
        "groups": _counters(desktop),
        "memory_bytes": _memory(desktop),
    }
    if outside := _outside(machine.supervisor_code, words, found["process_1"]["state"]):
        return found | {"outside": outside}
    if machine.supervisor_code is not None:
        found["ended"] = "process 1 of the sandbox ended by what it was made to do"
        if TRACE in words or STATUS.search(words):
            found["defect"] = words
    elif (code := found["programs"]["display"].get("code")) is not None:
        found["ended"] = f"the display ended with status {code}"
    return found


def _outside(supervisor: int | None, words: str, state: str) -> str:
    """Return what shows that somebody outside ended or stopped the sandbox; empty where nothing does."""
    if supervisor is not None and supervisor < 0:
        return f"the supervisor of the sandbox was killed by {_signal(-supervisor)}"
    if state in ("T", "t"):
        return "process 1 of the sandbox is stopped"
    if (said := STATUS.search(words)) and (code := int(said[2])) < 0 and -code not in CRASHES:
        return f"the sandbox's {said[1]} was killed by {_signal(-code)}"
    return ""


def _signal(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} from outside"
    except ValueError:
        return f"signal {number} from outside"


def _state(descriptor: int) -> str:
    """Return the state of a process as the kernel abbreviates it, by its descriptor.

    Empty when there is none.
    """
    with contextlib.suppress(OSError):  # it ends meanwhile
        found = re.search(r"^Pid:\s*(\d+)$", Path(f"/proc/self/fdinfo/{descriptor}").read_text(), re.MULTILINE)
        return Path(f"/proc/{found[1]}/stat").read_text().rpartition(") ")[2][:1] if found else ""
    return ""


def _end(desktop: RunningDesktop, pid: int) -> dict[str, Any]:
    """Return how a program of the desktop ended, and its last words; nothing while it runs."""
    with contextlib.suppress(ComputerError, OSError):
        end = desktop.machine.ended(pid)
        return {"code": end.code, "last_words": desktop.session.log_tail(pid)} if end else {}
    return {}


def _counters(desktop: RunningDesktop) -> dict[str, str]:
    found = {}
    for folder in desktop.groups.folders:
        for name in COUNTERS:
            with contextlib.suppress(OSError):  # of the other version of control groups, or gone with the sandbox
                found[name] = (Path(folder) / name).read_text()[:MOST_CHARS].strip()
    return found


def _memory(desktop: RunningDesktop) -> int:
    for folder in desktop.groups.folders:
        for name in ("memory.current", "memory.usage_in_bytes"):
            with contextlib.suppress(OSError, ValueError):
                return int((Path(folder) / name).read_text())
    return 0
