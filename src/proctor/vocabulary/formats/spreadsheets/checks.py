"""Checks on the cells, rows and columns of spreadsheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain
from proctor.vocabulary.formats.spreadsheets.cells import addresses, canonical, place, span
from proctor.vocabulary.formats.spreadsheets.sight import hidden_cells
from proctor.vocabulary.formats.spreadsheets.tables import (
    Held,
    Table,
    cell_of,
    differs,
    feeds,
    grid,
    header_column,
    held_text,
    out_of_order,
    same,
    sheet_of,
    value_of,
)
from proctor.vocabulary.formats.visible import Look

Tolerance = Annotated[float, Field(ge=0)]
EXACT = 1e-6
"""How far a computed number may be off."""
MOST_INPUTS = 3
"""Cells of a trial that feedback names."""


class SortKey(PlainModel):
    """A column that rows are sorted by."""

    header: str
    descending: bool = False


@CHECKS.register
def cell_is(of: Seen, cell: str, value: Held, sheet: str | None = None, tolerance: Tolerance = EXACT) -> Finding:
    """A cell holds this value, typed or computed; ignores formats and blanks around a text.

    The sheet is the first one unless named. A number that is stored as a text is not a number. None means empty. What
    is hidden or written in the colour of its ground does not count.
    """
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    return unless([*differs(of, found, cell, value, tolerance), *hidden_cells(of, found, [cell])])


@CHECKS.register
def cells_are(
    of: Seen, cells: str, values: list[list[Held]], sheet: str | None = None, tolerance: Tolerance = EXACT
) -> Finding:
    """A range such as `B2:C9` visibly has these rows of values, whatever their format and spacing."""
    found, area = sheet_of(of, sheet), span(cells)
    if isinstance(found, str):
        return wrong(found)
    height, width = area.bottom - area.top + 1, area.right - area.left + 1
    if len(values) != height or any(len(row) != width for row in values):
        raise ValueError(f"the range {cells} has {height} rows of {width}, and the values have another shape")
    wanted = [value for row in values for value in row]
    pairs = zip(addresses(cells), wanted, strict=True)
    problems = [problem for each, value in pairs for problem in differs(of, found, each, value, tolerance)]
    return unless([*problems, *hidden_cells(of, found, addresses(cells))])


@CHECKS.register
def cell_formula(of: Seen, cell: str, formulas: list[str], sheet: str | None = None) -> Finding:
    """A cell has one of these formulas, ignoring case, blanks, `$` and the form of references."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    held = cell_of(found, cell).get("formula")
    if held is None:
        return wrong(f"Cell {cell} of {of['path']} holds {held_text(found, cell)}, not a formula.")
    if canonical(held) in {canonical(each) for each in formulas}:
        return right()
    return wrong(f"Cell {cell} of {of['path']} has the formula {held}, expected {' or '.join(formulas)}.")


@CHECKS.register
def cell_is_formula(
    of: Seen,
    cell: str,
    value: Held,
    uses: Annotated[list[str], Field(min_length=1)],
    sheet: str | None = None,
    tolerance: Tolerance = EXACT,
) -> Finding:
    """A cell is visibly right and computed: its formula refers to every cell in these ranges.

    How the formula is written does not matter. Ranges of other sheets are written `Prices!A2:B9`.
    """
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    problems = list(differs(of, found, cell, value, tolerance))
    if "formula" not in cell_of(found, cell):
        problems.append(f"Cell {cell} of {of['path']} is typed in, expected a formula.")
    else:
        unused = feeds(of, found, cell, uses)
        problems += [f"The formula in {cell} of {of['path']} does not use {each}." for each in unused]
    return unless([*problems, *hidden_cells(of, found, [cell])])


@CHECKS.register
def cell_follows(
    of: Seen,
    cell: str,
    values: Annotated[list[Held], Field(min_length=1)],
    sheet: str | None = None,
    tolerance: Tolerance = EXACT,
    now: Held = None,
) -> Finding:
    """A cell is visibly computed, and has the right value in each trial of `see.recalculated`.

    `now` is what it must come to as the file stands. Whoever writes files by hand need not store that result; one that
    is stored must be right.
    """
    if len(values) != len(of["results"]):
        raise ValueError(f"there are {len(of['results'])} trials and {len(values)} values")
    trials = [*zip(of["results"], of["inputs"], values, strict=True)]
    if now is not None:
        trials.insert(0, (of["now"], {}, now))
        if _results_of(of["stored"], sheet).get(cell) is not None:
            trials.insert(0, (of["stored"], {}, now))
    problems = []
    for result, inputs, wanted in trials:
        held = _results_of(result, sheet)
        given = f" where {_in_short(inputs)}" if inputs else ""
        if cell not in held:
            return wrong(f"Cell {cell} of {of['path']} is not computed by a formula.")
        if not same(held[cell], wanted, tolerance):
            problems.append(f"Cell {cell} of {of['path']} comes to {held[cell]!r}{given}; expected {wanted!r}.")
    # Records of earlier versions say nothing of how cells look.
    shown = sheet_of(of, sheet) if "sheets" in of else ""
    return unless([*problems, *(() if isinstance(shown, str) else hidden_cells(of, shown, [cell]))])


