"""Checks on what is running."""

from __future__ import annotations

import posixpath
from typing import Any

from proctor.tasks.finding import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

SHORT_NAME = 15
"""The kernel keeps this many characters of a program's name."""


@CHECKS.register
def process_running(of: Seen, name: str, argument: str | None = None) -> Finding:
    """A program of this name is running, with this somewhere in its command line if that matters."""
    told = f" with {argument!r}" if argument else ""
    return right() if _running(of, name, argument) else wrong(f"The program {name}{told} is not running.")


@CHECKS.register
def process_gone(of: Seen, name: str, argument: str | None = None) -> Finding:
    """No program of this name is running, or none with this somewhere in its command line."""
    told = f" with {argument!r}" if argument else ""
    return wrong(f"The program {name}{told} is still running.") if _running(of, name, argument) else right()


def _running(of: Any, name: str, argument: str | None) -> bool:
    return any(
        _named(each, name) and (argument is None or argument in each["command"].partition(" ")[2])
        for each in of["processes"]
    )


def _named(process: dict[str, str], name: str) -> bool:
    # A script runs under its interpreter's name: its own is the first or second word of the command line.
    words = [posixpath.basename(word) for word in process["command"].split(" ")[:2]]
    return name[:SHORT_NAME] == process["name"] or name in words
