"""Ways to use up what a sandbox shares with its host, each with a ceiling of its own."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import signal
import socket

from proctor.attacks.attack import attack
from proctor.attacks.inside import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWUTS,
    GIVEN,
    LIBC,
    call,
    in_a_child,
    own_user_namespace,
)

MB = 1 << 20
HELD_SEC = 1.5
_MAPPED: list[mmap.mmap] = []


def _ceiling() -> int:
    """Return how many megabytes are asked for at most: more than the limit and what is granted beside."""
    return int(GIVEN.get("memory_mb", 512)) + 500


def _keep(take: object, unit_mb: float) -> str:
    """Take memory bit by bit in a child until it is refused; the child holds it for a moment, for others to see."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(15)
        taken = 0.0
        try:
            while taken < _ceiling():
                take()  # type: ignore[operator]
                taken += unit_mb
                os.write(write, b"%d\n" % taken)
        except (OSError, MemoryError, ValueError):
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, HELD_SEC)
            signal.pause()
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as result:
        lines = result.read().split()
    os.waitpid(pid, 0)
    taken = int(lines[-1]) if lines else 0
    return f"{taken} MB" if taken >= _ceiling() else ""


@attack(memory=True)
def allocate() -> str:
    """Allocate memory in one process."""
    kept: list[mmap.mmap] = []

    def take() -> None:
        part = mmap.mmap(-1, 16 * MB)
        part.write(b"x" * (16 * MB))
        kept.append(part)

    return _keep(take, 16)


@attack(memory=True)
def unreadable_process() -> str:
    """Allocate memory in a process that has made itself unreadable, and in files that it holds."""
    LIBC.prctl(4, 0, 0, 0, 0)  # not dumpable
    kept: list[int] = []

    def take() -> None:
        fd = os.memfd_create("x")
        os.write(fd, b"x" * (8 * MB))
        kept.append(fd)
        part = mmap.mmap(-1, 8 * MB)
        part.write(b"x" * (8 * MB))
        _MAPPED.append(part)

    try:
        return _keep(take, 16)
    finally:
        LIBC.prctl(4, 1, 0, 0, 0)


@attack(memory=True)
def files_in_memory() -> str:
    """Fill files that lie in memory and have no name."""
    kept: list[int] = []

    def take() -> None:
        fd = os.memfd_create("x")
        os.write(fd, b"x" * (16 * MB))
        kept.append(fd)

    return _keep(take, 16)


def _filled_segment() -> tuple[int, int]:
    """Fill a System V segment of sixteen megabytes; return its number and place in memory."""
    LIBC.shmat.restype = ctypes.c_void_p
    segment = LIBC.shmget(0, 16 * MB, 0o1600)
    place = LIBC.shmat(segment, None, 0)
    if segment < 0 or place in (None, ctypes.c_void_p(-1).value):
        raise MemoryError
    ctypes.memset(place, 1, 16 * MB)
    return segment, place


@attack(memory=True)
def shared_segments() -> str:
    """Make System V shared memory, which outlives its process."""

    def take() -> None:
        LIBC.shmctl(_filled_segment()[0], 0, None)

    return _keep(take, 16)


@attack(memory=True)
def many_small_processes() -> str:
    """Spread memory over many processes, each too small to be noticed."""
    children: list[int] = []

    def take() -> None:
        pid = os.fork()
        if pid == 0:
            part = mmap.mmap(-1, 8 * MB)
            part.write(b"x" * (8 * MB))
            signal.pause()
        children.append(pid)

    def work() -> str:
        try:
            return _keep(take, 8)
        finally:
            os.killpg(0, signal.SIGKILL)

    def group() -> str:
        os.setsid()
        return work()

    return in_a_child(group) or ""


@attack(memory=True)
def pipes() -> str:
    """Fill pipes, whose buffers belong to the kernel."""
    kept: list[int] = []
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def take() -> None:
        for _ in range(16):
            read, write = os.pipe2(os.O_NONBLOCK)
            kept.extend((read, write))
            os.write(write, b"x" * 65536)

    return _keep(take, 1)


