"""Numbers, times of day and dates as people write them, found in a text by what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from itertools import pairwise

_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:(?<=\d)\.\d+|(?<![\d.])\.\d+)?")
_TOO_LONG = re.compile(r"([\d.,]{40})[\d.,]+")
"""What nobody writes as a number; the patterns below would try each of its digits with each other."""
_COMMA = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})(?![.,]?\d)")
_TERM = r"[€$£]?\s?-?[\d.,]*\d(?:\s?(?:[€$£]|eur(?:os?)?\b))?"
_SUM = re.compile(rf"-?{_TERM}(?:\s*[-+*/x×÷−]\s*{_TERM}){{1,50}}\s*(?=[=≈])", re.IGNORECASE)
_OFFERED = re.compile(
    r"(?:[\d.,]*\d[^\d.!?;]{0,30}?\bor\b(?! so\b)[^\d.!?;]{0,30}?)+[\d.,]*\d"
    r"|\bbetween\b[^\d.!?;]{0,12}[\d.,]*\d\s*\S{0,6}\s*and\b[^\d.!?;]{0,12}[\d.,]*\d"
    r"|\b(?:maybe|perhaps|possibly|alternatively|(?:might|could)(?: also)? be)\b[^\d.!?;]{0,20}[\d.,]*\d",
    re.IGNORECASE,
)
_AMOUNT = r"[€$£]?\s?\d[\d.]*(?:,\d{3}\b)*"
_IN_A_ROW = re.compile(
    rf"(?<![\d.,-]){_AMOUNT}\s?(?:-|–|—|to)\s?{_AMOUNT}(?![\d-])|(?<![\d.,-]){_AMOUNT}(?:,\s+(?:and\s+)?{_AMOUNT}){{2,}}"
)
_COUNTED_THROUGH = re.compile(r"\b(?:rows?|lines?|cells?|pages?)\s+\d+\s*(?:-|–|—|to)\s*\d+", re.IGNORECASE)
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
_OCLOCK = rf"(?P<oclock>\s*o['’]?clock\b)(?:\s*{_HALF.replace('P<', 'P<oclock_')})?"
_CLOCK = re.compile(
    rf"(?<![\d.,:])(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d)(?::00)?)?(?:\s*{_HALF}|{_OCLOCK}"
    r"|(?P<h>\s?h(?:rs|ours)?\b)|(?![.:,]?\d))",
    re.IGNORECASE,
)
_HOURS = rf"(?:{'|'.join(list(_ONES)[1:13])})"
_SPOKEN = re.compile(
    rf"\b(?P<hour>{_HOURS})(?:[\s-](?P<minute>fifteen|thirty|forty[\s-]five))?(?:\s+{_HALF}|{_OCLOCK})", re.IGNORECASE
)
"""Five pm, four thirty in the afternoon, six o'clock."""
_FEW = r"(?:five|ten|fifteen|twenty(?:[\s-]five)?)"
_PAST = re.compile(
    rf"\b(?P<minutes>half|quarter|(?:\d{{1,2}}|{_FEW})(?:\s+minutes|(?=\s+past)))\s+(?P<way>past|to)\s+"
    rf"(?P<hour>\d{{1,2}}|{_HOURS})\b(?:\s+o['’]?clock)?(?:\s*{_HALF})?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*(?:-|–|—|to|till?|until)\s*", re.IGNORECASE)
