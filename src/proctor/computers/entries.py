"""Files of a computer as data: the entries of a folder, and what differs from before."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import Literal

FileKind = Literal["file", "folder", "link", "other"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileInfo:
    """One entry of a folder inside the computer."""

    path: str
    kind: FileKind
    size: int
    mode: int
    modified: float
    """Seconds since the epoch, on the computer's own clock."""
    links: int = 1
    """How many names the file has, where the computer tells; one that was copied has one."""


def kind_of(mode: int) -> FileKind:
    """Return what a mode, as `stat` has it, says an entry is."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One path that differs from how it was when the task began."""

    path: str
    """Absolute, inside the computer; `/` for all that was too much to look at."""
    kind: Literal["created", "changed", "deleted"]
    file: FileKind
    size: int
    """Bytes now; 0 when deleted."""
    mode: int | None = None
    """Its rights now, where the computer tells."""
    old_mode: int | None = None
    """Its rights then, where it was there and the computer tells."""
