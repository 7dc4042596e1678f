"""What a process inside the sandbox may do: capabilities, system calls, limits; applied between fork and exec."""

import os
import platform
import resource
import struct

import syscalls

LAST_CAPABILITY = 63  # beyond the newest; the kernel refuses unknown ones, which ends the loop

# What root inside keeps, for services and setup commands: ownership of files and low ports, nothing of the machine.
CAPABILITIES = {
    "chown": 0,
    "dac_override": 1,
    "fowner": 3,
    "fsetid": 4,
    "kill": 5,
    "setgid": 6,
    "setuid": 7,
    "net_bind_service": 10,
    "ipc_owner": 15,
    "sys_chroot": 18,
}

# System calls with no use on a desktop that reach things no namespace divides: kernel keyrings (shared by uid),
# kernel tracing and loading, handles to files outside the root.
_DENIED = {
    "x86_64": {
        "add_key": 248, "request_key": 249, "keyctl": 250, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
        "kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "open_by_handle_at": 304, "swapon": 167, "swapoff": 168, "reboot": 169, "acct": 163, "io_uring_setup": 425,
        "settimeofday": 164, "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305,
    },
    "aarch64": {
        "add_key": 217, "request_key": 218, "keyctl": 219, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
        "kexec_load": 104, "kexec_file_load": 294, "init_module": 105, "finit_module": 273, "delete_module": 106,
        "open_by_handle_at": 265, "swapon": 224, "swapoff": 225, "reboot": 142, "acct": 89, "io_uring_setup": 425,
        "settimeofday": 170, "clock_settime": 112, "adjtimex": 171, "clock_adjtime": 266,
    },
}  # fmt: skip
_SOCKET = {"x86_64": 41, "aarch64": 198}
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_AF_VSOCK = 40  # sockets to the hypervisor; network namespaces do not divide them
_X32_BIT = 0x40000000

_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY = 0x7FFF0000, 0x00050000 | 1  # SECCOMP_RET_ERRNO with EPERM


def filter_program(machine: str = "") -> bytes:
    """Return the seccomp filter for this machine as packed BPF instructions."""
    machine = machine or platform.machine()
    denied = sorted(_DENIED[machine].values())
    # Jumps count instructions to skip, so the two ends are placed last: `allow` then `deny`.
    body: list[tuple[int, int, str, str]] = [
        (_JUMP_EQUAL, _AUDIT_ARCH[machine], "next", "deny"),
        (_LOAD, 0, "", ""),
        (_JUMP_GREATER_EQUAL, _X32_BIT, "deny", "next"),
        *((_JUMP_EQUAL, number, "deny", "next") for number in denied),
        (_JUMP_EQUAL, _SOCKET[machine], "next", "allow"),
        (_LOAD, 16, "", ""),
        (_JUMP_EQUAL, _AF_VSOCK, "deny", "allow"),
    ]
    allow_at = len(body) + 1
    places = {"allow": allow_at, "deny": allow_at + 1}
    program = [struct.pack("HBBI", _LOAD, 0, 0, 4)]
    for position, (code, value, if_true, if_false) in enumerate(body, start=1):
        jumps = [places[end] - position - 1 if end in places else 0 for end in (if_true, if_false)]
        program.append(struct.pack("HBBI", code, *jumps, value))
    program += [struct.pack("HBBI", _RETURN, 0, 0, _ALLOW), struct.pack("HBBI", _RETURN, 0, 0, _DENY)]
    return b"".join(program)


def become(uid: int, gid: int, keep: "list[str]", limits: "dict[str, int]") -> None:
    """Turn this freshly forked process into an unprivileged one, for good."""
    os.setgroups([gid])
    kept = sum(1 << CAPABILITIES[name] for name in keep)
    for number in range(LAST_CAPABILITY + 1):
        if not kept >> number & 1:
            try:
                syscalls.prctl(syscalls.PR_CAPBSET_DROP, number)
            except OSError:
                break  # past the last capability of this kernel
    if "processes" in limits:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits["processes"], limits["processes"]))
    if "data_bytes" in limits:
        resource.setrlimit(resource.RLIMIT_DATA, (limits["data_bytes"], limits["data_bytes"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if uid != 0 and kept:
        # A server such as X runs under its own uid with one capability, as it would on a real machine.
        syscalls.prctl(8, 1)  # PR_SET_KEEPCAPS
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    if uid == 0 or kept:
        syscalls.set_capabilities(kept, kept)
        for name in keep:
            syscalls.prctl(syscalls.PR_CAP_AMBIENT, syscalls.PR_CAP_AMBIENT_RAISE, CAPABILITIES[name])
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.install_filter(filter_program())
