"""Tables that spreadsheets and separated values hold alike."""

from __future__ import annotations

import re

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.suites.parts.programs import rows_of

_PLAIN = re.compile(r"[A-Za-z][\w ,.'&-]*")

Row = list[str | int | float]


def plain_rows(resource: Resource) -> list[Row]:
    """Return the rows of a table, all equally long, that every format holds alike.

    Raises:
        SpecError: It is none, or has texts that Calc might take for something else, or figures of many digits.
    """
    rows = rows_of(resource)
    width = len(rows[0])
    if len(rows) < 3 or not 1 < width < 9 or any(len(row) != width for row in rows):
        raise SpecError(f"{resource.value} is not a table of a few columns", remedy="give it something else")
    if not all(_is_plain(held) for row in rows for held in row):
        raise SpecError(f"{resource.value} holds more than plain words and figures", remedy="give it something else")
    return rows


def _is_plain(held: object) -> bool:
    if isinstance(held, str):
        return _PLAIN.fullmatch(held) is not None
    return isinstance(held, int | float) and not isinstance(held, bool) and round(held, 2) == held


def figures_in(rows: list[Row]) -> list[int]:
    """Return which columns hold numbers and nothing else below their headings."""
    return [place for place in range(len(rows[0])) if not any(isinstance(row[place], str) for row in rows[1:])]


def column_letter(place: int) -> str:
    """Return what a column is called, counted from 0."""
    return "ABCDEFGHIJ"[place]


def cell_text(held: str | int | float) -> str:
    """Return a value as it stands in a cell."""
    return f"{held:.10g}" if isinstance(held, float) else str(held)
