"""Times of day as people write them, by either clock and in words."""

from __future__ import annotations

import re

from proctor.tasks.answers.mention import Mention, blank
from proctor.tasks.answers.numbers import ONES, number_of

_HALF = (
    r"(?:(?P<half>a\.?\s?m\.?|p\.?\s?m\.?)(?!\w)"
    r"|(?:in\sthe\s(?P<part>morning|afternoon|evening)|at\s(?P<night>night))(?!\w))"
)
_OCLOCK = rf"(?P<oclock>\s?o['’]?clock\b)(?:\s?{_HALF.replace('P<', 'P<oclock_')})?"
_CLOCK = re.compile(
    rf"(?<![\w.,:])(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d)(?::00)?)?(?:\s?{_HALF}|{_OCLOCK}"
    r"|(?P<h>\s?h(?:rs|ours)?\b)|(?![.:,]?\d))",
    re.IGNORECASE,
)
_HOURS = rf"(?:{'|'.join(list(ONES)[1:13])})"
_SPOKEN = re.compile(
    rf"\b(?P<hour>{_HOURS})(?:[\s-](?P<minute>fifteen|thirty|forty[\s-]five|ten|twenty|forty|fifty))?(?:\s{_HALF}|{_OCLOCK})",
    re.IGNORECASE,
)
"""Five pm, four thirty in the afternoon, six o'clock."""
_SAID = re.compile(
    rf"\b(?P<lead>at|until|till?|by|closes?|opens?|from|to)\s(?P<hour>{_HOURS})[\s-](?P<minute>fifteen|thirty|forty[\s-]five)\b",
    re.IGNORECASE,
)
"""Until four thirty."""
_FEW = r"(?:five|ten|fifteen|twenty(?:[\s-]five)?)"
_PAST = re.compile(
    rf"\b(?P<minutes>half|(?:a\s)?quarter|(?:\d{{1,2}}|{_FEW})(?:\sminutes|(?=\spast)))\s(?P<way>past|to|after)\s"
    rf"(?P<hour>\d{{1,2}}|{_HOURS})\b(?:\so['’]?clock)?(?:\s?{_HALF})?",
    re.IGNORECASE,
)
_MINUTES_TO = re.compile(
    rf"\b(?:at|until|till?|by)\s(?P<minutes>{_FEW})\s(?P<way>to)\s(?P<hour>{_HOURS})\b(?:\s?{_HALF})?", re.IGNORECASE
)
_HALF_FOUR = re.compile(
    rf"\b(?P<minutes>half)\s(?P<hour>\d{{1,2}}|{_HOURS})\b(?!\s?(?:%|percent|of))(?:\s?{_HALF})?", re.IGNORECASE
)
"""Half four, as the British say."""
_FOUR_DIGITS = re.compile(
    r"(?<![\w.,:€$£])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?=\s?h(?:rs|ours)?\b|[\s.!]*\Z|\s?(?:-|–|to|until)\s?\d{4}\b)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"\b(?:at|until|till?|from|opens?|closes?|by)\s(?P<hour>[1-9]|1\d|2[0-3])"
    r"(?=\s?[.!;,)]?\Z|[,;)]\s|\s(?:on|every|and|each|sharp|today|tonight|tomorrow|in|mon|tues|wednes|thurs|fri|satur|sun))",
    re.IGNORECASE,
)
"""Until 5; what follows names nothing that is counted."""
_BARE_SPAN = re.compile(
    r"(?:\b(?:from|open|between|hours)[:\s]\s?)(?P<since>[1-9]|1\d|2[0-3])\s?(?:-|–|to|till?|until|and)\s?(?P<hour>[1-9]|1\d|2[0-3])"
    r"(?=\s?[.!;,)]?\Z|[,;)]\s|\s(?:on|every|and|each|sharp|mon|tues|wednes|thurs|fri|satur|sun))",
    re.IGNORECASE,
)
"""From 10 to 5."""
_BEFORE_ANOTHER = re.compile(
    r"(?<![\w.,:])(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?"
    r"(?=\s?(?:-|–|to|until|till|and)\s?(?:\d{1,2}(?:[:.][0-5]\d)?\s?(?P<half>[ap])\.?m\b|\d{1,2}:[0-5]\d))",
    re.IGNORECASE,
)
"""The 2 of 2-4 pm, the 10 of 10-16:30."""
_NAMES = re.compile(r"(?<!\w)(?:(?P<noon>(?:12\s)?noon|midday)|(?P<midnight>(?:12\s)?midnight))(?!\w)", re.IGNORECASE)
_MORNINGS = {"morning": "a", "afternoon": "p", "evening": "p", "night": "p"}


