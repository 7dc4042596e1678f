"""Calendars as the calendar service hands them over."""

from __future__ import annotations

from proctor.tasks.findings import PlainData
from proctor.vocabulary.formats.calendars import parse as icalendar
from proctor.vocabulary.services.parse import parse_look


def preload() -> None:
    """Load what dates are read with."""
    icalendar.preload()


def calendar_events(printed: str, title: str) -> list[dict[str, PlainData]]:
    """Return the events of a calendar."""
    return icalendar.events(*parse_look(printed, f"calendar {title}")["events"])


def whole_calendars(printed: str) -> list[dict[str, PlainData]]:
    """Return every calendar of the service: what it is called, its events, and what else lies in it."""
    found = []
    for told in parse_look(printed, "the calendars")["calendars"]:
        facts = told["facts"] if isinstance(told["facts"], dict) else {}
        title = str(facts.get("D:displayname", told["path"]))
        found.append(
            {
                "id": str(told["path"]),
                "title": title,
                "colour": str(facts.get("ICAL:calendar-color", "")),
                "says": str(facts.get("C:calendar-description", "")),
                "events": icalendar.events(*told["events"]),
                "others": icalendar.other_parts(*told["events"]),
            }
        )
    return found


def follow_calendar(seen: PlainData, arguments: PlainData, model: PlainData) -> PlainData:
    """Return what `calendar` would show where the service holds this."""
    found = (each["events"] for each in model["calendars"] if each["title"] == arguments["title"])
    return {**seen, "events": next(found, [])}
