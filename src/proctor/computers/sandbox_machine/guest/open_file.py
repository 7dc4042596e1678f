"""Opening files for the harness: no link, magic link or mount on the way leads a reader with root's rights elsewhere.

The agent owns most of what is read here and may exchange a file for a link at any moment, so nothing is looked at first
and opened later. What stands behind a link is opened with the rights of the agent's user alone: it gives away nothing
that the agent could not read.
"""

import ctypes
import errno
import os
import stat

import syscalls

LIBC = ctypes.CDLL(None, use_errno=True)
AGENT_UID = 1000
# File systems of the sandbox's own, beside its root; no other may be entered, least of all the process list.
TOPS = ("/run/user/1000", "/run/log", "/run/lock", "/run", "/dev/shm")
MOST_STEPS = 256


class AsUser:
    """Use another user's rights for file access, keeping process 1 what it is."""

    def __init__(self, uid: int, *, connecting: bool = False) -> None:
        self.uid, self.connecting = uid, connecting

    def __enter__(self) -> None:
        # Peer credentials of a socket are the effective ids; for files the filesystem ids suffice.
        os.umask(0o022)
        if self.connecting:
            os.setegid(self.uid)
            os.seteuid(self.uid)
        else:
            LIBC.setfsgid(self.uid)
            LIBC.setfsuid(self.uid)

    def __exit__(self, *_: object) -> None:
        if self.connecting:
            os.seteuid(0)
            os.setegid(0)
        else:
            LIBC.setfsuid(0)
            LIBC.setfsgid(0)


def open_file(path: str, flags: int, *, mode: int = 0o644, uid: int = 0, parents: bool = False) -> int:
    """Open a path; for root without any link on the way, or else as the agent's user would.

    With O_NOFOLLOW among the flags the path itself must not be a link.
    """
    if uid != 0:
        with AsUser(uid):
            if parents:
                _make_folders(os.path.dirname(path))
            return _open(path, flags, mode, links=True)
    try:
        return _open(path, flags, mode, links=False)
    except OSError as error:
        if error.errno != errno.ELOOP or flags & os.O_ACCMODE != os.O_RDONLY:
            raise
        with AsUser(AGENT_UID):
            return _open(path, flags, mode, links=True)


def open_folder(path: str) -> int:
    """Open a folder to look into it."""
    return open_file(path, os.O_RDONLY | os.O_DIRECTORY)


def open_below(top: int, path: str, flags: int) -> int:
    """Open a path of another tree, such as the image, with no link on the way."""
    return syscalls.open_beneath(top, path.lstrip("/") or ".", flags | os.O_CLOEXEC, 0, links=False)


def plain(fd: int, path: str) -> int:
    """Return a descriptor that is known to be of a plain file; anything else is closed and refused."""
    kind = os.fstat(fd).st_mode
    if stat.S_ISREG(kind):
        return fd
    os.close(fd)
    code = errno.EISDIR if stat.S_ISDIR(kind) else errno.EINVAL
    raise OSError(code, os.strerror(code), path)


def _open(path: str, flags: int, mode: int, *, links: bool) -> int:
    top = next((top for top in TOPS if path == top or path.startswith(top + "/")), "/")
    start = os.open(top, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        relative = path[len(top) :].strip("/") or "."
        return syscalls.open_beneath(start, relative, flags | os.O_CLOEXEC, mode, links=links)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        os.close(start)


def _make_folders(path: str) -> None:
    """Make a folder and those above it where they are missing, each step taken from the open folder before it."""
    current = _open("/", os.O_PATH | os.O_DIRECTORY, 0, links=True)
    so_far = ""
    try:
        for name in path.strip("/").split("/")[:MOST_STEPS]:
            if not name:
                continue
            so_far += f"/{name}"
            try:
                following = _open(so_far, os.O_PATH | os.O_DIRECTORY, 0, links=True)
            except FileNotFoundError:
                os.mkdir(name, 0o755, dir_fd=current)
                following = _open(so_far, os.O_PATH | os.O_DIRECTORY, 0, links=True)
            os.close(current)
            current = following
    finally:
        os.close(current)
