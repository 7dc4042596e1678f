"""Changes to plain text that others build on: another word, another number, a line less."""

from __future__ import annotations

import re
from random import Random

WORD = re.compile(r"[^\W\d_]{3,}")
NUMBER = re.compile(r"\d+")
MOST_TEXT = 2 * 2**20
"""Characters of a text that are worked on."""


def decode(data: bytes) -> str | None:
    """Return the text that a file holds; None where it holds none, or too much of it."""
    if not data or len(data) > MOST_TEXT or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def other_word(text: str, draw: Random, *, first: bool = False) -> str | None:
    """Return the text with another word in place of one of its words, or of its first one."""
    found = list(WORD.finditer(text))
    if not found:
        return None
    match = found[0] if first else draw.choice(found)
    return text[: match.start()] + unlike(match.group()) + text[match.end() :]


def other_number(text: str, draw: Random) -> str | None:
    """Return the text with another number in place of one of its numbers."""
    found = list(NUMBER.finditer(text))
    if not found:
        return None
    match = draw.choice(found)
    return text[: match.start()] + next_number(match.group()) + text[match.end() :]


def unlike(word: str) -> str:
    """Return another word of the same length and case that is no likely misspelling: every letter is another one."""
    return "".join(_other_letter(letter) for letter in word)


def next_number(digits: str) -> str:
    """Return other digits, as many as before."""
    # Its first digit differs, so that no rounding and no tolerance hides it.
    first = str(int(digits[0]) % 9 + 1)
    return first + digits[1:]


def _other_letter(letter: str) -> str:
    if "a" <= letter <= "z":
        return chr((ord(letter) - ord("a") + 7) % 26 + ord("a"))
    if "A" <= letter <= "Z":
        return chr((ord(letter) - ord("A") + 7) % 26 + ord("A"))
    return "q"
