"""The user's home inside a computer, and how paths are written there."""

from __future__ import annotations

HOME = "/home/user"
"""Where it is unless a computer says otherwise (`Computer.home`)."""


def absolute(path: str, home: str = HOME) -> str:
    """Return the whole path; a relative one starts at the home folder."""
    return path if path.startswith("/") else f"{home}/{path}"


def printable(path: str) -> str:
    """Return a path that can be written down, whatever bytes it is made of."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
