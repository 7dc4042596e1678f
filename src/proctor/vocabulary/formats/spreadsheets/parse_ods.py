"""Reading OpenDocument spreadsheets; rows and columns that are only repeated do not take room."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.spreadsheets.cells import (
    MOST_COLUMNS,
    MOST_ROWS,
    Span,
    address,
    column_name,
    place,
    plain_formula,
    plain_range,
)
from proctor.vocabulary.formats.spreadsheets.parse_ods_charts import chart
from proctor.vocabulary.formats.spreadsheets.parse_ods_styles import SheetStyles, millimetres
from proctor.vocabulary.formats.spreadsheets.parse_xml import count, get, name, part, text_of
from proctor.vocabulary.formats.spreadsheets.shape import MOST_CELLS, ReadingBudget, Sheet, number

_GROUPS = {name(f"table:table-{kind}") for kind in ("row-group", "header-rows", "rows")} | {
    name(f"table:table-{kind}") for kind in ("column-group", "header-columns", "columns")
}
_CELLS = {name("table:table-cell"), name("table:covered-table-cell")}
_HIDDEN = ("collapse", "filter")


def read(archive: zipfile.ZipFile, label: str) -> list[dict[str, object]]:
    """Return the sheets of a spreadsheet; raises CannotSee when it is none."""
    content = part(archive, "content.xml", label)
    names = archive.namelist()
    roots = [part(archive, "styles.xml", label)] if "styles.xml" in names else []
    styles = SheetStyles([*roots, content])
    book = content.find(f"{name('office:body')}/{name('office:spreadsheet')}")
    if book is None:
        raise CannotSee("unreadable", f"{label} is not a spreadsheet")
    limits = ReadingBudget(label)
    sheets = []
    for table in book.iterfind(name("table:table")):
        sheet = _sheet(table, styles, limits)
        sheet.charts = list(_charts(archive, table, label))
        sheets.append(sheet)
    _filters(book, sheets)
    if "settings.xml" in names:
        _frozen(part(archive, "settings.xml", label), sheets)
    return [sheet.to_json() for sheet in sheets]


def _sheet(table: Element, styles: SheetStyles, limits: ReadingBudget) -> Sheet:
    sheet = Sheet(get(table, "table:name"), limits, hidden=styles.table_hidden(get(table, "table:style-name")))
    columns = list(_columns(table))
    matrices: list[Span] = []
    row = 0
    for element in _inside(table, name("table:table-row")):
        repeated = min(count(element, "table:number-rows-repeated"), MOST_ROWS - row)
        if get(element, "table:visibility") in _HIDDEN:
            sheet.hidden_rows.append(f"{row + 1}:{row + repeated}")
        default = get(element, "table:default-cell-style-name")
        for each in range(row, row + repeated if _holds(element) else row):
            matrices += _row(sheet, element, each, styles, default, columns)
        row += repeated
    _share_formulas(sheet, matrices)
    last = max((place(each)[1] for each in sheet.cells), default=-1)
    for first, end, element in columns:
        if get(element, "table:visibility") in _HIDDEN:
            sheet.hidden_columns.append(f"{column_name(first)}:{column_name(end)}")
        width = styles.width(get(element, "table:style-name"))
        if width is not None:
            sheet.widths.update({column_name(each): width for each in range(first, min(end, last) + 1)})
    return sheet


def _row(
    sheet: Sheet, row: Element, at: int, styles: SheetStyles, default: str, columns: list[tuple[int, int, Element]]
) -> list[Span]:
    """Put the cells of a row into a sheet, and return the areas that its array formulas fill."""
    column, matrices = 0, []
    for element in row:
        if element.tag not in _CELLS:
            continue
        repeated = min(count(element, "table:number-columns-repeated"), MOST_COLUMNS - column)
        held = _cell(element) if element.tag == name("table:table-cell") else None
        for each in range(column, column + repeated if held else column):
            style = get(element, "table:style-name") or default or _column_style(columns, each)
            sheet.put(at, each, {**styles.look(style), **(held or {})})
        across, down = (count(element, f"table:number-{way}-spanned") for way in ("columns", "rows"))
        if across > 1 or down > 1:
            sheet.merged.append(str(Span(at, column, at + down - 1, column + across - 1)))
        across, down = (count(element, f"table:number-matrix-{way}-spanned") for way in ("columns", "rows"))
        if held and "formula" in held and (across > 1 or down > 1):
            matrices.append(Span(at, column, at + down - 1, column + across - 1))
        column += repeated
    return matrices


def _share_formulas(sheet: Sheet, matrices: list[Span]) -> None:
    """Give all cells that an array formula fills this formula; it is stored with the first of them."""
    filled = ((area, row, column) for area in matrices for row, column in area.places())
    for area, row, column in islice(filled, MOST_CELLS):
        first, cell = sheet.cells.get(address(area.top, area.left)), sheet.cells.get(address(row, column))
        if first and cell:
            cell["formula"] = first["formula"]


def _cell(element: Element) -> dict[str, Any] | None:
    kind, formula = get(element, "office:value-type"), get(element, "table:formula")
    if not kind and not formula:
        return None
    found: dict[str, Any] = {"kind": kind or "empty", "value": None}
    shown = "\n".join(text_of(paragraph) for paragraph in element.iterfind(name("text:p")))
    if get(element, "calcext:value-type") == "error" or (formula and shown.startswith(("#", "Err:"))):
        found = {"kind": "error", "value": shown}
    elif kind in ("float", "percentage", "currency"):
        found["value"] = number(get(element, "office:value"))
    elif kind == "date":
        found["value"] = get(element, "office:date-value").removesuffix("T00:00:00")
    elif kind == "time":
        found["value"] = _time(get(element, "office:time-value"))
    elif kind == "boolean":
        found["value"] = get(element, "office:boolean-value") == "true"
    elif kind:
        found["value"] = element.get(name("office:string-value"), shown)
    found["kind"] = {"float": "number", "string": "text"}.get(found["kind"], found["kind"])
    return {**found, "formula": plain_formula(formula)} if formula else found


def _time(duration: str) -> str:
    hours, _, rest = duration.removeprefix("PT").partition("H")
    minutes, _, seconds = rest.partition("M")
    return f"{int(hours or 0):02}:{int(minutes or 0):02}:{int(float(seconds.rstrip('S') or 0)):02}"


def _columns(table: Element) -> Iterator[tuple[int, int, Element]]:
    first = 0
    for element in _inside(table, name("table:table-column")):
        last = min(first + count(element, "table:number-columns-repeated"), MOST_COLUMNS) - 1
        yield first, last, element
        first = last + 1


def _column_style(columns: list[tuple[int, int, Element]], column: int) -> str:
    found = (element for first, last, element in columns if first <= column <= last)
    element = next(found, None)
    return "" if element is None else get(element, "table:default-cell-style-name")


def _inside(table: Element, tag: str) -> Iterator[Element]:
    for child in table:
        if child.tag == tag:
            yield child
        elif child.tag in _GROUPS:
            yield from _inside(child, tag)


def _holds(row: Element) -> bool:
    # The last one of a sheet is often repeated a million times.
    spanned = (name("table:number-columns-spanned"), name("table:number-rows-spanned"))
    return any(_cell(cell) or any(key in cell.attrib for key in spanned) for cell in row if cell.tag in _CELLS)


def _charts(archive: zipfile.ZipFile, table: Element, label: str) -> Iterator[dict[str, object]]:
    names = set(archive.namelist())
    for frame in table.iter(name("draw:frame")):
        size = [millimetres(get(frame, f"svg:{side}")) for side in ("width", "height")]
        for element in frame.iterfind(name("draw:object")):
            folder = get(element, "xlink:href").removeprefix("./")
            found = chart(part(archive, f"{folder}/content.xml", label)) if f"{folder}/content.xml" in names else None
            if found:
                yield {**found, "size_mm": size}


def _filters(book: Element, sheets: list[Sheet]) -> None:
    for area in book.iterfind(f"{name('table:database-ranges')}/{name('table:database-range')}"):
        if get(area, "table:display-filter-buttons") == "true":
            where, _, cells = plain_range(get(area, "table:target-range-address")).rpartition("!")
            for sheet in sheets:
                if sheet.name == where.strip("'").replace("''", "'"):
                    sheet.filters.append(cells)


def _frozen(settings: Element, sheets: list[Sheet]) -> None:
    for entry in settings.iter(name("config:config-item-map-entry")):
        items = {get(item, "config:name"): item.text or "" for item in entry.iterfind(name("config:config-item"))}
        for sheet in sheets:
            if get(entry, "config:name") == sheet.name and "HorizontalSplitMode" in items:
                for key, way in (("columns", "Horizontal"), ("rows", "Vertical")):
                    # Mode 2 is frozen, mode 1 only split.
                    frozen = items.get(f"{way}SplitMode") == "2"
                    sheet.frozen[key] = int(items.get(f"{way}SplitPosition", "0")) if frozen else 0
