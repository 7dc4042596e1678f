"""Tables on a terminal or in a pipe: no column and no id is lost, however little room there is."""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table

IN_A_PIPE = 100_000
"""Columns where nobody looks at a screen: nothing is broken into lines, so that programs can search and cut."""


def open_console(*, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal or COLUMNS; in a pipe or file, as wide as need be."""
    stream = sys.stderr if stderr else sys.stdout
    narrow = stream.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(stderr=stderr, highlight=False, width=None if narrow else IN_A_PIPE)


def print_table(console: Console, table: Table) -> None:
    """Print a table, with lines longer than the screen where there is too little room for its words.

    A terminal shows the rest of such a line below; cutting columns or ids would leave nothing to type or to search for.
    """
    width = console.width
    console.width = max(width, _fit(console, table))
    try:
        console.print(table)
    finally:
        console.width = width


def _fit(console: Console, table: Table) -> int:
    """Give each column its width, the widest of words narrowed first; return that of the table."""
    _, right, _, left = table.padding
    lines = 0 if table.box is None else len(table.columns) + 1
    edges = 1 if table.pad_edge else 0
    besides = (left + right) * (len(table.columns) - 1 + edges) + lines
    sizes = [_sizes(console, column) for column in table.columns]
    widths = [most for _, most in sizes]
    while sum(widths) + besides > console.width:
        room = [(width, place) for place, width in enumerate(widths) if width > sizes[place][0]]
        if not room:
            break
        widths[max(room)[1]] -= 1
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    return sum(widths) + besides


def _sizes(console: Console, column: Column) -> tuple[int, int]:
    """Return the least and the natural width of a column: figures stay on one line, words stay whole."""
    wide = console.options.update(width=IN_A_PIPE)
    measured = [Measurement.get(console, wide, cell) for cell in (column.header, *column.cells) if cell != ""]
    most = max((each.maximum for each in measured), default=1)
    if column.justify == "right" or column.no_wrap:
        return most, most
    return max((each.minimum for each in measured), default=1), most
