"""Checks on how spreadsheets are laid out: sheets, styles, formats, charts, filters and panes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose
from proctor.vocabulary.formats.spreadsheets.cells import addresses, canonical_sheet, column_name, span
from proctor.vocabulary.formats.spreadsheets.tables import sheet_of
from proctor.vocabulary.formats.visible import Look

ChartKind = Literal["column", "bar", "line", "pie", "doughnut", "area", "scatter"]
SMALL_MM = 5
"""A chart that is smaller shows nothing."""
GENERAL = {"kind": "general"}


@CHECKS.register
def sheet_exists(of: Seen, name: str) -> Finding:
    """A spreadsheet has a sheet of this name, exactly."""
    found = sheet_of(of, name)
    return wrong(found) if isinstance(found, str) else right()


@CHECKS.register
def sheet_order(of: Seen, names: Annotated[list[str], Field(min_length=1)]) -> Finding:
    """A spreadsheet has exactly these sheets in this order."""
    held = [sheet["name"] for sheet in of["sheets"]]
    return right() if held == names else wrong(f"{of['path']} has the sheets {held}, expected {names}.")


@CHECKS.register
def spreadsheet_format(of: Seen, format: Literal["ods", "xlsx", "csv"]) -> Finding:
    """A file really is of this format, whatever its name ends in."""
    held = of["format"]
    return right() if held == format else wrong(f"{of['path']} is a file of the kind {held}, expected {format}.")


@CHECKS.register
def cell_style(
    of: Seen,
    cells: str,
    sheet: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    fill: str | None = None,
    colour: str | None = None,
    align: Literal["left", "center", "right"] | None = None,
) -> Finding:
    """Every filled cell of a range looks as given; colours are `#rrggbb`, or `none` for none set."""
    asked = {"bold": bold, "italic": italic, "underline": underline, "fill": fill, "colour": colour, "align": align}
    return _judge_looks(of, cells, sheet, asked, "{key}", lambda cell, key, value: _look(cell.get(key), value))


@CHECKS.register
def number_format(
    of: Seen,
    cells: str,
    sheet: str | None = None,
    kind: Literal["general", "number", "currency", "percentage", "date", "time", "text"] | None = None,
    decimals: int | None = None,
    symbol: str | None = None,
    code: str | None = None,
    grouping: bool | None = None,
) -> Finding:
    """Every filled cell is shown in this format, as far as given; `code` is like `yyyy-mm-dd`."""
    asked = {"kind": kind, "decimals": decimals, "symbol": symbol, "code": code, "grouping": grouping}
    told = "the {key} of its format"
    return _judge_looks(of, cells, sheet, asked, told, lambda cell, key, _: cell.get("format", GENERAL).get(key))


def _judge_looks(
    of: Any,
    cells: str,
    sheet: str | None,
    asked: Mapping[str, object],
    told: str,
    read: Callable[[Look, str, object], object],
) -> Finding:
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    filled = [each for each in addresses(cells) if each in found["cells"]]
    if not filled:
        return wrong(f"The cells {cells} of {of['path']} are empty.")
    return unless(
        f"Cell {each} of {of['path']}: {told.format(key=key)} is {_look_text(held)}, expected {_look_text(value)}."
        for each in filled
        for key, value in asked.items()
        if value is not None and (held := read(found["cells"][each], key, value)) != value
    )


@CHECKS.register
def chart_exists(
    of: Seen,
    kind: ChartKind | list[ChartKind] | None = None,
    sheet: str | None = None,
    title: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    values: list[str] | None = None,
    categories: str | None = None,
    alone: bool = False,
) -> Finding:
    """A chart, on any sheet or on one, is of this kind with these titles and ranges.

    `values` are the ranges of its series in any order, written `Sales!B2:B7`; a heading that is part of a series as
    its name does not matter. With `alone`, there may be no other chart in the file.
    """
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    charts = [chart for each in ([found] if sheet else of["sheets"]) for chart in each["charts"]]
    if not charts:
        return wrong(f"{of['path']} has no chart{f' on sheet {sheet}' if sheet else ''}.")
    every = sum(len(each["charts"]) for each in of["sheets"])
    if alone and every > 1:
        return wrong(f"{of['path']} has {every} charts, expected one.")
    kinds = list(kind) if isinstance(kind, list) else [kind] if kind else []
    titles = {"title": title, "x_title": x_title, "y_title": y_title}
    faults = [list(_chart_faults(chart, kinds, titles, values, categories)) for chart in charts]
    fewest = min(faults, key=len)
    return wrong(f"No chart of {of['path']} is as it should be; the nearest one:", *fewest) if fewest else right()


@CHECKS.register
def cells_merged(of: Seen, cells: str, sheet: str | None = None) -> Finding:
    """These cells are merged into one."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    merged = found["merged"]
    if str(span(cells)) in merged:
        return right()
    return wrong(f"{cells} of {of['path']} is not merged; merged are: {', '.join(merged) or 'no cells'}.")


