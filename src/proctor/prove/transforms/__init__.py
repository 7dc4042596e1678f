"""Changes to a task's end state, one module for each kind of file; all modules here are loaded."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from proctor.prove.transforms.shelf import TRANSFORMS, ChangeKind, Transform


def transforms_for(name: str, kind: ChangeKind) -> Iterator[Transform]:
    """Yield the transforms of one kind for files of a name, those of its own kind of file first."""
    fitting = [each for each in _every() if each.kind == kind and each.fits(name)]
    yield from sorted(fitting, key=lambda each: each.names == ("*",))


def _every() -> list[Transform]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)
    return TRANSFORMS
