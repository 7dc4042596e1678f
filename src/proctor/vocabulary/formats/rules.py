"""Rules for one value, as other systems write them: `{"method": "approx:0.1", "ref": 3}`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from proctor.tasks.findings import PlainData
from proctor.vocabulary.formats.spreadsheets.cells import Span, span

_FLAGS = {name: getattr(re, name) for name in ("A", "I", "M", "S", "X", "ASCII", "IGNORECASE", "MULTILINE", "DOTALL")}
_ORDER: Mapping[str, Callable[[PlainData, PlainData], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
MOST_RANGES = 2_000
"""Characters of ranges that are compared; more would take too long."""
_METHOD = re.compile(
    r"re(\.[A-Z]+)*|eq|ne|lt|le|gt|ge|approx:[\d.eE-]+|range\.[te][te]|spreadsheet_range|str_(list|set)_eq"
)


class ValueRule(BaseModel):
    """What a value must be like."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Annotated[str, Field(examples=["eq"])]
    """`eq`, `ne`, `lt`, `le`, `gt`, `ge`, `re` with flags (`re.I`), `approx:0.1`, `range.te`, `str_list_eq`,
    `str_set_eq`, or `spreadsheet_range`: the cells that a range must hold, and those that it may hold."""
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
                held = _items_of(value) if isinstance(value, str) else list(value)
                return set(held) == set(ref) if name == "str_set_eq" else held == list(ref)
            limits = ref if isinstance(ref, list) else [ref]
            return _covers(value, limits[0]) and _covers(limits[-1], value)
        except (TypeError, ValueError, IndexError, KeyError, re.error):
            return False


def _items_of(text: str) -> list[str]:
    """Return the items of a list in one text, as in the formula of a drop-down list."""
    return [item.strip() for item in text.strip().strip("\"'").split(",")]


def _covers(areas: PlainData, others: PlainData) -> bool:
    """Tell whether ranges of cells, such as `A1:B4 D2`, hold all cells of others."""
    if len(str(areas)) + len(str(others)) > MOST_RANGES:
        return False
    held, left = ([span(each) for each in str(listed).replace("$", "").split()] for listed in (areas, others))
    for area in held:
        left = [rest for each in left for rest in _outside(each, area)]
    return bool(held) and not left


def _outside(area: Span, hole: Span) -> list[Span]:
    """Return what is left of an area without another, as rectangles."""
    top, bottom = max(area.top, hole.top), min(area.bottom, hole.bottom)
    left, right = max(area.left, hole.left), min(area.right, hole.right)
    if top > bottom or left > right:
        return [area]
    found = [
        Span(area.top, area.left, top - 1, area.right),
        Span(bottom + 1, area.left, area.bottom, area.right),
        Span(top, area.left, bottom, left - 1),
        Span(top, right + 1, bottom, area.right),
    ]
    return [each for each in found if each.top <= each.bottom and each.left <= each.right]


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
