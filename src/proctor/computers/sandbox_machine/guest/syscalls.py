"""The few Linux system calls that Python's standard library does not wrap."""

import ctypes
import errno
import os
import platform
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 0x1
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_REMOUNT = 0x20
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
MNT_DETACH = 0x2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2

IN_ACCESS = 0x1

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
# Newer calls have one number everywhere.
_OPEN_TREE, _MOVE_MOUNT, _OPENAT2, _PIDFD_GETFD, _MOUNT_SETATTR = 428, 429, 437, 438, 442
_RESOLVE_NO_XDEV, _RESOLVE_NO_MAGICLINKS, _RESOLVE_NO_SYMLINKS, _RESOLVE_IN_ROOT = 0x01, 0x02, 0x04, 0x10
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE_CLONE = 1
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_IDMAP = 0x1, 0x100000
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
    return result


def _bytes(text: "str | None") -> "bytes | None":
    return None if text is None else os.fsencode(text)


def inotify() -> int:
    """Return a descriptor that tells of files; it never blocks."""
    return _check(_libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK), "inotify")


def watch_reads(fd: int, path: str) -> int:
    """Have a file or folder followed: whoever opens or reads it, is told; returns its number."""
    return _check(_libc.inotify_add_watch(fd, os.fsencode(path), IN_ACCESS), path)


def unshare(flags: int) -> None:
    """Leave namespaces; for CLONE_NEWPID the next child is the new process 1."""
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def enter(namespace: int, kind: int) -> None:
    """Enter a namespace given as an open file."""
    _check(_libc.setns(ctypes.c_int(namespace), ctypes.c_int(kind)), "setns")


def take_descriptor(process: int, number: int) -> int:
    """Return a copy of a descriptor of another process, which is given as an open file."""
    fd = _libc.syscall(ctypes.c_long(_PIDFD_GETFD), ctypes.c_int(process), ctypes.c_int(number), ctypes.c_uint(0))
    return _check(fd, "pidfd_getfd")


def mount(source: "str | None", target: str, kind: "str | None", flags: int = 0, options: "str | None" = None) -> None:
    """Mount a filesystem or change a mount."""
    _check(
        _libc.mount(_bytes(source), _bytes(target), _bytes(kind), ctypes.c_ulong(flags), _bytes(options)),
        f"mount {kind or source} on {target}" + (f" ({options})" if options else ""),
    )


def unmount(target: str, flags: int = 0) -> None:
    """Unmount a filesystem."""
    _check(_libc.umount2(_bytes(target), ctypes.c_int(flags)), f"unmount {target}")


def pivot_root(new_root: str, put_old: str) -> None:
    """Make `new_root` the root of this mount namespace and keep the old one at `put_old`."""
    number = _PIVOT_ROOT[platform.machine()]
    _check(_libc.syscall(ctypes.c_long(number), _bytes(new_root), _bytes(put_old)), f"pivot_root {new_root}")


def prctl(option: int, *arguments: int) -> int:
    """Call prctl with numeric arguments."""
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return _check(_libc.prctl(ctypes.c_int(option), *padded), f"prctl {option}")


def set_name(name: str) -> None:
    """Name this process as process listings show it."""
    _check(_libc.prctl(ctypes.c_int(PR_SET_NAME), ctypes.c_char_p(name.encode()), 0, 0, 0), "prctl name")


