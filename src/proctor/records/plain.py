"""Records as plain data, with what is empty left out."""

from __future__ import annotations

import dataclasses
from typing import Any


def without_defaults(record: Any, *but: str) -> dict[str, Any]:
    """Return a record's fields that differ from their defaults, tuples as lists."""
    found: dict[str, Any] = {}
    for entry in dataclasses.fields(record):
        value = getattr(record, entry.name)
        empty = entry.default_factory() if entry.default_factory is not dataclasses.MISSING else entry.default
        if entry.name not in but and value != empty:
            found[entry.name] = list(value) if isinstance(value, tuple) else value
    return found
