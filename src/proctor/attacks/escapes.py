"""Ways out of a sandbox, each tried with arguments that do no harm where it is not stopped."""

from __future__ import annotations

import ctypes
import fcntl
import glob
import mmap
import os
import platform
import resource
import socket
import tempfile

from proctor.attacks.attack import attack
from proctor.attacks.inside import (
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWTIME,
    CLONE_NEWUTS,
    GIVEN,
    LIBC,
    call,
    goes_through,
    in_a_child,
    opens,
    own_user_namespace,
)

EINVAL, ENOSYS, EFAULT, EBADF, ENOENT = 22, 38, 14, 9, 2


@attack(root=True)
def mount_a_filesystem() -> str:
    """Mount a file system, in the old way and the new."""
    place = tempfile.mkdtemp()
    got = []
    if call("mount", b"none", place.encode(), b"tmpfs", 0, None) == 0:
        got.append("mount tmpfs")
        call("umount2", place.encode(), 2)
    if call("mount", b"none", place.encode(), b"proc", 0, None) == 0:
        got.append("mount proc")
        call("umount2", place.encode(), 2)
    if call("fsopen", b"tmpfs", 0) >= 0:
        got.append("fsopen")
    if call("open_tree", -100, b"/", 1) >= 0:
        got.append("open_tree clone")
    os.rmdir(place)
    return ", ".join(got)


def mount_in_an_own_user_namespace() -> str:
    """Become root of a new user namespace and mount there, as most kernel exploits begin."""

    def work() -> str:
        if not own_user_namespace(CLONE_NEWNS):
            return ""
        got = []
        for kind in (b"tmpfs", b"overlay", b"ramfs", b"devpts", b"mqueue", b"cgroup2", b"fuse", b"bpf"):
            data = b"lowerdir=/usr,upperdir=/tmp,workdir=/tmp" if kind == b"overlay" else None
            if call("mount", b"none", b"/mnt", kind, 0, data) == 0:
                got.append("mount " + kind.decode())
        if call("fsopen", b"tmpfs", 0) >= 0:
            got.append("fsopen")
        if call("mount", b"/etc", b"/mnt", None, 0x1000, None) == 0:
            got.append("bind mount")
        return ", ".join(got)

    return in_a_child(work)


@attack(root=True)
def namespaces_without_rights() -> str:
    """Create namespaces without a new user namespace."""

    def work() -> str:
        kinds = {"mount": CLONE_NEWNS, "cgroup": CLONE_NEWCGROUP, "net": CLONE_NEWNET, "pid": CLONE_NEWPID,
                 "uts": CLONE_NEWUTS, "ipc": CLONE_NEWIPC, "time": CLONE_NEWTIME}  # fmt: skip
        return ", ".join(name for name, flag in kinds.items() if call("unshare", flag) == 0)

    return in_a_child(work)


def cgroup_namespace_of_its_own() -> str:
    """Create a control group namespace inside a new user namespace, to mount the groups there."""

    def work() -> str:
        if not own_user_namespace():
            return ""
        return "unshare CLONE_NEWCGROUP" if call("unshare", CLONE_NEWCGROUP) == 0 else ""

    return in_a_child(work)


def join_namespaces_of_others() -> str:
    """Join the namespaces of process 1 and of every other process that can be seen."""

    def work() -> str:
        mine = {os.stat(path).st_ino for path in glob.glob("/proc/self/ns/*")}
        got = []
        for path in glob.glob("/proc/[0-9]*/ns/*"):
            try:
                fd = os.open(path, os.O_RDONLY)
            except OSError:
                continue
            if os.fstat(fd).st_ino not in mine and call("setns", fd, 0) == 0:
                got.append(path)
        pid = call("pidfd_open", 1, 0)
        if pid >= 0 and call("setns", pid, CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET) == 0:
            got.append("process 1 by its pidfd")
        return ", ".join(got)

    return in_a_child(work)


def trace_process_1() -> str:
    """Trace process 1 and the display, read their memory, take their descriptors."""
    got = []
    buffer = ctypes.create_string_buffer(64)

    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    vector = Vector(ctypes.addressof(buffer), 64)
    for pid in (1, *GIVEN.get("others", ())):
        if call("ptrace", 0x4206, pid, 0, 0) == 0:  # SEIZE: attaches without stopping it
            call("ptrace", 17, pid, 0, 0)
            got.append(f"ptrace {pid}")
        # An address that is not mapped answers EFAULT where reading is allowed at all.
        if call("process_vm_readv", pid, ctypes.byref(vector), 1, ctypes.byref(vector), 1, 0) not in (-1, -3, -ENOSYS):
            got.append(f"process_vm_readv {pid}")
        handle = call("pidfd_open", pid, 0)
        if handle >= 0 and call("pidfd_getfd", handle, 0, 0) >= 0:
            got.append(f"pidfd_getfd {pid}")
        if call("kcmp", pid, os.getpid(), 2, 0, 0) >= 0:
            got.append(f"kcmp {pid}")
    return ", ".join(got)


