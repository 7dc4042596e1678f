"""Files of an image as programs inside find them: no link of it leads to a file of the host."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from pathlib import Path

MAX_BYTES = 1 << 20
_MOST_LINKS = 40
"""As many as the kernel follows."""


def read_inside(rootfs: Path, path: str) -> bytes:
    """Return the content of a plain file of an image, a megabyte of it at most.

    OSError where there is none.
    """
    fd = _open_inside(rootfs, path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(fd, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file", path)
        return file.read(MAX_BYTES) or b""


def exists_inside(rootfs: Path, path: str) -> bool:
    """Tell whether an image has something at a path."""
    try:
        os.close(_open_inside(rootfs, path, os.O_PATH))
    except OSError:
        return False
    return True


def _open_inside(rootfs: Path, path: str, flags: int) -> int:
    """Open a path as a process would whose root the image is.

    Each step is taken from the open folder before it.
    """
    above = [os.open(rootfs, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        left, links = deque(_steps(path)), 0
        while left:
            step = left.popleft()
            if step == "..":
                if len(above) > 1:
                    os.close(above.pop())
                continue
            if stat.S_ISLNK(os.stat(step, dir_fd=above[-1], follow_symlinks=False).st_mode):
                target, links = os.readlink(step, dir_fd=above[-1]), links + 1
                if links > _MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
                left.extendleft(reversed(_steps(target)))
                while target.startswith("/") and len(above) > 1:
                    os.close(above.pop())
                continue
            if not left:
                return os.open(step, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above[-1])
            above.append(os.open(step, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above[-1]))
        return os.open(".", flags | os.O_CLOEXEC, dir_fd=above[-1])
    finally:
        for fd in above:
            os.close(fd)


def _steps(path: str) -> list[str]:
    return [step for step in path.split("/") if step not in ("", ".")]
