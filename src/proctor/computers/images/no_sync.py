"""Runs COMMAND [ARGUMENT...] with flushes to disk left out; stdlib only, run as a script.

A package manager flushes after each package so that a power cut leaves a usable system. A half-built image is thrown
away in any case, so the builder flushes once, at the end.
"""

import ctypes
import os
import struct
import sys

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ERRNO_ZERO = 0x00050000
SECCOMP_RET_ALLOW = 0x7FFF0000

# fsync, fdatasync, sync, syncfs, msync, sync_file_range
CALLS = {
    "x86_64": (0xC000003E, (74, 75, 162, 306, 26, 277)),
    "aarch64": (0xC00000B7, (82, 83, 81, 267, 227, 84)),
}


def program(audit_arch: int, numbers: tuple[int, ...]) -> bytes:
    """Return the filter: the given calls return 0, all else is allowed."""

    def instruction(code: int, if_true: int, if_false: int, value: int) -> bytes:
        return struct.pack("=HBBI", code, if_true, if_false, value)

    load, equal, give = 0x20, 0x15, 0x06
    count = len(numbers)
    return b"".join(
        [
            instruction(load, 0, 0, 4),
            instruction(equal, 0, count + 1, audit_arch),
            instruction(load, 0, 0, 0),
            *(instruction(equal, count - index, 0, number) for index, number in enumerate(numbers)),
            instruction(give, 0, 0, SECCOMP_RET_ALLOW),
            instruction(give, 0, 0, SECCOMP_RET_ERRNO_ZERO),
        ]
    )


def forget_flushes() -> None:
    """Install the filter where it is known; elsewhere the command is merely slower."""
    known = CALLS.get(os.uname().machine)
    if known is None:
        return
    code = program(*known)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    ctypes.CDLL(None).prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(head), 0, 0)


if __name__ == "__main__":
    forget_flushes()
    os.execvp(sys.argv[1], sys.argv[1:])
