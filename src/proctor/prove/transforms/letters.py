"""Transforms of letters, calendars and address cards in their own plain text."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import decode, other_number, other_word

LETTERS = ("*.eml", "*.mbox")
CARDS = ("*.ics", "*.vcf")
FIELD = re.compile(r"(?m)^(?:To|Cc|Subject|SUMMARY|LOCATION|DTSTART|DTEND|FN|TEL|EMAIL|DESCRIPTION)[^:\r\n]*:[^\r\n]+")
BLOCK = re.compile(r"(?ms)^BEGIN:(VEVENT|VTODO|VCARD)\r?$.*?^END:\1\r?\n?")


@mutant("a field changed", *LETTERS, *CARDS)
def field_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word or number into one of its fields."""
    text = decode(data)
    found = list(FIELD.finditer(text or ""))
    if text is None or not found:
        return None
    match = draw.choice(found)
    name, colon, value = match.group().partition(":")
    other = other_number(value, draw) or other_word(value, draw) or value + "q"
    return (text[: match.start()] + name + colon + other + text[match.end() :]).encode()


@mutant("an entry dropped", *CARDS)
def entry_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one event or card."""
    text = decode(data)
    found = list(BLOCK.finditer(text or ""))
    if text is None or not found:
        return None
    match = draw.choice(found)
    return (text[: match.start()] + text[match.end() :]).encode()


@mutant("its last line dropped", *LETTERS)
def last_line_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out the last line that says something."""
    text = decode(data)
    return None if text is None else (text.rstrip().rpartition("\n")[0] + "\n").encode()


@variant("other line ends", *CARDS)
def other_line_ends(data: bytes, draw: Random) -> bytes | None:
    """End lines as the other half of the world does."""
    text = decode(data)
    if text is None:
        return None
    return (text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")).encode()
