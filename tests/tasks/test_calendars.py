"""Calendars: events are read for what they mean, checks judge them, and the service is real."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor import open_computer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.formats.calendars.parse import events
from proctor.vocabulary.services.calendar import checks as calendars
from proctor.vocabulary.services.calendar.checks import WantedEvent
from proctor.vocabulary.services.calendar.probes import calendar
from proctor.vocabulary.services.calendar.setup import (
    Calendar,
    CalendarEvent,
    calendar_path,
    calendar_service,
    event_text,
)

TALK = {"summary": "Talk, with Bo", "start": "2026-03-17T14:30", "end": "2026-03-17T15:15", "location": "Room 4"}


def one(*lines: str) -> dict[str, Any]:
    """The event of a calendar that says this."""
    text = "\r\n".join(["BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR", ""])
    (event,) = events(text)
    return event


def test_what_setup_writes_is_what_the_probe_reads() -> None:
    given = {**TALK, "description": "a; b\\c\nd", "rule": "FREQ=WEEKLY;BYDAY=TU", "alarms": [15]}
    (found,) = events(event_text(CalendarEvent.model_validate(given)))
    assert {key: found[key] for key in TALK} == TALK
    assert (found["description"], found["repeats"], found["reminders"]) == ("a; b\\c\nd", {"FREQ": "WEEKLY"}, [15])


def test_whole_days_zones_durations_and_folded_lines() -> None:
    assert one("DTSTART;VALUE=DATE:20260311", "SUMMARY:Fair")["end"] == "2026-03-12"
    berlin = one("DTSTART;TZID=Europe/Berlin:20260317T143000", "DURATION:PT1H30M", "SUMMARY:Long", "  title")
    assert (berlin["start"], berlin["end"], berlin["summary"]) == ("2026-03-17T13:30", "2026-03-17T15:00", "Long title")
    assert one("DTSTART:20260317T090000", "SUMMARY:x")["start"] == "2026-03-17T09:00"


def test_recurrence_is_compared_by_meaning() -> None:
    weekly = one("DTSTART:20260317T090000Z", "RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=MO;BYDAY=TU")
    assert weekly["repeats"] == {"FREQ": "WEEKLY"}
    sevens = one("DTSTART:20260317T090000Z", "RRULE:FREQ=DAILY;INTERVAL=7")
    assert sevens["repeats"] == {"FREQ": "WEEKLY"}
    assert one("DTSTART:20260317T090000Z", "RRULE:FREQ=DAILY;INTERVAL=2")["repeats"] != {"FREQ": "WEEKLY"}
    twice = one("DTSTART:20260317T090000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU,MO", "EXDATE:20260324T090000Z")
    assert (twice["repeats"], twice["left_out"]) == ({"FREQ": "WEEKLY", "BYDAY": "MO,TU"}, ["2026-03-24T09:00"])


def alarm(action: str, trigger: str) -> list[str]:
    return ["BEGIN:VALARM", f"ACTION:{action}", f"TRIGGER{trigger}", "END:VALARM"]


def test_reminders_are_told_from_the_start_however_they_are_written() -> None:
    hour = ("DTSTART:20260317T090000Z", "DTEND:20260317T100000Z")
    assert one(*hour, *alarm("DISPLAY", ":-PT30M"), *alarm("AUDIO", ":-PT30M"))["reminders"] == [30]
    assert one(*hour, *alarm("DISPLAY", ";RELATED=END:-PT1H30M"))["reminders"] == [30]
    assert one(*hour, *alarm("DISPLAY", ":-PT30M"), *alarm("AUDIO", ":PT5M"))["reminders"] == [-5, 30]
    with pytest.raises(CannotSee):
        one("DTSTART:20260317T090000Z", "DTEND;VALUE=DATE:20260318", *alarm("DISPLAY", ";RELATED=END:-PT5M"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "BEGIN:VCALENDAR\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\nEND:VEVENT\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261399T000000Z\nEND:VEVENT\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=No/Where:20260317T000000\nEND:VEVENT\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\n" * 20,
    ],
)
def test_broken_calendars_are_unreadable(text: str) -> None:
    with pytest.raises(CannotSee) as refusal:
        events(text)
    assert refusal.value.fault.kind == "unreadable"


@given(some.lists(some.text(max_size=40), max_size=8))
def test_whatever_an_event_says_is_read_or_refused(lines: list[str]) -> None:
    try:
        json.dumps(one("DTSTART:20260317T090000Z", *lines))
    except CannotSee as error:
        assert error.fault.kind == "unreadable"
    except ValueError:
        pass  # the lines may end the event and begin another one


def agenda(*changes: dict[str, Any]) -> dict[str, Any]:
    plain = {"description": "", "repeats": None, "left_out": [], "instead_of": None, "reminders": [], "all_day": False}
    return {"calendar": "Work", "events": [{**plain, **TALK, **change} for change in changes]}


def test_an_event_is_as_wanted_once() -> None:
    wanted = WantedEvent(**TALK)
    assert calendars.event_exists(agenda({}), wanted).passed
    assert calendars.event_exists(agenda({"summary": "talk,  with bo"}), wanted).passed
    assert not calendars.event_exists(agenda(), wanted).passed
    assert not calendars.event_exists(agenda({}, {"start": "2026-03-18T14:30"}), wanted).passed
    found = calendars.event_exists(agenda({"start": "2026-03-18T14:30", "location": ""}), wanted)
    assert not found.passed and len(found.feedback) == 2
    strict = WantedEvent(**TALK, repeats={}, reminders=[15], holds=["slides"])
    assert calendars.event_exists(agenda({"reminders": [15], "description": "Bring slides."}), strict).passed
    assert len(calendars.event_exists(agenda({"repeats": {"FREQ": "DAILY"}}), strict).feedback) == 3


def test_events_gone_moved_and_counted() -> None:
    assert calendars.no_event(agenda({}), "Lunch").passed and not calendars.no_event(agenda({}), "talk, with bo").passed
    assert calendars.no_event(agenda({}), TALK["summary"], "2026-03-18T14:30").passed
    assert calendars.event_moved(agenda({}), TALK["summary"], TALK["start"], TALK["end"]).passed
    assert not calendars.event_moved(agenda({}), TALK["summary"], "2026-03-18T14:30", TALK["end"]).passed
    for spoilt in ({"repeats": {"FREQ": "WEEKLY"}}, {"cancelled": True}, {"extra_days": ["20260320T090000Z"]}):
        assert not calendars.event_moved(agenda(spoilt), TALK["summary"], TALK["start"], TALK["end"]).passed
    assert calendars.event_count(agenda({}), 1).passed and not calendars.event_count(agenda({}), 2).passed


def test_other_events_stay_as_they_were() -> None:
    lunch = {"summary": "Lunch", "start": "2026-03-17T12:00", "end": "2026-03-17T13:00", "location": ""}
    before = [WantedEvent(**TALK), WantedEvent(**lunch)]
    assert calendars.other_events_unchanged(agenda({}, lunch), before, []).passed
    assert calendars.other_events_unchanged(
        agenda({"start": "2026-03-19T09:00"}, lunch), before, [TALK["summary"]]
    ).passed
    for changed in (
        {"location": "Bar"},
        {"end": "2026-03-17T13:30"},
        {"reminders": [5]},
        {"repeats": {"FREQ": "DAILY"}},
    ):
        assert not calendars.other_events_unchanged(agenda({}, {**lunch, **changed}), before, []).passed
    assert not calendars.other_events_unchanged(agenda({}), before, []).passed
    assert not calendars.other_events_unchanged(agenda({}, lunch, {"summary": "New"}), before, []).passed
    assert not calendars.other_events_unchanged(agenda({}, lunch, lunch), before, []).passed


def test_calendars_have_plain_addresses() -> None:
    assert calendar_path("My Work 2") == "my-work-2"


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_the_service_keeps_calendars_and_asks_for_the_password() -> None:
    with open_computer("sandbox", image="full", network="loopback", clock="2026-03-12T09:30:00") as computer:
        work = Calendar(title="Work", events=[CalendarEvent.model_validate(TALK)])
        calendar_service(SetupContext(computer), "rosa@alder.example", "Lantern-204", [work, Calendar(title="Family")])
        context = ProbeContext(computer)
        (found,) = calendar(context, "Work")["events"]
        assert {key: found[key] for key in TALK} == TALK
        assert calendar(context, "Family")["events"] == []
        with pytest.raises(CannotSee, match="no calendar Sports"):
            calendar(context, "Sports")
        ask = "import urllib.request as u; u.urlopen('http://127.0.0.1:5232/rosa@alder.example/work/')"
        assert "401" in computer.run(["python3", "-c", ask]).stderr
        assert computer.run(["ls", "/run/calendars"]).code != 0