@CHECKS.register
def panes_frozen(of: Seen, rows: int = 0, columns: int = 0, sheet: str | None = None) -> Finding:
    """Exactly this many rows at the top and columns at the left are frozen."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    held = found["frozen"]
    if held == {"rows": rows, "columns": columns}:
        return right()
    return wrong(
        f"{of['path']} has {held['rows']} rows and {held['columns']} columns frozen, expected {rows} and {columns}."
    )


@CHECKS.register
def filter_buttons(of: Seen, cells: str, sheet: str | None = None) -> Finding:
    """A range has filter buttons in its first row; empty rows after its end do not matter."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    wanted = span(cells)
    for held in map(span, found["filters"]):
        if held[:2] == wanted[:2] and held.right == wanted.right and held.bottom >= wanted.bottom:
            return right()
    return wrong(f"{cells} of {of['path']} has no filter; filters are on: {', '.join(found['filters']) or 'nothing'}.")


@CHECKS.register
def columns_hidden(of: Seen, columns: list[str], sheet: str | None = None) -> Finding:
    """Exactly these columns are hidden; none with an empty list."""
    found = sheet_of(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    held = {name for each in found["hidden_columns"] for name in _letters(each)}
    wanted = {column.upper() for column in columns}
    problems = [f"Column {each} of {of['path']} is not hidden." for each in sorted(wanted - held)]
    problems += [f"Column {each} of {of['path']} is hidden and should not be." for each in sorted(held - wanted)]
    return unless(problems)


def _chart_faults(
    chart: Look,
    kinds: Sequence[str],
    titles: Mapping[str, str | None],
    values: list[str] | None,
    categories: str | None,
) -> Iterator[str]:
    if kinds and chart["kind"] not in kinds:
        yield f"Its kind is {chart['kind']}, expected {' or '.join(kinds)}."
    for key, wanted in titles.items():
        if wanted is not None and loose(chart[key]) != loose(wanted):
            yield f"Its {key.replace('_', ' ')} is '{chart[key]}', expected '{wanted}'."
    if any(side is not None and side < SMALL_MM for side in chart.get("size_mm", ())):
        yield "It is too small to be seen."
    if chart.get("percent") and len(chart["series"]) == 1:
        yield "It shows shares of the whole, and each of them is all of it."
    held = sorted(_upper(series["values"]) for series in chart["series"])
    if values is not None and held != sorted(map(_upper, values)):
        yield f"It shows the values {', '.join(held) or 'of no range'}, expected {', '.join(values)}."
    labels = chart["categories"] or next((series["x"] for series in chart["series"] if series["x"]), "")
    if categories is not None and _upper(labels) != _upper(categories):
        yield f"Its labels are {labels or 'of no range'}, expected {categories}."


def _letters(columns: str) -> list[str]:
    area = span(columns)
    # Columns hidden to the very end of a sheet would be thousands of sentences.
    return [column_name(column) for column in range(area.left, min(area.right, area.left + 50) + 1)]


def _look(held: object, wanted: object) -> object:
    """Return what a cell's look is, in the words it is asked for: unset is False or `none`."""
    if held is not None:
        return held
    return False if isinstance(wanted, bool) else "none"


def _look_text(value: object) -> str:
    if value is None:
        return "not set"
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _upper(cells: str) -> str:
    return canonical_sheet(cells).upper()
