"""Calls: which named function, with which arguments.

Plain data that a task file holds and a program carries out.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

Kind = Literal["setup", "probe", "check", "move"]
KINDS: tuple[Kind, ...] = get_args(Kind)

DataPath = tuple[str | int, ...]
"""Where something stands in a task file: keys and positions from the top."""


class FrozenDict(dict[str, Any]):
    """A dictionary that cannot be changed."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("what a task holds cannot be changed; make another task")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(json.dumps(plain(self), sort_keys=True))

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenDict, (dict(self),)


def freeze(value: object) -> object:
    """Return data that cannot be changed: tuples for lists, frozen dictionaries all the way down."""
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(item) for key, item in value.items()})
    return tuple(freeze(item) for item in value) if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class Call:
    """One named function of a shelf with its arguments, some of which may be calls themselves."""

    kind: Kind
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", freeze(self.arguments))

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data: `{"check": "file_exists", "of": {...}}`."""
        return {self.kind: self.name, **{key: plain(value) for key, value in self.arguments.items()}}

    @property
    def key(self) -> str:
        """One text per meaning: equal calls have equal keys."""
        return json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False)

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        shown = ", ".join(f"{key}={_short(value)}" for key, value in self.arguments.items())
        return f"{self.name}({shown})"

    @classmethod
    def from_json(cls, data: Any) -> Call:
        """Read plain data; raises ValueError saying what a call looks like."""
        if isinstance(data, Call):
            return data
        kind = kind_of(data)
        if kind is None:
            meant = (
                difflib.get_close_matches(str(next(iter(data), "")), KINDS, n=1) if isinstance(data, Mapping) else []
            )
            hint = f"did you mean {meant[0]!r}?" if meant else f"with one of: {', '.join(KINDS)}"
            raise ValueError(f'is not a call; write {{"{meant[0] if meant else KINDS[0]}": "name", ...}}, {hint}')
        arguments = {key: _calls_in(value) for key, value in data.items() if key != kind}
        return cls(kind, data[kind], arguments)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let models hold calls: read from plain data, written back as such."""
        return core_schema.no_info_plain_validator_function(
            cls.from_json, serialization=core_schema.plain_serializer_function_ser_schema(cls.to_json)
        )


def kind_of(data: object) -> Kind | None:
    """Return which kind of call plain data looks like; None when it is not a call."""
    if not isinstance(data, Mapping):
        return None
    found = [kind for kind in KINDS if kind in data]
    return found[0] if len(found) == 1 and isinstance(data[found[0]], str) else None


def plain(value: object) -> object:
    """Return a value as plain data, calls included."""
    if isinstance(value, Call):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def walk(value: object, at: DataPath = ()) -> Iterator[tuple[DataPath, Call]]:
    """Yield every call in a value with its place, outer ones first."""
    if isinstance(value, Call):
        yield at, value
        value = value.arguments
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from walk(item, (*at, key))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from walk(item, (*at, place))


def _calls_in(value: object) -> object:
    """Turn what looks like a call, and lists of such, into calls; everything else stays as it is."""
    if kind_of(value) in ("probe", "check"):
        return Call.from_json(value)
    if isinstance(value, list | tuple) and any(kind_of(item) in ("probe", "check") for item in value):
        return [_calls_in(item) for item in value]
    return value


def _short(value: object, most: int = 60) -> str:
    text = str(value) if isinstance(value, Call) else repr(plain(value))
    return text if len(text) <= most else f"{text[:most]}..."
