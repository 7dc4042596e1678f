"""Suite `expert`: long work on lived-in desks, with checkpoints."""

from __future__ import annotations

import importlib
import pkgutil

from proctor.suites.suite import Suite, collect

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]

SUITE = Suite(
    name="expert",
    version=1,
    summary="Long work on desks that people have used for years: 30 to 150 actions, checkpoints on the way.",
    templates=collect(_MODULES),
)