def _in_short(inputs: dict[str, Held]) -> str:
    """Return what cells were given, the first few of them."""
    said = [f"{at} is {value}" for at, value in islice(inputs.items(), MOST_INPUTS)]
    left = len(inputs) - len(said)
    return ", ".join(said) + (f" and {left} more cells are others" if left else "")


def _results_of(result: dict[str, dict[str, Held]], sheet: str | None) -> dict[str, Held]:
    return result.get(sheet if sheet is not None else next(iter(result), ""), {})


@CHECKS.register
def column_is(
    of: Seen, header: str, values: list[Held], sheet: str | None = None, tolerance: Tolerance = EXACT
) -> Finding:
    """The column under a heading in the first row visibly holds exactly these values in order."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    column = header_column(found, header)
    if column is None:
        return wrong(f"{of['path']} has no column with the heading '{header}' in its first row.")
    held = [row[column] for row in grid(found)[1:]]
    while held and held[-1] is None:
        held.pop()
    problems = [
        f"Row {number} of column '{header}' in {of['path']} is {mine!r}, expected {wanted!r}."
        for number, (mine, wanted) in enumerate(zip(held, values, strict=False), start=2)
        if not same(mine, wanted, tolerance)
    ]
    if len(held) != len(values):
        problems.append(f"Column '{header}' of {of['path']} has {len(held)} values, expected {len(values)}.")
    return unless([*problems, *hidden_cells(of, found, _below_heading(found, header))])


def _below_heading(sheet: Look, header: str) -> list[str]:
    """Return the cells of the columns that have a heading somewhere."""
    wanted = header.strip().casefold()
    cells = sheet["cells"]
    headed = [address for address, cell in cells.items() if str(value_of(cell)).strip().casefold() == wanted]
    columns = {place(address)[1] for address in headed}
    return [address for address in cells if place(address)[1] in columns]


@CHECKS.register
def rows_sorted(
    of: Seen, by: Annotated[list[SortKey], Field(min_length=1)], before: Seen = None, sheet: str | None = None
) -> Finding:
    """The rows under the header are sorted by these columns; texts ignoring case.

    With `before`, the heading and the rows must be those that were there, each whole and in sight.
    """
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    columns = [header_column(found, key.header) for key in by]
    if missing := [key.header for key, column in zip(by, columns, strict=True) if column is None]:
        return wrong(*(f"{of['path']} has no column with the heading '{each}'." for each in missing))
    rows = grid(found)[1:]
    keys = [(column, key.descending) for key, column in zip(by, columns, strict=True) if column is not None]
    problems = [
        f"Row {number + 1} of {of['path']} comes before row {number}, by {' and '.join(key.header for key in by)}."
        for number, (upper, lower) in enumerate(pairwise(rows), start=2)
        if out_of_order(upper, lower, keys)
    ]
    if before is not None:
        problems += _other_rows(of, grid(found), _rows_before(before, sheet), ordered=False)
        problems += hidden_cells(of, found, found["cells"])
    return unless(problems)


@CHECKS.register
def table_is(
    of: Seen,
    rows: list[list[Held]],
    sheet: str | None = None,
    ordered: bool = True,
    tolerance: Tolerance = EXACT,
    case: bool = True,
) -> Finding:
    """A sheet visibly has these rows from A1 on, and nothing else.

    Without the name of a sheet it is the first one, and all others are empty. Ignores formats and blanks around texts.
    Without `ordered`, rows below the first may stand in any order with empty ones between them, and numbers compare to
    six decimals. Without `case`, texts compare whatever theirs.
    """
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    held, wanted = (
        table if case else [[_fold(value) for value in row] for row in table] for table in (grid(found), rows)
    )
    problems = [*_other_rows(of, held, wanted, ordered=ordered, tolerance=tolerance)]
    besides = [each for each in of["sheets"] if each is not found and sheet is None and grid(each)]
    problems += [f"{of['path']} has a sheet more that holds something: '{each['name']}'." for each in besides]
    return unless([*problems, *hidden_cells(of, found, found["cells"])])


@CHECKS.register
def sheet_unchanged(
    of: Seen,
    before: Seen,
    sheet: str | None = None,
    apart_from: list[str] | None = None,
    renamed: str | None = None,
) -> Finding:
    """A sheet is unchanged, every value and formula, apart from some ranges.

    Looks and results do not count. `renamed` is the name that the sheet has now. What was in sight is so still, and
    what those ranges hold is too.
    """
    then, now = sheet_of(before, sheet), sheet_of(of, renamed or sheet)
    for each in (then, now):
        if isinstance(each, str):
            return wrong(each)
    assert isinstance(then, dict) and isinstance(now, dict), "what is missing was reported"
    left_out = [span(each) for each in apart_from or ()]
    every = sorted({*then["cells"], *now["cells"]}, key=place)
    changeable = [cell for cell in now["cells"] if any(area.covers(*place(cell)) for area in left_out)]
    watched = [cell for cell in every if not any(area.covers(*place(cell)) for area in left_out)]
    problems = [
        f"Cell {cell} of {of['path']} was {held_text(then, cell)} and is now {held_text(now, cell)}."
        for cell in watched
        if not _is_unchanged(cell_of(then, cell), cell_of(now, cell))
    ]
    return unless([*problems, *hidden_cells(of, now, [*watched, *changeable], before=then)])


@CHECKS.register
def no_cell_errors(of: Seen) -> Finding:
    """No cell of a spreadsheet shows an error such as #DIV/0!."""
    return unless(
        f"Cell {cell} of sheet {sheet['name']} in {of['path']} shows {held['value']}."
        for sheet in of["sheets"]
        for cell, held in sheet["cells"].items()
        if held["kind"] == "error"
    )


