"""What is looked at on a machine to tell whether a computer can be opened there, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "missing"]


@dataclass(frozen=True, kw_only=True, slots=True)
class HostFinding:
    """One thing that was looked at."""

    name: str
    status: Status
    """`missing` keeps a computer from being opened; `warn` does not."""
    found: str
    remedy: str = ""
    """What to do, as an exact command where one exists."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostBound:
    """One thing that a sandbox may use up to a limit."""

    name: str
    held_by: str
    holds: bool
    means: str = ""
    """What follows where it does not hold."""
    remedy: str = ""
    hostile: bool = True
    """Whether code that tries to do harm must not run where it does not hold."""


Check = Callable[[str], HostFinding]
"""Looks at one thing, under the name that it is given; what it raises is told as what it found."""


def judge(name: str, good: bool, found: str, remedy: str = "", *, otherwise: Status = "missing") -> HostFinding:
    """Return what was found: all is well, or it is not and this is the remedy."""
    return HostFinding(name=name, status="ok" if good else otherwise, found=found, remedy="" if good else remedy)


def unless(enough: object) -> Status:
    """Return how grave a lack is: only a warning where there is enough without it."""
    return "warn" if enough else "missing"


def size_text(count: int) -> str:
    """Return a size in the units of `proctor images list` and the docs."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
