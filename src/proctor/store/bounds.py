"""JSON that anybody may have written: no deeper, richer or larger in numbers than a record is."""

from __future__ import annotations

import json
import math
import re
from typing import Any

MOST_NESTING = 200
MOST_VALUES = 4_000_000
"""Values in one file: each takes about a hundred bytes of memory, however few it takes in the file."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_HUGE = re.compile(rb"[0-9][eE]\+?[0-9]{3}|[0-9]{300}")
_MOST_DIGITS = 300


def load_json(data: bytes, *, strict: bool = False) -> Any:
    """Return what JSON says; raises ValueError for what is none, or goes beyond all bounds.

    Numbers that are none (NaN, the infinities, such as 1e999) are None; a strict reading refuses them.
    """
    _weigh(data)
    odd = _refuse if strict else lambda text: None
    try:
        if _HUGE.search(data):
            return json.loads(data, parse_constant=odd, parse_float=_finite, parse_int=_whole)
        return json.loads(data, parse_constant=odd)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _weigh(data: bytes) -> None:
    """Raise ValueError for more values or deeper nests than are read; small data get no close look."""
    opened = data.count(b"[") + data.count(b"{")
    values = opened + data.count(b",")
    if opened <= MOST_NESTING and values <= MOST_VALUES:
        return
    bare = _STRING.sub(b"", data)
    if len(bare) > 2 * MOST_VALUES and bare.count(b"[") + bare.count(b"{") + bare.count(b",") > MOST_VALUES:
        raise ValueError(f"it holds more than {MOST_VALUES:,} values")
    # Each round takes the innermost pairs away; what is not JSON at all the parser finds out.
    brackets = bare.translate(None, _NO_BRACKETS)
    for _ in range(MOST_NESTING):
        outer = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if outer == brackets:
            break
        brackets = outer
    if brackets:
        raise ValueError(f"it is nested more than {MOST_NESTING} deep, or its brackets do not match")


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _whole(text: str) -> int | None:
    return int(text) if len(text) <= _MOST_DIGITS else None


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is not a number")