def set_capabilities(effective: int, inheritable: int) -> None:
    """Set the effective and permitted sets of this process to one mask, and the inheritable set to another."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    low, high = effective & 0xFFFFFFFF, effective >> 32
    data = (ctypes.c_uint32 * 6)(low, low, inheritable & 0xFFFFFFFF, high, high, inheritable >> 32)
    _check(_libc.syscall(ctypes.c_long(_CAPSET[platform.machine()]), header, data), "capset")


def permitted_capabilities() -> int:
    """Return the mask of capabilities that this process may use."""
    with open("/proc/self/status", "rb") as status:
        return next(int(line.split()[1], 16) for line in status if line.startswith(b"CapPrm:"))


def install_filter(program: bytes) -> None:
    """Install a seccomp filter given as packed BPF instructions."""
    buffer = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    description = Program(len(program) // 8, ctypes.addressof(buffer))
    result = _libc.prctl(
        ctypes.c_int(PR_SET_SECCOMP), ctypes.c_ulong(2), ctypes.byref(description), ctypes.c_ulong(0), ctypes.c_ulong(0)
    )
    _check(result, "prctl seccomp")


def open_beneath(top: int, path: str, flags: int, mode: int, *, links: bool) -> int:
    """Open a relative path below an open folder, on its file system alone.

    Links are refused, or lead nowhere else.
    """
    if not _lacking:
        resolve = _RESOLVE_NO_XDEV | _RESOLVE_NO_MAGICLINKS | _RESOLVE_IN_ROOT
        resolve |= 0 if links else _RESOLVE_NO_SYMLINKS
        how = struct.pack("QQQ", flags, mode if flags & os.O_CREAT else 0, resolve)
        for _ in range(_TRIES):
            fd = _libc.syscall(ctypes.c_long(_OPENAT2), ctypes.c_int(top), _bytes(path), how, ctypes.c_size_t(len(how)))
            code = ctypes.get_errno()
            # Something was renamed meanwhile, so that the kernel cannot tell whether the path left the folder.
            if fd >= 0 or code != errno.EAGAIN:
                break
        if fd >= 0:
            return int(fd)
        if code not in (errno.ENOSYS, errno.EPERM):
            raise OSError(code, os.strerror(code), path)
        if code == errno.EPERM and _knows_openat2():
            raise OSError(code, os.strerror(code), path)
        _lacking.append(code)
    return _walk_beneath(top, path, flags, mode)


_TRIES = 16
_lacking: "list[int]" = []
"""Why there is no openat2, once that was found out: an old kernel, or a container that forbids what is new to it."""


def _knows_openat2() -> bool:
    """Tell whether the kernel lets us use openat2 at all."""
    how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, 0)
    fd = _libc.syscall(ctypes.c_long(_OPENAT2), ctypes.c_int(_AT_FDCWD), b"/", how, ctypes.c_size_t(len(how)))
    if fd < 0:
        return False
    os.close(fd)
    return True


def _walk_beneath(top: int, path: str, flags: int, mode: int) -> int:
    """Open a path step by step where the kernel has no call for it.

    No link is followed, whoever asks.
    """
    *folders, last = [name for name in path.split("/") if name not in ("", ".")] or ["."]
    if ".." in (*folders, last):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
    here, mount_of_top = os.dup(top), _mount_id(top)
    try:
        for name in folders:
            inner = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = inner
            _same_mount(here, mount_of_top, path)
        fd = os.open(last, flags | os.O_NOFOLLOW, mode, dir_fd=here)
    except NotADirectoryError as error:
        # O_NOFOLLOW with O_DIRECTORY says so of a link.
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path) from error
    finally:
        os.close(here)
    try:
        _same_mount(fd, mount_of_top, path)
    except OSError:
        os.close(fd)
        raise
    return fd


def _mount_id(fd: int) -> bytes:
    with open(f"/proc/self/fdinfo/{fd}", "rb") as info:
        return next(line.split()[1] for line in info if line.startswith(b"mnt_id:"))


def _same_mount(fd: int, wanted: bytes, path: str) -> None:
    if _mount_id(fd) != wanted:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)


def mount_shifted(source: str, target: str, namespace: int) -> None:
    """Mount a folder read-only at a target with its owners shifted into a user namespace."""
    flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_RECURSIVE
    tree = _check(_libc.syscall(ctypes.c_long(_OPEN_TREE), _AT_FDCWD, _bytes(source), flags), f"open_tree {source}")
    try:
        attributes = struct.pack("QQQQ", _MOUNT_ATTR_IDMAP | _MOUNT_ATTR_RDONLY, 0, 0, namespace)
        size = ctypes.c_size_t(len(attributes))
        done = _libc.syscall(ctypes.c_long(_MOUNT_SETATTR), tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, attributes, size)
        _check(done, "mount_setattr idmap")
        done = _libc.syscall(ctypes.c_long(_MOVE_MOUNT), tree, b"", _AT_FDCWD, _bytes(target), 4)  # F_EMPTY_PATH
        _check(done, f"move_mount {target}")
    finally:
        os.close(tree)


def make_read_only(path: str) -> None:
    """Make a mount and all below it read-only in this mount namespace."""
    attributes = struct.pack("QQQQ", _MOUNT_ATTR_RDONLY, 0, 0, 0)
    size = ctypes.c_size_t(len(attributes))
    number = ctypes.c_long(_MOUNT_SETATTR)
    _check(_libc.syscall(number, _AT_FDCWD, _bytes(path), _AT_RECURSIVE, attributes, size), f"mount_setattr {path}")
