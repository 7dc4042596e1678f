"""Letters and calendars as the services inside a computer hand them over."""

from __future__ import annotations

import base64
import json
from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.formats import icalendar, letters
from proctor.tasks.formats.icalendar import events
from proctor.tasks.formats.letters import letter

FLAGS = {
    "\\Seen": "read",
    "\\Flagged": "starred",
    "\\Answered": "answered",
    "\\Draft": "draft",
    "$Forwarded": "forwarded",
}
"""The marks that people know; `\\Deleted` letters are as good as gone and not listed."""


def preload() -> None:
    """Load what letters and dates are read with."""
    icalendar.preload()
    letters.preload()


def folder_letters(printed: str, label: str) -> list[dict[str, Any]]:
    """Return the letters of a folder with their marks."""
    return [
        {**_letter(record), "marks": sorted(FLAGS[flag] for flag in record["flags"] if flag in FLAGS)}
        for record in _seen(printed, label)["letters"]
        if "\\Deleted" not in record["flags"]
    ]


def posted_letters(printed: str) -> list[dict[str, Any]]:
    """Return the letters that were posted, with those they were sent to."""
    return [
        {
            **_letter(record),
            "sender": str(record["from"]).lower(),
            "recipients": sorted({str(address).lower() for address in record["to"]}),
        }
        for record in _seen(printed, "what was sent")["letters"]
    ]


def folder_names(printed: str, label: str) -> list[str]:
    """Return the names of an account's folders."""
    return [str(name) for name in _seen(printed, label)["folders"]]


def calendar_events(printed: str, title: str) -> list[dict[str, Any]]:
    """Return the events of a calendar."""
    return events(*_seen(printed, f"calendar {title}")["events"])


def _seen(printed: str, label: str) -> dict[str, Any]:
    """Return what a look found; raises CannotSee where there was nothing, or it did not get to its end."""
    seen: dict[str, Any] = json.loads(printed)
    if seen.get("absent"):
        raise CannotSee("absent", f"there is no {label.removeprefix('the ')}")
    if seen.get("too_much"):
        raise CannotSee("refused", f"{label} holds more than is looked at")
    if seen.get("busy"):
        raise CannotSee("refused", f"{label} could not be looked at in time")
    return seen


def _letter(record: dict[str, Any]) -> dict[str, Any]:
    return letter(base64.b64decode(record["data"]))
