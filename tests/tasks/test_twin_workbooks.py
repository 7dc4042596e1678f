"""Workbooks beside others in their details: pivot tables, zoom, styles, rules for input, sizes, small charts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.pivot.cache import CacheDefinition, CacheField, CacheSource, SharedItems, WorksheetSource
from openpyxl.pivot.fields import Text
from openpyxl.pivot.record import RecordList
from openpyxl.pivot.table import (
    DataField,
    FieldItem,
    Location,
    PivotField,
    PivotTableStyle,
    RowColField,
    TableDefinition,
)
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from proctor.tasks.findings import CannotSee, Finding
from proctor.vocabulary.formats.rules import ValueRule
from proctor.vocabulary.formats.spreadsheets import checks_of_details as details
from proctor.vocabulary.formats.spreadsheets import checks_of_twins as twins
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.parse_xlsx_details import workbook_details

Change = Callable[[Any], object]
ROWS = [["Week", "Site", "Revenue"], [1, "a", 10], [1, "b", -20], [2, "a", 30]]


def bytes_of(*changes: Change) -> bytes:
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Sales"
    for row in ROWS:
        sheet.append(row)
    for change in changes:
        change(sheet)
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def book(*changes: Change) -> Any:
    return workbook_details(bytes_of(*changes), "book.xlsx")


def shown(*changes: Change) -> Any:
    return read_spreadsheet(bytes_of(*changes), "book.xlsx")


def pivot(row: int = 0, value: int = 2, function: str = "sum", hidden: str = "") -> Change:
    """Put a pivot table on the sheet, as openpyxl writes it."""

    def put(sheet: Any) -> None:
        fields = []
        for column, name in enumerate(ROWS[0]):
            items = sorted({str(line[column]) for line in ROWS[1:]})
            shared = SharedItems(_fields=[Text(v=item) for item in items])
            fields.append(CacheField(name=str(name), sharedItems=shared))
        cache = CacheDefinition(
            cacheSource=CacheSource(type="worksheet", worksheetSource=WorksheetSource(ref="A1:C4", sheet="Sales")),
            cacheFields=fields, id="rId1",
        )  # fmt: skip
        cache.records = RecordList()
        table = TableDefinition(
            name="Pivot", cacheId=1, dataCaption="Values", location=Location("E1:F4", 1, 1, 0),
            pivotFields=[PivotField(items=[FieldItem(x=at, h=str(item.v) == hidden or None)
                                           for at, item in enumerate(field.sharedItems._fields)]) for field in fields],
            rowFields=[RowColField(x=row)], dataFields=[DataField(name="of it", fld=value, subtotal=function)],
            pivotTableStyleInfo=PivotTableStyle(name="x"),
        )  # fmt: skip
        table.cache = cache
        sheet.add_pivot(table)

    return put


def zoom(percent: int) -> Change:
    return lambda sheet: setattr(sheet.sheet_view, "zoomScale", percent)


def red(cell: str) -> Change:
    return lambda sheet: setattr(sheet[cell], "font", Font(color="FFFF0000", bold=True))


def filled(cell: str, colour: str = "FF0000FF") -> Change:
    return lambda sheet: setattr(sheet[cell], "fill", PatternFill("solid", fgColor=colour))


def red_below_nought(sheet: Any) -> None:
    rule = CellIsRule(operator="lessThan", formula=["0"], font=Font(color="FFFF0000", bold=True))
    sheet.conditional_formatting.add("C2:C4", rule)


def by_formula(text: str) -> Change:
    rule = FormulaRule(formula=[text], font=Font(color="FFFF0000"))
    return lambda sheet: sheet.conditional_formatting.add("C2:C4", rule)


def choice(cells: str, *items: str) -> Change:
    def put(sheet: Any) -> None:
        rule = DataValidation(type="list", formula1=f'"{",".join(items)}"')
        rule.add(cells)
        sheet.add_data_validation(rule)

    return put


def chart(position: str | None) -> Change:
    def put(sheet: Any) -> None:
        made = BarChart()
        made.add_data(Reference(sheet, min_col=3, min_row=2, max_row=4))
        if position is None:
            made.legend = None
        else:
            made.legend.position = position
        sheet.add_chart(made, "E2")

    return put


def wide(sheet: Any) -> None:
    sheet.column_dimensions["B"].width = 40


def hidden_row(sheet: Any) -> None:
    sheet.row_dimensions[3].hidden = True


def money(sheet: Any) -> None:
    sheet["C2"].number_format = "0.00"


CHOICE = [
    {
        "ranges": ValueRule(method="spreadsheet_range", ref=["D2:D29", "D1:D1048576"]),
        "type": ValueRule(method="eq", ref="list"),
        "formula1": ValueRule(method="str_set_eq", ref=["Pass", "On hold"]),
    }
]
BLUE = {"bgcolor": ValueRule(method="eq", ref="FF0000FF"), "font_bold": ValueRule(method="eq", ref=False)}
PARTS = ["rows", "columns", "pages", "left_out", "data"]
SMALL = ValueRule(method="lt", ref=90)


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (details.same_pivots(book(pivot()), book(pivot()), PARTS), True),
        (details.same_pivots(book(pivot(1)), book(pivot()), PARTS), False),
        (details.same_pivots(book(pivot(1)), book(pivot()), ["data"]), True),
        (details.same_pivots(book(pivot(function="count")), book(pivot()), PARTS), False),
        (details.same_pivots(book(pivot(hidden="1")), book(pivot()), PARTS), False),
        (details.same_pivots(book(pivot(hidden="1")), book(pivot()), ["rows"]), True),
        (details.same_pivots(book(), book(pivot()), PARTS), False),
        (details.same_pivots(book(), book(), PARTS), False),
        (details.zoom_agrees(book(zoom(80)), SMALL), True),
        (details.zoom_agrees(book(), SMALL), False),
        (details.zoom_agrees(book(zoom(80)), SMALL, sheet="None"), False),
        (details.same_styles(book(red("C3")), book(red("C3")), ["font_color"]), True),
        (details.same_styles(book(red("C3")), book(red_below_nought), ["font_color", "font_bold"]), True),
        (details.same_styles(book(red("C2")), book(red_below_nought), ["font_color"]), False),
        (details.same_styles(book(), book(red_below_nought), ["font_color"]), False),
        (details.same_styles(book(), book(red_below_nought), ["font_italic"]), True),
        (details.same_styles(book(by_formula("C2<0")), book(by_formula("C2<0")), ["font_color"]), True),
        (details.same_styles(book(by_formula("C2<1")), book(by_formula("C2<0")), ["font_color"]), False),
        (details.same_styles(book(red("Z9")), book(), ["font_color"]), True),
        (details.same_styles(book(filled("Z9")), book(), ["bgcolor"]), False),
        (details.cell_looks(book(filled("A1")), "A1", BLUE), True),
        (details.cell_looks(book(filled("A1", "FF00FF00")), "A1", BLUE), False),
        (details.cell_looks(book(), "A1", BLUE), False),
        (details.inputs_agree(book(choice("D2:D29", "Pass", "On hold")), CHOICE), True),
        (details.inputs_agree(book(choice("D2:D40", "On hold", "Pass")), CHOICE), True),
        (details.inputs_agree(book(choice("D2:D20", "Pass", "On hold")), CHOICE), False),
        (details.inputs_agree(book(choice("C2:D29", "Pass", "On hold")), CHOICE), False),
        (details.inputs_agree(book(choice("D2:D29", "Pass")), CHOICE), False),
        (details.inputs_agree(book(choice("D2:D29", "Pass", "On hold"), choice("A1", "x")), CHOICE), False),
        (details.inputs_agree(book(), CHOICE), False),
        (details.same_sizes(book(wide), book(wide), "columns", ["width"]), True),
        (details.same_sizes(book(), book(wide), "columns", ["width"]), False),
        (details.same_sizes(book(hidden_row), book(hidden_row), "rows", ["hidden"]), True),
        (details.same_sizes(book(hidden_row), book(), "rows", ["hidden"]), False),
        (twins.same_charts(book(chart("b")), book(chart("b")), ["type", "legend"]), True),
        (twins.same_charts(book(chart("r")), book(chart("b")), ["type", "legend"]), False),
        (twins.same_charts(book(chart(None)), book(chart("b")), ["legend"]), False),
        (twins.same_charts(book(chart(None)), book(chart("b")), ["type"]), True),
        (twins.same_shown(shown(money), shown(money)), True),
        (twins.same_shown(shown(money), shown()), False),
        (twins.same_shown(shown(), shown(), sheet=4), False),
    ],
)
def test_details(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback
    assert right or finding.feedback


def with_lines(at: str, shows: str) -> Any:
    """Return a workbook with a small chart in a cell, as Excel and LibreOffice write it."""
    source, held = zipfile.ZipFile(io.BytesIO(bytes_of())), io.BytesIO()
    with zipfile.ZipFile(held, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                group = (
                    '<extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{x}">'
                    '<x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main">'
                    f"<x14:sparklineGroup><x14:sparklines><x14:sparkline><xm:f>{shows}</xm:f><xm:sqref>{at}</xm:sqref>"
                    "</x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>"
                )
                data = data.replace(b"</worksheet>", group.encode() + b"</worksheet>")
            target.writestr(name, data)
    return workbook_details(held.getvalue(), "book.xlsx")


@pytest.mark.parametrize(
    ("mine", "right"),
    [(with_lines("D2", "Sales!A2:C2"), True), (with_lines("D3", "Sales!A2:C2"), False), (book(), False)],
)
def test_small_charts(mine: Any, right: bool) -> None:
    assert details.same_sparklines(mine, with_lines("D2", "Sales!A2:C2")).passed is right
    assert not details.same_sparklines(mine, book()).passed


def test_what_is_no_workbook_is_refused() -> None:
    for data in (b"", b"PK\x03\x04", b"x,y"):
        with pytest.raises(CannotSee):
            workbook_details(data, "book.xlsx")


@pytest.mark.parametrize(
    ("ref", "value", "fits"),
    [
        (["A1:B2"], "A1:B2", True),
        (["A1:B2", "A1:C9"], "A1:A9 B1:B2", True),
        (["A1:B2", "A1:C9"], "A1:A9 B1", False),
        (["A1", "A1:B2"], "A1:C1", False),
        (["A1:B2"], " ".join(["A1"] * 5000), False),
        (["A1:B2"], "nonsense", False),
    ],
)
def test_ranges_lie_between_two(ref: list[str], value: str, fits: bool) -> None:
    assert ValueRule(method="spreadsheet_range", ref=ref).holds(value) is fits
