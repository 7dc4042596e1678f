"""The four shelves, and how a call is found on them; the functions themselves live in the folders named after them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from typing import Any

from proctor.errors import UnknownName
from proctor.tasks.call import Call, Kind, Path, walk
from proctor.tasks.shelf import Problem, Shelf, Tool

SETUP = Shelf("setup")
PROBES = Shelf("probe")
CHECKS = Shelf("check")
MOVES = Shelf("move")

_SHELVES: dict[Kind, Shelf] = {"setup": SETUP, "probe": PROBES, "check": CHECKS, "move": MOVES}


def tool(call: Call) -> Tool:
    """Return the function a call means; raises UnknownName with a suggestion."""
    _fill()
    return _SHELVES[call.kind].get(call.name)


def run(call: Call, context: object) -> Any:
    """Carry out a setup step, probe or move with what it works on."""
    found = tool(call)
    return found.function(context, **found.prepare(call.arguments))


def problems(value: Any, at: Path, *kinds: Kind) -> Iterator[Problem]:
    """Yield everything wrong with the calls in a value, whose outermost must be of the given kinds."""
    for path, call in walk(value, at):
        outermost = len(path) <= len(at) + (1 if isinstance(value, list | tuple) else 0)
        if outermost and call.kind not in kinds:
            yield Problem(path, f"a {call.kind} call stands where a {' or '.join(kinds)} is wanted")
        try:
            found = tool(call)
        except UnknownName as error:
            yield Problem((*path, call.kind), f"{error.message}; {error.remedy}")
        else:
            for problem in found.problems(call):
                yield Problem((*path, *problem.path), problem.message)


@functools.cache
def _fill() -> None:
    """Put every function of our own on its shelf; until a call is looked up, nothing of them is imported."""
    for folder in ("setup", "probes", "checks", "moves"):
        importlib.import_module(f"proctor.tasks.{folder}")
