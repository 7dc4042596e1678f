"""Writes events of calendars, for calendars and for invitations."""

from __future__ import annotations

import re
from datetime import date, datetime

People = tuple[tuple[str, str], ...]
"""Names with addresses."""


def event_lines(
    uid: str, start: datetime | date, end: datetime | date, summary: str, place: str, written: datetime,
    changes: int = 0,
    text: str = "", more: tuple[str, ...] = (),
) -> list[str]:  # fmt: skip
    """Return the lines of an event."""
    stamp = f"{written:%Y%m%dT%H%M%SZ}"
    lines = [
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{stamp}",
        f"SEQUENCE:{changes}",
        f"SUMMARY:{_escape(summary)}",
        f"DTSTART{_time(start)}",
        f"DTEND{_time(end)}",
    ]
    lines += [f"LOCATION:{_escape(place)}"] if place else []
    lines += [f"DESCRIPTION:{_escape(text)}"] if text else []
    return [*lines, *more, "END:VEVENT"]


def calendar(lines: list[str], method: str = "") -> str:
    """Return a calendar with one event in it."""
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Calendars//EN", *([f"METHOD:{method}"] if method else [])]
    return "".join(f"{folded}\r\n" for line in [*head, *lines, "END:VCALENDAR"] for folded in _fold(line))


def invitation(
    uid: str,
    start: datetime,
    end: datetime,
    summary: str,
    place: str,
    host: tuple[str, str],
    guests: People,
    written: datetime,
    changes: int = 0,
) -> str:
    """Return an invitation as it comes with a mail."""
    more = (
        f"ORGANIZER;CN={host[0]}:mailto:{host[1]}",
        *(f"ATTENDEE;CN={name};RSVP=TRUE:mailto:{address}" for name, address in guests),
    )
    return calendar(event_lines(uid, start, end, summary, place, written, changes, more=more), "REQUEST")


def _time(moment: datetime | date) -> str:
    return f":{moment:%Y%m%dT%H%M%SZ}" if isinstance(moment, datetime) else f";VALUE=DATE:{moment:%Y%m%d}"


def _escape(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\n", "\\n")


def _fold(line: str) -> list[str]:
    pieces = [line[:74]]
    rest = line[74:]
    while rest:
        pieces.append(f" {rest[:73]}")
        rest = rest[73:]
    return pieces