def times_in(text: str) -> list[Mention]:
    """Return the times of day in a text, as the minutes since midnight that each may mean."""
    found: list[Mention] = []
    # What stands in a longer phrase is no time of its own.
    for pattern, read in (
        (_NAMES, _by_name),
        (_PAST, _past),
        (_MINUTES_TO, _past),
        (_HALF_FOUR, _past),
        (_BEFORE_ANOTHER, _before_another),
        (_BARE_SPAN, _bare),
        (_CLOCK, _by_clock),
        (_SPOKEN, _by_clock),
        (_SAID, _by_clock),
        (_FOUR_DIGITS, _four_digits),
        (_BARE, _bare),
    ):
        new = [value for match in pattern.finditer(text) for value in _values(match, text, read(match)) if value.meant]
        found += new
        text = blank(text, ((value.start, value.end) for value in new))
    return sorted(found, key=lambda value: value.start)


def _values(match: re.Match[str], text: str, meant: set[int]) -> list[Mention]:
    groups = match.groupdict()
    start, end = match.start(), match.end()
    if match.re in (_BARE, _SAID, _MINUTES_TO):
        start = match.start("minutes" if match.re is _MINUTES_TO else "hour")
    if match.re is not _BARE_SPAN:
        return [Mention("time", start, end, frozenset(meant))]
    since = _either(int(groups["since"]), 0)
    return [
        Mention("time", match.start("since"), match.end("since"), frozenset(since)),
        Mention("time", match.start("hour"), match.end("hour"), frozenset(meant)),
    ]


def _by_name(match: re.Match[str]) -> set[int]:
    return {720} if match["noon"] else {0}


def _past(match: re.Match[str]) -> set[int]:
    """Return the minutes that a time such as half past four may mean."""
    word = match["minutes"].lower()
    minutes = 30 if word == "half" else 15 if "quarter" in word else number_of(word.replace("minutes", "").strip())
    way = (match.groupdict().get("way") or "past").lower()
    start = number_of(match["hour"]) % 12 * 60 + (-minutes if way == "to" else minutes)
    half = _half_of_day(match, "")
    return {(start + after) % 1440 for name, after in (("a", 0), ("p", 720)) if half in ("", name)}


def _by_clock(match: re.Match[str]) -> set[int]:
    """Return the minutes that a time in figures or in words may mean; none where it is none."""
    groups = match.groupdict()
    hour, minute = number_of(match["hour"]), number_of(groups.get("minute") or "0")
    half = _half_of_day(match, "") or _half_of_day(match, "oclock_")
    if half and 1 <= hour <= 12:
        return {(hour % 12 + (12 if half == "p" else 0)) * 60 + minute}
    if hour >= 24 or not (groups.get("minute") or groups.get("oclock") or groups.get("h")):
        return set()
    if groups.get("h") or match["hour"].startswith("0"):
        return {hour * 60 + minute}
    return _either(hour, minute)


def _before_another(match: re.Match[str]) -> set[int]:
    hour = int(match["hour"])
    return _by_clock(match) or (_either(hour, 0) if hour < 24 else set())


def _bare(match: re.Match[str]) -> set[int]:
    return _either(int(match["hour"]), 0)


def _four_digits(match: re.Match[str]) -> set[int]:
    return {int(match["hour"]) * 60 + int(match["minute"])}


def _either(hour: int, minute: int) -> set[int]:
    """Return what a time without a half of the day may mean; 5:00 is said of the afternoon too."""
    return {hour * 60 + minute} | ({(hour + 12) * 60 + minute} if 1 <= hour < 12 else set())


def _half_of_day(match: re.Match[str], prefix: str) -> str:
    """Return `a` or `p` for what follows a time, such as p.m. or in the evening."""
    groups = match.groupdict()
    half, part, night = (groups.get(prefix + name) for name in ("half", "part", "night"))
    return (half or _MORNINGS.get((part or night or "").lower(), ""))[:1].lower()