_FOUR_DIGITS = re.compile(
    r"(?<![\d.,:])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?=\s?h(?:rs|ours)?\b|[\s.!]*\Z)", re.IGNORECASE
)
_COINS = re.compile(
    r"(?<![\d.,])(\d+)\s*(?:euros?|eur|€|dollars?|usd|\$|pounds?|gbp|£)\s*(?:and\s+)?(\d{1,2})\s*(?:cents?|ct|pence)\b",
    re.IGNORECASE,
)
_HALVES = re.compile(r"(?<![\d.,])(\d+)\s+(?:and\s+)?a\s+half\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|\w+n['’]t)\s+(?:(?:be|clos|com|cost|end|finish|open|shut|stay)\w*\s+(?:open\s+)?)?"
    r"(?:(?:at|exactly|quite|the|about|just|to)\s+)?[€$£]?\s*"
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

_NAMED_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_SAID_DATE = re.compile(
    rf"(?<!\d)\d{{4}}-\d\d?-\d\d?(?!\d)|(?<![\d.,])\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_NAMED_MONTH}(?:,?\s+\d{{4}})?"
    rf"|{_NAMED_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?![\d.]\d)(?:,?\s+\d{{4}}|(?!\d))|{_NAMED_MONTH}\s+\d{{4}}(?!\d)"
)
_POINTED_OUT = re.compile(
    r"\b(?:the|these|those|your|both|my)\s+(?:two|three|2|3)\s+(?:numbers|figures|questions|answers|things|details)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(r"(\d+)\s+(?:out\s+)?of\s+(?:(?:the|our|all|us|these|those)\s+)*\d+", re.IGNORECASE)
_STATEMENT = re.compile(r"(?<!\d)[.;!?]|(?<=\d)[.;!?](?!\d)|\n")
_POINT = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+", re.MULTILINE)
_PIECE = re.compile(r"[,()]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)

Day = tuple[int, int, int | None]
"""Month, day, and the year where one is given."""


def number_in(text: str) -> set[float]:
    """Return the numbers in a text, with points or commas before decimals and between thousands."""
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


def without_dates(text: str) -> str:
    """Return a text without dates and times of day, and without numbers that point at others."""
    for pattern in (*_DATES[:3], re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)"), _POINTED_OUT):
        text = pattern.sub(" ", text)
    return text


def without_numbering(text: str) -> str:
    """Return a text without the numbers 1, 2, ... before the points of a list."""
    numbers = [int(found[1]) for found in _POINT.finditer(text)]
    return _POINT.sub("", text) if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)) else text


def beside_dates(text: str) -> str:
    """Return a text without the dates that it names with a month's name or as in 2026-04-05."""
    return _SAID_DATE.sub(" ", text)


def counts_of(text: str, things: Iterable[str]) -> set[float]:
    """Return how many of something a text speaks of: the numbers next to one of some words.

    They stand in the same piece of a sentence, or at least in the same sentence; of five of the 24 only five counts.
    """
    figures = _NUMERAL.sub(lambda found: str(_number_of(found[0])), _TOO_LONG.sub(r"\1", text))
    figures = _PART_OF.sub(r"\1", figures)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, things))})(?!\w)", re.IGNORECASE)
    numbers: set[float] = set()
    for sentence in _STATEMENT.split(figures):
        for piece in (each for each in _PIECE.split(sentence) if named.search(each)):
            numbers |= _next_to(piece, named) or _next_to(sentence, named)
    return numbers


def _next_to(text: str, named: re.Pattern[str]) -> set[float]:
    """Return the numbers that are nearest to the names in a text."""
    numbers = list(re.finditer(r"(?<![\d.,])\d+(?:[.,]\d+)?", text))
    found: set[float] = set()
    for name in named.finditer(text):
        apart = [max(name.start() - each.end(), each.start() - name.end()) for each in numbers]
        found |= {
            float(each[0].replace(",", ".")) for each, gap in zip(numbers, apart, strict=True) if gap == min(apart)
        }
    return found


def without_denials(text: str) -> str:
    """Return a text without figures and times that it says are not so: `not 12`, `it isn't 16:30`."""
    return _DENIED.sub(" ", text)


def _claims(text: str, names: tuple[str, ...]) -> str:
    """Return a text without some names, which may hold numbers, and without what precedes = or ≈."""
    text = _TOO_LONG.sub(r"\1", text)
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return _SUM.sub(" ", text)


def asserted_numbers(text: str, names: tuple[str, ...] = ()) -> set[float]:
    """Return the numbers a text claims: not those in some names or before the = of a calculation."""
    return number_in(_claims(text, names))


def offered_numbers(text: str, names: tuple[str, ...] = ()) -> set[float]:
    """Return the numbers that a text offers as alternatives: `12 or 13`, `between 5 and 9`."""
    text = _claims(text, names)
    bare = not re.search(r"[^\W\d_]", text)
    return number_in(text if bare else " ; ".join(found[0] for found in _OFFERED.finditer(text)))


