"""Numbers, times of day and dates as people write them, found in a text by what they mean."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:(?<=\d)\.\d+|(?<![\d.])\.\d+)?")
_COMMA = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})(?![.,]?\d)")
_SUM = re.compile(r"-?[\d.,]*\d(?:\s*[-+*/x×÷−]\s*-?[\d.,]*\d)+\s*(?=[=≈])")
_OFFERED = re.compile(
    r"(?:[\d.,]*\d[^\d.!?;]{0,30}?\bor\b(?! so\b)[^\d.!?;]{0,30}?)+[\d.,]*\d"
    r"|\bbetween\b[^\d.!?;]{0,12}[\d.,]*\d\s*\S{0,6}\s*and\b[^\d.!?;]{0,12}[\d.,]*\d",
    re.IGNORECASE,
)
_ONES = dict(
    zip(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ),
        range(20),
        strict=True,
    )
)  # fmt: skip
_TENS = {
    word: number
    for number, word in zip(
        range(20, 100, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        strict=True,
    )
}
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(list(_ONES)[1:10])})\b)?|(?:{'|'.join(_ONES)})\b)"
_HUNDREDS = rf"(?:(?:{_SMALL}|a)\s+hundred(?:\s+(?:and\s+)?{_SMALL})?|{_SMALL})"
_NUMERAL = re.compile(rf"\b(?:(?:{_HUNDREDS}|a)\s+thousand(?:\s+(?:and\s+)?{_HUNDREDS})?|{_HUNDREDS})\b", re.IGNORECASE)

_HALF = r"(?:(?P<half>a\.?\s?m\.?|p\.?\s?m\.?)(?!\w)|in\s+the\s+(?P<part>morning|afternoon|evening)(?!\w))"
_CLOCK = re.compile(
    rf"(?<![\d.,:])(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d)(?::00)?)?(?:\s*{_HALF}|(?P<oclock>\s*o['’]?clock\b)"
    r"|(?P<h>\s?h(?:rs|ours)?\b)|(?![.:,]?\d))",
    re.IGNORECASE,
)
_PAST = re.compile(
    rf"\b(?P<part>half|quarter)\s+(?P<way>past|to)\s+(?P<hour>\d{{1,2}}|{'|'.join(list(_ONES)[1:13])})\b", re.IGNORECASE
)
_FOUR_DIGITS = re.compile(
    r"(?<![\d.,:])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?=\s?h(?:rs|ours)?\b|[\s.!]*\Z)", re.IGNORECASE
)
_COINS = re.compile(
    r"(?<![\d.,])(\d+)\s*(?:euros?|eur|€|dollars?|usd|\$|pounds?|gbp|£)\s*(?:and\s+)?(\d{1,2})\s*(?:cents?|ct|pence)\b",
    re.IGNORECASE,
)
_HALVES = re.compile(r"(?<![\d.,])(\d+)\s+(?:and\s+)?a\s+half\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|\w+n['’]t)\s+(?:(?:at|exactly|quite|the|about|just)\s+)?[€$£]?\s*"
    r"\d[\d.,:]*(?:\s*[ap]\.?\s?m\b\.?)?",
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
    tidy = _COINS.sub(lambda found: f"{found[1]}.{int(found[2]):02}", _HALVES.sub(r"\1.5", tidy))
    tidy = _COMMA.sub(lambda found: f"{found[1].replace('.', '')}.{found[2]}", tidy)
    # A hyphen inside a word or a range is not a sign; one before a currency is.
    signs = re.sub(r"-\s*([$€£¥])\s*", r" -", re.sub(r"(?<=\w)-", " ", tidy))
    return {float(found.replace(",", "")) for found in _NUMBER.findall(signs) if found.strip("-.")}


def spelt_in(text: str) -> set[float]:
    """Return the numbers that a text writes in words, below a million: whole ones, or with a half."""
    found = set()
    for match in _NUMERAL.finditer(text):
        half = re.match(r"\s+(?:and\s+)?a\s+half\b", text[match.end() :], re.IGNORECASE)
        found.add(_number_of(match[0]) + (0.5 if half else 0.0))
    return found


def undenied(text: str) -> str:
    """Return a text without the figures and times that it says are not so: `not 12`, `it isn't 16:30`."""
    return _DENIED.sub(" ", text)


def asserted_numbers(text: str, names: tuple[str, ...] = ()) -> set[float]:
    """Return the numbers a text claims: not those in some names, nor what stands before the = of a calculation."""
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return number_in(_SUM.sub(" ", text))


def offered_numbers(text: str, names: tuple[str, ...] = ()) -> set[float]:
    """Return the numbers of a text that are offered as alternatives: `12 or 13`, `between 5 and 9`, or nothing else."""
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    text = _SUM.sub(" ", text)
    bare = not re.search(r"[^\W\d_]", text)
    return number_in(text if bare else " ; ".join(found[0] for found in _OFFERED.finditer(text)))


def times_in(text: str) -> set[int]:
    """Return the times of day in a text as minutes since midnight, whichever clock they are written by."""
    return {minutes for _, times in _times(text) for minutes in times}


def other_times(text: str, minutes: int) -> tuple[int, bool]:
    """Return how many other times a text names beside one, and whether it offers some of them in its place.

    They are offered where `or` stands between them, and where nothing but times is said.
    """
    found = _times(text)
    others = [place for place, times in found if minutes not in times]
    rest = text
    for start, end in sorted((place for place, _ in found), reverse=True):
        rest = rest[:start] + " " + rest[end:]
    bare = not re.search(r"[^\W\d_]{2}", rest)
    between = [
        text[one[1] : other[0]] for (one, _), (other, _) in pairwise(sorted(found)) if one in others or other in others
    ]
    return len(others), bool(others) and (
        bare or any(re.search(r"\bor\b", each) and len(each) < 30 for each in between)
    )


Place = tuple[int, int]
"""Where something begins and ends in a text."""


def _times(text: str) -> list[tuple[Place, set[int]]]:
    """Return every time of day in a text, with the minutes that it may mean."""
    found: list[tuple[Place, set[int]]] = []
    for match in _CLOCK.finditer(text):
        if meant := _by_clock(match):
            found.append((match.span(), meant))
    for match in _FOUR_DIGITS.finditer(text):
        found.append((match.span(), {int(match["hour"]) * 60 + int(match["minute"])}))
    for match in _PAST.finditer(text):
        hour = _number_of(match["hour"]) % 12 * 60
        minute = {"half": 30, "quarter": 15}[match["part"].lower()] * (-1 if match["way"].lower() == "to" else 1)
        found.append((match.span(), {(hour + minute) % 1440, (hour + 720 + minute) % 1440}))
    for word, minutes in (("noon", 720), ("midday", 720), ("midnight", 0)):
        found += [(match.span(), {minutes}) for match in re.finditer(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE)]
    return found


def _by_clock(match: re.Match[str]) -> set[int]:
    """Return the minutes that a time in figures may mean; none where it is none."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    part = {"morning": "a"}.get((match["part"] or "").lower(), "p" if match["part"] else "")
    half = (match["half"] or part)[:1].lower()
    if half and 1 <= hour <= 12:
        return {(hour % 12 + (12 if half == "p" else 0)) * 60 + minute}
    if match["oclock"] and hour <= 12:
        return {hour * 60 + minute, (hour + 12) % 24 * 60 + minute}
    if hour < 24 and (match["minute"] or match["oclock"] or match["h"]):
        return {hour * 60 + minute}
    return set()


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
        return float(phrase) in number_in(text) | spelt_in(text)
    if re.fullmatch(r"\d{1,2}:\d{2}", phrase):
        hour, _, minute = phrase.partition(":")
        return int(hour) * 60 + int(minute) in times_in(text)
    wanted = dates_in(phrase)
    if wanted and any(pattern.fullmatch(phrase) for pattern in _DATES[:3]):
        return any(_same_day(one, other) for one in wanted for other in dates_in(text))
    return None


def _number_of(words: str) -> int:
    """Return what a numeral comes to, in figures or in words."""
    if words.isdigit():
        return int(words)
    whole, part = 0, 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "hundred":
            part = max(part, 1) * 100
        elif word == "thousand":
            whole, part = max(part, 1) * 1000, 0
        else:
            part += _ONES.get(word, 0) + _TENS.get(word, 0)
    return whole + part


def _same_day(one: Day, other: Day) -> bool:
    return one[:2] == other[:2] and (one[2] is None or other[2] is None or one[2] == other[2])


def _is_day(month: int, day: int) -> bool:
    try:
        date(2024, month, day)
    except ValueError:
        return False
    return True
