"""Typed fields of actions, checked, read from JSON and described as a JSON schema."""

from __future__ import annotations

import dataclasses
import reprlib
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypedDict, Union

from proctor.errors import AgentError


class JsonSchema(TypedDict, total=False):
    """What is used of JSON Schema, for a field or for a whole object."""

    type: str
    description: str
    const: str
    enum: list[str]
    default: object
    minimum: float
    exclusiveMinimum: float
    maximum: float
    minLength: int
    maxLength: int
    items: JsonSchema
    minItems: int
    maxItems: int
    properties: dict[str, JsonSchema]
    required: list[str]
    additionalProperties: bool


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest number a field takes."""

    least: float
    greatest: float
    above: bool = False
    """Whether the least number itself is refused."""

    def problem(self, value: float) -> str | None:
        """Return what a number must be, where it is not; NaN is never inside."""
        inside = self.least < value if self.above else self.least <= value
        if inside and value <= self.greatest:
            return None
        lower = f"above {self.least:g}" if self.above else f"from {self.least:g}"
        return f"must be {lower} to {self.greatest:g}"

    def add_to(self, plain: JsonSchema) -> JsonSchema:
        """Return the schema of a number with these bounds."""
        if self.above:
            return {**plain, "exclusiveMinimum": self.least, "maximum": self.greatest}
        return {**plain, "minimum": self.least, "maximum": self.greatest}


@dataclass(frozen=True, slots=True)
class Length:
    """The least and the greatest number of characters or items."""

    least: int
    greatest: int

    def problem(self, value: str | tuple[object, ...]) -> str | None:
        """Return what a text or list must be, where it is not."""
        if len(value) < self.least:
            return "must not be empty"
        return f"must not be longer than {self.greatest}" if len(value) > self.greatest else None

    def add_to(self, plain: JsonSchema) -> JsonSchema:
        """Return the schema of a text or a list of this length."""
        bounded: JsonSchema = {**plain}
        if plain["type"] == "string":
            if self.least:
                bounded["minLength"] = self.least
            bounded["maxLength"] = self.greatest
        else:
            if self.least:
                bounded["minItems"] = self.least
            bounded["maxItems"] = self.greatest
        return bounded


@cache
def hints(cls: type) -> dict[str, object]:
    """Return the annotations of a dataclass's own fields, limits included."""
    everything = typing.get_type_hints(cls, include_extras=True)
    return {field.name: everything[field.name] for field in dataclasses.fields(cls)}


def required_fields(cls: type) -> list[str]:
    """Return the fields that have no default."""
    return [field.name for field in dataclasses.fields(cls) if field.default is dataclasses.MISSING]


def show(value: object) -> str:
    """Return a value for a message, cut short."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to write integers of thousands of digits
        return f"a huge {type(value).__name__}"


def problems(value: object) -> Iterator[str]:
    """Yield what is wrong with each field of a dataclass instance."""
    cls: type = type(value)
    for name, hint in hints(cls).items():
        held = getattr(value, name)
        if problem := _problem(hint, held):
            yield f"{name}={show(held)} {problem}"


def _problem(hint: object, value: object) -> str | None:
    """Return how a value misses its annotation, or None when it fits."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        plain, limit = arguments[0], arguments[1]
        return _problem(plain, value) or limit.problem(value)
    if origin in (Union, types.UnionType):
        found = [_problem(choice, value) for choice in arguments]
        return None if None in found else next(filter(None, found))
    if origin is Literal:
        return None if value in arguments else f"must be one of: {', '.join(map(str, arguments))}"
    if origin is tuple:
        return _tuple_problem(arguments, value)
    return _plain_problem(hint, value)


def _tuple_problem(arguments: tuple[object, ...], value: object) -> str | None:
    if not isinstance(value, tuple):
        return "must be a list (a tuple in Python)"
    if arguments[-1] is not ...:
        if len(value) != len(arguments):
            return f"must have {len(arguments)} items"
        pairs = zip(arguments, value, strict=True)
    else:
        pairs = zip([arguments[0]] * len(value), value, strict=True)
    found = ((place, _problem(hint, item)) for place, (hint, item) in enumerate(pairs))
    return next((f"[{place}] {problem}" for place, problem in found if problem), None)


