"""What formulas in a workbook are worked out from: new cells and names that belong to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proctor.vocabulary.formats.spreadsheets.cells import canonical, place, references

Book = Mapping[str, Any]
Place = Sequence[str]

_WORD = re.compile(r"[^\W\d][\w.]*")
MOST_FORMULAS = 5000
"""Of a workbook with more, nothing new is taken for a part of what was asked for."""


def formulas_basis(after: Book, kept: Book, added: Sequence[Place]) -> list[int]:
    """Return which of the new places a workbook's formulas refer to, by their numbers.

    Cells on which the answer is worked out, and ranges that were given a name for it, are a way to do the work and no
    side effect. What nothing refers to is one, and so is a formula of its own that only others like it refer to.

    Args:
        after: The workbook as it is.
        kept: The workbook with everything taken back that nobody asked for.
        added: The places of what was taken back, as fields and items.
    """
    waiting = list(_formulas_of(kept))
    if len(waiting) > MOST_FORMULAS:
        return []
    left = dict(enumerate(added))
    needed: list[int] = []
    while waiting and left:
        sheet, formula = waiting.pop()
        areas = [(name.upper() or sheet.upper(), area) for name, area in references(formula)]
        words = {word.upper() for word in _WORD.findall(canonical(formula))}
        for number, at in list(left.items()):
            if (cell := _cell_at(at)) is not None:
                row_column = place(cell[1])
                if any(name == cell[0].upper() and area.covers(*row_column) for name, area in areas):
                    needed.append(number)
                    del left[number]
                    waiting += _formula_in(after, *cell)
            elif (names := _names_at(after, at)) and {name.upper() for name in names} <= words:
                needed.append(number)
                del left[number]
                waiting += [(sheet, refers_to) for refers_to in names.values()]
    return sorted(needed)


def _formulas_of(book: Book) -> Iterator[tuple[str, str]]:
    """Yield each formula with the name of its sheet."""
    for sheet in book.get("sheets", ()):
        for cell in sheet.get("cells", {}).values():
            if isinstance(cell.get("formula"), str):
                yield str(sheet["name"]), cell["formula"]


def _cell_at(at: Place) -> tuple[str, str] | None:
    """Return the sheet and the address of the cell that a place is; its look is nothing to work with."""
    if len(at) == 4 and at[0] == "sheets" and at[2] == "cells":
        return str(at[1]), str(at[3])
    return None


def _formula_in(book: Book, sheet: str, address: str) -> list[tuple[str, str]]:
    cells: Book = next((each["cells"] for each in book.get("sheets", ()) if each["name"] == sheet), {})
    formula = cells.get(address, {}).get("formula")
    return [(sheet, formula)] if isinstance(formula, str) else []


def _names_at(book: Book, at: Place) -> dict[str, str]:
    """Return the names that a place adds to a workbook or a sheet, with what they stand for."""
    holder: Book = book
    rest = list(at)
    if len(rest) > 2 and rest[0] == "sheets":
        holder = next((each for each in book.get("sheets", ()) if each["name"] == rest[1]), {})
        rest = rest[2:]
    if not rest or rest[0] != "names" or len(rest) > 2:
        return {}
    known = {str(each["name"]): str(each["refers_to"]) for each in holder.get("names", ())}
    return known if len(rest) == 1 else {name: known[name] for name in rest[1:] if name in known}
