"""Suite `moving`: tasks whose right answer changes under way, and their twins."""

from __future__ import annotations

import importlib
import pkgutil

from proctor.suites.suite import Suite, collect

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]

SUITE = Suite(
    name="moving",
    version=1,
    summary="Tasks whose right answer changes under way, and twins in which what happens changes nothing.",
    templates=collect(_MODULES),
)
