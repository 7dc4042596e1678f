"""Rules for one value, as other systems write them: `{"method": "approx:0.1", "ref": 3}`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from proctor.tasks.findings import PlainData

_FLAGS = {name: getattr(re, name) for name in ("A", "I", "M", "S", "X", "ASCII", "IGNORECASE", "MULTILINE", "DOTALL")}
_ORDER: Mapping[str, Callable[[PlainData, PlainData], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_METHOD = re.compile(
    r"re(\.[A-Z]+)*|eq|ne|lt|le|gt|ge|approx:[\d.eE-]+|range\.[te][te]|spreadsheet_range|str_(list|set)_eq"
)


class ValueRule(BaseModel):
    """What a value must be like."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: str = Field(examples=["eq"])
    """`eq`, `ne`, `lt`, `le`, `gt`, `ge`, `re` with flags (`re.I`), `approx:0.1`, `range.te`, `str_list_eq`,
    `str_set_eq` or `spreadsheet_range`."""
    ref: JsonValue

    @field_validator("method")
    @classmethod
    def _check_method(cls, method: str) -> str:
        if not _METHOD.fullmatch(method) or any(
            flag not in _FLAGS for flag in method.split(".")[1:] if method[:2] == "re"
        ):
            raise ValueError(f"there is no method {method!r}")
        return method

    def holds(self, value: PlainData) -> bool:
        """Tell whether a value is as it must be; one that cannot be compared is not."""
        ref: PlainData = self.ref
        name, _, rest = self.method.partition("." if self.method[:2] in ("re", "ra") else ":")
        try:
            if name == "re":
                return bool(re.search(str(ref), str(value), _flags(rest)))
            if name in ("eq", "ne"):
                return bool((_plain(value) == _plain(ref)) == (name == "eq"))
            if name in _ORDER:
                return value is not None and _ORDER[name](value, ref)
            if name == "approx":
                return math.isclose(float(value), float(ref), rel_tol=0, abs_tol=float(rest))
            if name == "range":
                return _above(ref[0], value, rest[0]) and _above(value, ref[1], rest[1])
            if name in ("str_list_eq", "str_set_eq"):
                held = re.split(r"[,\s]+", value) if isinstance(value, str) else list(value)
                return set(held) == set(ref) if name == "str_set_eq" else held == list(ref)
            wanted = {str(each).upper().replace("$", "") for each in (ref if isinstance(ref, list) else [ref])}
            return str(value).upper().replace("$", "") in wanted
        except (TypeError, ValueError, IndexError, KeyError, re.error):
            return False


def _flags(names: str) -> int:
    found = 0
    for name in filter(None, names.split(".")):
        found |= _FLAGS[name]
    return found


def _above(low: PlainData, high: PlainData, end: str) -> bool:
    """Tell whether a value lies below another, which may be equal where the end is `e`."""
    return bool(low <= high if end == "e" else low < high)


def _plain(value: PlainData) -> PlainData:
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
