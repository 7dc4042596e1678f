"""The arguments of tools: declared, written as a schema, and read from what clients send."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from proctor.actions.fields import show
from proctor.errors import AgentError

Kind = Literal["integer", "number", "string", "strings"]

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
    bounds: tuple[float, float] | None = None
    """Of a number: the least and the largest."""

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
        if self.bounds:
            form["minimum"], form["maximum"] = self.bounds
        if not self.required and self.default is not None:
            form["default"] = list(self.default) if self.kind == "strings" else self.default
        return form

    def read(self, value: object) -> Any:
        """Return a value as the tool takes it; raises AgentError."""
        found: Any = value
        if self.kind in ("integer", "number"):
            found = _number(self.name, value, whole=self.kind == "integer")
        elif not _PLAIN[self.kind][1](value):
            raise _wrong(self.name, value, _PLAIN[self.kind][0])
        elif self.kind == "strings":
            found = tuple(found)
        if self.bounds and not self.bounds[0] <= found <= self.bounds[1]:
            raise _wrong(self.name, value, "from {:g} to {:g}".format(*self.bounds))
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
    """Return all arguments of a call by name; raises AgentError that names every fault at once."""
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


def _number(name: str, value: object, *, whole: bool) -> float:
    """Return a finite number; models also write numbers as texts."""
    number = math.nan
    too_long = isinstance(value, str) and len(value) > LONGEST_NUMBER
    if isinstance(value, int | float | str) and not isinstance(value, bool) and not too_long:
        with suppress(ValueError, OverflowError):
            number = float(value)
    if not math.isfinite(number) or (whole and not number.is_integer()):
        raise _wrong(name, value, "a whole number" if whole else "a number")
    return int(number) if whole else number


_PLAIN: dict[Kind, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a text", lambda value: isinstance(value, str)),
    "strings": ("a list of texts", lambda value: isinstance(value, list) and all(isinstance(it, str) for it in value)),
}
"""What values of a kind must be, and whether one is."""


def _wrong(name: str, value: object, wanted: str) -> AgentError:
    return AgentError(f"{name} is {show(value)}", remedy=f"it must be {wanted}")
