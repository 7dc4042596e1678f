"""The arguments of tools: declared once, written as a schema, and read from whatever a client sends."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from proctor.actions.fields import show
from proctor.errors import AgentError

Kind = Literal["integer", "number", "string", "strings", "boolean"]

LONGEST_NUMBER = 40
"""Characters; a longer text is no number that anybody meant."""
_REQUIRED: Any = object()


@dataclass(frozen=True)
class Param:
    """One argument of a tool."""

    name: str
    kind: Kind
    what: str
    """What it means, for the client's model."""
    default: Any = _REQUIRED
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a call must have it."""
        return self.default is _REQUIRED

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema."""
        form: dict[str, Any] = {"type": self.kind, "description": self.what}
        if self.kind == "strings":
            form = {"type": "array", "items": {"type": "string"}, "description": self.what}
        if self.choices:
            form["enum"] = list(self.choices)
        if not self.required and self.default is not None:
            form["default"] = list(self.default) if self.kind == "strings" else self.default
        return form

    def read(self, value: object) -> Any:
        """Return a value as the tool takes it; raises AgentError."""
        found = _READERS[self.kind](self.name, value)
        if self.choices and found not in self.choices:
            raise _wrong(self.name, value, f"one of {', '.join(self.choices)}")
        return found


def schema(params: Sequence[Param]) -> dict[str, Any]:
    """Return the JSON schema of all arguments of a tool."""
    return {
        "type": "object",
        "properties": {param.name: param.schema() for param in params},
        "required": [param.name for param in params if param.required],
        "additionalProperties": False,
    }


def read(params: Sequence[Param], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name, all of them.

    Raises AgentError that names every fault at once.
    """
    known = {param.name: param for param in params}
    faults, found = [], {}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name[:LONGEST_NUMBER], known, n=1)
            takes = f"did you mean {near[0]!r}?" if near else f"it takes: {', '.join(known) or '(none)'}"
            faults.append(f"there is no argument {show(name)}; {takes}")
    for name, param in known.items():
        if given.get(name) is None:  # null is how some clients leave an argument out
            found[name] = param.default
            if param.required:
                faults.append(f"the argument {name!r} is missing")
            continue
        try:
            found[name] = param.read(given[name])
        except AgentError as error:
            faults.append(f"{error.message}; {error.remedy}")
    if faults:
        raise AgentError("; ".join(faults))
    return found


def _integer(name: str, value: object) -> int:
    number = _number(name, value, "a whole number")
    if not number.is_integer():
        raise _wrong(name, value, "a whole number")
    return int(number)


def _number(name: str, value: object, wanted: str = "a number") -> float:
    """Return a finite number; models also write numbers as texts."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _wrong(name, value, wanted)
    if isinstance(value, str) and len(value) > LONGEST_NUMBER:
        raise _wrong(name, value, wanted)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise _wrong(name, value, wanted) from None
    if not math.isfinite(number):
        raise _wrong(name, value, wanted)
    return number


def _string(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(name, value, "a text")
    return value


def _strings(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _wrong(name, value, "a list of texts")
    return tuple(value)


def _boolean(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong(name, value, "true or false")
    return value


_READERS: dict[Kind, Callable[[str, object], Any]] = {
    "integer": _integer,
    "number": _number,
    "string": _string,
    "strings": _strings,
    "boolean": _boolean,
}


def _wrong(name: str, value: object, wanted: str) -> AgentError:
    return AgentError(f"{name} is {show(value)}", remedy=f"it must be {wanted}")
