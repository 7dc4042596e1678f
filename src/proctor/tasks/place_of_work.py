"""In which application the work of a subtask was done, told by what was operated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from proctor.actions.action import CallTool, RunCode
from proctor.computers.values import Performed
from proctor.taxonomy import APPLICATIONS

CODE = "code"
"""Said of work that was done by code or a tool instead of an application."""
BY_COMMAND = frozenset({CODE, "lxterminal"})
"""Where whatever is done counts, even while another application is open."""
_ENDING = re.compile(r"(?:[-.]?(?:bin|esr|real|py)|[-_.]?\d[\d.]*)$")


def applications_of(performed: Performed) -> frozenset[str]:
    """Return the applications that an action may have gone to; none where nothing is known."""
    if isinstance(performed.action, RunCode | CallTool):
        return frozenset({CODE})
    element = performed.element
    found = _with_program(performed.program or "") or _with_program(element.app if element else "")
    if len(found) > 1 and element:
        # One program may have windows of several applications, which say so in their titles.
        named = frozenset(app for app in found if app.rpartition("-")[2] in element.window.lower())
        return named or found
    return found


@cache
def _with_program(program: str) -> frozenset[str]:
    """Return the applications that go by a program, by its path or the name it gives itself."""
    listed = frozenset(app for app, one in APPLICATIONS.items() if program in one.programs)
    if listed or not program:
        return listed
    name = program.rpartition("/")[2].strip().lower().replace(" ", "-")
    while name not in APPLICATIONS and (shorter := _ENDING.sub("", name)) != name:
        name = shorter
    if name == "soffice":
        return frozenset(app for app in APPLICATIONS if app.startswith("libreoffice-"))
    return frozenset({name} & set(APPLICATIONS))


def place_of_work(app: str, since: Iterable[Performed], last: Sequence[Performed]) -> str:
    """Return in which application a subtask was completed; empty where nobody can tell.

    Args:
        app: The one it was meant for, which is assumed where it was operated and nothing speaks against it.
        since: What was done since the subtask's turn came.
        last: What was done between the look that found it completed and the one before.
    """
    operated = Counter(one for performed in since for one in applications_of(performed))
    finished = [found for performed in last if (found := applications_of(performed))]
    if any(app in found for found in finished):
        return app
    if finished and (app not in operated or finished[-1] & BY_COMMAND):
        return min(finished[-1])
    if app in operated or not operated:
        return app if operated else ""
    return max(sorted(operated), key=lambda one: operated[one])
