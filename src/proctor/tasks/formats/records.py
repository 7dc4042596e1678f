"""Records that programs inside a computer keep or print as JSON."""

from __future__ import annotations

import json
import math
from typing import Any

from proctor.tasks.finding import CannotSee


def site_forms(printed: str, kind: str) -> list[dict[str, Any]]:
    """Return the forms that a site received, or only one kind of them."""
    records = _records(printed, {"kind": str, "number": int, "fields": dict, "account": str})
    for record in records:
        record["fields"] = {name: str(value) for name, value in record["fields"].items()}
    return [record for record in records if not kind or record["kind"] == kind]


def site_requests(printed: str) -> list[dict[str, Any]]:
    """Return the requests that a site noted."""
    return _records(printed, {"method": str, "path": str})


def chat_lines(printed: str, where: str) -> list[dict[str, Any]]:
    """Return what was noted of a chat, or of one place in it."""
    entries = _records(printed, {"kind": str, "who": str, "where": str, "text": str})
    # Who quits or takes another name does so everywhere.
    return [entry for entry in entries if not where or entry["where"] in ("", where.lower())]


def _records(printed: str, shape: dict[str, type]) -> list[dict[str, Any]]:
    """Return the records, one a line, that are all of one shape.

    Where there were too many, the last line says so: nothing hides behind a flood.
    """
    found = []
    for number, line in enumerate(printed.splitlines(), start=1):
        record = json.loads(line)
        if isinstance(record, dict) and record.get("too_much"):
            raise CannotSee("refused", "there was more than is looked at")
        if not isinstance(record, dict) or not all(isinstance(record.get(key), kind) for key, kind in shape.items()):
            raise CannotSee("unreadable", f"line {number} of what was noted is not a record")
        found.append(record)
    return found


def python_values(told: str) -> Any:
    """Return what a function was told to have returned; numbers that are none are named."""
    return json.loads(told, parse_constant=str, parse_float=_number)


def _number(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text
