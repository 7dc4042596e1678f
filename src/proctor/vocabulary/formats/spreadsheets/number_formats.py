"""Number formats: what a code such as `#,##0.00` means, and what it makes of a value."""

from __future__ import annotations

import datetime
import math
import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from proctor.tasks.answers.dates import MONTHS, WEEKDAYS

GENERAL = "General"
MOST_DECIMALS = 30
_PARTS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|[^;"\\\[_*]|;')
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.[#0?]*)?(?:E[+-]?0+)?(,*)|\.[#0?]+", re.IGNORECASE)
_DATE = re.compile(r"y+|m+|d+|h+|s+|am/pm", re.IGNORECASE)
_COLOURS = re.compile(r"\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]", re.IGNORECASE)


def number_format(code: str) -> dict[str, Any]:
    """Return what a code means: kind, decimals, grouping, currency or a date's code, and itself."""
    first = sections(code)[0] if code else ""
    symbol = re.search(r"\[\$([^\-\]]+)(?:-[0-9A-Fa-f]+)?\]", first) or re.search(r"([$€£¥])", first)
    bare = re.sub(r"\[[^\]]*\]|\"[^\"]*\"|\\.|_.|\*.", "", first)
    if code in (GENERAL, ""):
        return {"kind": "general"}
    if bare.strip() == "@":
        return {"kind": "text"}
    if symbol is None and re.search(r"[ymdhs]", bare, re.IGNORECASE):
        plain = re.sub(r"\[\$[^\]]*\]|\"|\\", "", first).lower()
        return {"kind": "date" if re.search(r"[yd]", plain) else "time", "code": plain}
    decimals = re.search(r"\.([0#?]+)", bare)
    found: dict[str, Any] = {"kind": "percentage" if "%" in bare else "number"}
    if symbol:
        found = {"kind": "currency", "symbol": symbol[1]}
    found["decimals"] = len(decimals[1]) if decimals else 0
    found["grouping"] = re.search(r"[#0],[#0]", bare) is not None
    return {**found, "pattern": code}


def sections(code: str) -> list[str]:
    """Return the parts of a code for positive numbers, negative ones, nothing and texts."""
    found = [""]
    for part in _PARTS.findall(code):
        if part == ";":
            found.append("")
        else:
            found[-1] += part
    return found


def shown_as(code: str, value: object) -> str | None:
    """Return what a code shows for a value; None where the value shows as it is, or nobody can tell."""
    listed = sections(code)
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        pattern = listed[3] if len(listed) > 3 else next((each for each in listed if "@" in each), "@")
        shown = _literal(pattern).replace("@", value)
        return None if shown == value else shown
    if not isinstance(value, int | float) or code.lower() == "general" or not math.isfinite(value):
        return None
    pattern, magnitude = _section_for(listed, float(value))
    if "general" in pattern.lower() or "@" in pattern or _COLOURS.sub("", pattern) == "General":
        return None
    try:
        return _fill_in(pattern, Decimal(repr(magnitude)))
    except InvalidOperation:
        return None


def shown_date(code: str, value: str) -> str | None:
    """Return what a code of a date shows for an ISO date; None where nobody can tell."""
    try:
        moment = datetime.datetime.fromisoformat(value)
    except ValueError:
        return None
    month, day = MONTHS[moment.month - 1], WEEKDAYS[moment.weekday()]
    names = {
        "yyyy": f"{moment.year:04}", "yy": f"{moment.year % 100:02}", "mmmm": month, "mmm": month[:3],
        "mm": f"{moment.month:02}", "m": str(moment.month), "dddd": day, "ddd": day[:3],
        "dd": f"{moment.day:02}", "d": str(moment.day),
    }  # fmt: skip
    if re.search(r"[hs]", code, re.IGNORECASE):
        return None
    return _DATE.sub(lambda found: names.get(found[0].lower(), found[0]), code)


def _section_for(listed: list[str], value: float) -> tuple[str, float]:
    """Return the part of a code for a number, and the number as that part shows it."""
    if len(listed) == 1 or value > 0:
        return listed[0], value
    if value < 0:
        return listed[1], -value
    return listed[2 if len(listed) > 2 else 0], value


def _fill_in(pattern: str, value: Decimal) -> str:
    """Return a number in the place of the digits of a pattern, without its quotes and colours."""
    pieces = _PARTS.findall(pattern)
    bare = "".join(piece if len(piece) == 1 else "\0" for piece in pieces)
    percents = bare.count("%")
    found = _DIGITS.search(bare)
    if found is None:
        return _literal(pattern)
    value = value.scaleb(2 * percents)
    digits = found[0]
    scale = len(digits) - len(digits.rstrip(","))
    number = _number(digits.rstrip(","), value.scaleb(-3 * scale))
    before, after = _literal("".join(pieces[: found.start()])), _literal("".join(pieces[found.end() :]))
    sign = "-" if number.startswith("-") else ""
    return f"{sign}{before}{number.removeprefix('-')}{after}"


def _number(digits: str, value: Decimal) -> str:
    mantissa, exponent, _ = digits.partition("E")
    if exponent:
        places = len(mantissa.partition(".")[2])
        return f"{value:.{places}E}"
    whole, _, decimals = mantissa.partition(".")
    decimals = decimals[:MOST_DECIMALS]
    rounded = abs(value).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    text, _, rest = f"{rounded:f}".partition(".")
    while rest and decimals and decimals[-1] == "#" and rest[-1] == "0":
        rest, decimals = rest[:-1], decimals[:-1]
    text = text.lstrip("0").rjust(whole.replace(",", "").count("0"), "0")
    if "," in whole:
        text = re.sub(r"(?<=\d)(?=(?:\d{3})+\Z)", ",", text)
    sign = "-" if value < 0 and rounded else ""
    return f"{sign}{text}{f'.{rest}' if rest else ''}"


def _literal(pattern: str) -> str:
    """Return what stands in a pattern besides digits, as it is shown."""
    shown = ""
    for piece in _PARTS.findall(pattern):
        if piece.startswith("[$"):
            shown += piece[2:-1].partition("-")[0]
        elif piece.startswith('"'):
            shown += piece[1:-1]
        elif piece.startswith("\\"):
            shown += piece[1:]
        elif piece.startswith("_"):
            shown += " "
        elif not piece.startswith(("[", "*")):
            shown += piece
    return shown
