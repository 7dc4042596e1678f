"""Ways to take from a neighbour what the kernel counts by user, held while it tries the same."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import pty
import resource
import signal
import socket

from proctor.attacks.attack import attack
from proctor.attacks.inside import CLONE_NEWUSER, LIBC, call

MOST = 200_000
HELD_SEC = 6


def _until_refused(take: object, processes: int = 1, most: int = MOST) -> str:
    """Take one thing after the other, in several processes, and leave them holding it for a while."""
    total = 0
    for _ in range(processes):
        read, write = os.pipe()
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(HELD_SEC)
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            count = 0
            try:
                while count < most:
                    take()  # type: ignore[operator]
                    count += 1
            except (OSError, MemoryError):
                pass
            finally:
                os.write(write, b"%d" % count)
                os.close(write)
                while True:
                    signal.pause()
        os.close(write)
        with os.fdopen(read, "rb") as result:
            total += int(result.read() or 0)
    return f"{total} taken"


def _one(take: object, what: str) -> str:
    try:
        take()  # type: ignore[operator]
    except OSError as error:
        return f"no {what} for the neighbour: {error}"
    return ""


def _inotify() -> None:
    if LIBC.inotify_init1(0) < 0:
        raise OSError(ctypes.get_errno(), "inotify_init1")


@attack(neighbour="_one(_inotify, 'inotify instance')")
def all_inotify_instances() -> str:
    """Take every inotify instance that the kernel gives one user."""
    return _until_refused(_inotify, 4)


def _terminal() -> None:
    pty.openpty()


@attack(neighbour="_one(_terminal, 'pseudo-terminal')")
def all_terminals() -> str:
    """Open every pseudo-terminal."""
    return _until_refused(_terminal, 16)


def _queued_signal() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    if LIBC.sigqueue(os.getpid(), int(signal.SIGRTMIN), None) != 0:
        raise OSError(ctypes.get_errno(), "sigqueue")


@attack(neighbour="_one(_queued_signal, 'queued signal')")
def all_queued_signals() -> str:
    """Queue as many signals as one user may have waiting."""
    return _until_refused(_queued_signal, 1)


def _user_namespace() -> None:
    read, write = os.pipe()
    if os.fork() == 0:
        signal.alarm(HELD_SEC)
        os.write(write, b"made" if call("unshare", CLONE_NEWUSER) >= 0 else b"none")
        signal.pause()
        os._exit(0)
    os.close(write)
    made = os.read(read, 4)
    os.close(read)
    if made != b"made":
        raise OSError(errno.ENOSPC, "unshare")


@attack(neighbour="_one(_user_namespace, 'user namespace')")
def all_user_namespaces() -> str:
    """Make as many user namespaces as one user may have."""
    return _until_refused(_user_namespace, 1, 150)


def _descriptors_in_flight() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    kept = [ours] * 200
    socket.send_fds(ours, [b"x"], [each.fileno() for each in kept])
    _FLYING.append((ours, theirs))


_FLYING: list[object] = []


@attack(neighbour="_one_descriptor_in_flight()", needs_root=True)
def all_descriptors_in_flight() -> str:
    """Send descriptors over sockets that nobody reads, until one user may have no more on their way."""
    return _until_refused(_descriptors_in_flight, 4)


def _one_descriptor_in_flight() -> str:
    def send() -> None:
        ours, _theirs = socket.socketpair()
        socket.send_fds(ours, [b"x"], [0])

    return _one(send, "descriptor on its way")


def _pipe() -> None:
    read, write = os.pipe2(os.O_NONBLOCK)
    fcntl.fcntl(write, 1031, 1 << 20)  # F_SETPIPE_SZ: pages count against the user
    _FLYING.append((read, write))


@attack(neighbour="_one_large_pipe()")
def all_large_pipes() -> str:
    """Make pipes so large that one user may have no more pages in pipes."""
    return _until_refused(_pipe, 2, 400)


def _one_large_pipe() -> str:
    read, write = os.pipe2(os.O_NONBLOCK)
    sent = os.write(write, b"x" * 65536)
    return "" if sent == 65536 else f"the neighbour's pipes hold {sent} bytes"


def _lock_memory() -> None:
    place = LIBC.mmap
    place.restype = ctypes.c_void_p
    part = place(None, 4096, 3, 0x22, -1, 0)
    if LIBC.mlock(ctypes.c_void_p(part), 4096) != 0:
        raise OSError(ctypes.get_errno(), "mlock")


@attack(neighbour="_one(_lock_memory, 'locked page')")
def all_locked_pages() -> str:
    """Lock as much memory as one user may."""
    return _until_refused(_lock_memory, 1, 20_000)


def _message_queue() -> None:
    # Name, flags, mode and no attributes: the usual size.
    number = {"x86_64": 240, "aarch64": 180}[os.uname().machine]
    _FLYING.append(None)
    name = f"q{os.getpid()}-{len(_FLYING)}".encode()
    if LIBC.syscall(ctypes.c_long(number), name, 0o102, 0o600, None) < 0:
        raise OSError(ctypes.get_errno(), "mq_open")


@attack(neighbour="_one(_message_queue, 'message queue')")
def all_message_queues() -> str:
    """Make as many POSIX message queues as one user may."""
    return _until_refused(_message_queue, 1)


def _process() -> None:
    pid = os.fork()
    if pid == 0:
        signal.alarm(HELD_SEC)
        signal.pause()
        os._exit(0)


@attack(neighbour="_one(_process, 'process')")
def all_processes() -> str:
    """Start as many processes as may be."""
    return _until_refused(_process, 1, 5000)
