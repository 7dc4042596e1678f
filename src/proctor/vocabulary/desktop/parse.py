"""What the desktop, its programs and Python print."""

from __future__ import annotations

import ast
import json
import math
import re


def gvariant(text: str) -> object:
    """Return what GVariant's text form stands for: a truth value, number, text or a list of such.

    Everything else stays text.
    """
    bare = re.sub(r"^(@\S+|byte|u?int(16|32|64)|double)\s+", "", text.strip())
    if bare in ("true", "false"):
        return bare == "true"
    try:
        value = ast.literal_eval(bare)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return bare
    flat = value if isinstance(value, list) else [value]
    return value if all(isinstance(item, str | int | float) for item in flat) else bare


def python_values(told: str) -> object:
    """Return what a function was told to have returned; numbers that are none are named."""
    return json.loads(told, parse_constant=str, parse_float=_number)


def _number(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text
