"""Probes that look at the calendar service."""

from __future__ import annotations

from typing import Any

from proctor.errors import CheckError
from proctor.tasks.finding import CannotSee
from proctor.tasks.probes.icalendar import events
from proctor.tasks.probes.mail import ask_inside
from proctor.tasks.scene import Scene
from proctor.tasks.setup.calendars import calendar_path
from proctor.tasks.shelves import PROBES


@PROBES.register
def calendar(scene: Scene, title: str) -> dict[str, Any]:
    """Every event of a calendar of the calendar service; times are in UTC, which is the computer's own."""
    seen = ask_inside(scene, "calendar_look.py", {"path": calendar_path(title)})
    if seen["status"] == 404:
        raise CannotSee("absent", f"there is no calendar {title}")
    if seen["status"] != 200:
        raise CheckError(f"the calendar service answered with status {seen['status']}")
    if seen["too_much"]:
        raise CannotSee("refused", f"the calendar {title} holds more than is looked at")
    return {"calendar": title, "events": events(seen["text"])}
