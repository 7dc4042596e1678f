"""Loading what people bring: `module:name`, found on the path or in the folder they work in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.registry import Registry


def look_here() -> None:
    """Let modules of the current folder be imported, after all others; an installed command does not see it."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)


def load(kind: str, target: str) -> Any:
    """Return what `module:name` stands for; raises SpecError when there is no such thing or it cannot be called."""
    look_here()
    if ":" not in target:
        raise SpecError(f"{kind} {target!r} is not written as module:name", remedy="name the module and what is in it")
    found: Any = Registry[Any](kind, {}, group=f"proctor.{kind}").get(target)
    if not callable(found):
        raise SpecError(f"{kind} {target!r} is {type(found).__name__}, which cannot be called")
    return found
