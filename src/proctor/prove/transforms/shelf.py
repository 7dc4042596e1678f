"""The shelf of transforms: named, pure changes to the content of files, and for which files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from random import Random
from typing import Literal

ChangeKind = Literal["mutant", "variant", "spoilt"]
"""`mutant`: the work is spoilt by it; `variant`: no user would call the result different; `spoilt`: nobody can read it,
and where a task only asks that it is there, it counts."""
Function = Callable[[bytes, Random], bytes | None]
"""Returns the changed content; None where the change does not apply, whatever the reason."""


@dataclass(frozen=True)
class Transform:
    """One change that can be made to a file."""

    label: str
    """What was done to the file, in words: `its last line dropped`."""
    kind: ChangeKind
    names: tuple[str, ...]
    """Patterns of the names of files it is meant for, in lower case."""
    function: Function
    kept: bool = False
    """Whether it only says something of files that were there before: how a new one looks is up to who makes it."""

    def fits(self, name: str) -> bool:
        """Tell whether it is meant for files of this name."""
        return any(fnmatchcase(name.rpartition("/")[2].lower(), pattern) for pattern in self.names)

    def apply(self, data: bytes, draw: Random) -> bytes | None:
        """Return the changed content; None where there is nothing to change, or nothing would differ."""
        changed = self.function(data, draw)
        return None if changed == data else changed


TRANSFORMS: list[Transform] = []


def mutant(label: str, *names: str, kept: bool = False) -> Callable[[Function], Function]:
    """Register a change that spoils the work in files with one of some names."""
    return _register(label, "mutant", names, kept)


def variant(label: str, *names: str) -> Callable[[Function], Function]:
    """Register a change that no user would call different in files with one of some names."""
    return _register(label, "variant", names)


def _register(label: str, kind: ChangeKind, names: Sequence[str], kept: bool = False) -> Callable[[Function], Function]:
    def keep(function: Function) -> Function:
        TRANSFORMS.append(Transform(label, kind, tuple(names), function, kept))
        return function

    return keep
