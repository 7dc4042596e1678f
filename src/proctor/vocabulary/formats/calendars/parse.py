"""Events as plain data: what an iCalendar text says, read without trusting it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from proctor.tasks.findings import CannotSee

MOST_LINES = 200_000
MOST_VALUE = 2_000
SAID = ("STATUS", "TRANSP", "CLASS", "PRIORITY", "URL", "COMMENT", "CONTACT", "ATTACH", "GEO", "RELATED-TO", "COLOR")
"""What people set besides, each as it is written; what goes without saying is not told."""
USUAL_REMINDERS = ("Reminder", "Default Mozilla Description", "This is an event reminder")
USUAL = {"STATUS": "CONFIRMED", "TRANSP": "OPAQUE", "CLASS": "PUBLIC", "PRIORITY": "0"}
TOLD = (
    "UID", "SUMMARY", "DTSTART", "DTEND", "DURATION", "LOCATION", "DESCRIPTION", "RRULE", "EXDATE", "RDATE",
    "RECURRENCE-ID", "ATTENDEE", "ORGANIZER", "CATEGORIES",
)  # fmt: skip
OF_PROGRAMS = ("DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE")
OF_PROGRAMS_TOO = ("X-MOZ-", "X-RADICALE", "X-EVOLUTION", "X-LIC-", "X-MICROSOFT", "X-APPLE")
"""What calendar programs note for themselves: when they wrote, and how often; that a reminder was seen."""
_PROPERTY = re.compile(
    r"(?P<name>[A-Za-z0-9-]+)(?P<parameters>(?:;[A-Za-z0-9-]+=(?:\"[^\"]*\"|[^\";:,]*))*):(?P<value>.*)"
)
_DURATION = re.compile(r"([+-])?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?")


_ZONES: list[ZoneInfo] = []


def preload() -> None:
    """Load every time zone and what dates are read with, for a place where no file can be opened."""
    datetime.strptime("20260101", "%Y%m%d")
    for name in available_timezones():
        # Holding on to them keeps them in the library's own cache.
        _ZONES.append(ZoneInfo(name))


@dataclass
class _Part:
    """A component: its properties in order, with their parameters, and the components in it."""

    kind: str
    values: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    parts: list[_Part] = field(default_factory=list)

    def get(self, name: str) -> tuple[dict[str, str], str] | None:
        return next(((given, value) for key, given, value in self.values if key == name), None)

    def text(self, name: str) -> str:
        """Return a text without its escapes; empty when there is none."""
        found = self.get(name)
        return re.sub(r"\\(.)", lambda match: {"n": "\n", "N": "\n"}.get(match[1], match[1]), found[1]) if found else ""


def events(*texts: str) -> list[dict[str, object]]:
    """Return every event of a calendar kept in texts, by start; CannotSee where one is none."""
    try:
        found = [_event(part) for text in texts for part in _parse(text).parts if part.kind == "VEVENT"]
    except (ValueError, OverflowError) as error:
        raise CannotSee("unreadable", f"the calendar cannot be read: {error}") from error
    return sorted(found, key=lambda event: (event["start"], event["summary"], event["uid"]))


def other_parts(*texts: str) -> list[dict[str, object]]:
    """Return what else lies in a calendar: things to do and notes, as they are written there."""
    try:
        found = [part for text in texts for part in _parse(text).parts if part.kind in ("VTODO", "VJOURNAL")]
    except (ValueError, OverflowError) as error:
        raise CannotSee("unreadable", f"the calendar cannot be read: {error}") from error
    return [
        {
            "uid": part.text("UID"),
            "kind": part.kind[1:].lower(),
            **{key.lower(): value[:MOST_VALUE] for key, _, value in part.values if key not in ("UID", *OF_PROGRAMS)},
        }
        for part in found
    ]


def _parse(text: str) -> _Part:
    top = _Part("")
    stack = [top]
    for name, parameters, value in _properties(text):
        if name == "BEGIN":
            part = _Part(value.upper())
            stack[-1].parts.append(part)
            stack.append(part)
            if len(stack) > 8:
                raise ValueError("its parts are nested too deeply")
        elif name == "END":
            if len(stack) == 1 or stack.pop().kind != value.upper():
                raise ValueError(f"END:{value} ends nothing that was begun")
        else:
            stack[-1].values.append((name, parameters, value))
    if len(stack) != 1 or len(top.parts) != 1 or top.parts[0].kind != "VCALENDAR":
        raise ValueError("it is not one whole VCALENDAR")
    return top.parts[0]


def _properties(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    lines = re.sub(r"\r?\n[ \t]", "", text).splitlines()
    if len(lines) > MOST_LINES:
        raise ValueError("it has too many lines")
    for line in filter(str.strip, lines):
        match = _PROPERTY.fullmatch(line)
        if match is None:
            raise ValueError(f"the line {line[:60]!r} is not understood")
        pairs = re.findall(r";([A-Za-z0-9-]+)=(\"[^\"]*\"|[^\";:,]*)", match["parameters"])
        yield match["name"].upper(), {key.upper(): value.strip('"') for key, value in pairs}, match["value"]


def _event(part: _Part) -> dict[str, object]:
    start_at = part.get("DTSTART")
    if start_at is None:
        raise ValueError(f"the event {part.text('SUMMARY')!r} has no start")
    start = _moment(*start_at)
    end_at, lasts = part.get("DTEND"), part.get("DURATION")
    if end_at is not None:
        end = _moment(*end_at)
    elif lasts is not None:
        end = start + _duration(lasts[1])
    else:
        end = start if isinstance(start, datetime) else start + timedelta(days=1)
    rule, replaced = part.get("RRULE"), part.get("RECURRENCE-ID")
    replaced_at = _moment_text(_moment(*replaced)) if replaced else None
    return {
        "uid": part.text("UID"),
        # One day of an event that recurs may differ from the others; it has the same UID.
        "id": part.text("UID") + (f" on {replaced_at}" if replaced_at else ""),
        "summary": part.text("SUMMARY"),
        "start": _moment_text(start),
        "end": _moment_text(end),
        "all_day": not isinstance(start, datetime),
        "location": part.text("LOCATION"),
        "description": part.text("DESCRIPTION"),
        "repeats": _rule(rule[1], start) if rule else None,
        "left_out": [_moment_text(_moment(given, one)) for given, one in _left_out(part)],
        "instead_of": replaced_at,
        # A reminder that also makes a sound is one reminder.
        "reminders": sorted(set(_reminders(part, start, end))),
        "extra_days": [value for key, _, value in part.values if key == "RDATE"],
        "cancelled": part.text("STATUS").upper() == "CANCELLED",
        "people": sorted(value.lower().removeprefix("mailto:") for key, _, value in part.values if key == "ATTENDEE"),
        "alarms": sorted(_odd_alarms(part, start, end), key=str),
        **_besides(part),
    }


def _besides(part: _Part) -> dict[str, object]:
    """Return what else an event says: who is asked, how it is marked, and what is attached."""
    listed = sorted({word.strip() for key, _, value in part.values if key == "CATEGORIES" for word in _words(value)})
    asked = [(given, value) for key, given, value in part.values if key == "ATTENDEE"]
    said = {name.lower(): part.text(name) for name in SAID if part.text(name) not in ("", "CANCELLED", USUAL.get(name))}
    others = {
        key.lower(): value[:MOST_VALUE]
        for key, _, value in part.values
        if key not in (*SAID, *TOLD, *OF_PROGRAMS) and not key.startswith(OF_PROGRAMS_TOO)
    }
    return {
        "categories": listed,
        "replies": [
            {"address": _bare(value), "status": given["PARTSTAT"].upper()}
            for given, value in sorted(asked, key=lambda each: _bare(each[1]))
            if given.get("PARTSTAT", "").upper() not in ("", "NEEDS-ACTION")
        ],
        "organizer": _bare((part.get("ORGANIZER") or ({}, ""))[1]),
        "said": said,
        "others": others,
    }


def _odd_alarms(part: _Part, start: datetime | date, end: datetime | date) -> Iterator[dict[str, object]]:
    """Yield the reminders that do more than to remind."""
    for each in part.parts:
        alarm = _alarm(each, start, end) if each.kind == "VALARM" else None
        if alarm and alarm["how"] not in ("", "DISPLAY", "AUDIO"):  # whatever they say, which they have to
            yield alarm


def _alarm(alarm: _Part, start: datetime | date, end: datetime | date) -> dict[str, object]:
    """Return how many minutes before the start a reminder comes, how, and what it says."""
    says = alarm.text("SUMMARY") or alarm.text("DESCRIPTION")
    before = next(_reminders(_Part("", parts=[alarm]), start, end), None)
    return {"minutes": before, "how": alarm.text("ACTION").upper(), "says": "" if says in USUAL_REMINDERS else says}


def _words(value: str) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", word) for word in re.split(r"(?<!\\),", value) if word.strip()]


def _bare(address: str) -> str:
    return address.lower().removeprefix("mailto:")


def _left_out(part: _Part) -> Iterator[tuple[dict[str, str], str]]:
    for key, given, value in part.values:
        if key == "EXDATE":
            yield from ((given, one) for one in value.split(","))


def _moment(parameters: dict[str, str], value: str) -> datetime | date:
    """Return a time in UTC; one without a zone is by the computer's clock, which is in UTC."""
    if parameters.get("VALUE") == "DATE" or re.fullmatch(r"\d{8}", value):
        return datetime.strptime(value, "%Y%m%d").date()
    moment = datetime.strptime(value.removesuffix("Z"), "%Y%m%dT%H%M%S")
    zone = parameters.get("TZID", "UTC")
    if value.endswith("Z") or zone in ("UTC", "Etc/UTC", "floating"):
        return moment.replace(tzinfo=UTC)
    try:
        return moment.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"the time zone {zone[:40]!r} is not known") from error


