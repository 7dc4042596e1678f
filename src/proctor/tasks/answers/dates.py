"""Dates and days of the week as people write them, with the place where each stands."""

from __future__ import annotations

import re
from datetime import date

from proctor.tasks.answers.mention import Mention

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_SHORT_MONTHS = tuple(month[:3].lower() for month in MONTHS)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s(?P<year>\d{4}))?"
_NAMED = (
    re.compile(
        rf"(?<![\d.:,]){_DAY}(?=\s?(?:-|to|until|and|or)\s?\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}{_YEAR}(?!\w))",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<![\d.:,]){_DAY}\.?\s(?:of\s)?{_MONTH}{_YEAR}(?!\w)", re.IGNORECASE),
    re.compile(
        rf"(?<!\w){_MONTH}\s(?:the\s)?{_DAY}(?![\d:]|[.,]\d|\s?(?:[€%]|eur|dollar|pound|people|guest)){_YEAR}(?![\w:])",
        re.IGNORECASE,
    ),
    re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)"),
)
_IN_FIGURES = (
    re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}|\d{2})(?!\d)"),
    re.compile(r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d{2})(?![\d/])"),
    re.compile(r"(?<![\d/])(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4}|\d{2})(?![\d/])"),
)
_SHORT = (
    re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?!\s?\d)"),
    re.compile(r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])"),
    re.compile(r"(?<![\d/])(?P<day>\d{1,2})/(?P<month>\d{1,2})(?![\d/])"),
)
"""These may be something else: three of seven, thirty-one and a half at the end of a sentence."""
_WEEKDAY = re.compile(
    r"(?<![\w'])(?:(?i:mon|tues|wednes|thurs|fri|satur|sun)(?i:days?)|Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun"
    r"|MON|TUES?|WEDS?|THU(?:RS?)?|FRI|SAT|SUN)(?![\w'])"
)
Day = tuple[int, int, int | None]
"""Month, day, and the year where one is given."""


def dates_in(text: str) -> list[Mention]:
    """Return the dates in a text: in words, by points, strokes (either order) or as in 2026-04-05."""
    return _read(text, (*_NAMED, *_IN_FIGURES, *_SHORT))


def clear_dates_in(text: str) -> list[Mention]:
    """Return the dates that can be nothing else: no 3/7."""
    return _read(text, (*_NAMED, *_IN_FIGURES))


def is_named_date(phrase: str) -> bool:
    """Tell whether a phrase is a date and nothing besides, as tasks write them."""
    return any(pattern.fullmatch(phrase) for pattern in _NAMED)


def weekdays_in(text: str) -> list[Mention]:
    """Return the days of the week that a text names."""
    return [
        Mention("weekday", match.start(), match.end(), frozenset([match[0][:3].lower()]))
        for match in _WEEKDAY.finditer(text)
    ]


def same_day(one: Day, other: Day) -> bool:
    """Tell whether two dates may be one: a year counts where both give it."""
    return one[:2] == other[:2] and (one[2] is None or other[2] is None or one[2] == other[2])


def _read(text: str, patterns: tuple[re.Pattern[str], ...]) -> list[Mention]:
    found: dict[tuple[int, int], set[Day]] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            name = match["month"].lower()[:3]
            month = _SHORT_MONTHS.index(name) + 1 if name in _SHORT_MONTHS else int(match["month"])
            given = match.groupdict().get("year")
            year = int(given) + (2000 if len(given) == 2 else 0) if given else None
            if _is_day(month, int(match["day"])):
                found.setdefault(match.span(), set()).add((month, int(match["day"]), year))
    values: list[Mention] = []
    # The longest of those that begin at one place: 17 March 2026 is a date, and 17 March none besides.
    for start, end in sorted(found, key=lambda place: (place[0], -place[1])):
        if not values or start >= values[-1].end:
            values.append(Mention("date", start, end, frozenset(found[start, end])))
    return values


def _is_day(month: int, day: int) -> bool:
    try:
        date(2024, month, day)
    except ValueError:
        return False
    return True
