"""Checks on what is running."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

SHORT_NAME = 15
"""The kernel keeps this many characters of a program's name."""
INTERPRETERS = re.compile(r"(python|perl|ruby|lua|gjs|node|bash|dash|sh|env)[0-9.]*(-console)?")


@CHECKS.register
def process_running(of: Seen, name: str, argument: str | None = None, early: bool = False) -> Finding:
    """A program of this name is running, not stopped or slowed down, with this in its command line.

    With `early` it is one that was running when the task began, where the computer can tell: one that was ended and
    started again, or another that looks like it, does not count.
    """
    told = f" with {argument!r}" if argument else ""
    found = _processes_of(of, name, argument)
    if early and any("program" in each for each in of["processes"]):
        found = [each for each in found if each.get("early")]
    if any(not each.get("halted") and not each.get("slowed") for each in found):
        return right()
    how = "halted" if any(each.get("halted") for each in found) else "slowed down" if found else "not running"
    return wrong(f"The program {name}{told} is {how}.")


@CHECKS.register
def process_gone(of: Seen, name: str, argument: str | None = None) -> Finding:
    """No program of this name is running, or none with this somewhere in its command line."""
    told = f" with {argument!r}" if argument else ""
    return wrong(f"The program {name}{told} is still running.") if _processes_of(of, name, argument) else right()


def _processes_of(of: Any, name: str, argument: str | None) -> list[dict[str, Any]]:
    return [
        each
        for each in of["processes"]
        if _has_name(each, name) and (argument is None or argument in each["command"].partition(" ")[2])
    ]


def _has_name(process: dict[str, Any], name: str) -> bool:
    program = posixpath.basename(process.get("program", ""))
    if program and not INTERPRETERS.fullmatch(program):
        # Whatever it calls itself: this is what is run.
        return bool(program == name)
    # A script runs under its interpreter's name: its own is the first or second word of the command line.
    words = [posixpath.basename(word) for word in process["command"].split(" ")[:2]]
    return name[:SHORT_NAME] == process["name"] or name in words
