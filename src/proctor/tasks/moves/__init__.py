"""Moves of answer keys, as `hand.click(...)`: importing this package puts them all on the shelf."""

from __future__ import annotations

import importlib
import pkgutil

from proctor.tasks.shelves import MOVES as hand

for _found in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_found.name}")

__all__ = ["hand"]