def _is_unchanged(then: dict[str, Any], now: dict[str, Any]) -> bool:
    if "formula" in then or "formula" in now:
        return canonical(then.get("formula", "")) == canonical(now.get("formula", ""))
    return same(value_of(now), value_of(then), EXACT)


def _rows_before(before: object, sheet: str | None) -> Table:
    found = sheet_of(before, sheet)
    return [] if isinstance(found, str) else grid(found)


def _other_rows(of: Any, held: Table, wanted: Table, *, ordered: bool, tolerance: float = EXACT) -> Iterator[str]:
    # Empty cells at the ends of rows do not count.
    mine, theirs = ([_trim(row) for row in rows] for rows in (held, wanted))
    if ordered:
        for number in range(max(len(mine), len(theirs))):
            row, sought = (rows[number] if number < len(rows) else None for rows in (mine, theirs))
            if row is None or sought is None or not _same_row(row, sought, tolerance):
                yield f"Row {number + 1} of {of['path']} is {_show(row)}, expected {_show(sought)}."
        return
    if not (mine and theirs and _same_row(mine[0], theirs[0], tolerance)):
        yield f"The first row of {of['path']} is {_show(next(iter(mine), None))}, expected {_show(theirs[0])}."
    counts = Counter(_key(row) for row in mine[1:] if row)
    counts.subtract(_key(row) for row in theirs[1:])
    for key, surplus in counts.items():
        if surplus:
            often = "once" if abs(surplus) == 1 else f"{abs(surplus)} times"
            yield f"{of['path']} has the row {_show(key)} {often} too {'often' if surplus > 0 else 'seldom'}."


def _same_row(mine: list[Held], theirs: list[Held], tolerance: float) -> bool:
    return len(mine) == len(theirs) and all(same(*pair, tolerance) for pair in zip(mine, theirs, strict=True))


def _fold(held: Held) -> Held:
    return loose(held) if isinstance(held, str) else held


def _trim(row: list[Held]) -> list[Held]:
    filled = [number for number, held in enumerate(row, start=1) if held not in (None, "")]
    return list(row[: max(filled, default=0)])


def _key(row: list[Held]) -> tuple[object, ...]:
    """Return a row as it compares in a count: numbers to six decimals, texts without blanks around."""
    return tuple(_comparable(held) for held in row)


def _comparable(held: Held) -> object:
    if isinstance(held, str):
        return plain(held)
    if isinstance(held, bool) or held is None:
        return held
    return round(float(held), 6)


def _show(row: Any) -> str:
    return "missing" if row is None else " | ".join("" if held is None else str(held) for held in row) or "empty"
