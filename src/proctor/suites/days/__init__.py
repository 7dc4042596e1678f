"""Suite `days`: days at somebody's desk without an instruction, and their twins."""

from __future__ import annotations

import importlib
import pkgutil

from proctor.suites.suite import Suite, collect

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]

SUITE = Suite(
    name="days",
    version=1,
    summary="Days at somebody's desk without an instruction; in their twins, what was due is not, and the reverse.",
    templates=collect(_MODULES),
)
