"""The one writer and the one reader of records: frozen types to plain data and back.

Written is what differs from a field's default; tuples become lists, records within records objects. Fields that take no
part in comparisons are not of the record. Read is anything: what is missing or not of its kind is empty, and what a
later version added is left out, because a record may have come from anywhere. A type that was once written in another
shape says in its `older` how that is read.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, Protocol, TypeVar, runtime_checkable

LARGEST = 2**53
"""Of a number; tokens, seconds and dollars stay far below, and every column takes it."""

Record = TypeVar("Record")
Reader = Callable[[object], object]
"""Returns what plain data stands for, or WRONG when it is not of the kind."""

WRONG = object()


@runtime_checkable
class Reshaped(Protocol):
    """A type of records that were once written in another shape."""

    @staticmethod
    def older(data: object) -> object:
        """Return data of an earlier version in the shape of this one; anything else as it is."""


def without_defaults(record: object, *but: str) -> dict[str, object]:
    """Return a record as plain data: the fields that differ from their defaults."""
    found: dict[str, object] = {}
    kind: object = type(record)
    for name, empty in _written_fields(kind):
        value = getattr(record, name)
        if value != empty and name not in but:
            found[name] = plain(value)
    return found


def plain(value: object) -> object:
    """Return a value of a record as plain data; what is plain already stays as it is."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return without_defaults(value)
    return value


def read(kind: type[Record], data: object) -> Record:
    """Return the record that plain data stands for; it never fails."""
    hint: object = kind
    read_record = reader(hint)
    found = read_record(data)
    if not isinstance(found, kind):
        found = read_record({})
    assert isinstance(found, kind)
    return found


def read_each(kind: type[Record], data: object) -> list[Record]:
    """Return the records in a list; what is none is left out."""
    hint: object = kind
    found = map(reader(hint), data if isinstance(data, list) else [])
    return [each for each in found if isinstance(each, kind)]


def fields_of(kind: type) -> list[dataclasses.Field[object]]:
    """Return the fields of a type that are written."""
    return [field for field in dataclasses.fields(kind) if field.compare]


@lru_cache(maxsize=256)
def _written_fields(kind: type) -> tuple[tuple[str, object], ...]:
    return tuple((field.name, _default(field)) for field in fields_of(kind))


def _default(field: dataclasses.Field[object]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


@lru_cache(maxsize=256)
def reader(hint: object) -> Reader:
    """Return what reads data of a kind, made from its annotation."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record_reader(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (argument for argument in arguments if argument is not type(None))
        return reader(inner)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is dict:
        return _object_reader(arguments[1])
    if hint is object:
        return lambda data: data
    return _SIMPLE[str if origin is Literal else hint]


def _record_reader(kind: type) -> Reader:
    hints = typing.get_type_hints(kind)
    readers = {field.name: reader(hints[field.name]) for field in fields_of(kind)}
    needed = {
        field.name: _empty(hints[field.name]) for field in fields_of(kind) if _default(field) is dataclasses.MISSING
    }
    older = kind.older if isinstance(kind, Reshaped) else None

    def read_record(data: object) -> object:
        if older is not None:
            data = older(data)
        if not isinstance(data, dict):
            return WRONG
        found = dict(needed)
        for name, value in data.items():
            if value is not None and name in readers and (good := readers[name](value)) is not WRONG:
                found[name] = good
        return kind(**found)

    return read_record


def _tuple_reader(kinds: tuple[object, ...]) -> Reader:
    inner = reader(kinds[0])
    length = None if kinds[-1] is Ellipsis else len(kinds)

    def read_tuple(data: object) -> object:
        if not isinstance(data, list) or (length is not None and len(data) != length):
            return WRONG
        found = tuple(good for item in data if (good := inner(item)) is not WRONG)
        return WRONG if length is not None and len(found) != length else found

    return read_tuple


def _object_reader(kind: object) -> Reader:
    inner = reader(kind)

    def read_object(data: object) -> object:
        if not isinstance(data, dict):
            return WRONG
        if kind is object:
            return data
        return {name: good for name, value in data.items() if (good := inner(value)) is not WRONG}

    return read_object


def _text(data: object) -> object:
    return data if isinstance(data, str) else WRONG


def _whole(data: object) -> object:
    return data if isinstance(data, int) and type(data) is int and abs(data) <= LARGEST else WRONG


def _amount(data: object) -> object:
    good = isinstance(data, int | float) and not isinstance(data, bool) and abs(data) <= LARGEST
    return data if good else WRONG


def _yes_or_no(data: object) -> object:
    return data if isinstance(data, bool) else WRONG


_EMPTY: dict[object, object] = {str: "", int: 0, float: 0.0, bool: False}
_SIMPLE: dict[object, Reader] = {str: _text, int: _whole, float: _amount, bool: _yes_or_no}


def _empty(hint: object) -> object:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record_reader(hint)({})
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return None
    if origin is tuple:
        return () if arguments[-1] is Ellipsis else tuple(_empty(argument) for argument in arguments)
    return {} if origin is dict else "" if origin is Literal else _EMPTY[hint]
