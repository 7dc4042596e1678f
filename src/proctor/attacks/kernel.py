"""What this machine's kernel offers to hold a sandbox closed, as far as it decides which attacks are held."""

from __future__ import annotations

import ctypes
import os
import platform
from dataclasses import dataclass
from pathlib import Path

from proctor.attacks.inside import call
from proctor.computers.sandbox_machine import limits
from proctor.tasks.reader import client

SETTINGS = Path("/proc/sys")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One thing that the kernel has or lacks."""

    name: str
    found: str
    good: bool = True
    means: str = ""
    """What follows where it is not good."""


def facts() -> list[Fact]:
    """Look at everything."""
    kernel = Fact(name="kernel", found=f"{platform.system()} {platform.release()} on {platform.machine()}")
    others = (_user_namespaces, _seccomp, _cgroups, _openat2, _landlock, _core_dumps, _swap, _reader)
    return [kernel, *(look() for look in others)]


def _setting(name: str) -> str:
    try:
        return (SETTINGS / name).read_text().strip()
    except OSError:
        return ""


def _user_namespaces() -> Fact:
    most = _setting("user/max_user_namespaces") or "none"
    good = most not in ("0", "none")
    return Fact(
        name="user namespaces",
        found=f"up to {most}" if good else "none",
        good=good,
        means="root inside a sandbox cannot be kept apart from root outside",
    )


def _seccomp() -> Fact:
    actions = _setting("kernel/seccomp/actions_avail")
    found = f"filters with {actions}" if actions else "none"
    return Fact(name="seccomp", found=found, good="errno" in actions, means="system calls cannot be kept from an agent")


def _cgroups() -> Fact:
    version = 2 if (limits.ROOT / "cgroup.controllers").exists() else 1
    groups = limits.make(limits.SandboxLimits())
    limits.discard(groups)
    good = groups.memory == groups.processes == "cgroup"
    return Fact(
        name="control groups",
        found=f"version {version}; memory held by {groups.memory}, processes by {groups.processes}",
        good=good,
        means="limits are watched, not held: memory of the kernel itself is not counted, and quick hogs get more",
    )


def _openat2() -> Fact:
    how = (ctypes.c_uint64 * 3)(os.O_PATH | os.O_CLOEXEC, 0, 0x04)  # RESOLVE_NO_SYMLINKS
    fd = call("openat2", -100, b"/", how, 24)
    if fd >= 0:
        os.close(fd)
    return Fact(
        name="openat2",
        found="opens without following links" if fd >= 0 else "not there (Linux 5.6 or newer has it)",
        good=fd >= 0,
        means="files are opened folder by folder instead, which is slower",
    )


def _landlock() -> Fact:
    version = call("landlock_create_ruleset", None, 0, 1)
    return Fact(name="landlock", found=f"version {version}" if version > 0 else "not there (not needed)")


def _core_dumps() -> Fact:
    pattern = _setting("kernel/core_pattern")
    return Fact(
        name="core dumps",
        found=f"core_pattern is {pattern!r}",
        good=not pattern.startswith("|"),
        means="a program that crashes inside starts this machine's own handler, which writes to its disk; "
        "as an administrator: sysctl -w kernel.core_pattern=core",
    )


def _swap() -> Fact:
    try:
        areas = Path("/proc/swaps").read_text().splitlines()[1:]
    except OSError:
        areas = []
    version_1 = not (limits.ROOT / "cgroup.controllers").exists()
    return Fact(
        name="swap",
        found=f"{len(areas)} areas" if areas else "none",
        good=not (areas and version_1),
        means="a limit of memory by control groups of version 1 does not count what was swapped out",
    )


def _reader() -> Fact:
    told = client.facts()
    filtered = "a filter of system calls" if told["filtered"] else "no filter of system calls"
    return Fact(
        name="reader of documents",
        found=f"runs as user {told['user']} with {filtered}",
        good=told["filtered"],
        means="what an agent wrote is read without a filter of system calls; limits of memory and time still hold",
    )
