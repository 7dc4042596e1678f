"""The calendars: what each event put into them, as it stands now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from proctor.worlds.model import Life, LifeEvent
from proctor.worlds.views.desk import CalendarLine

WORK, HOME, BIRTHDAYS = "Work", "Home", "Birthdays"
CALENDARS = (WORK, HOME, BIRTHDAYS)
CHANGES = ("session.moved", "session.later", "session.off", "appointment.moved")


def entries(life: Life) -> list[CalendarLine]:
    """Return all entries; what was moved stands at its new time, unless nobody put that in."""
    changed = {event.cause: event for event in life.events if event.kind in CHANGES and not event.plant}
    found = []
    for event in life.events:
        maker = _MAKERS.get(event.kind)
        change = changed.get(event.id)
        if maker and not (change and change.kind == "session.off"):
            found.append(maker(event, change, life))
    return found


def _session(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    now = change or event
    circle = next(each for each in life.owner.circles if each.name == event.text("circle"))
    agenda = "\n".join(f"- {point}" for point in event.names("agenda"))
    return CalendarLine(
        event.id, WORK if circle.kind == "work" else HOME, now.moment("start"), now.moment("end"),
        event.text("title"), event.text("place"), agenda,
        tuple(event.names("people")), now.at, int(change is not None),
    )  # fmt: skip


def _appointment(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    now = change or event
    return CalendarLine(
        event.id,
        HOME,
        now.moment("start"),
        now.moment("end"),
        f"{event.text('firm')}: {event.text('what')}",
        "",
        f"Bring {event.text('bring')}.",
        known=now.at,
        changes=int(change is not None),
    )


def _visit(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    return CalendarLine(
        event.id,
        WORK,
        event.moment("start"),
        event.moment("end"),
        event.text("title"),
        event.text("place"),
        people=(event.text("who"),),
        known=event.at,
    )


def _trip(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    start, end = event.facts["start"], event.facts["end"]
    assert isinstance(start, date) and isinstance(end, date)
    return CalendarLine(
        event.id, HOME, start, end + timedelta(days=1), event.text("title"), event.text("town"), known=event.at
    )


def _ticket(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    text = f"Booking {event.text('code')}, coach {event.text('coach')}, seat {event.text('place')}"
    return CalendarLine(
        event.id,
        HOME,
        event.moment("leaves"),
        event.moment("arrives"),
        f"Train {event.text('train')} to {event.text('to')}",
        f"{event.text('from')} station",
        text,
        known=event.at,
    )


def _outing_entry(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    name = event.text("place").removeprefix("the ")
    return CalendarLine(
        event.id,
        HOME,
        event.moment("start"),
        event.moment("end"),
        f"{name.capitalize()} with {' and '.join(each.split()[0] for each in event.names('people'))}",
        f"{name}, {event.text('town')}",
        people=tuple(event.names("people")),
        known=event.at,
    )


def _birthday(event: LifeEvent, change: LifeEvent | None, life: Life) -> CalendarLine:
    day = event.facts["day"]
    assert isinstance(day, date)
    return CalendarLine(
        event.id,
        BIRTHDAYS,
        day,
        day + timedelta(days=1),
        f"Birthday {event.text('who')}" if not event.facts["own"] else "My birthday",
        known=event.at,
    )


_MAKERS: dict[str, Callable[[LifeEvent, LifeEvent | None, Life], CalendarLine]] = {
    "session": _session, "appointment": _appointment, "visit": _visit, "trip": _trip, "ticket": _ticket,
    "outing": _outing_entry, "birthday": _birthday,
}  # fmt: skip
