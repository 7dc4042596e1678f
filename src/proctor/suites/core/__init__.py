"""Suite `core`: natural requests on real applications, each with its proof."""

from __future__ import annotations

import importlib
import pkgutil

from proctor.suites.suite import Suite, collect

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]

SUITE = Suite(
    name="core",
    version=1,
    summary="Everyday requests on more than twenty applications, from single steps to work across several.",
    templates=collect(_MODULES),
)
