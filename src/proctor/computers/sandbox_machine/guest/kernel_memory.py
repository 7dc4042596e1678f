"""Memory that the kernel keeps and no mapping shows: page tables, segments, files on their way."""

import array
import ctypes
import os
import socket
import stat
from typing import NamedTuple

import namespaces
import syscalls

MOST_IN_FLIGHT = 1024
"""How many descriptors on their way are looked at in one look; each is open here for a moment."""
_AT_ONCE = 253
"""Descriptors that one message carries at most."""
_SO_PEEK_OFF = 42
_REMOVE = 0  # IPC_RMID
_libc = ctypes.CDLL(None, use_errno=True)


class SharedSegment(NamedTuple):
    """A segment of System V's shared memory."""

    number: int
    held: int
    attached: int
    """How many processes have it in their memory."""
    namespace: str
    """A path of the namespace it lies in; empty for our own."""


def page_tables(pid: int) -> int:
    """Return what the kernel's tables of a process take."""
    try:
        with open(f"/proc/{pid}/status", "rb") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith(b"VmPTE:")), 0)
    except OSError:
        return 0  # it ended meanwhile


def segments(pids: "list[int]") -> "list[SharedSegment]":
    """Return the segments in our namespace and in those that processes made for themselves."""
    return [segment for here in namespaces.in_each("ipc", pids, _segments_here) for segment in here]


def remove_segment(segment: SharedSegment) -> None:
    """Take a segment away, as soon as nobody has it in its memory."""

    def remove(_path: str) -> None:
        _libc.shmctl(segment.number, _REMOVE, None)

    if segment.namespace:
        namespaces.inside("ipc", segment.namespace, remove)
    else:
        remove("")


def _segments_here(namespace: str) -> "list[SharedSegment]":
    try:
        with open("/proc/sysvipc/shm") as file:
            names, *lines = (line.split() for line in file)
    except OSError:
        return []
    at = {name: names.index(name) for name in ("shmid", "nattch", "rss", "swap")}
    return [
        SharedSegment(
            int(line[at["shmid"]]), int(line[at["rss"]]) + int(line[at["swap"]]), int(line[at["nattch"]]), namespace
        )
        for line in lines
    ]


def in_flight(pids: "list[int]") -> "dict[tuple[int, int], tuple[int, int]]":
    """Return the files without a name that wait in sockets.

    Each with its size and a process that holds the socket.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    budget = [MOST_IN_FLIGHT]
    for pid in pids:
        for number in _waiting_sockets(pid):
            try:
                handle = os.pidfd_open(pid)
                try:
                    taken = syscalls.take_descriptor(handle, number)
                finally:
                    os.close(handle)
            except OSError:
                continue  # it was closed meanwhile
            with socket.socket(fileno=taken) as one:
                _look_into(one, pid, found, budget)
    return found


def _waiting_sockets(pid: int) -> "list[int]":
    """Return the descriptors of a process whose sockets have descriptors waiting in them."""
    try:
        numbers = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return []  # it ended meanwhile
    found = []
    for number in numbers:
        try:
            if stat.S_ISSOCK(os.stat(f"/proc/{pid}/fd/{number}").st_mode) and _count(pid, number):
                found.append(int(number))
        except OSError:
            continue  # it was closed meanwhile
    return found


def _count(pid: int, number: str) -> int:
    with open(f"/proc/{pid}/fdinfo/{number}", "rb") as info:
        return next((int(line.split()[1]) for line in info if line.startswith(b"scm_fds:")), 0)


def _look_into(
    one: socket.socket, pid: int, found: "dict[tuple[int, int], tuple[int, int]]", budget: "list[int]"
) -> None:
    """Look at what waits in a socket without taking it, and at what waits in sockets that wait there."""
    place = array.array("i")
    try:
        before = one.getsockopt(socket.SOL_SOCKET, _SO_PEEK_OFF)
        one.setsockopt(socket.SOL_SOCKET, _SO_PEEK_OFF, 0)
    except OSError:
        return  # not a socket that carries descriptors
    try:
        while budget[0] > 0:
            data, ancillary, _, _ = one.recvmsg(
                1 << 16, socket.CMSG_SPACE(_AT_ONCE * place.itemsize), socket.MSG_PEEK | socket.MSG_DONTWAIT
            )
            fds = _descriptors(ancillary)
            budget[0] -= max(len(fds), 1)
            for fd in fds:
                _note(fd, pid, found, budget)
            if not data and not fds:
                return
    except OSError:
        return  # nothing further waits
    finally:
        one.setsockopt(socket.SOL_SOCKET, _SO_PEEK_OFF, before)


def _note(fd: int, pid: int, found: "dict[tuple[int, int], tuple[int, int]]", budget: "list[int]") -> None:
    info = os.fstat(fd)
    if stat.S_ISSOCK(info.st_mode):
        with socket.socket(fileno=fd) as inner:
            if inner.family == socket.AF_UNIX and (info.st_dev, info.st_ino) not in found:
                found[info.st_dev, info.st_ino] = (0, pid)
                _look_into(inner, pid, found, budget)
        return
    if stat.S_ISREG(info.st_mode) and info.st_nlink == 0:
        found[info.st_dev, info.st_ino] = (info.st_blocks * 512, pid)
    os.close(fd)


def _descriptors(ancillary: "list[tuple[int, int, bytes]]") -> "list[int]":
    found = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return list(found)
