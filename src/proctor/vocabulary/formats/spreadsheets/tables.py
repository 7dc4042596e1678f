"""How checks read the plain shape of a spreadsheet: sheets by name, cells by address."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from proctor.tasks.words import plain
from proctor.vocabulary.formats.spreadsheets.cells import Span, canonical_sheet, place, references, span
from proctor.vocabulary.formats.visible import Look

Held = bool | int | float | str | None
Table = list[list[Held]]
MOST_IN_GRID = 1_000_000
MOST_STEPS = 10_000
"""Formulas followed from one to the next; more are a circle or a trap."""
MOST_WORK = 5_000_000
"""Formulas looked at on the way."""


def sheet_of(of: Any, name: str | None) -> Look | str:
    """Return a sheet, the first one without a name; otherwise a sentence that says it is missing."""
    sheets: list[Look] = of["sheets"]
    if name is None:
        return sheets[0] if sheets else f"{of['path']} has no sheets."
    found = [sheet for sheet in sheets if sheet["name"] == name]
    listed = ", ".join(sheet["name"] for sheet in sheets)
    return found[0] if found else f"{of['path']} has no sheet '{name}'; it has: {listed}."


def cell_of(sheet: Look, address: str) -> Look:
    """Return a cell; an empty one has neither value nor looks."""
    found: Look = sheet["cells"].get(address.replace("$", "").upper(), {})
    return found


def value_of(cell: Look) -> Held:
    """Return what a cell holds; an empty text is as good as nothing."""
    value: Held = cell.get("value")
    return None if value == "" else value


def held_text(sheet: dict[str, object], address: str) -> str:
    """Return what a cell holds, in words."""
    cell = cell_of(sheet, address)
    value = value_of(cell)
    if "formula" in cell:
        return f"the formula {cell['formula']}"
    if value is None:
        return "empty"
    return f"the text '{value}'" if isinstance(value, str) and cell.get("kind") == "text" else str(value)


def same(held: Held, wanted: Held, tolerance: float) -> bool:
    """Tell whether two values mean the same: numbers within a tolerance, texts but for blanks."""
    if isinstance(held, str) and isinstance(wanted, str):
        return plain(held) == plain(wanted)
    if isinstance(held, bool) or isinstance(wanted, bool):
        return held is wanted
    if isinstance(held, int | float) and isinstance(wanted, int | float):
        return math.isclose(held, wanted, rel_tol=1e-9, abs_tol=tolerance)
    return held in (None, "") and wanted in (None, "")


def differs(of: Any, sheet: Look, address: str, wanted: Held, tolerance: float) -> Iterator[str]:
    """Yield how a cell differs from the value it should have."""
    held = value_of(cell_of(sheet, address))
    if same(held, wanted, tolerance):
        return
    shown = "empty" if held is None else f"the text '{held}'" if isinstance(held, str) else str(held)
    sought = "nothing in it" if wanted is None else f"'{wanted}'" if isinstance(wanted, str) else str(wanted)
    yield f"Cell {address} of sheet {sheet['name']} in {of['path']} is {shown}, expected {sought}."


def grid(sheet: Look) -> Table:
    """Return the values of a sheet from A1 to the last filled cell as rows of one length."""
    held = {place(address): value_of(cell) for address, cell in sheet["cells"].items()}
    held = {where: value for where, value in held.items() if value is not None}
    if not held:
        return []
    rows, columns = ({where[way] for where in held} for way in (0, 1))
    if (max(rows) + 1) * (max(columns) + 1) <= MOST_IN_GRID:
        rows, columns = set(range(max(rows) + 1)), set(range(max(columns) + 1))
    # Otherwise something lies far off: empty rows and columns are left out, and it still shows. Sheets whose cells are
    # scattered so widely that even this is too much are not read at all.
    return [[held.get((row, column)) for column in sorted(columns)] for row in sorted(rows)]


def header_column(sheet: dict[str, object], header: str) -> int | None:
    """Return the column with a heading in the first row, whatever its case."""
    rows = grid(sheet)
    names = [str(held).strip().casefold() for held in rows[0]] if rows else []
    return names.index(header.strip().casefold()) if header.strip().casefold() in names else None


def out_of_order(upper: list[Held], lower: list[Held], keys: list[tuple[int, bool]]) -> bool:
    """Tell whether two rows stand the wrong way round; the first column that differs decides."""
    for column, descending in keys:
        first, second = _rank(upper[column]), _rank(lower[column])
        if first != second:
            # Empty cells come last whichever way the rows are sorted.
            blank = first[0] == _BLANK or second[0] == _BLANK
            return bool(first > second) if blank or not descending else bool(first < second)
    return False


_BLANK = 3


def _rank(held: Held) -> tuple[int, object]:
    if held is None:
        return _BLANK, 0
    if isinstance(held, bool):
        return 2, held
    return (1, held.strip().casefold()) if isinstance(held, str) else (0, held)


def feeds(of: Any, sheet: Look, address: str, uses: list[str]) -> list[str]:
    """Return those of some ranges that a formula does not lead to wholly, directly or not."""
    wanted: dict[tuple[str, int, int], str] = {}
    for each in uses:
        where, _, cells = canonical_sheet(each).rpartition("!")
        area = span(cells)
        name = (where.strip("'") or sheet["name"]).upper()
        wanted.update({(name, *place): each for place in area.places()})
    for name, area in _sources(of, sheet, address):
        wanted = {key: each for key, each in wanted.items() if not (key[0] == name and area.covers(key[1], key[2]))}
        if not wanted:
            break
    return sorted(set(wanted.values()))


def _sources(of: Any, sheet: Look, address: str) -> Iterator[tuple[str, Span]]:
    books = {each["name"].upper(): each for each in of["sheets"]}
    formulas = {
        name: {place(cell): held["formula"] for cell, held in each["cells"].items() if "formula" in held}
        for name, each in books.items()
    }
    pending = [(sheet["name"].upper(), place(address))]
    seen = set(pending)
    work = 0
    while pending and len(seen) < MOST_STEPS and work < MOST_WORK:
        name, cell = pending.pop()
        for where, area in references(formulas.get(name, {}).get(cell, "=")):
            target = where or name
            yield target, area
            work += len(formulas.get(target, {})) + 1
            if work > MOST_WORK:
                return
            inner = {(target, each) for each in formulas.get(target, {}) if area.covers(*each)}
            pending += inner - seen
            seen |= inner
