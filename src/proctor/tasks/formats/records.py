"""Records that programs inside a computer keep or print as JSON."""

from __future__ import annotations

import json
import math
from typing import Any


def site_lines(printed: str, kind: str) -> list[dict[str, Any]]:
    """Return what a site noted, or only one kind of it."""
    records = [json.loads(line) for line in printed.splitlines()]
    return [record for record in records if not kind or record["kind"] == kind]


def chat_lines(printed: str, where: str) -> list[dict[str, Any]]:
    """Return what was noted of a chat, or of one place in it."""
    entries = [json.loads(line) for line in printed.splitlines()]
    # Who quits or takes another name does so everywhere.
    return [entry for entry in entries if not where or entry["where"] in ("", where.lower())]


def python_values(told: str) -> Any:
    """Return what a function was told to have returned; numbers that are none are named."""
    return json.loads(told, parse_constant=str, parse_float=_number)


def _number(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text
