"""Files laid out for the harness to read."""

from __future__ import annotations

import os
import signal

from proctor.attacks.inside import GIVEN, call

FOR_SEC = 20


def _trap(target: str) -> str:
    """Exchange a plain file with a link, without pause, in a process of its own."""
    path, other = GIVEN["path"], GIVEN["path"] + ".other"
    for each in (path, other):
        if os.path.lexists(each):
            os.unlink(each)
    with open(path, "w") as file:
        file.write("a plain file")
    os.symlink(target, other)
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(FOR_SEC)
        while True:
            call("renameat2", -100, path.encode(), -100, other.encode(), 2)
    return ""


def swap_for_environment() -> str:
    """Swap the file that is read with a link to the reader's environment."""
    return _trap("/proc/self/environ")


def swap_for_memory_of_1() -> str:
    """Swap the file that is read with a link to what process 1 was started with."""
    return _trap("/proc/1/cmdline")


def swap_for_shadow() -> str:
    """Swap the file that is read with a link to what only root inside may read."""
    return _trap("/etc/shadow")


def grow() -> str:
    """Let the file that is read grow to two gigabytes and shrink again."""
    path = GIVEN["path"]
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(fd, b"a plain file")
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(FOR_SEC)
        while True:
            os.ftruncate(fd, 2 << 30)
            os.ftruncate(fd, 12)
    return ""
