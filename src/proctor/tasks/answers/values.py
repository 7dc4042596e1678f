"""The values that a text names, and what a phrase of a task stands for."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal, cast

from proctor.tasks.answers.dates import Day, clear_dates_in, dates_in, is_named_date, same_day, weekdays_in
from proctor.tasks.answers.mention import Kind, Mention, blank
from proctor.tasks.answers.numbers import numbers_in
from proctor.tasks.answers.times import times_in
from proctor.tasks.words import loose

_CLEARLY_A_TIME = re.compile(
    r":|[ap]\.?\s?m|clock|past|quarter|\dh\d|noon|midday|midnight|morning|afternoon|evening|night|\sto\s|half",
    re.IGNORECASE,
)
_PHONE = re.compile(r"(?<![\w.,])(?:\+|\(|00?)?\(?\d(?:[ ()/.-]{0,2}\d){6,17}(?![\w])(?![.,:]\d)")
_CLEARLY_A_PHONE = re.compile(r"\+|\(?0\d")
_POST = re.compile(r"\S{1,80}@\S{1,80}|\b(?:https?://|www\.)\S{1,200}", re.IGNORECASE)
_WEEKDAYS = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:'\w+)?|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in a text: a value by what it means, or words as they are."""

    phrase: str
    kind: Kind | Literal["words", "yes", "no"]
    meant: Hashable = None


def sought(phrase: str) -> Sought:
    """Return what a phrase stands for: `16:30` is a time, `Ana Silva` is nothing but words."""
    phrase = phrase.strip()
    digits = re.sub(r"[ ()/.-]", "", phrase)
    if re.fullmatch(r"\+\d{7,18}|0\d{6,17}", digits) or re.fullmatch(r"\d{2,5}[ /-]\d[\d ]{4,12}", phrase):
        return Sought(phrase, "phone", _by_digits(phrase))
    if re.fullmatch(r"-?\d{1,18}(?:\.\d{1,18})?", phrase):
        return Sought(phrase, "number", float(phrase))
    if re.fullmatch(r"\d{1,2}:\d{2}", phrase):
        hour, _, minute = phrase.partition(":")
        return Sought(phrase, "time", int(hour) * 60 + int(minute))
    if is_named_date(phrase):
        return Sought(phrase, "date", next(iter(dates_in(phrase)[0].meant), None) if dates_in(phrase) else None)
    if _WEEKDAYS.fullmatch(phrase):
        return Sought(phrase, "weekday", phrase[:3].lower())
    if phrase.lower() in ("yes", "no"):
        return Sought(phrase, "yes" if phrase.lower() == "yes" else "no")
    return Sought(phrase, "words")


def number_sought(value: float) -> Sought:
    """Return what a number is looked for as."""
    return Sought(f"{value:g}", "number", value)


def missing_words(text: str, wanted: Iterable[str]) -> list[str]:
    """Return what a text does not say, as `mentions` finds it; `a|b` means either."""
    return [words for words in wanted if not any(mentions(text, choice) for choice in words.split("|"))]


def values_in(text: str, kind: Kind) -> list[Mention]:
    """Return the values of one kind in a sentence, in their order."""
    if kind == "weekday":
        return weekdays_in(text)
    if kind == "phone":
        return [
            Mention("phone", match.start(), match.end(), frozenset([_by_digits(match[0])]))
            for match in _PHONE.finditer(text)
        ]
    if kind == "date":
        return dates_in(text)
    if "@" in text or "://" in text or "www." in text:
        text = blank(text, (match.span() for match in _POST.finditer(text)))
    text = blank(text, ((each.start, each.end) for each in clear_dates_in(text)))
    if kind == "time":
        return times_in(text)
    phones = [match.span() for match in _PHONE.finditer(text) if _CLEARLY_A_PHONE.match(match[0])]
    text = blank(text, phones)
    clear = [(each.start, each.end) for each in times_in(text) if _CLEARLY_A_TIME.search(text[each.start : each.end])]
    return numbers_in(blank(text, clear))


def is_meant(value: Mention, wanted: Sought, tolerance: float = 0.0) -> bool:
    """Tell whether a value is what is looked for."""
    if wanted.kind == "number":
        amount = cast(float, wanted.meant)
        return any(abs(cast(float, each) - amount) <= tolerance + 1e-9 * max(1.0, abs(amount)) for each in value.meant)
    if wanted.kind == "date":
        return any(same_day(cast(Day, wanted.meant), cast(Day, each)) for each in value.meant)
    return wanted.meant in value.meant


def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Return the pattern that finds a phrase as whole words, whatever its case, blanks and commas."""
    parts = _WORD.findall(loose(phrase))
    pattern = ""
    for number, part in enumerate(parts):
        if part == ",":
            continue
        gap = "" if not number else r"[\s,]{1,3}" if parts[number - 1] == "," else _gap(phrase, parts, number)
        pattern += gap + re.escape(part)
    return re.compile(rf"(?<!\w)(?<!\d[.,]){pattern}(?!\w)(?![.,]\d)", re.IGNORECASE)


def _gap(phrase: str, parts: list[str], number: int) -> str:
    """Return what may stand between two parts of a phrase: blanks, or a comma instead."""
    before, after = parts[number - 1], parts[number]
    together = f"{before}{after}" in loose(phrase).replace(" ", "\x00")
    if together:
        return r"\s{0,2}" if not (before[-1].isalnum() and after[0].isalnum()) else ""
    return r"[\s,]{1,3}" if before[-1].isalnum() and after[0].isalnum() else r"\s{0,3}"


def mentions(text: str, phrase: str) -> bool:
    """Tell whether a text says a phrase: values in whichever usual way, words as whole words.

    Whatever the case, blanks, quotes and commas. 12 is neither in 112 nor in 12.50, but it is in "at 12."
    """
    wanted = sought(phrase)
    held = loose(text) if wanted.kind not in ("weekday", "date") else " ".join(text.split())
    if wanted.kind in ("words", "yes", "no"):
        return phrase_pattern(phrase).search(held) is not None
    kind = cast(Kind, wanted.kind)
    lines = text.splitlines() if kind == "number" else [held]
    return any(is_meant(value, wanted) for line in lines for value in values_in(" ".join(line.split()), kind))


def _by_digits(number: str) -> str:
    """Return a phone number as it compares: its digits, from abroad or not."""
    bare = re.sub(r"\(0\)", "", number)
    digits = re.sub(r"\D", "", bare)
    return f"+{digits}" if bare.strip().startswith("+") else f"+{digits[2:]}" if digits.startswith("00") else digits
