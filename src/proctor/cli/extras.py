"""What an optional dependency brings, imported when a command needs it."""

from __future__ import annotations

import importlib
from types import ModuleType

from proctor.errors import MissingExtra


def import_extra(module: str, feature: str, extra: str) -> ModuleType:
    """Return a module of Proctor's own; raises MissingExtra where what it imports is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("proctor"):
            raise
        raise MissingExtra(feature, extra) from error
