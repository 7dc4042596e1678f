"""Reading OOXML workbooks with openpyxl, once they are known to be no larger than they seem."""

from __future__ import annotations

import datetime
import importlib
import io
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from proctor.errors import MissingExtra
from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import read_entry
from proctor.vocabulary.formats.guarded_xml import scan_xml
from proctor.vocabulary.formats.office.parse_xml import MOST_ELEMENTS
from proctor.vocabulary.formats.spreadsheets.cells import Span, column_name, place, plain_formula, plain_range, span
from proctor.vocabulary.formats.spreadsheets.number_formats import GENERAL, shown_as, shown_date
from proctor.vocabulary.formats.spreadsheets.parse_xlsx_looks import look_of
from proctor.vocabulary.formats.spreadsheets.parse_xlsx_objects import besides, book_besides
from proctor.vocabulary.formats.spreadsheets.shape import MOST_CELLS, ReadingBudget, Sheet, number, runs
from proctor.vocabulary.formats.visible import Look

_KINDS = {"BarChart": "column", "LineChart": "line", "PieChart": "pie", "AreaChart": "area", "ScatterChart": "scatter"}
USUAL_MM = (22.6, 16.9)
"""How wide columns are that nobody made wider or narrower, in LibreOffice and in Excel."""
WIDTH_STEP_MM = 0.3
_LAID_OUT = ("mergeCell", "hyperlink")
"""Elements whose range openpyxl goes through cell by cell."""


def library() -> Any:
    """Return openpyxl."""
    try:
        return importlib.import_module("openpyxl")
    except ImportError as error:
        raise MissingExtra("reading and writing .xlsx files", "office") from error


def preload() -> None:
    """Load openpyxl and what it loads when it meets a workbook for the first time."""
    openpyxl, buffer = library(), io.BytesIO()
    openpyxl.Workbook().save(buffer)
    openpyxl.load_workbook(buffer)


def read(archive: zipfile.ZipFile, data: bytes, label: str) -> Look:
    """Return a workbook: its sheets and what is said of all; raises CannotSee when it is none."""
    openpyxl = library()
    weigh_sheets(archive, label)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of what it leaves out, which nothing here asks for
            formulas = openpyxl.load_workbook(io.BytesIO(data))
            values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    except Exception as error:
        raise CannotSee("unreadable", f"{label} is not a workbook: {type(error).__name__}: {error}") from error
    limits = ReadingBudget(label)
    sheets = [_sheet(sheet, values[sheet.title], limits) for sheet in formulas.worksheets]
    return {"sheets": sheets, **book_besides(formulas)}


def weigh_sheets(archive: zipfile.ZipFile, label: str) -> None:
    """Refuse a workbook of which a sheet has more than a host can lay out."""
    for name in archive.namelist():
        if name.startswith("xl/worksheets/") and name.endswith(".xml"):
            _weigh(read_entry(archive, name, label), label)


def _weigh(data: bytes, label: str) -> None:
    """Refuse a sheet with more cells, or wider ranges, than a host can lay out."""
    cells = 0

    def count(kind: str, attributes: Mapping[str, str]) -> None:
        nonlocal cells
        if kind == "c":
            cells += 1
        elif kind in _LAID_OUT and (ref := attributes.get("ref")):
            cells += span(ref).size
        if cells > MOST_CELLS:
            raise CannotSee("refused", f"{label} holds more cells than are looked at")

    scan_xml(data, f"a sheet of {label}", count, most=MOST_ELEMENTS)


