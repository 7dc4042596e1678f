"""Transforms of tables in plain text, with their cells separated by commas and the like."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from random import Random
from typing import Literal

from proctor.prove.transforms.shelf import Function, mutant, variant
from proctor.prove.transforms.words import decode, other_value, other_word

TABLES = ("*.csv", "*.tsv")
DELIMITERS = ",;\t"

Rows = list[list[str]]


def _of_rows(change: Callable[[Rows, Random], bool], quoting: Literal[0, 1] = csv.QUOTE_MINIMAL) -> Function:
    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        text = decode(data) or ""
        delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
        out = io.StringIO(newline="")
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
            if not rows or not change(rows, draw):
                return None
            csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=quoting).writerows(rows)
        except csv.Error:
            return None
        return out.getvalue().encode()

    return of_bytes


@mutant("a cell changed", *TABLES)
@_of_rows
def _change_cell(rows: Rows, draw: Random) -> bool:
    places = [(y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if y and cell.strip()]
    if places:
        y, x = draw.choice(places)
        rows[y][x] = other_value(rows[y][x], draw)
    return bool(places)


@mutant("a heading changed", *TABLES)
@_of_rows
def _change_heading(rows: Rows, draw: Random) -> bool:
    places = [x for x, cell in enumerate(rows[0]) if cell.strip()]
    if places:
        x = draw.choice(places)
        rows[0][x] = other_word(rows[0][x], draw) or rows[0][x] + "q"
    return bool(places)


@mutant("two of its columns exchanged", *TABLES)
@_of_rows
def _exchange_columns(rows: Rows, draw: Random) -> bool:
    for row in rows[1:]:
        row[:2] = reversed(row[:2])
    return len(rows) > 1


@mutant("a column added", *TABLES)
@_of_rows
def _add_column(rows: Rows, draw: Random) -> bool:
    for row in rows:
        row.append("left over")
    return bool(rows)


@mutant("its rows turned round", *TABLES)
@_of_rows
def _turn_round(rows: Rows, draw: Random) -> bool:
    rows[1:] = reversed(rows[1:])
    return len(rows) > 2


variant("every cell in quotes", *TABLES)(_of_rows(lambda rows, draw: True, csv.QUOTE_ALL))
