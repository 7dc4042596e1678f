"""Probes that look at the calendar service."""

from __future__ import annotations

from pathlib import Path

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.services.calendar.parse import calendar_events
from proctor.vocabulary.services.calendar.setup import calendar_path
from proctor.vocabulary.services.inside import ask_inside

LOOK = Path(__file__).parent / "inside" / "calendar_look.py"


@PROBES.register_with(calendar_events, whole="store")
def calendar(context: ProbeContext, title: str) -> dict[str, object]:
    """Every event of a calendar of the service; times are in UTC, the computer's own."""
    printed = ask_inside(context, LOOK, {"path": calendar_path(title)})
    return {"calendar": title, "events": parsed(f"the calendar {title}", calendar_events, printed, title)}