def signal_others() -> str:
    """Send signals to process 1 and to the display."""
    return ", ".join(str(pid) for pid in (1, *GIVEN.get("others", ())) if goes_through(os.kill, pid, 0))


def system_calls_of_the_kernel() -> str:
    """Reach what no namespace separates: keyrings, BPF, tracing, modules, clocks, swap, accounting, logs."""
    # Arguments that are wrong on purpose: any answer but a refusal shows that the call was let in.
    tries = {
        "keyctl": (0, -3, 1), "add_key": (b"user", b"proctor", b"x", 1, -2),
        "request_key": (b"user", b"proctor", None, -2),
        "bpf": (0, None, 0), "perf_event_open": (None, 0, -1, -1, 0), "userfaultfd": (0,),
        "io_uring_setup": (1, None), "kexec_load": (0, 0, None, 0), "init_module": (None, 0, b""),
        "finit_module": (-1, b"", 0), "delete_module": (b"none", 0x800), "swapon": (b"/none", 0),
        "acct": (b"/none/none",), "reboot": (0, 0, 0, None), "settimeofday": (None, None),
        "clock_settime": (0, None), "open_by_handle_at": (-100, None, 0), "quotactl": (0, None, 0, None),
        "syslog": (10, None, 0), "lookup_dcookie": (0, None, 0), "fanotify_init": (0, 0),
        "vhangup": (), "pivot_root": (b"/none", b"/none"), "chroot": (b"/",),
    }  # fmt: skip
    harmless_refusals = (-1, -ENOSYS, -13)
    answers = {name: in_a_child(lambda n=name, a=a: str(call(n, *a))) for name, a in tries.items()}  # type: ignore[misc]
    # The calls that set the time with nothing to set answer without an error.
    return ", ".join(name for name, answer in answers.items() if answer and int(answer) not in harmless_refusals)


def other_architectures() -> str:
    """Make system calls of another architecture, past a filter that knows only one."""
    if platform.machine() != "x86_64":
        return ""

    def work() -> str:
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        # mov eax, 20; int 0x80; ret: getpid as a 32-bit program asks for it.
        page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        answer = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
        got = ["int 0x80"] if answer > 0 else []
        if LIBC.syscall(ctypes.c_long(0x40000000 + 39)) > 0:
            got.append("x32")
        return ", ".join(got)

    return in_a_child(work)


@attack(root=True)
def kernel_settings() -> str:
    """Open the kernel's settings in /proc/sys and /sys for writing."""
    got = []
    for top in ("/proc/sys", "/sys"):
        for folder, _, names in os.walk(top):
            got += [path for path in (f"{folder}/{name}" for name in names) if opens(path, os.O_WRONLY)]
    for path in ("/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/proc/bus/pci"):
        if os.path.isfile(path) and os.access(path, os.W_OK):
            got.append(path)
    return ", ".join(got[:8]) + (f" and {len(got) - 8} more" if len(got) > 8 else "")


@attack(root=True)
def control_groups() -> str:
    """Find control groups to move to, or a release agent to set."""
    got = []
    for pattern in ("/sys/fs/cgroup/**/release_agent", "/sys/fs/cgroup/**/cgroup.procs"):
        got += [path for path in glob.iglob(pattern, recursive=True) if os.access(path, os.W_OK)]
    return ", ".join(got[:4])


@attack(root=True)
def devices() -> str:
    """Make device nodes and open those of the machine."""
    got = []
    for name, mode, number in (("disk", 0o60666, (254, 0)), ("mem", 0o20666, (1, 1)), ("white", 0o20666, (0, 0))):
        path = f"/tmp/{name}-{os.getpid()}"
        if goes_through(os.mknod, path, mode, os.makedev(*number)):
            got.append(f"mknod {name}")
            os.unlink(path)
    patterns = ("vd*", "sd*", "nvme*", "mem", "kmsg", "port", "kvm", "fuse", "net/tun", "vsock", "vhost*", "loop*",
                "mapper/*", "dri/*", "input/*", "uinput", "snapshot", "hpet", "userfaultfd", "udmabuf")  # fmt: skip
    got += [path for pattern in patterns for path in glob.glob(f"/dev/{pattern}") if opens(path)]
    return ", ".join(got)


