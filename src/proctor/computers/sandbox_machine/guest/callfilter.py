"""Which system calls a process inside may make, as a seccomp filter.

A desktop uses most of them, so the filter lists what it does not need: what reaches things that no namespace divides,
what looks into other processes, what builds other roots. Calls newer than the list below do not exist inside, so that
nothing is allowed which nobody has looked at. Browsers may go on to make namespaces for sandboxes of their own, where
they are root over a network; so sockets are a list of what is allowed, and nothing that sets up a network is.
"""

import platform
import struct

FIRST_UNKNOWN = 453
"""Numbers from here on were given out after this list was made."""

# Newer calls have one number on every machine.
_DENIED_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438, "process_madvise": 440,
    "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447,
}  # fmt: skip
_DENIED = {
    "x86_64": {
        "add_key": 248, "request_key": 249, "keyctl": 250, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
        "kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "open_by_handle_at": 304, "swapon": 167, "swapoff": 168, "reboot": 169, "acct": 163, "settimeofday": 164,
        "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305, "ptrace": 101, "process_vm_readv": 310,
        "process_vm_writev": 311, "kcmp": 312, "mount": 165, "umount2": 166, "pivot_root": 155, "setns": 308,
        "fanotify_init": 300, "quotactl": 179, "syslog": 103, "lookup_dcookie": 212, "vhangup": 153, "iopl": 172,
        "ioperm": 173, "modify_ldt": 154, "uselib": 134, "ustat": 136, "sysfs": 139, "_sysctl": 156,
        "sethostname": 170, "setdomainname": 171, "move_pages": 279, "migrate_pages": 256, "nfsservctl": 180,
    },
    "aarch64": {
        "add_key": 217, "request_key": 218, "keyctl": 219, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
        "kexec_load": 104, "kexec_file_load": 294, "init_module": 105, "finit_module": 273, "delete_module": 106,
        "open_by_handle_at": 265, "swapon": 224, "swapoff": 225, "reboot": 142, "acct": 89, "settimeofday": 170,
        "clock_settime": 112, "adjtimex": 171, "clock_adjtime": 266, "ptrace": 117, "process_vm_readv": 270,
        "process_vm_writev": 271, "kcmp": 272, "mount": 40, "umount2": 39, "pivot_root": 41, "setns": 268,
        "fanotify_init": 262, "quotactl": 60, "syslog": 116, "lookup_dcookie": 18, "vhangup": 58,
        "sethostname": 161, "setdomainname": 162, "move_pages": 239, "migrate_pages": 238, "nfsservctl": 42,
    },
}  # fmt: skip
_CLONE3 = 435
"""Its flags lie in memory, where a filter cannot see them; without it programs use the older call."""
_LOOKED_INTO = {
    "x86_64": {"socket": 41, "socketpair": 53, "setsockopt": 54, "clone": 56, "unshare": 272, "ioctl": 16},
    "aarch64": {"socket": 198, "socketpair": 199, "setsockopt": 208, "clone": 220, "unshare": 97, "ioctl": 29},
}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_UNIX, _IPV4, _IPV6 = 1, 2, 10
"""Families of sockets. Others reach the hypervisor, the kernel's cryptography, its networks or its drivers."""
_STREAM, _DATAGRAM, _PACKETS_IN_ORDER = 1, 2, 5
_KIND_BITS = 0xF
_ANY, _TCP, _UDP = 0, 6, 17
_SETTINGS_OF = {
    "ip": (0, range(64, 0x10000)), "tcp": (6, range(31, 32)), "udp": (17, range(100, 101)), "ip6": (41, range(64, 66)),
}  # fmt: skip
"""Levels and options of sockets that load packet filters, or put another protocol on top of a connection."""
_NETWORK_REQUESTS = range(0x8900, 0x8A00)
_READING = (
    *range(0x8901, 0x8908), 0x8910, 0x8912, 0x8913, 0x8915, 0x8917, 0x8919, 0x891B, 0x891D, 0x891F, 0x8921, 0x8927,
    0x8933, 0x894B,
)  # fmt: skip
"""What programs ask about their sockets and interfaces; the other requests set up interfaces, routes and bridges."""
_NEW_MOUNTS, _NEW_CGROUPS, _NEW_TIME = 0x00020000, 0x02000000, 0x80
_TERMINAL_INPUT, _TERMINAL_LINUX = 0x5412, 0x541C

_LOAD, _AND, _JUMP_EQUAL, _JUMP_NOT_BELOW, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST, _SECOND, _THIRD = 0, 4, 16, 24, 32  # where the call, the machine and its arguments stand
_ENDS = {
    "allow": 0x7FFF0000, "deny": 0x00050000 | 1, "absent": 0x00050000 | 38, "no_protocol": 0x00050000 | 93,
    "no_family": 0x00050000 | 97,
}  # fmt: skip
"""How a call ends; programs that ask for a protocol or family which does not exist go on without it."""


