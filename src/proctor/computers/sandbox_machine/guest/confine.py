"""What a process inside the sandbox may do: capabilities, system calls, limits.

Applied between fork and exec.
"""

import os
import resource

import callfilter
import syscalls

# What the kernel counts for each user, and shares out among all sandboxes of whoever started them.
COUNTED = {resource.RLIMIT_SIGPENDING: 4096, resource.RLIMIT_MSGQUEUE: 1 << 20, resource.RLIMIT_NOFILE: 16384}
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
    for counted, most in COUNTED.items():
        _, hard = resource.getrlimit(counted)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(counted, (most, most))
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
    syscalls.install_filter(callfilter.filter_program())
