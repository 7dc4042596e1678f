"""Transforms of tables in plain text, with their cells separated by commas and the like."""

from __future__ import annotations

import csv
import io
from random import Random
from typing import Literal

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import decode, other_number, other_word

TABLES = ("*.csv", "*.tsv")
DELIMITERS = ",;\t"


def _rows(data: bytes) -> tuple[list[list[str]], str] | None:
    text = decode(data)
    if not text:
        return None
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        return None
    return (rows, delimiter) if rows else None


def _write(rows: list[list[str]], delimiter: str, quoting: Literal[0, 1] = csv.QUOTE_MINIMAL) -> bytes | None:
    out = io.StringIO(newline="")
    try:
        csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=quoting).writerows(rows)
    except csv.Error:
        return None
    return out.getvalue().encode()


@mutant("a cell changed", *TABLES)
def cell_changed(data: bytes, draw: Random) -> bytes | None:
    """Put something else into one cell."""
    if (found := _rows(data)) is None:
        return None
    rows, delimiter = found
    places = [(y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if y and cell.strip()]
    if not places:
        return None
    y, x = draw.choice(places)
    rows[y][x] = other_number(rows[y][x], draw) or other_word(rows[y][x], draw) or rows[y][x] + "q"
    return _write(rows, delimiter)


@mutant("a heading changed", *TABLES)
def heading_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another word into the first row."""
    if (found := _rows(data)) is None:
        return None
    rows, delimiter = found
    places = [x for x, cell in enumerate(rows[0]) if cell.strip()]
    if not places:
        return None
    x = draw.choice(places)
    rows[0][x] = other_word(rows[0][x], draw) or rows[0][x] + "q"
    return _write(rows, delimiter)


@mutant("two of its columns exchanged", *TABLES)
def columns_exchanged(data: bytes, draw: Random) -> bytes | None:
    """Exchange the cells of the first two columns below the headings."""
    if (found := _rows(data)) is None:
        return None
    rows, delimiter = found
    for row in rows[1:]:
        row[:2] = reversed(row[:2])
    return None if len(rows) < 2 else _write(rows, delimiter)


@variant("every cell in quotes", *TABLES)
def quote_all(data: bytes, draw: Random) -> bytes | None:
    """Quote every cell."""
    found = _rows(data)
    return None if found is None else _write(*found, csv.QUOTE_ALL)