def filter_program(machine: str = "") -> bytes:
    """Return the filter for a machine, this one if none is named, as packed instructions."""
    machine = machine or platform.machine()
    inside = _LOOKED_INTO[machine]
    denied = sorted({**_DENIED[machine], **_DENIED_EVERYWHERE}.values())
    # Code, value, where to go if it holds, and if not; "" stands for the next line, a number for a label.
    lines: list[tuple[int, int, str, str]] = [
        (_LOAD, _MACHINE, "", ""),
        (_JUMP_EQUAL, _ARCHITECTURE[machine], "", "deny"),
        (_LOAD, _NUMBER, "", ""),
        (_JUMP_NOT_BELOW, _X32_BIT, "deny", ""),
        (_JUMP_NOT_BELOW, FIRST_UNKNOWN, "absent", ""),
        (_JUMP_EQUAL, _CLONE3, "absent", ""),
        *((_JUMP_EQUAL, number, "deny", "") for number in denied),
        *((_JUMP_EQUAL, number, name, "") for name, number in inside.items()),
        (_RETURN, _ENDS["allow"], "", ""),
    ]
    labels: dict[str, int] = {}
    for name, block in {**_network_blocks(), **_other_blocks()}.items():
        labels[name] = len(lines)
        lines += block
    for name, value in _ENDS.items():
        labels[name] = len(lines)
        lines.append((_RETURN, value, "", ""))
    return b"".join(_pack(at, line, labels) for at, line in enumerate(lines))


def _network_blocks() -> "dict[str, list[tuple[int, int, str, str]]]":
    """Return what is done about the calls that make and change sockets."""
    return {
        "socket": [
            (_LOAD, _FIRST, "", ""),
            (_JUMP_EQUAL, _UNIX, "unix", ""),
            (_JUMP_EQUAL, _IPV4, "internet", ""),
            (_JUMP_EQUAL, _IPV6, "internet", "no_family"),
        ],
        # The kernel makes pairs of other families too.
        "socketpair": [(_LOAD, _FIRST, "", ""), (_JUMP_EQUAL, _UNIX, "unix", "no_family")],
        "unix": [
            (_LOAD, _SECOND, "", ""),
            (_AND, _KIND_BITS, "", ""),
            (_JUMP_EQUAL, _STREAM, "allow", ""),
            (_JUMP_EQUAL, _DATAGRAM, "allow", ""),
            (_JUMP_EQUAL, _PACKETS_IN_ORDER, "allow", "deny"),
        ],
        "internet": [
            (_LOAD, _SECOND, "", ""),
            (_AND, _KIND_BITS, "", ""),
            (_JUMP_EQUAL, _STREAM, "stream", ""),
            (_JUMP_EQUAL, _DATAGRAM, "datagram", "deny"),
        ],
        "stream": [
            (_LOAD, _THIRD, "", ""),
            (_JUMP_EQUAL, _ANY, "allow", ""),
            (_JUMP_EQUAL, _TCP, "allow", "no_protocol"),
        ],
        "datagram": [
            (_LOAD, _THIRD, "", ""),
            (_JUMP_EQUAL, _ANY, "allow", ""),
            (_JUMP_EQUAL, _UDP, "allow", "no_protocol"),
        ],
        "setsockopt": [
            (_LOAD, _SECOND, "", ""),
            *((_JUMP_EQUAL, level, f"{name} settings", "") for name, (level, _) in _SETTINGS_OF.items()),
            (_RETURN, _ENDS["allow"], "", ""),
        ],
        **{
            f"{name} settings": [
                (_LOAD, _THIRD, "", ""),
                (_JUMP_NOT_BELOW, settings.stop, "allow", ""),
                (_JUMP_NOT_BELOW, settings.start, "deny", "allow"),
            ]
            for name, (_, settings) in _SETTINGS_OF.items()
        },
    }


def _other_blocks() -> "dict[str, list[tuple[int, int, str, str]]]":
    """Return what is done about the other calls whose arguments decide."""
    return {
        "clone": [(_LOAD, _FIRST, "", ""), (_JUMP_ANY_BIT, _NEW_MOUNTS | _NEW_CGROUPS, "deny", "allow")],
        "unshare": [(_LOAD, _FIRST, "", ""), (_JUMP_ANY_BIT, _NEW_MOUNTS | _NEW_CGROUPS | _NEW_TIME, "deny", "allow")],
        "ioctl": [
            (_LOAD, _SECOND, "", ""),
            (_JUMP_EQUAL, _TERMINAL_INPUT, "deny", ""),
            (_JUMP_EQUAL, _TERMINAL_LINUX, "deny", ""),
            (_JUMP_NOT_BELOW, _NETWORK_REQUESTS.stop, "allow", ""),
            (_JUMP_NOT_BELOW, _NETWORK_REQUESTS.start, "", "allow"),
            *((_JUMP_EQUAL, request, "allow", "") for request in _READING),
            (_RETURN, _ENDS["deny"], "", ""),
        ],
    }


def _pack(at: int, line: "tuple[int, int, str, str]", labels: "dict[str, int]") -> bytes:
    code, value, *ends = line
    # Jumps count the instructions to skip.
    return struct.pack("HBBI", code, *(labels[end] - at - 1 if end else 0 for end in ends), value)
