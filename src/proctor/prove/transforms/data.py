"""Transforms of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import decode, next_number, unlike

FILES = ("*.json",)


def _read(data: bytes) -> Any:
    text = decode(data)
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _write(value: Any, **how: Any) -> bytes | None:
    try:
        return json.dumps(value, **{"ensure_ascii": False, "indent": 2, **how}).encode()
    except (ValueError, RecursionError, UnicodeEncodeError):
        return None


def _leaves(value: object) -> Iterator[tuple[Any, Any]]:
    """Yield every value that holds no others, as the container and its place in it."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for place, item in places:
        if isinstance(item, dict | list):
            yield from _leaves(item)
        else:
            yield value, place


def _containers(value: object) -> Iterator[Any]:
    if isinstance(value, dict | list):
        if value:
            yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _containers(item)


def _other(value: object) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    if isinstance(value, str) and value:
        return "".join(next_number(c) if c.isascii() and c.isdigit() else unlike(c) for c in value)
    return "something else"


@mutant("a value changed", *FILES)
def value_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another value in place of one."""
    whole = _read(data)
    try:
        leaves = list(_leaves(whole))
    except RecursionError:
        return None
    if not leaves:
        return None
    holder, place = draw.choice(leaves)
    holder[place] = _other(holder[place])
    return _write(whole)


@mutant("an entry dropped", *FILES)
def entry_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one entry of a list or an object."""
    whole = _read(data)
    try:
        holders = list(_containers(whole))
    except RecursionError:
        return None
    if not holders:
        return None
    holder = draw.choice(holders)
    del holder[draw.choice(list(holder)) if isinstance(holder, dict) else draw.randrange(len(holder))]
    return _write(whole)


@variant("its fields in another order", *FILES)
def reorder(data: bytes, draw: Random) -> bytes | None:
    """Write the fields of objects the other way round; lists keep their order."""
    whole = _read(data)
    try:
        return None if whole is None else _write(_reverse(whole))
    except RecursionError:
        return None


def _reverse(value: object) -> Any:
    if isinstance(value, dict):
        return {key: _reverse(item) for key, item in reversed(value.items())}
    return [_reverse(item) for item in value] if isinstance(value, list) else value


@variant("indented another way", *FILES)
def reindent(data: bytes, draw: Random) -> bytes | None:
    """Indent it by another amount."""
    whole = _read(data)
    return None if whole is None else _write(whole, indent=7)


@variant("on one line", *FILES)
def one_line(data: bytes, draw: Random) -> bytes | None:
    """Write it without any blanks, other letters than those of ASCII escaped."""
    whole = _read(data)
    return None if whole is None else _write(whole, indent=None, separators=(",", ":"), ensure_ascii=True)