@attack(memory=True)
def socket_buffers() -> str:
    """Fill sockets that nobody reads."""
    kept: list[socket.socket] = []
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def take() -> None:
        size = 0
        while size < MB:
            pair = socket.socketpair()
            kept.extend(pair)
            for end in pair:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 * MB)
            try:
                while True:
                    size += pair[0].send(b"x" * 65536)
            except BlockingIOError:
                continue

    return _keep(take, 1)


@attack(memory=True)
def page_tables() -> str:
    """Touch one page in each two megabytes, so that the kernel's tables grow and little else does."""
    kept: list[mmap.mmap] = []

    def take() -> None:
        part = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # NORESERVE
        call("mbind", 0, 0, 0, 0, 0, 0)
        part.madvise(15)  # no huge pages
        for place in range(0, 1 << 30, 2 * MB):
            part[place] = 1
        kept.append(part)

    return _keep(take, 4)


def _detached_segments() -> str:
    def take() -> None:
        LIBC.shmdt(ctypes.c_void_p(_filled_segment()[1]))

    try:
        return _keep(take, 16)
    finally:
        # They outlive everybody; the first attack of another kind would find the memory gone.
        for segment in range(4096):
            LIBC.shmctl(segment, 0, None)


@attack(memory=True)
def detached_segments() -> str:
    """Fill System V segments and let go of each, so that no process has them in its memory."""
    return _detached_segments()


@attack(memory=True)
def segments_of_another_namespace() -> str:
    """Do the same where the list of segments of the sandbox does not show them."""

    def work() -> str:
        if not own_user_namespace(CLONE_NEWIPC):
            return ""
        return _detached_segments()

    return in_a_child(work)


@attack(memory=True)
def files_on_their_way() -> str:
    """Send files that lie in memory over sockets that nobody reads, and close them."""
    kept: list[socket.socket] = []

    def take() -> None:
        ours, theirs = socket.socketpair()
        fd = os.memfd_create("x")
        os.write(fd, b"x" * (16 * MB))
        socket.send_fds(ours, [b"x"], [fd])
        os.close(fd)
        kept.extend((ours, theirs))
        if len(kept) >= 16:
            # What holds them is sent on its way as well, so that no process has it open.
            outer, last = socket.socketpair()
            for one in kept:
                socket.send_fds(outer, [b"y"], [one.fileno()])
                one.close()
            kept[:] = [outer, last]

    return _keep(take, 16)


@attack(memory=True)
def many_small_files() -> str:
    """Spread memory over thousands of files without a name, each of them small."""
    kept: list[int] = []
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def take() -> None:
        fd = os.memfd_create("x")
        os.write(fd, b"x" * (MB // 2))
        kept.append(fd)

    return _keep(take, 0.5)


@attack(memory=True)
def namespaces_of_every_kind() -> str:
    """Create namespaces without limit, whose memory the kernel charges to no group."""
    kept: list[int] = []

    def work() -> str:
        if not own_user_namespace():
            return ""
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

        def take() -> None:
            for flag, name in ((CLONE_NEWNET, "net"), (CLONE_NEWIPC, "ipc"), (CLONE_NEWUTS, "uts")):
                if call("unshare", flag) < 0:
                    raise MemoryError
                kept.append(os.open(f"/proc/self/ns/{name}", os.O_RDONLY))

        return _keep(take, 0.2)

    return in_a_child(work)


@attack(memory=True)
def page_tables_of_nothing() -> str:
    """Read one page in each two megabytes of memory that was never written, for its tables."""
    kept: list[mmap.mmap] = []

    def take() -> None:
        part = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
        part.madvise(15)  # no huge pages
        for place in range(0, 8 << 30, 2 * MB):
            _ = part[place]
        kept.append(part)

    return _keep(take, 16)
