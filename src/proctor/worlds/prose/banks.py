"""The banks of sentences, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent

Bank = dict[str, object]


@cache
def bank(name: str) -> Bank:
    """Return a bank by the name of its file."""
    return tomllib.loads((HERE / f"{name}.toml").read_text())


def texts(name: str, *path: str) -> list[str]:
    """Return the texts at a place of a bank."""
    return [str(each) for each in _sequence(_find(name, *path))]


def text(name: str, *path: str) -> str:
    """Return the text at a place of a bank."""
    return str(_find(name, *path))


def tables(name: str, *path: str) -> list[Bank]:
    """Return the tables at a place of a bank."""
    return [each for each in _sequence(_find(name, *path)) if isinstance(each, dict)]


def keys(name: str, *path: str) -> list[str]:
    """Return what a table of a bank has."""
    found = _find(name, *path)
    assert isinstance(found, dict)
    return list(found)


def _find(name: str, *path: str) -> object:
    found: object = bank(name)
    for part in path:
        assert isinstance(found, dict), f"{name}.toml has no {'.'.join(path)}"
        found = found[part]
    return found


def _sequence(found: object) -> list[object]:
    assert isinstance(found, list)
    return found
