"""Control groups that were handed to us, as systemd does to its users: where new ones are made."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

NEEDED = frozenset({"memory", "pids"})
WANTED = ("memory", "pids", "cpu", "io")
HARNESS = "proctor-harness"
"""The group that our own processes move to, where that of everything of ours is handed to us: the kernel lets no group
with processes in it have limited ones below."""
REMEDY = "systemd-run --user --scope -p Delegate=yes proctor ..."


def enable(folder: Path) -> None:
    """Let the groups in a folder be limited, as far as that is allowed."""
    for controller in WANTED:
        with contextlib.suppress(OSError):  # one that is missing must not keep the others away
            (folder / "cgroup.subtree_control").write_text(f"+{controller}")


def find(root: Path, own: str) -> Path | None:
    """Return the nearest folder in which we may make limited groups; None where there is none.

    Args:
        root: Where groups of version 2 are mounted.
        own: The group of this process, as the kernel names it.
    """
    here = root / own.lstrip("/")
    for folder in here.parents:
        if not folder.is_relative_to(root):
            break
        if _is_ours(folder) and _words_in(folder / "cgroup.subtree_control") >= NEEDED:
            return folder
    if _is_ours(here) and _words_in(here / "cgroup.controllers") >= NEEDED and here != root:
        return _make_room(here)
    return None


def _is_ours(folder: Path) -> bool:
    # A process may move between two groups where it may write to what is above both.
    return all(os.access(path, os.W_OK) for path in (folder, folder / "cgroup.procs"))


def _words_in(file: Path) -> set[str]:
    try:
        return set(file.read_text().split())
    except OSError:
        return set()


def _make_room(here: Path) -> Path | None:
    """Move the processes of a group into one below it; None where that does not take."""
    try:
        (here / HARNESS).mkdir(exist_ok=True)
        for pid in (here / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):  # it ended meanwhile
                (here / HARNESS / "cgroup.procs").write_text(pid)
    except OSError:
        return None
    enable(here)
    return here if _words_in(here / "cgroup.subtree_control") >= NEEDED else None
