"""Cases of AgentStudio: spreadsheets; most tasks stand there twice, with the workbook open and without."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from openpyxl.chart import AreaChart, BarChart, LineChart, Reference

from tests.foreign.case import Case, case
from tests.foreign.documents import Rows, become, book
from tests.foreign.workshop import Workshop

SHEETS = "/home/user/agent_studio/sheets"
SALES: Rows = [
    ["Sales Rep", "Jan", "Feb", "Mar"],
    ["Ada", 120, 80, 95],
    ["Bob", 60, 75, 110],
    ["Cleo", 90, 100, 85],
]
SUMMER: Rows = [
    ["Date", "Week", "Sales Channel", "Revenue ($)", "Product"],
    ["2024-06-01", 1, "Online", 100.5, "Hat"],
    ["2024-06-02", 1, "E-mail Coupon", 20, "Ball"],
    ["2024-06-08", 2, "Shop", 55, "Hat"],
    ["2024-06-09", 2, "E-mail Coupon", 80.25, "Ball"],
]


@case("agentstudio", "7e00720e")
@case("agentstudio", "01b269ae")
def fill_the_blanks(shop: Workshop) -> Case:
    rows: Rows = [["Level", "Student"], ["A", "Ada"], [None, "Bob"], ["B", "Cleo"], [None, "Dan"], [None, "Eve"]]

    def fill(made: Any, last: int) -> None:
        sheet = made.active
        for row in range(3, last + 1):
            if sheet.cell(row, 1).value is None:
                sheet.cell(row, 1).value = sheet.cell(row - 1, 1).value

    name = "Student_Level_Fill_Blank"
    return become(
        shop, f"{SHEETS}/{name}.xlsx", [f"{name}_gold.xlsx"], lambda: book(rows),
        lambda made: fill(made, 6), lambda made: fill(made, 5),
    )  # fmt: skip


@case("agentstudio", "6da58b9f")
@case("agentstudio", "04d9aeaf")
def changes_of_years(shop: Workshop) -> Case:
    rows: Rows = [["Year", "Current Assets", "Fixed Assets", "Other Assets"]]
    rows += [[2019, 100, 200, 50], [2020, 110, 180, 60], [2021, 150, 189, 45]]

    def changes(made: Any, before: int) -> None:
        sheet = made.create_sheet("Sheet2")
        sheet.append(["Year", "CA changes", "FA changes", "OA changes"])
        for row in (2, 3):
            sheet.append([rows[row][0]])
            for column in (1, 2, 3):
                old, new = rows[row - 1][column], rows[row][column]
                cell = sheet.cell(row, column + 1, (new - old) / (old if before else new))
                cell.number_format = "0.00%"

    return become(
        shop, f"{SHEETS}/SmallBalanceSheet.xlsx", ["4_SmallBalanceSheet_gt1.xlsx"], lambda: book(rows),
        lambda made: changes(made, 1),
        # Of the year after.
        lambda made: changes(made, 0),
    )  # fmt: skip


@case("agentstudio", "a4991e3c")
def titles_of_films(shop: Workshop) -> Case:
    dirty = ["  the   LAST  day", "a Night AT the zoo ", "UNDER  water"]

    def clean(made: Any, blanks: bool) -> None:
        for row, text in enumerate(dirty, 2):
            kept = re.sub(r"\s+", " ", text).strip() if blanks else text.strip()
            made.active.cell(row, 1).value = kept.title()

    name = "Movie_titles_garbage_clean"
    return become(
        shop, f"{SHEETS}/{name}.xlsx", [f"{name}_gold.xlsx"], lambda: book([["Title"], *([each] for each in dirty)]),
        lambda made: clean(made, True), lambda made: clean(made, False),
    )  # fmt: skip


@case("agentstudio", "ad2ef7c0")
def net_income(shop: Workshop) -> Case:
    rows: Rows = [["Month", "Revenue", "Expenses"], ["Jan", 1200, 700.5], ["Feb", 900, 950], ["Mar", 1500, 800]]

    def fill(made: Any, last: int) -> None:
        made.active["D1"] = "Net Income"
        for row in range(2, last + 1):
            made.active.cell(row, 4).value = f"=B{row}-C{row}"

    def gold(made: Any) -> None:
        made.active["D1"] = "Net Income"
        for row in range(2, 5):
            made.active.cell(row, 4).value = rows[row - 1][1] - rows[row - 1][2]

    return become(
        shop, f"{SHEETS}/NetIncome.xlsx", ["1_NetIncome_gt1.xlsx"], lambda: book(rows),
        lambda made: fill(made, 4), lambda made: fill(made, 3), gold=gold,
    )  # fmt: skip


@case("agentstudio", "f395ef38")
@case("agentstudio", "8909d1cb")
def rows_of_one_channel(shop: Workshop) -> Case:
    def start() -> Any:
        made = book(SUMMER)
        made.create_sheet("Sheet2")
        return made

    def copy(made: Any, channel: str) -> None:
        sheet = made["Sheet2"]
        sheet.append(["Date", "Revenue ($)"])
        for row in SUMMER[1:]:
            if row[2] == channel:
                sheet.append([row[0], row[3]])

    return become(
        shop, f"{SHEETS}/SummerSales.xlsx", ["2_SummerSales_gt1.xlsx"], start,
        lambda made: copy(made, "E-mail Coupon"), lambda made: copy(made, "Online"),
    )  # fmt: skip


@case("agentstudio", "bfb90564")
@case("agentstudio", "0326d92d")
def totals_and_their_growth(shop: Workshop) -> Case:
    def chart(made: Any, kind: Any, row: int, title: str) -> None:
        found = kind()
        found.add_data(Reference(made.active, min_col=2, max_col=4, min_row=row), from_rows=True)
        found.set_categories(Reference(made.active, min_col=2, max_col=4, min_row=1))
        found.title = title
        made.active.add_chart(found, f"F{row * 4}")

    def fill(made: Any, formula: bool, second: Any = LineChart) -> None:
        sums = [sum(row[at] for row in SALES[1:]) for at in (1, 2, 3)]
        grown = [None, sums[1] / sums[0] - 1, sums[2] / sums[1] - 1]
        if formula:
            made.active.append(["Total", *(f"=SUM({c}2:{c}4)" for c in "BCD")])
            made.active.append(["Growth", None, "=(C5-B5)/B5", "=(D5-C5)/C5"])
        else:
            made.active.append(["Total", *sums])
            made.active.append(["Growth", *grown])
        chart(made, BarChart, 5, "Total")
        chart(made, second, 6, "Growth")

    return become(
        shop, f"{SHEETS}/SalesRep.xlsx", ["2_SalesRep_gt1.xlsx"], lambda: book(SALES),
        lambda made: fill(made, True),
        # Bars for both.
        lambda made: fill(made, True, BarChart),
        gold=lambda made: fill(made, False),
    )  # fmt: skip


@case("agentstudio", "ddd1a4f5")
def totals_as_a_line(shop: Workshop) -> Case:
    def fill(made: Any, kind: Any) -> None:
        made.active.append(["Total", *(f"=SUM({c}2:{c}4)" for c in "BCD")])
        found = kind()
        found.add_data(Reference(made.active, min_col=2, max_col=4, min_row=5), from_rows=True)
        found.set_categories(Reference(made.active, min_col=2, max_col=4, min_row=1))
        made.active.add_chart(found, "F2")

    return become(
        shop, f"{SHEETS}/SalesRep.xlsx", ["5_SalesRep_gt1.xlsx"], lambda: book(SALES),
        lambda made: fill(made, LineChart), lambda made: fill(made, BarChart),
    )  # fmt: skip


@case("agentstudio", "4e6fcf72")
def ages_on_a_day(shop: Workshop) -> Case:
    born = [date(1990, 4, 30), date(1990, 5, 2), date(1975, 12, 24)]

    def fill(made: Any, whole: bool) -> None:
        for row, day in enumerate(born, 2):
            had = (day.month, day.day) <= (5, 1)
            made.active.cell(row, 3).value = 2024 - day.year - (0 if had or not whole else 1)

    name = "Employee_Age_By_Birthday"
    rows: Rows = [["Name", "Birthday", "Age"], *([who, day, None] for who, day in zip("ABC", born, strict=True))]
    return become(
        shop, f"{SHEETS}/{name}.xlsx", [f"{name}_gold.xlsx"], lambda: book(rows),
        lambda made: fill(made, True),
        # Only the years are counted.
        lambda made: fill(made, False),
    )  # fmt: skip


@case("agentstudio", "a16d1eb7")
def a_chart_of_areas_and_columns_that_stay(shop: Workshop) -> Case:
    years = list(range(2003, 2008))
    rows: Rows = [["Country", "IndicatorName", *years], ["A", "GDP", 1, 2, 3, 4, 5], ["B", "GDP", 2, 2, 3, 3, 4]]

    def fill(made: Any, title: str) -> None:
        sheet = made.create_sheet("Sheet3")
        for row in rows:
            sheet.append(row)
        found = AreaChart()
        found.grouping = "stacked"
        found.title = title
        for row in (2, 3):
            found.add_data(Reference(sheet, min_col=3, max_col=7, min_row=row), from_rows=True)
        sheet.add_chart(found, "A8")
        sheet.freeze_panes = "C1"
        # LibreOffice keeps that of the sheet in front only.
        made.active = made.worksheets.index(sheet)
        for each in made.worksheets:
            each.sheet_view.tabSelected = each is sheet

    return become(
        shop, f"{SHEETS}/GDPBreakdown.xlsx", ["1_GDPBreakdown_gt1.xlsx"], lambda: book(rows),
        lambda made: fill(made, "GDP Growth"), lambda made: fill(made, "GDP"),
    )  # fmt: skip
