"""What programs inside a computer keep or print as JSON: records one a line, and answers."""

from __future__ import annotations

import json
from typing import Any

from proctor.tasks.findings import CannotSee


def records(printed: str, shape: dict[str, type]) -> list[dict[str, Any]]:
    """Return the records, one a line and of one shape; too many are told by the last line."""
    found = []
    for number, line in enumerate(printed.splitlines(), start=1):
        record = json.loads(line)
        if isinstance(record, dict) and record.get("too_much"):
            raise CannotSee("refused", "there was more than is looked at")
        if not isinstance(record, dict) or not all(isinstance(record.get(key), kind) for key, kind in shape.items()):
            raise CannotSee("unreadable", f"line {number} of what was noted is not a record")
        found.append(record)
    return found


def parse_look(printed: str, label: str) -> dict[str, Any]:
    """Return what a look found; raises CannotSee where there was nothing, or no end."""
    told: dict[str, Any] = json.loads(printed)
    if told.get("absent"):
        raise CannotSee("absent", f"there is no {label.removeprefix('the ')}")
    if told.get("too_much"):
        raise CannotSee("refused", f"{label} holds more than is looked at")
    if told.get("busy"):
        raise CannotSee("refused", f"{label} could not be looked at in time")
    return told