def numbers_in_a_row(text: str, names: tuple[str, ...] = ()) -> list[set[float]]:
    """Return the numbers that a text names in one breath: `25-27`, `25 to 27`, `24, 25, 26`.

    No rows of a table.
    """
    text = _COUNTED_THROUGH.sub(" ", _claims(text, names))
    return [number_in(found[0].replace("to", " ")) for found in _IN_A_ROW.finditer(text)]


def times_in(text: str) -> set[int]:
    """Return the times of day in a text as minutes since midnight, by whichever clock."""
    return {minutes for _, times in _times(text) for minutes in times}


def other_times(text: str, minutes: int) -> tuple[int, bool]:
    """Return how many other times a text names beside one, and whether it offers some instead.

    They are offered where `or` stands between them, and where nothing but times is said; one from which on it is until
    the other is not.
    """
    found = _times(text)
    along = list(pairwise(sorted(found, key=lambda each: each[0])))
    since = {one for (one, _), (end, times) in along if minutes in times and _RANGE.fullmatch(text[one[1] : end[0]])}
    others = [place for place, times in found if minutes not in times and place not in since]
    rest = text
    for start, end in sorted((place for place, _ in found), reverse=True):
        rest = rest[:start] + " " + rest[end:]
    bare = not re.search(r"[^\W\d_]{2}", rest)
    between = [text[one[1] : other[0]] for (one, _), (other, _) in along if one in others or other in others]
    return len(others), bool(others) and (
        bare or any(re.search(r"\bor\b", each) and len(each) < 30 for each in between)
    )


Place = tuple[int, int]
"""Where something begins and ends in a text."""


def _times(text: str) -> list[tuple[Place, set[int]]]:
    """Return every time of day in a text, with the minutes that it may mean."""
    found: list[tuple[Place, set[int]]] = []
    for match in _PAST.finditer(text):
        found.append((match.span(), _past(match)))
    # What stands in such a phrase is no time of its own.
    text = _PAST.sub(lambda match: " " * len(match[0]), text)
    for match in (*_CLOCK.finditer(text), *_SPOKEN.finditer(text)):
        if meant := _by_clock(match):
            found.append((match.span(), meant))
    for match in _FOUR_DIGITS.finditer(text):
        found.append((match.span(), {int(match["hour"]) * 60 + int(match["minute"])}))
    for word, minutes in (("noon", 720), ("midday", 720), ("midnight", 0)):
        found += [(match.span(), {minutes}) for match in re.finditer(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE)]
    return found


def _past(match: re.Match[str]) -> set[int]:
    """Return the minutes that a time such as half past four may mean."""
    named = {"half": 30, "quarter": 15}.get(match["minutes"].lower())
    minutes = named if named is not None else _number_of(match["minutes"].lower().replace("minutes", "").strip())
    start = _number_of(match["hour"]) % 12 * 60 + (-minutes if match["way"].lower() == "to" else minutes)
    half = _half_of_day(match["half"], match["part"])
    return {(start + after) % 1440 for name, after in (("a", 0), ("p", 720)) if half in ("", name)}


def _by_clock(match: re.Match[str]) -> set[int]:
    """Return the minutes that a time in figures or in words may mean; none where it is none."""
    hour, minute = _number_of(match["hour"]), _number_of(match["minute"] or "0")
    half = _half_of_day(match["half"], match["part"]) or _half_of_day(match["oclock_half"], match["oclock_part"])
    if half and 1 <= hour <= 12:
        return {(hour % 12 + (12 if half == "p" else 0)) * 60 + minute}
    if match["oclock"] and hour <= 12:
        return {hour * 60 + minute, (hour + 12) % 24 * 60 + minute}
    if hour < 24 and (match["minute"] or match["oclock"] or match.groupdict().get("h")):
        return {hour * 60 + minute}
    return set()


def _half_of_day(half: str | None, part: str | None) -> str:
    """Return `a` or `p` for what follows a time, such as p.m."""
    # Or in the evening; nothing where nothing does.
    return (half or {"morning": "a"}.get((part or "").lower(), "p" if part else ""))[:1].lower()


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
    """Tell whether a text says a number, a time or a date in any of the usual ways.

    None where a phrase is neither.
    """
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
