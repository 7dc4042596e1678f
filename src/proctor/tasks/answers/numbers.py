"""Numbers as people write them, in figures and in words, with the place where each stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from proctor.tasks.answers.mention import Mention, blank

_CORE = (
    r"(?:\d{1,3}(?:[,'\u00a0\u202f]\d{3}){1,6}(?:\.\d{1,18})?|\d{1,3}(?:\.\d{3}){1,6},\d{1,2}|\d{1,3}(?:\.\d{3}){2,6}"
    r"|[1-9]\d{0,2}(?: \d{3}){1,6}(?=[.,]\d\d?(?!\d)|\s?(?:€|[^\W\d_]|[.!]?$))(?:[.,]\d{1,2})?"
    r"|\d{1,18},\d{1,2}|\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})"
)
_FIGURE = re.compile(
    rf"(?<![\w.,])(?P<sign>(?:(?<!\d )|(?<=[=(:] ))[-−])?(?P<before>[€$£¥]\s?)?(?P<sign2>[-−])?(?P<core>{_CORE})"
    r"(?P<half>[½¼¾])?(?![.,]?\d)(?P<times>\s?(?:k|thousand|million|m(?:n|io))\b|\s?dozen\b)?"
    r"(?!st\b|nd\b|rd\b|th\b)(?:\s?-?(?P<unit>[€$£¥%]|°\s?[CF]|[^\W\d_]{1,40}[²³]?)\.?)?",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
_COINS = re.compile(
    r"(?<![\w.,])(?P<core>\d{1,18})\s?(?P<unit>euros?|eur|€|dollars?|usd|\$|pounds?|gbp|£)\s?(?:and\s)?"
    r"(?:(?P<coins>\d{1,2})\s?(?:cents?|ct|pence|c)\b|(?P<bare>\d{2})(?=\s?[.,;:!)]?(?:\s[^\W\d_]|\s?$)))",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"(?<![\w.,])(?P<hours>\d{1,3})\s?(?:hours?|hrs?|h)\s(?:and\s)?(?P<minutes>\d{1,2})\s?(?:minutes?|mins?|m)\b",
    re.IGNORECASE,
)
"""An hour and 37 minutes, which is told in minutes too."""
_HALVES = re.compile(
    r"(?<![\w.,])(?P<core>\d{1,18})\s(?:and\s)?(?:a\s(?P<half>half|quarter)|(?P<fraction>[13])/(?P<of>[24]))\b"
    r"(?:\s(?P<unit>[^\W\d_]{1,40}))?",
    re.IGNORECASE,
)
ONES = dict(
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
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(list(ONES)[1:10])})\b)?|(?:{'|'.join(ONES)})\b)"
_HUNDREDS = rf"(?:(?:{_SMALL}|a)\s+hundred(?:\s+(?:and\s+)?{_SMALL})?|{_SMALL})"
_NUMERAL = re.compile(
    rf"(?<![\w-])(?:a\s(?P<dozen>dozen)|(?P<words>(?:(?:{_HUNDREDS}|a)\s+thousand(?:\s+(?:and\s+)?{_HUNDREDS})?|{_HUNDREDS})))\b"
    r"(?P<half>\s(?:and\s)?a\shalf\b)?(?:[\s-](?P<unit>[€%]|[^\W\d_]{1,40}))?",
    re.IGNORECASE,
)
_SPOKEN_COINS = re.compile(
    rf"(?<![\w-])(?P<words>{_HUNDREDS})\s(?P<unit>euros?|dollars?|pounds?)\s(?:and\s)?"
    rf"(?:(?P<coins>{_SMALL}|\d{{1,2}})\s(?:cents?|pence)\b|(?P<bare>(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(list(ONES)[1:10])})\b)?)\b)",
    re.IGNORECASE,
)
_POINTS_AT = re.compile(
    r"(?:\b(?:rows?|lines?|cells?|pages?|columns?|sheets?|steps?|options?|chapter|section|version|question|item|point|table|"
    r"figure|room|number|no|nr|#)\.?\s?(?:\d{1,9}\s?(?:-|–|—|to|and)\s?)?|"
    r"#|\d/|\bof\s(?:(?:the|our|all|us|these|those|its|a total of)\s){0,2}(?:[€$£]\s?)?)$",
    re.IGNORECASE,
)
"""What stands before a number that says which one, or of how many."""
_OF_THEM = re.compile(r"\s(?:of|among|out of)\s(?:them|these|those|whom|which)\b", re.IGNORECASE)
"""Twelve, three of them: the first is told to say of how many."""
_YEAR = re.compile(r"\b(?:in|since|of|from|until|till|to|between|and|by|year|early|late|mid)[\s-]$", re.IGNORECASE)
_DAY_BEFORE = re.compile(r"\b(?:on|of|from|until|since|by|the|day)\s$", re.IGNORECASE)
_POINTED_OUT = re.compile(r"\b(?:the|these|those|your|both|my|all|here are)\s(?:the\s)?$", re.IGNORECASE)
_POINTED = frozenset(["numbers", "figures", "questions", "answers", "things", "details", "values", "amounts"])
_APART = frozenset(["more", "less", "fewer", "higher", "lower", "cheaper", "dearer", "better", "worse", "times"])
"""Words after a number that is a difference or a factor."""
_UNITS = {
    **dict.fromkeys(("€", "eur", "euro", "euros"), "eur"),
    **dict.fromkeys(("$", "usd", "dollar", "dollars", "bucks"), "usd"),
    **dict.fromkeys(("£", "gbp", "pound", "pounds", "quid"), "gbp"),
    **dict.fromkeys(("¥", "yen", "jpy"), "jpy"),
    **dict.fromkeys(("%", "percent", "pct"), "%"),
}
CURRENCIES = frozenset(("eur", "usd", "gbp", "jpy"))
_NO_UNIT = frozenset(
    re.findall(
        r"\w+",
        """
    and or but as at in on of for to from is are was were be been has have had it the a an that this than with by we you
    i they he she there so if when which who not no nor all until till per each altogether overall total sum exactly
    please thanks thank only just plus minus x though although since because while too also then now am pm
    """,
    )
)
"""Words after a number that name nothing that is counted."""
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "": 0.0}
_FACTORS = {"k": 1e3, "thousand": 1e3, "million": 1e6, "mn": 1e6, "mio": 1e6, "dozen": 12.0}


def numbers_in(text: str) -> list[Mention]:
    """Return the numbers in a text in which dates and times are blank already."""
    found: list[Mention] = []
    for pattern, read in (
        (_DURATION, _in_minutes),
        (_COINS, _with_coins),
        (_SPOKEN_COINS, _with_coins),
        (_HALVES, _with_half),
        (_FIGURE, _figure),
        (_NUMERAL, _numeral),
    ):
        new = [read(match, text) for match in pattern.finditer(text)]
        found += new
        text = blank(text, ((value.start, value.end) for value in new))
    found.sort(key=lambda value: value.start)
    return [
        replace(value, aside=True) if after and _OF_THEM.match(text[after.end :]) and not value.aside else value
        for value, after in zip(found, [*found[1:], None][: len(found)], strict=True)
    ]


def number_of(words: str) -> int:
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
            part += ONES.get(word, 0) + _TENS.get(word, 0)
    return whole + part


def unit_of(word: str) -> str:
    """Return a unit as it compares: currencies by one name each, and the things that are counted."""
    plain = word.lower().strip(". ")
    return _UNITS.get(plain, "" if plain in _NO_UNIT else plain)


def _with_coins(match: re.Match[str], text: str) -> Mention:
    coins = match["coins"] or match["bare"]
    amount = number_of(match[1]) + number_of(coins) / 100
    return Mention("number", match.start(), match.end(), frozenset([round(amount, 2)]), unit_of(match["unit"]))


def _in_minutes(match: re.Match[str], text: str) -> Mention:
    amount = 60.0 * int(match["hours"]) + int(match["minutes"])
    return Mention("number", match.start(), match.end(), frozenset([amount]), "minutes")


def _with_half(match: re.Match[str], text: str) -> Mention:
    part = (
        int(match["fraction"]) / int(match["of"]) if match["fraction"] else 0.25 if match["half"] == "quarter" else 0.5
    )
    end = match.start("unit") if match["unit"] else match.end()
    return Mention("number", match.start(), end, frozenset([int(match["core"]) + part]), unit_of(match["unit"] or ""))


def _figure(match: re.Match[str], text: str) -> Mention:
    sign = -1.0 if match["sign"] or match["sign2"] else 1.0
    factor = _FACTORS.get((match["times"] or "").strip().lower(), 1.0)
    part = _FRACTIONS[match["half"] or ""]
    meant = frozenset(sign * (amount + part) * factor for amount in _amounts(match["core"]))
    end = match.end("times") if match["times"] else match.end("half") if match["half"] else match.end("core")
    unit = unit_of(match["before"] or "") or unit_of(match["unit"] or "")
    return Mention("number", match.start(), end, meant, unit, _is_aside(text, match.start(), unit, match["core"]))


def _amounts(core: str) -> Iterator[float]:
    """Yield what figures may come to: 12.500 is either, the rest is clear."""
    figures = re.sub(r"[ '\u00a0\u202f]", "", core)
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d+,\d{1,2}", figures):
        yield float(figures.replace(".", "").replace(",", "."))
        return
    if figures.count(".") > 1:
        yield float(figures.replace(".", ""))
        return
    yield float(figures.replace(",", ""))
    if _THOUSANDS.fullmatch(figures) and figures[0] != "0":
        yield float(figures.replace(".", ""))


def _numeral(match: re.Match[str], text: str) -> Mention:
    amount = 12.0 if match["dozen"] else float(number_of(match["words"])) + (0.5 if match["half"] else 0.0)
    unit, end = unit_of(match["unit"] or ""), match.start("unit") - 1 if match["unit"] else match.end()
    aside = _is_aside(text, match.start(), unit, "") or amount == 1.0
    return Mention("number", match.start(), end, frozenset([amount]), unit, aside)


def _is_aside(text: str, start: int, unit: str, core: str) -> bool:
    """Tell whether a number is told by the way: which row, of how many, how many more, a year."""
    before = text[max(0, start - 40) : start]
    year = re.fullmatch(r"(?:19|20)\d\d", core) is not None and _YEAR.search(before) is not None
    if (
        re.fullmatch(r"\d{1,2}\.\d{1,2}", core)
        and text[start + len(core) :].startswith(". ")
        and _DAY_BEFORE.search(before)
    ):
        return True
    pointed = unit in _POINTED and _POINTED_OUT.search(before) is not None
    return year or pointed or unit in _APART or _POINTS_AT.search(before) is not None
