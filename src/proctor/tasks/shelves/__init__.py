"""The four shelves, and how a call is found on them.

The functions themselves live in rooms: `desktop/`, `formats/`, `services/`, `apps/`. They are gathered from every
module there that is called `setup`, `probes`, `checks` or `moves`, or lies in a folder of that name.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

from proctor.applications import packages
from proctor.errors import UnknownName
from proctor.tasks.call import Call, DataPath, Kind, walk
from proctor.tasks.shelf import Problem, Shelf, ShelfTool

SETUP = Shelf("setup")
PROBES = Shelf("probe")
CHECKS = Shelf("check")
MOVES = Shelf("move")

ROOMS = ("proctor.vocabulary.desktop", "proctor.vocabulary.formats", "proctor.vocabulary.services")
"""Besides the packages that hold applications, ours and those of other distributions."""
FOLDERS = ("setup", "probes", "checks", "moves")

_SHELVES: dict[Kind, Shelf] = {"setup": SETUP, "probe": PROBES, "check": CHECKS, "move": MOVES}


def tool(call: Call) -> ShelfTool:
    """Return the function a call means; raises UnknownName with a suggestion."""
    _fill()
    return _SHELVES[call.kind].get(call.name)


def run(call: Call, context: object) -> Any:
    """Carry out a setup step, probe or move with what it works on."""
    found = tool(call)
    return found.function(context, **found.prepare(call.arguments))


def problems(value: object, at: DataPath, *kinds: Kind) -> Iterator[Problem]:
    """Yield everything wrong with the calls in a value, whose outermost must be of the given kinds."""
    for path, call in walk(value, at):
        outermost = len(path) <= len(at) + (1 if isinstance(value, list | tuple) else 0)
        if outermost and call.kind not in kinds:
            yield Problem(path, f"a {call.kind} call is used where a {' or '.join(kinds)} is expected")
        try:
            found = tool(call)
        except UnknownName as error:
            yield Problem((*path, call.kind), f"{error.message}; {error.remedy}")
        else:
            for problem in found.problems(call):
                yield Problem((*path, *problem.path), problem.message)


def maker(kind: Kind, name: str) -> Callable[..., Call]:
    """Return the function that makes calls of a name: `maker("check", "text_is")(...)`."""
    _fill()
    return getattr(_SHELVES[kind], name)  # type: ignore[no-any-return]


def names(kind: Kind) -> list[str]:
    """Return every name of a kind, sorted."""
    _fill()
    return _SHELVES[kind].names()


@functools.cache
def _fill() -> None:
    """Put every function on its shelf; until a call is looked up, nothing of them is imported."""
    for room in (*ROOMS, *packages()):
        package = importlib.import_module(room)
        for found in pkgutil.walk_packages(package.__path__, f"{room}."):
            if any(part.partition("_")[0] in FOLDERS for part in found.name.removeprefix(room).split(".")):
                importlib.import_module(found.name)