@attack(root=True)
def sockets_past_the_network() -> str:
    """Open sockets that a network namespace does not isolate, or that see other traffic."""
    kinds = {"vsock": (40, socket.SOCK_STREAM, 0), "packet": (17, socket.SOCK_RAW, 3), "raw": (2, socket.SOCK_RAW, 1),
             "bluetooth": (31, socket.SOCK_RAW, 1), "qipcrtr": (42, socket.SOCK_DGRAM, 0),
             "alg": (38, socket.SOCK_SEQPACKET, 0), "xdp": (44, socket.SOCK_RAW, 0),
             "can": (29, socket.SOCK_RAW, 1), "rds": (21, socket.SOCK_SEQPACKET, 0), "tipc": (30, 5, 0),
             "kcm": (41, socket.SOCK_DGRAM, 0), "smc": (43, socket.SOCK_STREAM, 0),
             "packet in the oldest way": (2, 10, 0x0300), "mptcp": (2, socket.SOCK_STREAM, 262),
             "udp-lite": (2, socket.SOCK_DGRAM, 136), "sctp": (2, socket.SOCK_SEQPACKET, 132),
             "ping": (2, socket.SOCK_DGRAM, 1), "routes": (16, socket.SOCK_RAW, 0)}  # fmt: skip
    return ", ".join(name for name, kind in kinds.items() if goes_through(socket.socket, *kind))


def network_in_an_own_namespace() -> str:
    """Create a network inside a user namespace, with packet sockets and filters in the kernel."""

    def work() -> str:
        if not own_user_namespace(CLONE_NEWNET):
            return ""
        kinds = {"packet": (17, 3, 3), "netfilter": (16, 3, 12)}
        return ", ".join(name for name, kind in kinds.items() if goes_through(socket.socket, *kind))

    return in_a_child(work)


def network_of_its_own_making() -> str:
    """Build a network in a new namespace: bridges, interfaces, routes, packet filters."""

    def work() -> str:
        if not own_user_namespace(CLONE_NEWNET):
            return ""
        got = []
        name = b"proctor-trial\0\0\0"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            tries = {"bridge": (0x89A0, name), "interface": (0x8914, b"lo".ljust(16, b"\0") + b"\1\0".ljust(24, b"\0"))}
            for what, (request, given) in tries.items():
                try:
                    fcntl.ioctl(probe, request, given)
                except OSError as error:
                    if error.errno == 1:
                        continue
                got.append(what)
            for level, option in ((0, 64), (41, 64), (0, 1152), (17, 100)):
                # Too short on purpose: any answer but a refusal shows that the request was let in.
                try:
                    probe.setsockopt(level, option, b"")
                except OSError as error:
                    if error.errno == 1:
                        continue
                got.append(f"option {option} of level {level}")
        try:
            socket.socket(16, socket.SOCK_RAW, 0).close()
            got.append("routes")
        except OSError:
            pass
        try:
            for end in socket.socketpair(30, socket.SOCK_SEQPACKET):
                end.close()
            got.append("a pair of TIPC")
        except OSError:
            pass
        return ", ".join(got)

    return in_a_child(work)


@attack(root=True)
def reach_the_host() -> str:
    """Connect to a server of the host: on its loopback, its own address, and by an abstract name."""
    got = []
    for family, address in GIVEN.get("servers", ()):
        target = "\0" + address if family == socket.AF_UNIX else tuple(address)
        with socket.socket(family, socket.SOCK_STREAM) as attempt:
            attempt.settimeout(2)
            if goes_through(attempt.connect, target):
                got.append(str(address))
    return ", ".join(got)


def setuid_programs() -> str:
    """Find programs that could give more rights, and see whether they would."""
    with open("/proc/self/status") as file:
        status = file.read()
    got = []
    if "NoNewPrivs:\t1" not in status:
        got.append("no_new_privs is not set")
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        if f"{name}:\t0000000000000000" not in status:
            got.append(f"{name} is not empty")
    if "Seccomp:\t2" not in status:
        got.append("no system call filter")
    with open("/proc/self/mounts") as file:
        loose = [line.split()[1] for line in file if "nosuid" not in line.split()[3].split(",")]
    # A device bound from the host cannot be run.
    got += [f"setuid counts on {place}" for place in loose if os.path.isdir(place)]
    return ", ".join(got)


def raise_limits() -> str:
    """Raise resource limits, become real-time, lock memory."""
    got = []
    # Some of them have no name in Python.
    numbers = {"NOFILE": 7, "NPROC": 6, "CORE": 4, "MEMLOCK": 8, "PENDING": 11, "QUEUES": 12, "NICE": 13, "RTPRIO": 14}
    for name, number in numbers.items():
        soft, hard = resource.getrlimit(number)
        if hard != resource.RLIM_INFINITY and goes_through(resource.setrlimit, number, (soft, hard + 1)):
            got.append(f"more {name}")
    if goes_through(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1)):
        got.append("real time")
    if goes_through(os.setpriority, os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) - 1):
        got.append("higher priority")
    return ", ".join(got)


def terminals() -> str:
    """Push characters into a terminal that someone else reads."""
    got = [f"descriptor {fd}" for fd in range(256) if os.isatty(fd)]
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
        got.append("/dev/tty")
    except OSError:
        pass
    return ", ".join(got)
