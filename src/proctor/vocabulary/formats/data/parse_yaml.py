"""Data in YAML, read without making anything but plain values of it."""

from __future__ import annotations

import importlib
import math
from contextlib import suppress
from typing import Any

from proctor.errors import MissingExtra
from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.data.parse import first_line
from proctor.vocabulary.formats.text.parse import decode

MOST_VALUES = 200_000
"""Values that a file may stand for: one may mean another many times over."""


def library() -> Any:
    """Return PyYAML."""
    try:
        return importlib.import_module("yaml")
    except ImportError as error:
        raise MissingExtra("reading YAML", "office") from error


def preload() -> None:
    """Load the library where it is installed."""
    with suppress(MissingExtra):
        library().safe_load("a: [1, 2020-01-01]")


def yaml_data(data: bytes, path: str) -> dict[str, object]:
    """Return the data of a YAML file; tags that make objects are refused."""
    yaml, text = library(), decode(data, path)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        _weigh(node, {})
        return {"path": path, "data": _plain(yaml.safe_load(text))}
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, OverflowError) as error:
        raise CannotSee("unreadable", f"{path} is not valid YAML: {first_line(error)}") from error


def _weigh(node: Any, known: dict[int, int]) -> int:
    """Return how many values a node stands for, its repetitions counted; ValueError for too many."""
    if node is None or isinstance(node.value, str):
        return 1
    if id(node) in known:
        if not known[id(node)]:
            raise ValueError("something in it holds itself")
        return known[id(node)]
    known[id(node)] = 0
    parts = [part for each in node.value for part in (each if isinstance(each, tuple) else (each,))]
    found = 1 + sum(_weigh(part, known) for part in parts)
    if found > MOST_VALUES:
        raise ValueError(f"it stands for more than {MOST_VALUES:,} values")
    known[id(node)] = found
    return found


def _plain(value: object) -> object:
    """Return a value as plain data: dates and other kinds as texts."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, list):
        return [_plain(held) for held in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | bool | int | float) or value is None else str(value)
