"""Probes, as `see.text(...)`: importing this package puts them all on the shelf."""

from __future__ import annotations

import importlib
import pkgutil

from proctor.tasks.shelves import PROBES as see

for _found in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_found.name}")

__all__ = ["see"]
