"""Checks on the events of a calendar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from proctor.tasks.answers.values import missing_words
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose

EventData = Mapping[str, Any]


class WantedEvent(PlainModel):
    """What an event must be like; what is not named is not looked at."""

    summary: str
    start: str
    """`2026-03-17T14:30`, or `2026-03-17` for a whole day."""
    end: str = ""
    location: str | None = None
    holds: list[str] = []
    """Words in its description."""
    repeats: dict[str, str] | None = None
    """Such as `{"FREQ": "WEEKLY"}`; an empty one for an event that must not recur."""
    reminders: list[int] | None = None
    """Minutes before its start."""


@CHECKS.register
def event_exists(of: Seen, event: WantedEvent) -> Finding:
    """A calendar has exactly one such event, not cancelled, whatever case and spacing."""
    named = [found for found in of["events"] if loose(found["summary"]) == loose(event.summary)]
    good = [found for found in named if not list(_differences(found, event))]
    if len(good) == 1 and len(named) == 1:
        return right()
    if len(named) > 1:
        return wrong(f"The calendar {of['calendar']} has {len(named)} events {event.summary!r}, expected one.")
    if not named:
        return wrong(f"The calendar {of['calendar']} has no event {event.summary!r}.")
    return unless(_differences(named[0], event))


@CHECKS.register
def no_event(of: Seen, summary: str, start: str = "") -> Finding:
    """A calendar has no event with this title (at this time)."""
    for found in of["events"]:
        if loose(found["summary"]) == loose(summary) and start in ("", found["start"]):
            return wrong(f"The calendar {of['calendar']} has an event {summary!r} at {found['start']}.")
    return right()


@CHECKS.register
def event_moved(of: Seen, summary: str, start: str, end: str, location: str | None = None) -> Finding:
    """The only event with this title is now at these times."""
    return event_exists(of, WantedEvent(summary=summary, start=start, end=end, location=location, repeats={}))


@CHECKS.register
def other_events_unchanged(of: Seen, before: list[WantedEvent], changed: list[str]) -> Finding:
    """Every event is there as it was, and no new one is, but for those with `changed` titles.

    Looks at titles, times, places, recurrence and reminders; who wrote an event and when is ignored.
    """
    free = {loose(title) for title in changed}
    kept = [event for event in before if loose(event.summary) not in free]
    left = [found for found in of["events"] if loose(found["summary"]) not in free]
    problems = []
    for event in kept:
        same = next((found for found in left if not list(_differences(found, _whole(event)))), None)
        if same is None:
            problems.append(f"The event {event.summary!r} at {event.start} is no longer there as it was.")
        else:
            left.remove(same)
    problems += [f"The event {found['summary']!r} at {found['start']} should not be there." for found in left]
    return unless(problems)


@CHECKS.register
def event_count(of: Seen, count: int) -> Finding:
    """A calendar has this many events; a recurring one counts once."""
    found = len(of["events"])
    return right() if found == count else wrong(f"The calendar {of['calendar']} has {found} events, expected {count}.")


def _whole(event: WantedEvent) -> WantedEvent:
    """Return an event of which every fact counts."""
    place, rule, alarms = event.location or "", event.repeats or {}, event.reminders or []
    return event.model_copy(update={"location": place, "repeats": rule, "reminders": alarms})


def _differences(found: EventData, wanted: WantedEvent) -> Iterator[str]:
    label = f"The event {found['summary']!r}"
    if loose(found["summary"]) != loose(wanted.summary):
        yield f"{label} should be called {wanted.summary!r}."
    if found.get("cancelled"):
        yield f"{label} is marked as cancelled."
    if found["start"] != wanted.start:
        yield f"{label} starts at {found['start']}, expected {wanted.start}."
    if wanted.end and found["end"] != wanted.end:
        yield f"{label} ends at {found['end']}, expected {wanted.end}."
    if wanted.location is not None and loose(found["location"]) != loose(wanted.location):
        yield f"{label} is at {found['location'] or 'no place'!r}, expected {wanted.location!r}."
    for words in missing_words(found["description"], wanted.holds):
        yield f"{label} does not mention {words!r} in its description."
    if wanted.repeats is not None and (found["repeats"] or {}) != wanted.repeats:
        yield f"{label} recurs as {found['repeats'] or 'never'}, expected {wanted.repeats or 'never'}."
    if wanted.repeats is not None and (found["left_out"] or found["instead_of"] or found.get("extra_days")):
        yield f"{label} has days on which it is left out, added or moved."
    if wanted.reminders is not None and found["reminders"] != sorted(wanted.reminders):
        yield f"{label} has reminders {found['reminders']} minutes before, expected {sorted(wanted.reminders)}."
