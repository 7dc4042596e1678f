"""Probes that look at the calendar service."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows, MadeBy
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.services.calendar.parse import calendar_events, follow_calendar, whole_calendars
from proctor.vocabulary.services.calendar.setup import calendar_path
from proctor.vocabulary.services.inside import ask_inside

LOOK = Path(__file__).parent / "inside" / "calendar_look.py"


def _every_calendar(_given: Mapping[str, object]) -> dict[str, object]:
    return {}


@PROBES.register_with(calendar_events, follows=Follows("calendars", follow_calendar, _every_calendar))
def calendar(context: ProbeContext, title: str) -> dict[str, object]:
    """Every event of a calendar of the service; times are in UTC, the computer's own time zone."""
    printed = ask_inside(context, LOOK, {"path": calendar_path(title)})
    return {"calendar": title, "events": parsed(f"the calendar {title}", calendar_events, printed, title)}


@PROBES.register_with(whole_calendars, whole="store", made_by=MadeBy("calendar_service", _every_calendar))
def calendars(context: ProbeContext) -> dict[str, object]:
    """Every calendar of the service with all details of its events; times are in UTC."""
    printed = ask_inside(context, LOOK, {"path": ""})
    return {"path": "the calendars", "calendars": parsed("the calendars", whole_calendars, printed)}
