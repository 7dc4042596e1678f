"""The cage of a process that reads hostile bytes: memory, time, no files, no network, few calls."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
from contextlib import suppress

MEMORY_BYTES = 288 * 2**20
"""What one reading may take on top of what the idle reader has."""
CPU_SEC = 10
WALL_SEC = 30
"""How long one reading may take; more than its processor time, since the host may be busy with something else."""
NOBODY = 65534

_CALLS = {
    "x86_64": {
        "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10, "munmap": 11,
        "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "readv": 19, "writev": 20,
        "sched_yield": 24, "mremap": 25, "madvise": 28, "getpid": 39, "recvfrom": 45, "exit": 60, "gettimeofday": 96,
        "getrusage": 98, "sysinfo": 99, "times": 100, "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202,
        "sched_getaffinity": 204, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "exit_group": 231,
        "ppoll": 271, "set_robust_list": 273, "getrandom": 318, "membarrier": 324, "rseq": 334,
    },
    "aarch64": {
        "read": 63, "write": 64, "close": 57, "fstat": 80, "lseek": 62, "mmap": 222, "mprotect": 226, "munmap": 215,
        "brk": 214, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "readv": 65, "writev": 66,
        "sched_yield": 124, "mremap": 216, "madvise": 233, "getpid": 172, "recvfrom": 207, "exit": 93,
        "gettimeofday": 169, "getrusage": 165, "sysinfo": 179, "times": 153, "sigaltstack": 132, "gettid": 178,
        "futex": 98, "sched_getaffinity": 123, "restart_syscall": 128, "clock_gettime": 113, "clock_getres": 114,
        "exit_group": 94, "ppoll": 73, "set_robust_list": 99, "getrandom": 278, "membarrier": 283, "rseq": 293,
    },
}  # fmt: skip
"""All that a reading may ask of the kernel: memory, the time, its own descriptors, its end."""
_FSTATAT = {"x86_64": 262, "aarch64": 79}
"""Newer C libraries look at a descriptor by the call that also looks at paths."""
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_AT_EMPTY_PATH = 0x1000
_CLONE, _CLONE3, _CLONE_THREAD = {"x86_64": 56, "aarch64": 220}, 435, 0x00010000
"""Decoders of films and pictures start threads, which is fine; processes are not."""
_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# SECCOMP_RET_ALLOW, and SECCOMP_RET_ERRNO with EPERM or, for what has an older form that can be looked at, ENOSYS.
_ALLOW, _DENY, _UNKNOWN = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38

_libc = ctypes.CDLL(None, use_errno=True)


def filter_program(machine: str) -> bytes:
    """Return the filter of system calls for a machine as packed BPF instructions.

    Empty for one that is not known.
    """
    if machine not in _CALLS:
        return b""
    body: list[tuple[int, int, str, str]] = [
        (_JUMP_EQUAL, _AUDIT_ARCH[machine], "next", "deny"),
        (_LOAD, 0, "", ""),
        (_JUMP_GREATER_EQUAL, _X32_BIT, "deny", "next"),
        *((_JUMP_EQUAL, number, "allow", "next") for number in sorted(_CALLS[machine].values())),
        (_JUMP_EQUAL, _CLONE3, "unknown", "next"),
        (_JUMP_EQUAL, _CLONE[machine], "next", "path"),
        (_LOAD, 16, "", ""),
        (_JUMP_ANY_BIT, _CLONE_THREAD, "allow", "deny"),
        (_JUMP_EQUAL, _FSTATAT[machine], "next", "deny"),
        (_LOAD, 16 + 8 * 3, "", ""),
        (_JUMP_EQUAL, _AT_EMPTY_PATH, "allow", "deny"),
    ]
    # Jumps count instructions to skip; the ends are placed last.
    places = {"allow": len(body) + 1, "deny": len(body) + 2, "unknown": len(body) + 3, "path": len(body) - 2}
    program = [struct.pack("HBBI", _LOAD, 0, 0, 4)]
    for position, (code, value, if_true, if_false) in enumerate(body, start=1):
        jumps = [places[end] - position - 1 if end in places else 0 for end in (if_true, if_false)]
        program.append(struct.pack("HBBI", code, *jumps, value))
    program += [struct.pack("HBBI", _RETURN, 0, 0, end) for end in (_ALLOW, _DENY, _UNKNOWN)]
    return b"".join(program)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def enter(memory_bytes: int, seconds: float) -> dict[str, object]:
    """Lock this freshly forked process up for good.

    Return as whom, and whether its system calls are filtered.

    Args:
        memory_bytes: All the address space it may have, what it has already included.
        seconds: When it is ended, if it has not ended by itself.
    """
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_DUMPABLE, 0)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if os.geteuid() == 0:
        # Where it may not change its user, it keeps one that can open nothing any more.
        with suppress(OSError):
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SEC, CPU_SEC + 1))
    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        # Descriptors that are open stay so; no file and no socket can be opened any more, filter or not.
        (resource.RLIMIT_NOFILE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    user = os.getuid()
    return {"user": user, "filtered": _filter_calls()}


def _filter_calls() -> bool:
    program = filter_program(platform.machine())
    if not program:
        return False
    buffer = ctypes.create_string_buffer(program, len(program))
    description = _Program(len(program) // 8, ctypes.addressof(buffer))
    mode, none = ctypes.c_ulong(2), ctypes.c_ulong(0)
    return int(_libc.prctl(ctypes.c_int(_PR_SET_SECCOMP), mode, ctypes.byref(description), none, none)) == 0


def _prctl(option: int, value: int) -> None:
    none = ctypes.c_ulong(0)
    _libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), none, none, none)
