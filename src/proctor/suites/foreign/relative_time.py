"""OSWorld's rules with relative times, which are reckoned from the clock of the computer."""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime, timedelta

from proctor.suites.foreign.faults import Data
from proctor.suites.foreign.translation import NotJudgedYet
from proctor.tasks.answers.dates import MONTHS, WEEKDAYS
from proctor.tasks.machine import Machine

DAYS = tuple(day.lower() for day in WEEKDAYS)
SIMPLE = {"today": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DAY_OF_WEEK = re.compile(rf"(this|next)(?: week)? ({'|'.join(DAYS)})(?: split)?")
_DAY_OF_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th) (?:of )?(next|this) month")
_SPAN = re.compile(r"(this|next|last) (month|year)")
_FIRST = re.compile(r"first monday (?:of |in )?(?:(\w+) months? later|next month)")
_LATER = re.compile(r"(?:(?:in|after) )?(\w+) (day|week|month|year)s?(?: later| from now)?")


def rules_for_today(rules: Data, today: date | None = None) -> dict[str, object]:
    """Return rules with their times filled in; the first one counts where there is no second.

    Args:
        rules: What a getter of the type `rule_relativeTime` holds.
        today: The day to reckon from; the one on which tasks begin when None.
    """
    today = today or datetime.fromisoformat(Machine().clock).date()
    told = rules.get("relativeTime") or {}
    start = day_meant(str(told.get("from", "today")), today)
    end = day_meant(str(told["to"]), today) if told.get("to") else start
    expected = rules["expected"]
    if not isinstance(expected, dict):
        raise NotJudgedYet("a relative time outside an object")
    filled = {key: _fill(value, end if _is_end(key) else start) for key, value in expected.items()}
    return {**rules, "expected": filled}


def formatted_rules(rules: Data, today: date | None = None) -> dict[str, object]:
    """Return the rules that stand under `formatted`, with the times in their texts."""
    times = rules_for_today(rules, today)["expected"]
    assert isinstance(times, dict)
    found = {}
    for key, value in rules["formatted"].items():
        for name, text in times.items():
            value = value.replace(f"{{{name}}}", str(text)) if isinstance(value, str) else value
        found[key] = value
    return found


def day_meant(words: str, today: date) -> date:
    """Return the day that some words mean; raises NotJudgedYet for words that nobody knows."""
    said = " ".join(words.lower().split())
    if said in SIMPLE:
        return today + timedelta(SIMPLE[said])
    if found := _DAY_OF_WEEK.fullmatch(said):
        return today + timedelta(DAYS.index(found[2]) - today.weekday() + (7 if found[1] == "next" else 0))
    if found := _SPAN.fullmatch(said):
        step = {"this": 0, "next": 1, "last": -1}[found[1]]
        return _months_on(today, step * (12 if found[2] == "year" else 1))
    if found := _DAY_OF_MONTH.fullmatch(said):
        month = _months_on(today, 1 if found[2] == "next" else 0)
        if not 1 <= int(found[1]) <= _days_in(month):
            raise NotJudgedYet(f"the time {words!r}, of which there is none on {today}")
        return month.replace(day=int(found[1]))
    if found := _FIRST.fullmatch(said):
        first = _months_on(today, _number(found[1]) if found[1] else 1).replace(day=1)
        return first + timedelta(-first.weekday() % 7)
    if found := _LATER.fullmatch(said):
        count, unit = _number(found[1]), found[2]
        days = {"day": 1, "week": 7}.get(unit)
        return today + timedelta(count * days) if days else _months_on(today, count * (12 if unit == "year" else 1))
    raise NotJudgedYet(f"the time {words!r}")


def _is_end(key: str) -> bool:
    """Tell whether a text is about the second time, such as `to` or `doDay` (dropping off)."""
    return key == "to" or key.startswith("do") and key[2:3].isupper()


def _number(word: str) -> int:
    if word.isdigit() and len(word) < 4:
        return int(word)
    if word not in NUMBERS:
        raise NotJudgedYet(f"the number {word!r} of a relative time")
    return NUMBERS.index(word)


def _months_on(day: date, count: int) -> date:
    """Return the same day some months on, or the last one of a month that is too short for it."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    first = date(year, month + 1, 1)
    return first.replace(day=min(day.day, _days_in(first)))


def _days_in(month: date) -> int:
    return calendar.monthrange(month.year, month.month)[1]


def _fill(value: object, day: date) -> object:
    if isinstance(value, list):
        return [_fill(each, day) for each in value]
    if not isinstance(value, str):
        return value
    names = {
        "{DoW}": WEEKDAYS[day.weekday()][:3],
        "{Month}": MONTHS[day.month - 1][:3],
        "{MonthFull}": MONTHS[day.month - 1],
        "{month}": str(day.month),
        "{MonthD}": str(day.month),
        "{Month0D}": f"{day.month:02}",
        "{DayD}": str(day.day),
        "{Day0D}": f"{day.day:02}",
        "{Year}": str(day.year),
    }
    for name, text in names.items():
        value = value.replace(name, text)
    return value
