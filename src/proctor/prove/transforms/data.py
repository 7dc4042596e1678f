"""Transforms of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from proctor.prove.transforms.shelf import Function, mutant, variant
from proctor.prove.transforms.words import decode, other_datum

FILES = ("*.json",)


def _of_data(change: Callable[[Any, Random], object], **how: Any) -> Function:
    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        try:
            changed = change(json.loads(decode(data) or ""), draw)
            return (
                None if changed is None else json.dumps(changed, **{"ensure_ascii": False, "indent": 2, **how}).encode()
            )
        except (ValueError, RecursionError):
            return None

    return of_bytes


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


@mutant("a value changed", *FILES)
@_of_data
def _change_value(whole: Any, draw: Random) -> object:
    if not (leaves := list(_leaves(whole))):
        return None
    holder, place = draw.choice(leaves)
    holder[place] = other_datum(holder[place])
    return whole


@mutant("an entry dropped", *FILES)
@_of_data
def _drop_entry(whole: Any, draw: Random) -> object:
    if not (holders := list(_containers(whole))):
        return None
    holder = draw.choice(holders)
    del holder[draw.choice(list(holder)) if isinstance(holder, dict) else draw.randrange(len(holder))]
    return whole


@mutant("an entry added", *FILES)
@_of_data
def _add_entry(whole: Any, draw: Random) -> object:
    if not (holders := list(_containers(whole))):
        return None
    holder = draw.choice(holders)
    if isinstance(holder, dict):
        holder["left_over"] = "left over"
    else:
        holder.append(holder[-1])
    return whole


def _reverse(value: object) -> object:
    """Return a value with the fields of objects the other way round; lists keep their order."""
    if isinstance(value, dict):
        return {key: _reverse(item) for key, item in reversed(value.items())}
    return [_reverse(item) for item in value] if isinstance(value, list) else value


variant("its fields in another order", *FILES)(_of_data(lambda whole, draw: _reverse(whole)))
variant("indented another way", *FILES)(_of_data(lambda whole, draw: whole, indent=7))
variant("on one line", *FILES)(
    _of_data(lambda whole, draw: whole, indent=None, separators=(",", ":"), ensure_ascii=True)
)
