"""Changes to plain text that others build on: another word, another number, a part less."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

WORD = re.compile(r"[^\W\d_]{3,}")
NUMBER = re.compile(r"\d+")
MOST_TEXT = 2 * 2**20
"""Characters of a text that are worked on."""

TextChange = Callable[[str, Random], str | None]
"""Returns the changed text; None where the change does not apply."""


def decode(data: bytes) -> str | None:
    """Return the text that a file holds; None where it holds none, or too much of it."""
    if not data or len(data) > MOST_TEXT or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def of_text(change: TextChange) -> Callable[[bytes, Random], bytes | None]:
    """Return a change of the text that a file holds as a change of the file."""

    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        text = decode(data)
        changed = None if text is None else change(text, draw)
        return None if changed is None else changed.encode()

    return of_bytes


def one_match(pattern: re.Pattern[str], change: Callable[[re.Match[str], Random], str]) -> TextChange:
    """Return the change that puts one match of a pattern, drawn, differently."""

    def one(text: str, draw: Random) -> str | None:
        found = list(pattern.finditer(text))
        if not found:
            return None
        match = draw.choice(found)
        return text[: match.start()] + change(match, draw) + text[match.end() :]

    return one


def without_one(pattern: re.Pattern[str]) -> TextChange:
    """Return the change that leaves out one match of a pattern, drawn."""
    return one_match(pattern, lambda match, draw: "")


def in_group(
    pattern: re.Pattern[str],
    change: TextChange,
    wanted: re.Pattern[str] | None = None,
    inside: re.Pattern[str] | None = None,
) -> TextChange:
    """Return the change of the first group of one match, drawn of those that hold what is wanted.

    Args:
        pattern: What is looked for.
        change: What is done with the group.
        wanted: What the group must hold somewhere.
        inside: Where matches are looked for; everywhere in a text without a match of it.
    """

    def one(text: str, draw: Random) -> str | None:
        start, end = bounds.span() if inside and (bounds := inside.search(text)) else (0, len(text))
        found = [each for each in pattern.finditer(text, start, end) if not wanted or wanted.search(each[1])]
        if not found:
            return None
        match = draw.choice(found)
        other = change(match[1], draw)
        return None if other is None else text[: match.start(1)] + other + text[match.end(1) :]

    return one


def other_word(text: str, draw: Random, *, first: bool = False) -> str | None:
    """Return the text with another word in place of one of its words, or of its first one."""
    if first:
        return WORD.sub(lambda match: unlike(match[0]), text, count=1) if WORD.search(text) else None
    return one_match(WORD, lambda match, draw: unlike(match[0]))(text, draw)


def other_number(text: str, draw: Random) -> str | None:
    """Return the text with another number in place of one of its numbers."""
    return one_match(NUMBER, lambda match, draw: next_number(match[0]))(text, draw)


def other_value(text: str, draw: Random) -> str:
    """Return another text in place of one: another number, another word, or one letter more."""
    return other_number(text, draw) or other_word(text, draw) or text + "q"


def other_letters(text: str) -> str:
    """Return a text with every letter and every digit exchanged for another one."""
    return "".join(next_number(c) if c.isascii() and c.isdigit() else unlike(c) for c in text)


def other_datum(value: object) -> object:
    """Return another value of the same kind, where that is known."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    return other_letters(value) if isinstance(value, str) and value else "something else"


def unlike(word: str) -> str:
    """Return a word of the same length and case that is no likely misspelling: no letter is the same."""
    return "".join(_other_letter(letter) for letter in word)


def next_number(digits: str) -> str:
    """Return other digits, as many as before."""
    # Its first digit differs, so that no rounding and no tolerance hides it.
    return str(int(digits[0]) % 9 + 1) + digits[1:]


def _other_letter(letter: str) -> str:
    for first in "aA":
        if first <= letter <= chr(ord(first) + 25):
            return chr((ord(letter) - ord(first) + 7) % 26 + ord(first))
    return "q"
