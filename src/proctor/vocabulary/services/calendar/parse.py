"""Calendars as the calendar service hands them over."""

from __future__ import annotations

from typing import Any

from proctor.vocabulary.formats.calendars import parse as icalendar
from proctor.vocabulary.services.parse import parse_look


def preload() -> None:
    """Load what dates are read with."""
    icalendar.preload()


def calendar_events(printed: str, title: str) -> list[dict[str, Any]]:
    """Return the events of a calendar."""
    return icalendar.events(*parse_look(printed, f"calendar {title}")["events"])
