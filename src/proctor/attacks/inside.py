"""What every attack begins with: system calls by name, and children that hold on."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import signal
import traceback
from collections.abc import Callable
from typing import Any

GIVEN: dict[str, Any] = {}
"""What the attacker is told from outside, such as the number of a port there."""
MARK = "\x02attack\x03"
"""Stands before what an attack tells, so that it is found among what else was printed."""
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
X86_64, AARCH64 = 0, 1
NUMBERS = {
    "acct": (163, 89), "add_key": (248, 217), "adjtimex": (159, 171), "bpf": (321, 280), "chroot": (161, 51),
    "clock_adjtime": (305, 266), "clock_settime": (227, 112), "clone3": (435, 435), "delete_module": (176, 106),
    "fanotify_init": (300, 262), "finit_module": (313, 273), "fsopen": (430, 430), "init_module": (175, 105),
    "io_uring_setup": (425, 425), "kcmp": (312, 272), "kexec_load": (246, 104), "keyctl": (250, 219),
    "landlock_create_ruleset": (444, 444), "lookup_dcookie": (212, 18), "mbind": (237, 235), "memfd_create": (319, 279),
    "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "openat2": (437, 437), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438), "pidfd_open": (434, 434), "pivot_root": (155, 41), "process_vm_readv": (310, 270),
    "ptrace": (101, 117), "quotactl": (179, 60), "reboot": (169, 142), "renameat2": (316, 276),
    "request_key": (249, 218), "setns": (308, 268), "settimeofday": (164, 170), "swapon": (167, 224),
    "syslog": (103, 116), "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282), "vhangup": (153, 58),
}  # fmt: skip
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWTIME = 0x10000000, 0x20000000, 0x40000000, 0x80


class _BrokenAttack(Exception):
    """The attack could not be tried at all, which says nothing about what it would have met."""


def call(name: str, *arguments: Any) -> int:
    """Make a system call; returns its result, or the negative number of the error."""
    which = AARCH64 if platform.machine() == "aarch64" else X86_64
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result = int(LIBC.syscall(ctypes.c_long(NUMBERS[name][which]), *wide))
    return -ctypes.get_errno() if result == -1 else result


def in_a_child(work: Callable[[], str]) -> str:
    """Do something in a process of its own and return what it returned; one that was killed got nothing."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            text = work()
        except OSError:
            text = ""
        except BaseException:
            text = "broken: " + traceback.format_exc()[-600:]
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as result:
        told = result.read().decode(errors="replace")
    os.waitpid(pid, 0)
    if told.startswith("broken: "):
        raise _BrokenAttack(told)
    return told


def hold(seconds: float) -> None:
    """Let a child that was forked hold what it has, and go by itself after a while."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    while True:
        signal.pause()


def goes_through(work: Callable[..., object], *arguments: Any) -> bool:
    """Tell whether something is not refused."""
    try:
        work(*arguments)
    except (OSError, ValueError):
        return False
    return True


def opens(path: str, flags: int = os.O_RDONLY) -> bool:
    """Tell whether a file can be opened, without waiting for what may be at its other end."""
    try:
        os.close(os.open(path, flags | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def own_user_namespace(flags: int = 0) -> bool:
    """Become root of a user namespace of one's own, as browsers do; tells whether that was allowed."""
    uid = os.getuid()
    if call("unshare", CLONE_NEWUSER | flags) < 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {os.getgid()} 1")):
        try:
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        except OSError:
            continue  # without a map it has its capabilities all the same
    return True


def tell(attack: Callable[[], str]) -> None:
    """Make an attack and print what it got: an empty text where everything was refused."""
    told: dict[str, str] = {}
    try:
        told["got"] = attack()
    except OSError as error:
        told |= {"got": "", "refused": f"{error}"}
    except KeyboardInterrupt:
        told |= {"got": "", "refused": "its time was up"}
    except BaseException as error:
        told["broken"] = f"{error!r}\n{traceback.format_exc()[-2000:]}"
    print(MARK + json.dumps(told), flush=True)  # noqa: T201
