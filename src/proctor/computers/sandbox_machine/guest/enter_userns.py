"""Becomes root of a new user namespace and then the given command.

Started by `proctor.computers.userns` alone.

Usage: enter_userns.py REPORT_FD GO_FD COMMAND [ARGUMENT...]

REPORT_FD gets one byte once the namespace exists; after that its end (closed by exec) means success and any further
text names the step that failed. GO_FD gives one byte once the parent has written the id mappings.
"""

import ctypes
import os
import sys

CLONE_NEWUSER = 0x10000000


def unshare_user() -> None:
    """Enter a new user namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def become_root() -> None:
    """Take the namespace's root ids, and no group but its first."""
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    os.setgroups([])


def main() -> int:
    """Do the steps in order, reporting the one that fails."""
    report, go, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.set_inheritable(report, False)
    os.set_inheritable(go, False)
    step = "unshare"
    try:
        unshare_user()
        os.write(report, b"+")
        if os.read(go, 1) != b"+":
            return 1
        step = "setresuid"
        become_root()
        step = "exec"
        os.execvp(command[0], command)
    except OSError as error:
        os.write(report, f"{step} {error.errno} {error.strerror}".encode())
    return 1


if __name__ == "__main__":
    sys.exit(main())
