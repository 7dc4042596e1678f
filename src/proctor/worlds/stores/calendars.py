"""Writes calendars into the folders that the calendar service serves."""

from __future__ import annotations

import json
from datetime import datetime, time
from pathlib import Path

from proctor.vocabulary.services.calendar.setup import COLOURS, calendar_path
from proctor.worlds.views.dates import CALENDARS
from proctor.worlds.views.desk import CalendarLine, LaidDesk
from proctor.worlds.writers.ics import calendar, event_lines


def write_calendars(desk: LaidDesk, top: Path) -> None:
    """Write calendars as Radicale keeps them: a folder each, one file for each entry."""
    user = top / "store" / "collection-root" / desk.life.owner.contact.address
    for number, title in enumerate(CALENDARS):
        folder = user / calendar_path(title)
        folder.mkdir(parents=True)
        about = {
            "C:supported-calendar-component-set": "VEVENT",
            "D:displayname": title,
            "ICAL:calendar-color": COLOURS[number],
            "tag": "VCALENDAR",
        }
        (folder / ".Radicale.props").write_text(json.dumps(about))
        for entry in desk.entries:
            if entry.calendar == title:
                (folder / f"{entry.event}.ics").write_text(entry_text(desk, entry), newline="")


def entry_text(desk: LaidDesk, entry: CalendarLine) -> str:
    """Return an entry as an iCalendar text."""
    known = {each.name: each.address for each in desk.cards}
    more = tuple(f"ATTENDEE;CN={name}:mailto:{known[name]}" for name in entry.people if name in known)
    written = entry.known or datetime.combine(desk.life.first, time(9))
    return calendar(
        event_lines(
            entry.event, entry.start, entry.end, entry.summary, entry.place, written, entry.changes, entry.text, more
        )
    )
