"""Records of every type, drawn from the annotations of their fields."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Literal

from hypothesis import strategies as some

from proctor.records.plain import LARGEST, fields_of

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
"""Whatever a file of JSON may hold."""
SIMPLE: dict[Any, some.SearchStrategy[Any]] = {
    str: some.text(max_size=12),
    int: some.integers(-LARGEST, LARGEST),
    float: some.floats(-1e12, 1e12) | some.integers(-1000, 1000),
    bool: some.booleans(),
    object: JSON.filter(lambda value: value is not None),
}


def records(kind: type) -> some.SearchStrategy[Any]:
    """Draw records of a type, with values in every field that is written."""
    hints = typing.get_type_hints(kind)
    return some.builds(kind, **{field.name: _values(hints[field.name]) for field in fields_of(kind)})


def _values(hint: Any) -> some.SearchStrategy[Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return some.none() | some.one_of(*(_values(each) for each in arguments if each is not type(None)))
    if origin is Literal:
        return some.sampled_from(arguments)
    if origin is dict:
        return some.dictionaries(some.text(max_size=6), _values(arguments[1]), max_size=3)
    if origin is tuple and arguments[-1] is Ellipsis:
        return some.lists(_values(arguments[0]), max_size=3).map(tuple)
    if origin is tuple:
        return some.tuples(*(_values(each) for each in arguments))
    return records(hint) if dataclasses.is_dataclass(hint) else SIMPLE[hint]