def _sheet(source: Any, values: Any, limits: ReadingBudget) -> Look:
    sheet = Sheet(source.title, limits, hidden=source.sheet_state != "visible")
    # Only the cells that are there: one in the last corner would make them 17 billion.
    for _, cell in sorted(source._cells.items()):
        if type(cell).__name__ != "Cell":
            continue
        look = look_of(cell)
        if cell.value is not None:
            result = values.cell(cell.row, cell.column).value if cell.data_type == "f" else cell.value
            sheet.put(cell.row - 1, cell.column - 1, {**look, **_cell(cell, result, look)})
        elif ground := {key: value for key, value in look.items() if key in ("fill", "border")}:
            sheet.put(cell.row - 1, cell.column - 1, ground)
    sheet.merged = [str(span(str(area))) for area in source.merged_cells.ranges]
    hidden = [row - 1 for row, size in source.row_dimensions.items() if size.hidden]
    sheet.hidden_rows = [f"{first + 1}:{last + 1}" for first, last in runs(hidden)]
    last = max((place(each)[1] for each in sheet.cells), default=-1)
    for size in source.column_dimensions.values():
        first, end = (size.min or 1) - 1, (size.max or 1) - 1
        if size.hidden:
            sheet.hidden_columns.append(f"{column_name(first)}:{column_name(end)}")
        # Seven pixels for each character and five for the margins, at 96 to the inch.
        width = round((size.width * 7 + 5) / 96 * 25.4, 1)
        if all(abs(width - usual) > WIDTH_STEP_MM for usual in USUAL_MM):
            sheet.widths.update({column_name(each): width for each in range(first, min(end, last) + 1)})
    if source.freeze_panes:
        rows, columns = place(source.freeze_panes)
        sheet.frozen = {"rows": rows, "columns": columns}
    sheet.filters = [str(Span(*span(source.auto_filter.ref)))] if source.auto_filter.ref else []
    sheet.charts = [chart_look(chart) for chart in source._charts]
    sheet.besides = besides(source)
    return sheet.to_json()


def _cell(cell: Any, result: Any, look: Look) -> Look:
    found = _value(result)
    if found["kind"] == "number" and look.get("format", {}).get("kind") in ("percentage", "currency"):
        found["kind"] = look["format"]["kind"]
    if cell.data_type == "f":
        # An array formula is an object around its text.
        formula = plain_formula(str(getattr(cell.value, "text", None) or cell.value))
        # LibreOffice writes a plain yes or no as a formula.
        if formula not in ("=TRUE()", "=FALSE()"):
            found["formula"] = formula
    if cell.hyperlink is not None and (target := cell.hyperlink.target or cell.hyperlink.location):
        found["links"] = [target]
    shown = _display_of(cell.number_format, found, look)
    return found if shown is None else {**found, "shown": shown}


def _display_of(code: str, held: Look, look: Look) -> str | None:
    if code == GENERAL or held["kind"] == "error":
        return None
    if held["kind"] == "date":
        shown = shown_date(look.get("format", {}).get("code", ""), held["value"])
    else:
        shown = shown_as(code, held["value"])
    return None if shown in (None, str(held["value"])) else shown


def _value(held: object) -> dict[str, object]:
    if held is None:
        return {"kind": "empty", "value": None}
    if isinstance(held, bool):
        return {"kind": "boolean", "value": held}
    if isinstance(held, int | float):
        return {"kind": "number", "value": number(str(held))}
    if isinstance(held, datetime.datetime | datetime.date):
        return {"kind": "date", "value": held.isoformat().removesuffix("T00:00:00")}
    if isinstance(held, datetime.time):
        return {"kind": "time", "value": held.strftime("%H:%M:%S")}
    text = str(held)
    error = text.startswith("#") and text.endswith(("!", "?", "/A", "#"))
    return {"kind": "error" if error else "text", "value": text}


def chart_look(chart: Any) -> Look:
    """Return the kind, titles and series of a chart."""
    kind = type(chart).__name__
    lies = kind == "BarChart" and chart.barDir == "bar"
    axes = [getattr(chart, name, None) for name in ("x_axis", "y_axis")]
    series = list(chart.series)
    categories = [ref for each in series if (ref := _range(getattr(each, "cat", None)))]
    return {
        "kind": "bar" if lies else _KINDS.get(kind, kind.removesuffix("Chart").lower()),
        "title": _title(chart.title),
        "x_title": _title(getattr(axes[0], "title", None)),
        "y_title": _title(getattr(axes[1], "title", None)),
        "categories": categories[0] if categories else "",
        "series": [
            {
                "values": _range(getattr(each, "val", None) or getattr(each, "yVal", None)),
                "name": _range(each.tx),
                "x": _range(getattr(each, "xVal", None)),
            }
            for each in series
        ],
    }


def _range(source: object) -> str:
    for kind in ("numRef", "strRef", "multiLvlStrRef"):
        found = getattr(source, kind, None)
        if found is not None and found.f:
            return plain_range(found.f)
    return ""


def _title(title: object) -> str:
    rich = getattr(getattr(title, "tx", None), "rich", None)
    return "\n".join(_line(paragraph) for paragraph in rich.p) if rich is not None else ""


def _line(paragraph: Any) -> str:
    pieces: Iterator[str] = (run.t or "" for run in paragraph.r or ())
    return "".join(pieces)
