"""Setup steps that start a calendar service with calendars and events in it."""

from __future__ import annotations

import hashlib
import re
from datetime import date, datetime
from pathlib import Path
from typing import Annotated
from xml.sax.saxutils import escape

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.inside import run_inside
from proctor.vocabulary.services.mail.setup import AddressText

INSIDE = Path(__file__).parent / "inside"
PORT = 5232
REALM = "Calendars"
COLOURS = ("#3584e4", "#2ec27e", "#e5a50a", "#c061cb")


class CalendarEvent(PlainModel):
    """One event; times are in UTC, and a day without a time means the whole day."""

    summary: str
    start: datetime | date
    end: datetime | date
    """For whole days, the day after the last."""
    location: str = ""
    description: str = ""
    rule: str = ""
    """How it recurs, such as `FREQ=WEEKLY;BYDAY=TH`."""
    alarms: list[int] = []
    """Minutes before its start."""


class Calendar(PlainModel):
    """A calendar of the service's one user."""

    title: Annotated[str, Field(pattern=r"^[A-Za-z0-9 ]+$")]
    events: list[CalendarEvent] = []


@SETUP.register_before_use
def calendar_service(
    context: SetupContext,
    address: AddressText,
    password: str,
    calendars: Annotated[list[Calendar], Field(min_length=1)],
) -> None:
    """Start a calendar server on loopback (CalDAV on port 5232) with these calendars of one user."""
    plan = {
        "user": address,
        "password": password,
        "settings": (INSIDE / "radicale.conf").read_text(),
        "calendars": [
            pack_calendar(calendar.title, calendar.events, number) for number, calendar in enumerate(calendars)
        ],
    }
    run_inside(context, INSIDE / "calendar_server.py", plan, root=True)


def pack_calendar(
    title: str, events: list[CalendarEvent], number: int = 0, *, there: bool = False
) -> dict[str, object]:
    """Return a calendar as the service takes it; one that is `there` gets these events besides."""
    return {
        "path": calendar_path(title),
        "title": escape(title),
        "colour": COLOURS[number % len(COLOURS)],
        "events": {_uid(event): event_text(event) for event in events},
        "there": there,
    }


def calendar_path(title: str) -> str:
    """Return the name of a calendar in addresses."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def event_text(event: CalendarEvent) -> str:
    """Return an event as an iCalendar text."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Calendars//EN", "BEGIN:VEVENT"]
    lines += [f"UID:{_uid(event)}", "DTSTAMP:20260301T080000Z", f"SUMMARY:{_escape(event.summary)}"]
    lines += [f"DTSTART{_time(event.start)}", f"DTEND{_time(event.end)}"]
    optional = {"LOCATION": event.location, "DESCRIPTION": event.description}
    lines += [f"{name}:{_escape(value)}" for name, value in optional.items() if value]
    lines += [f"RRULE:{event.rule}"] if event.rule else []
    for minutes in event.alarms:
        alarm = ("BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:-PT{minutes}M", "DESCRIPTION:Reminder", "END:VALARM")
        lines += alarm
    lines += ["END:VEVENT", "END:VCALENDAR"]
    return "".join(f"{line}\r\n" for line in lines)


def _uid(event: CalendarEvent) -> str:
    parts: tuple[object, ...] = (event.summary, event.start, event.end, event.location)
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:24]


def _time(moment: datetime | date) -> str:
    if isinstance(moment, datetime):
        return f":{moment:%Y%m%dT%H%M%SZ}"
    return f";VALUE=DATE:{moment:%Y%m%d}"


def _escape(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\n", "\\n")
