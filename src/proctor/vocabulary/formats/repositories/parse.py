"""What was read of a git repository, as it came out of the program that reads it."""

from __future__ import annotations

import json
from typing import Any

from proctor.tasks.findings import CannotSee

MOST_TEXT = 100_000

Report = dict[str, Any]
"""Branches, commits, files and state, as `inside/repository_look.py` tells them."""


def repository_report(printed: str, path: str) -> Report:
    """Return what was told of a repository; raises CannotSee where it could not be read."""
    try:
        told = json.loads(printed)
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"what was read of the repository {path} is garbled: {error}") from error
    if not isinstance(told, dict) or "refused" in told:
        why = str(told.get("refused", ""))[:500] if isinstance(told, dict) else "nothing sensible comes of it"
        raise CannotSee("unreadable", f"the repository {path} cannot be read: {why}")
    return told


def settings_text(data: bytes) -> str:
    """Return a file that says how git is to behave."""
    return data.decode(errors="replace")[:MOST_TEXT]
