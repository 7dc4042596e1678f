"""Reading comma, semicolon and tab separated values."""

from __future__ import annotations

import csv
import io
import re

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.spreadsheets.shape import ReadingBudget, Sheet, number

SEPARATORS = (",", ";", "\t")
MARK = b"\xef\xbb\xbf"
"""How a text in UTF-8 begins that says so."""
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""How a text begins that is written in UTF-16, as office programs offer it."""
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?\Z")


def read(data: bytes, label: str, name: str) -> dict[str, object]:
    """Return the one sheet of a file, and how it is written; leading zeros make a text."""
    encoding = "utf-16" if data.startswith(WIDE) else "utf-8-sig" if data.startswith(MARK) else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise CannotSee(
            "unreadable", f"{label} is not a text in UTF-8: {error.reason} at byte {error.start}"
        ) from error
    sheet = Sheet(name, ReadingBudget(label))
    try:
        for row, fields in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator(text))):
            for column, held in enumerate(fields):
                if held:
                    sheet.put(row, column, _cell(held))
    except csv.Error as error:
        raise CannotSee("unreadable", f"{label} is not a table of separated values: {error}") from error
    ends = "crlf" if "\r\n" in text else "cr" if "\r" in text else "lf"
    return {"sheets": [sheet.to_json()], "separator": separator(text), "encoding": encoding, "line_ends": ends}


def separator(text: str) -> str:
    """Return what separates the values: the candidate that the first line has most of."""
    first = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    return max(SEPARATORS, key=first.count)


def _cell(held: str) -> dict[str, object]:
    if _NUMBER.match(held.strip()) and len(held) < 40:
        return {"kind": "number", "value": number(held)}
    return {"kind": "text", "value": held}