def _plain_problem(hint: object, value: object) -> str | None:
    match hint:
        case types.NoneType:
            return None if value is None else "must be left out"
        case _ if hint is str:
            return _text_problem(value)
        case _ if hint is int:
            return None if isinstance(value, int) and not isinstance(value, bool) else "must be a whole number"
        case _ if hint is float:
            return None if isinstance(value, int | float) and not isinstance(value, bool) else "must be a number"
        case _ if hint is dict:
            return None if isinstance(value, dict) else "must be a JSON object"
        case type():
            return None if isinstance(value, hint) else f"must be a {hint.__name__}"
    raise TypeError(f"{hint} is not a valid type for a field")


def _text_problem(value: object) -> str | None:
    if not isinstance(value, str):
        return "must be a text"
    if "\0" in value:
        return "must not contain the character NUL"
    if any("\ud800" <= char <= "\udfff" for char in value):
        return "must not contain half of a surrogate pair"
    return None


def read(cls: type, data: object, where: str) -> dict[str, object]:
    """Return keyword arguments from JSON data, reporting every unknown or missing field at once."""
    if not isinstance(data, dict):
        raise AgentError(f"{where} is {show(data)}", remedy="write it as a JSON object")
    known, needed = hints(cls), required_fields(cls)
    unknown = [f"unknown field {show(name)}" for name in data if name not in known]
    missing = [f"missing field {name!r}" for name in needed if name not in data]
    if unknown or missing:
        raise AgentError(
            f"{where}: {'; '.join((unknown + missing)[:8])}",
            remedy=f"its fields are: {', '.join(name + ('' if name in needed else '?') for name in known)}",
        )
    return {name: _from_json(known[name], value, f"{where}.{name}") for name, value in data.items()}


def _from_json(hint: object, value: object, where: str) -> object:
    """Turn lists into tuples and objects into dataclasses where the annotation says so, unchecked."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _from_json(arguments[0], value, where)
    if origin in (Union, types.UnionType):
        choice = next(choice for choice in arguments if choice is not types.NoneType)
        return None if value is None else _from_json(choice, value, where)
    if origin is tuple and isinstance(value, list):
        # Every tuple of ours holds one kind of item; a wrong number of them is for the checks to name.
        return tuple(_from_json(arguments[0], item, where) for item in value)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return hint(**read(hint, value, where))
    return value


def to_json(record: object) -> dict[str, object]:
    """Return a dataclass as a JSON object, without its defaults."""
    cls: type = type(record)
    fields = [(field, getattr(record, field.name)) for field in dataclasses.fields(cls)]
    return {field.name: _plain(held) for field, held in fields if held != field.default}


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value):
        return to_json(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def schema(cls: type) -> JsonSchema:
    """Return the JSON schema of a dataclass."""
    defaults = {field.name: field.default for field in dataclasses.fields(cls)}
    properties: dict[str, JsonSchema] = {}
    for name, hint in hints(cls).items():
        properties[name] = _schema(hint)
        if defaults[name] is not dataclasses.MISSING and defaults[name] is not None:
            properties[name]["default"] = _plain(defaults[name])
    return {
        "type": "object",
        "description": (cls.__doc__ or "").strip(),
        "properties": properties,
        "required": required_fields(cls),
        "additionalProperties": False,
    }


def _schema(hint: object) -> JsonSchema:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        limit: Bounds | Length = arguments[1]
        return limit.add_to(_schema(arguments[0]))
    if origin in (Union, types.UnionType):  # an optional field is left out rather than null
        return next(_schema(choice) for choice in arguments if choice is not types.NoneType)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is tuple and arguments[-1] is ...:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is tuple:
        length = len(arguments)
        return {"type": "array", "items": _schema(arguments[0]), "minItems": length, "maxItems": length}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return schema(hint)
    return {"type": _PLAIN_TYPES[hint]}


_PLAIN_TYPES: dict[object, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", dict: "object",
}  # fmt: skip
