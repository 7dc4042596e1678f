"""Probes that look at the calendar service."""

from __future__ import annotations

from typing import Any

from proctor.tasks.formats.mail import calendar_events
from proctor.tasks.probes.mail import ask_inside
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.setup.calendars import calendar_path
from proctor.tasks.shelves import PROBES


@PROBES.register
def calendar(scene: Scene, title: str) -> dict[str, Any]:
    """Every event of a calendar of the calendar service; times are in UTC, which is the computer's own."""
    printed = ask_inside(scene, "calendar_look.py", {"path": calendar_path(title)})
    return {"calendar": title, "events": parsed(f"the calendar {title}", calendar_events, printed, title)}
