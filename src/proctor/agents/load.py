"""Loading what people bring: `module:name`, found on the path or in the folder they work in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.registry import Registry

_places: list[str] = []
"""The folders that `look_in` named, if it did."""


def look_in(*folders: Path) -> None:
    """Let what people bring be found in these folders from now on, in place of the one they work in."""
    _places[:] = [str(folder) for folder in folders]


def look_here() -> None:
    """Let modules of the folder that people work in be imported, after all others.

    Called only for what somebody named as `module:name`; nothing else is ever imported from there.
    """
    for place in _places or [str(Path.cwd())]:
        if place not in sys.path:
            sys.path.append(place)


def load(kind: str, target: str) -> Callable[..., Any]:
    """Return what `module:name` stands for; raises SpecError for what is not there or no callable."""
    look_here()
    if ":" not in target:
        raise SpecError(f"{kind} {target!r} is not written as module:name", remedy="name the module and what is in it")
    found = Registry[object](kind, {}, group=f"proctor.{kind}").get(target)
    if not callable(found):
        raise SpecError(f"{kind} {target!r} is {type(found).__name__}, which is not callable")
    return found
