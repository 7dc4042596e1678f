"""Text from outside, made safe to show: it moves no cursor and turns no reading order."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Literal

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Stands for what a terminal would obey and a reader could not see."""
MOST_MARKS = 30
"""Accents on one letter that are looked at, as in Unicode's own Stream-Safe Text Format."""
_BECOME_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Letters that are written as marks in a normal form: three vowels of Tibetan, two signs of Japanese."""
_MANY_MARKS = re.compile(rf"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){{{MOST_MARKS + 1},}}")
"""Where there may be more of them: marks are neither letters nor blanks, but for those two signs of Japanese."""


def printable(text: str) -> str:
    """Return text of which every character is seen; lines stay lines.

    Control characters, escape sequences, overrides of the reading order, invisible characters and halves of surrogate
    pairs are replaced. Whatever came from a record, a task file, an agent or a computer passes through here before it
    is printed.
    """
    if text.isprintable():
        return text
    return "\n".join(map(_visible, text.split("\n")))


def one_line(text: str) -> str:
    """Return the same on one line, for tables and lists."""
    return text if text.isprintable() else _visible(text)


def json_text(data: object, *, indent: int | None = None) -> str:
    """Return data as JSON for a terminal; what is not printable is escaped, so nothing is lost."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    return "\n".join(map(_escape, text.split("\n")))


def _visible(line: str) -> str:
    return line if line.isprintable() else "".join(map(_show, line))


def _show(letter: str) -> str:
    if letter.isprintable():
        return letter
    return " " if letter.isspace() and letter not in "\x1c\x1d\x1e\x1f\x85" else REPLACEMENT


def _escape(line: str) -> str:
    # Outside its strings JSON has nothing but printable ASCII.
    return line if line.isprintable() else "".join(_escape_letter(letter) for letter in line)


def _escape_letter(letter: str) -> str:
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]


def compose(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Return a text in a normal form of Unicode, in time that grows with its length alone.

    Accents are put in order by a method that takes hours for a million of them on one letter; no script has more than
    a few, so those beyond 30 are left out.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, _MANY_MARKS.sub(_thin, text))


def _thin(found: re.Match[str]) -> str:
    kept, run = [], 0
    for letter in found[0]:
        run = run + 1 if unicodedata.combining(letter) or letter in _BECOME_MARKS else 0
        if run <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
