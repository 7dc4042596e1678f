"""Files of a computer as data: the entries of a folder, and what differs from before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class FileInfo:
    """One entry of a folder inside the computer."""

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int
    mode: int
    modified: float
    """Seconds since the epoch, on the computer's own clock."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One path that differs from how it was when the task began."""

    path: str
    """Absolute, inside the computer; `/` for all that was too much to look at."""
    kind: Literal["created", "changed", "deleted"]
    file: Literal["file", "folder", "link", "other"]
    size: int
    """Bytes now; 0 when deleted."""
