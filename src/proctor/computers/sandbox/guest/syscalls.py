"""The few Linux system calls that Python's standard library does not wrap."""

import ctypes
import os
import platform

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
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

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
    return result


def _bytes(text: "str | None") -> "bytes | None":
    return None if text is None else os.fsencode(text)


def unshare(flags: int) -> None:
    """Leave namespaces; for CLONE_NEWPID the next child is the new process 1."""
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


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
