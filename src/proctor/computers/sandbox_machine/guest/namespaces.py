"""Namespaces that programs inside made for themselves, as browsers do."""

import os
from collections.abc import Callable
from typing import Literal, TypeVar

import syscalls

Kind = Literal["ipc", "net"]
FLAGS: "dict[Kind, int]" = {"ipc": syscalls.CLONE_NEWIPC, "net": syscalls.CLONE_NEWNET}
Given = TypeVar("Given")


def in_each(kind: Kind, pids: "list[int]", work: "Callable[[str], Given]") -> "list[Given]":
    """Do something in our own namespace of a kind, and in each other one that processes have.

    It is told a path of that namespace, which is empty for our own.
    """
    found = [work("")]
    for path in _others(kind, pids):
        found += inside(kind, path, work)
    return found


def inside(kind: Kind, path: str, work: "Callable[[str], Given]") -> "list[Given]":
    """Do something in a namespace and return what came of it; nothing where it is gone."""
    own = os.open(f"/proc/self/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        other = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        os.close(own)
        return []  # its last process ended meanwhile
    try:
        syscalls.enter(other, FLAGS[kind])
        return [work(path)]
    finally:
        syscalls.enter(own, FLAGS[kind])
        os.close(other)
        os.close(own)


def _others(kind: Kind, pids: "list[int]") -> "list[str]":
    found: dict[int, str] = {}
    for pid in pids:
        path = f"/proc/{pid}/ns/{kind}"
        try:
            found.setdefault(os.stat(path).st_ino, path)
        except OSError:
            continue  # it ended meanwhile
    found.pop(os.stat(f"/proc/self/ns/{kind}").st_ino, None)
    return list(found.values())
