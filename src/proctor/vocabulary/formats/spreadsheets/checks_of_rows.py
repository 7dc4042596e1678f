"""Checks on rows of a spreadsheet, wherever they stand and in whatever order their cells are."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose
from proctor.vocabulary.formats.spreadsheets.cells import place
from proctor.vocabulary.formats.spreadsheets.sight import unseen
from proctor.vocabulary.formats.spreadsheets.tables import Held, feeds, same, sheet_of, value_of
from proctor.vocabulary.formats.visible import Look

EXACT = 1e-6
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@CHECKS.register
def sheet_row(
    of: Seen,
    values: Annotated[list[str | float], Field(min_length=1)],
    sheet: str | None = None,
    times: Annotated[int, Field(ge=0)] = 1,
) -> Finding:
    """A sheet has exactly this many rows that visibly hold all of these values, each in a cell of its own.

    A text is found anywhere in a cell, whatever its case, and `a|b` means either; a date, written 2026-03-12, is all
    that its cell holds.
    """
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    count = sum(_holds(row, values) for row in _rows(found))
    if count == times:
        return right()
    wanted = " and ".join(str(value) for value in values)
    return wrong(f"{count} rows of {of['path']} hold {wanted}; expected {times}.")


@CHECKS.register
def sheet_adds_up(of: Seen, header: str, count: int | None = None, sheet: str | None = None) -> Finding:
    """A visible formula in the column under a heading adds up all numbers in it, of which there are so many."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    cells = {place(address): (address, cell) for address, cell in found["cells"].items()}
    heads = [at for at, (_, cell) in cells.items() if loose(str(value_of(cell) or "")) == loose(header)]
    if not heads:
        return wrong(f"{of['path']} has no column {header!r}.")
    top, column = min(heads)
    below = [cells[at] for at in sorted(cells) if at[1] == column and at[0] > top]
    numbers = [(address, cell["value"]) for address, cell in below if _is_number(cell) and "formula" not in cell]
    if count is not None and len(numbers) != count:
        return wrong(f"Column {header!r} of {of['path']} has {len(numbers)} numbers; expected {count}.")
    sums = [address for address, cell in below if "formula" in cell and address not in unseen(found)]
    for address in sums:
        value = value_of(found["cells"][address])
        right_value = value is None or same(value, sum(each for _, each in numbers), EXACT)
        if numbers and right_value and not feeds(of, found, address, [each for each, _ in numbers]):
            return right()
    return wrong(f"No formula in column {header!r} of {of['path']} adds up the {len(numbers)} numbers in it.")


def _is_number(cell: Look) -> bool:
    value = value_of(cell)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rows(sheet: Look) -> list[list[Held]]:
    """Return what can be seen of each row."""
    hidden, rows = unseen(sheet), defaultdict[int, list[Held]](list)
    for address, cell in sheet["cells"].items():
        if address not in hidden and (value := value_of(cell)) is not None:
            rows[place(address)[0]].append(value)
    return list(rows.values())


def _holds(row: list[Held], values: list[str | float]) -> bool:
    left = list(row)
    for value in values:
        place_of = next((at for at, held in enumerate(left) if _agrees(held, value)), None)
        if place_of is None:
            return False
        del left[place_of]
    return True


def _agrees(held: Held, wanted: str | float) -> bool:
    if isinstance(wanted, str) and _DAY.fullmatch(wanted):
        return held == wanted
    if isinstance(wanted, str) and isinstance(held, str):
        return any(loose(way) in loose(held) for way in wanted.split("|"))
    return same(held, wanted, EXACT)
