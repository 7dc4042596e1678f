"""Numbers, times of day and dates as people write them, found in a text by what they mean."""

from __future__ import annotations

import re
from datetime import date

_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:(?<=\d)\.\d+|(?<![\d.])\.\d+)?")
_COMMA = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})(?![.,]?\d)")
_SUM = re.compile(r"-?[\d.,]*\d(?:\s*[-+*/x×÷−]\s*-?[\d.,]*\d)+\s*(?=[=≈])")
_SPELT = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip

_HALF = r"(?P<half>a\.?\s?m\.?|p\.?\s?m\.?)(?!\w)"
_CLOCK = re.compile(
    rf"(?<![\d.,:])(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d))?(?:\s*{_HALF}|(?P<oclock>\s*o['’]?clock\b)"
    r"|(?P<h>\s?h(?:rs|ours)?\b)|(?![.:,]?\d))",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>\d{4}))?"
_DATES = (
    re.compile(rf"(?<![\d.:]){_DAY}\.?\s+(?:of\s+)?{_MONTH}{_YEAR}(?!\w)", re.IGNORECASE),
    re.compile(rf"(?<!\w){_MONTH}\s+(?:the\s+)?{_DAY}{_YEAR}(?![\w:])", re.IGNORECASE),
    re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)"),
    re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>\d{4}|\d{2}))?(?!\d)"),
    re.compile(r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?![\d/])"),
    re.compile(r"(?<![\d/])(?P<day>\d{1,2})/(?P<month>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?![\d/])"),
)

Day = tuple[int, int, int | None]
"""Month, day, and the year where one is given."""


def number_in(text: str) -> set[float]:
    """Return the numbers in a text, with points or commas before decimals and marks between thousands."""
    tidy = re.sub(r"(?<=\d)[\u00a0\u202f](?=\d{3})", ",", text.replace("−", "-"))
    tidy = _COMMA.sub(lambda found: f"{found[1].replace('.', '')}.{found[2]}", tidy)
    # A hyphen inside a word or a range is not a sign; one before a currency is.
    signs = re.sub(r"-\s*([$€£¥])\s*", r" -", re.sub(r"(?<=\w)-", " ", tidy))
    return {float(found.replace(",", "")) for found in _NUMBER.findall(signs) if found.strip("-.")}


def asserted_numbers(text: str, names: tuple[str, ...] = ()) -> set[float]:
    """Return the numbers a text claims: not those in some names, nor what stands before the = of a calculation."""
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return number_in(_SUM.sub(" ", text))


def times_in(text: str) -> set[int]:
    """Return the times of day in a text as minutes since midnight, whichever clock they are written by."""
    found = set()
    for match in _CLOCK.finditer(text):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        half = (match["half"] or "")[:1].lower()
        if half and 1 <= hour <= 12:
            found.add((hour % 12 + (12 if half == "p" else 0)) * 60 + minute)
        elif match["oclock"] and hour <= 12:
            found |= {hour * 60 + minute, (hour + 12) % 24 * 60 + minute}
        elif hour < 24 and (match["minute"] or match["oclock"] or match["h"]):
            found.add(hour * 60 + minute)
    words = {"noon": 720, "midday": 720, "midnight": 0}
    return found | {minutes for word, minutes in words.items() if re.search(rf"(?<!\w){word}(?!\w)", text.lower())}


def dates_in(text: str) -> set[Day]:
    """Return the dates in a text: in words, by points, strokes (either order) or as in 2026-04-05."""
    found: set[Day] = set()
    for pattern in _DATES:
        for match in pattern.finditer(text):
            name = match["month"].lower()[:3]
            month = _MONTHS.index(name) + 1 if name in _MONTHS else int(match["month"])
            year = int(match["year"]) if match["year"] else None
            year = year + 2000 if year is not None and year < 100 else year
            if _is_day(month, int(match["day"])):
                found.add((month, int(match["day"]), year))
    return found


def means(text: str, phrase: str) -> bool | None:
    """Tell whether a text says a number, a time or a date in any of the usual ways; None where a phrase is neither."""
    phrase = phrase.strip()
    if re.fullmatch(r"-?\d+(?:\.\d+)?", phrase):
        spelt = _SPELT[int(phrase)] if phrase.isdigit() and int(phrase) < len(_SPELT) else None
        in_words = spelt is not None and re.search(rf"(?<!\w){spelt}(?!\w)", text, re.IGNORECASE) is not None
        return float(phrase) in number_in(text) or in_words
    if re.fullmatch(r"\d{1,2}:\d{2}", phrase):
        hour, _, minute = phrase.partition(":")
        return int(hour) * 60 + int(minute) in times_in(text)
    wanted = dates_in(phrase)
    if wanted and any(pattern.fullmatch(phrase) for pattern in _DATES[:3]):
        return any(_same_day(one, other) for one in wanted for other in dates_in(text))
    return None


def _same_day(one: Day, other: Day) -> bool:
    return one[:2] == other[:2] and (one[2] is None or other[2] is None or one[2] == other[2])


def _is_day(month: int, day: int) -> bool:
    try:
        date(2024, month, day)
    except ValueError:
        return False
    return True
