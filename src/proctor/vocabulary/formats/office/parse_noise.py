"""What saving an office document unchanged changes in its model, by format."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path


def changed_by_saving(model: Mapping[str, object]) -> tuple[str, ...]:
    """Return the places that an application writes otherwise by itself in a document of this format."""
    return _by_format().get(str(model.get("format", "")), ())


@functools.cache
def _by_format() -> dict[str, tuple[str, ...]]:
    found = tomllib.loads(Path(__file__).with_name("noise.toml").read_text(encoding="utf-8"))
    return {form: tuple(entry["changes"]) for form, entry in found.items()}


def preload() -> None:
    """Read the data while files can be read."""
    _by_format()
