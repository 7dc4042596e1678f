"""Traces: what programs write about themselves, out of sight, in whatever task."""

from __future__ import annotations

import functools

from proctor.computers.computer import Change
from proctor.home import absolute
from proctor.tasks.patterns import Patterns
from proctor.taxonomy import APPLICATIONS

ACTING = (
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zprofile", ".zshenv",
    ".inputrc", ".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".xscreensaver", ".pam_environment", ".forward",
    ".netrc", ".gitconfig", ".config/git/**", ".config/autostart", ".config/autostart/**", ".config/systemd",
    ".config/systemd/**", ".config/environment.d", ".config/environment.d/**", ".config/fish/**",
    ".config/mimeapps.list", ".local/bin", ".local/bin/**", ".local/lib", ".local/lib/**",
    ".local/share/applications", ".local/share/applications/**", ".local/share/dbus-1", ".local/share/dbus-1/**",
    ".local/share/systemd", ".local/share/systemd/**", ".ssh", ".ssh/**",
)  # fmt: skip
"""Hidden files that act later, by themselves or on other programs: one that is new is more than a trace."""


def is_trace(change: Change, home: str) -> bool:
    """Tell whether a change is only what a program notes for itself.

    Somebody who uses another application than the author thought of leaves settings, histories and caches of it, and
    a task that can be done so is still done cleanly. What was there and is gone is never a trace.
    """
    inside = change.path.removeprefix(f"{home}/")
    if change.kind == "deleted" or inside == change.path or not (inside.startswith(".") or "/." in inside):
        return False  # nothing hidden is in its way
    if change.kind == "created" and inside.startswith("."):
        return not _traces_at(home).match(change.path)
    return _kept_by_applications(home).match(change.path)


@functools.lru_cache(maxsize=16)
def _traces_at(home: str) -> Patterns:
    return Patterns(absolute(text, home) for text in ACTING)


@functools.lru_cache(maxsize=16)
def _kept_by_applications(home: str) -> Patterns:
    """Return what the applications we know write out of sight."""
    # What they write in sight is noise of their own tasks.
    known = {text for name in sorted(APPLICATIONS) for text in APPLICATIONS[name].noise}
    return Patterns(absolute(text, home) for text in sorted(known) if text.startswith((".", "**/.")))
