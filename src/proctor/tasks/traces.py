"""Traces: what programs write about themselves, out of sight, in whatever task."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources

from proctor.computers.computer import Change
from proctor.home import absolute
from proctor.tasks.patterns import Patterns
from proctor.taxonomy import APPLICATIONS

ACTING = resources.files("proctor.tasks") / "acting.toml"
"""Hidden files that act later, by themselves or on other programs: one that is new is more than a trace."""


def acts_later(path: str, home: str) -> bool:
    """Tell whether what stands at a path is read by programs that then do what it says."""
    return _acting_places(home).match(path)


def is_trace(change: Change, home: str) -> bool:
    """Tell whether a change is only what a program notes for itself.

    Somebody who uses another application than the author thought of leaves settings, histories and caches of it, and
    a task that can be done so is still done cleanly. What was there and is gone is never a trace.
    """
    inside = change.path.removeprefix(f"{home}/")
    if change.kind == "deleted" or inside == change.path or not (inside.startswith(".") or "/." in inside):
        return False  # nothing hidden is in its way
    if acts_later(change.path, home):
        return False
    return (change.kind == "created" and inside.startswith(".")) or is_of_application(change, home)


def is_of_application(change: Change, home: str) -> bool:
    """Tell whether an application we know keeps what stands at a path."""
    return _kept_by_applications(home).match(change.path)


@functools.lru_cache(maxsize=16)
def _acting_places(home: str) -> Patterns:
    sections = tomllib.loads(ACTING.read_text(encoding="utf-8"))
    return Patterns(absolute(text, home) for section in sections.values() for text in section["paths"])


@functools.lru_cache(maxsize=16)
def _kept_by_applications(home: str) -> Patterns:
    """Return what the applications we know write out of sight."""
    # What they write in sight is noise of their own tasks.
    known = {text for name in sorted(APPLICATIONS) for text in APPLICATIONS[name].noise}
    return Patterns(absolute(text, home) for text in sorted(known) if text.startswith((".", "**/.")))