def _moment_text(moment: datetime | date) -> str:
    return f"{moment:%Y-%m-%dT%H:%M}" if isinstance(moment, datetime) else moment.isoformat()


def _duration(text: str) -> timedelta:
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f"the duration {text[:40]!r} is not understood")
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in match.groups()[1:])
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if match[1] == "-" else length


def _rule(text: str, start: date) -> dict[str, str]:
    """Return how an event recurs, by key; lists are sorted, and what goes without saying is left out."""
    pairs = dict(part.split("=", 1) for part in text.upper().split(";") if "=" in part)
    rule = {key: ",".join(sorted(value.split(","))) for key, value in pairs.items()}
    weekday = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")[start.weekday()]
    if rule.get("FREQ") == "DAILY" and rule.get("INTERVAL") == "7":
        rule |= {"FREQ": "WEEKLY", "INTERVAL": "1"}
    implied = {"INTERVAL": "1", "WKST": rule.get("WKST")}
    if rule.get("FREQ") == "WEEKLY":
        implied["BYDAY"] = weekday
    return {key: value for key, value in rule.items() if implied.get(key) != value}


def _reminders(part: _Part, start: datetime | date, end: datetime | date) -> Iterator[int]:
    """Yield how many minutes before the start each reminder comes."""
    # What is told from the end is reckoned back.
    for alarm in part.parts:
        trigger = alarm.get("TRIGGER") if alarm.kind == "VALARM" else None
        if trigger is None:
            continue
        if trigger[0].get("VALUE") == "DATE-TIME" and isinstance(start, datetime):
            at = _moment({}, trigger[1])
            assert isinstance(at, datetime), "a date alone was refused"
            yield round((start - at).total_seconds() / 60)
        else:
            lasts = _length(start, end) if trigger[0].get("RELATED") == "END" else timedelta()
            yield round(-(_duration(trigger[1]) + lasts).total_seconds() / 60)


def _length(start: datetime | date, end: datetime | date) -> timedelta:
    if isinstance(start, datetime) and isinstance(end, datetime):
        return end - start
    if isinstance(start, datetime) or isinstance(end, datetime):
        raise ValueError("it begins by the clock and ends by the day, or the other way round")
    return end - start
