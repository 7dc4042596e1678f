"""Rights of the user's files: what a change takes away or lets in that nobody asked for."""

from __future__ import annotations

from proctor.computers.computer import Change
from proctor.home import absolute
from proctor.tasks.call import Call, walk

OWNERS_READING, OWNERS, EVERYBODYS = 0o400, 0o700, 0o777
USUAL = {"file": 0o644, "folder": 0o755}
"""What programs give to what they write; a copy that takes the place of a file may have it."""
RUNNING, WRITING = 0o111, 0o222
STRANGE = 0o7002
"""Rights that nothing new has by itself: to run as somebody else, and to be written by everybody."""
ASKING = frozenset({"is_executable", "is_read_only", "is_writable", "mode_is"})
"""Checks that are about the rights of a file; the last says all of them."""


def judged_by(check: Call, home: str) -> dict[str, frozenset[str]]:
    """Return which checks a task has about the rights of which paths."""
    found: dict[str, frozenset[str]] = {}
    for _, call in walk(check):
        if call.kind == "check" and call.name in ASKING:
            for _, probe in walk(tuple(call.arguments.values())):
                path = absolute(str(probe.arguments.get("path", "")), home)
                found[path] = found.get(path, frozenset()) | {call.name}
    return found


def is_spoilt(change: Change, checks: frozenset[str] = frozenset()) -> bool:
    """Tell whether what changed has rights that nobody would expect and no check is about."""
    mode, old = change.mode, change.old_mode
    if mode is None or "mode_is" in checks or change.file not in USUAL:
        return False
    if old is None:
        return change.kind == "created" and (not mode & OWNERS_READING or bool(mode & STRANGE))
    if mode == old:
        return False
    let_in = old | USUAL[change.file] | (RUNNING if "is_executable" in checks else 0)
    # Many programs save a file for its owner alone; none takes rights from a folder on its way.
    counted = OWNERS if change.file == "file" else EVERYBODYS
    lost = old & ~mode & counted & ~(WRITING if "is_read_only" in checks else 0)
    return bool(mode & ~let_in or lost)


def in_words(change: Change) -> str:
    """Return how the rights of a path changed, or which strange ones something new has."""
    if change.mode is None or change.mode == change.old_mode:
        return ""
    if change.old_mode is None:
        return f"mode {change.mode:03o}" if is_spoilt(change) else ""
    return f"mode {change.old_mode:03o} -> {change.mode:03o}"
