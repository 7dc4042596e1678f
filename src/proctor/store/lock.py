"""The lock of a run: one process writes it at a time."""

from __future__ import annotations

import fcntl
import os
import socket
from contextlib import suppress
from pathlib import Path

from proctor.errors import RecordError
from proctor.store.files import disk_trouble, open_plain, open_to_change


class RunLock:
    """Held from its making until `release`, or until the process ends in whatever way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = _take(path)

    def release(self) -> None:
        """Let others write; a second time has no effect."""
        if self._fd >= 0:
            # Removed while it is still held: whoever waits for it finds that its file is gone and makes a new one.
            with suppress(OSError):
                self._path.unlink()
            os.close(self._fd)
            self._fd = -1


def holder(path: Path) -> str:
    """Return who is writing a run, such as `process 17 on host`; empty when nobody is."""
    try:
        fd = open_plain(path)
    except OSError:
        return ""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _name(fd)
    finally:
        os.close(fd)
    return ""


def _take(path: Path) -> int:
    with disk_trouble(path):
        while True:
            fd = open_to_change(path)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                name = _name(fd)
                os.close(fd)
                raise RecordError(
                    f"the run {path.parent} is being written by {name}",
                    remedy="wait for it to finish, or stop that process",
                ) from None
            if _is_current(path, fd):
                os.truncate(fd, 0)
                os.pwrite(fd, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
                return fd
            os.close(fd)


def _is_current(path: Path, fd: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(fd))
    except FileNotFoundError:
        return False


def _name(fd: int) -> str:
    return os.pread(fd, 200, 0).decode(errors="replace").strip() or "another process"
