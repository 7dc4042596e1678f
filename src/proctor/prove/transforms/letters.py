"""Transforms of letters, calendars and address cards in their own plain text."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import in_group, of_text, other_value, without_one

LETTERS = ("*.eml", "*.mbox")
CARDS = ("*.ics", "*.vcf")
FIELD = re.compile(
    r"(?m)^(?:To|Cc|Subject|SUMMARY|LOCATION|DTSTART|DTEND|FN|TEL|EMAIL|DESCRIPTION)[^:\r\n]*:([^\r\n]+)"
)
BLOCK = re.compile(r"(?ms)^BEGIN:(VEVENT|VTODO|VCARD)\r?$.*?^END:\1\r?\n?")


def _other_line_ends(text: str, draw: Random) -> str:
    return text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")


mutant("a field changed", *LETTERS, *CARDS)(of_text(in_group(FIELD, other_value)))
mutant("an entry dropped", *CARDS)(of_text(without_one(BLOCK)))
mutant("its last line dropped", *LETTERS)(of_text(lambda text, draw: text.rstrip().rpartition("\n")[0] + "\n"))
variant("other line ends", *CARDS)(of_text(_other_line_ends))
