"""Cases of LibreOffice Calc: cells and sheets."""

from __future__ import annotations

from datetime import date, time
from typing import Any

from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation

from proctor.suites.parts.calc import enter, enter_rows
from tests.foreign.case import Case, case, moves
from tests.foreign.documents import Rows, become, book, leave
from tests.foreign.workshop import Workshop, content_of

WEEKS: Rows = [["Week", "Sales", "COGS"], *([f"Week {at}", 900 + 37 * at, 610.5 + 21 * at] for at in range(1, 11))]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
REPS: Rows = [
    ["Rep", *MONTHS],
    *([name, *(at * 40 + 13 * step for step in range(6))] for at, name in enumerate(["Ada", "Ben", "Cleo", "Dov"], 2)),
]
INCOME: Rows = [
    ["Date", "Revenue", "Total Expenses"],
    *([date(2020, at, 1), 5400 + at * 211.25, 3800 + at * 97.5] for at in range(1, 13)),
]


@case("osworld", "01b269ae")
def fill_the_blanks(shop: Workshop) -> Case:
    name = "Student_Level_Fill_Blank.xlsx"
    level = ["Low", None, "Middle", None, None, "High"]
    rows = [["Name", "Reading", "Writing", "Sums", "Music"], ["Pupil 1", "Low", "Middle", "High", "Low"]]
    rows += [[f"Pupil {at}", *(level[(at + more) % 6] for more in range(4))] for at in range(2, 30)]

    def fill(made: Any) -> None:
        for row in made.active.iter_rows(min_row=3, min_col=2, max_col=5):
            for cell in row:
                cell.value = cell.value or made.active.cell(cell.row - 1, cell.column).value

    made = become(shop, name, ["Student_Level_Fill_Blank_gold.xlsx"], lambda: book(rows), fill, fill)
    return Case(made.satisfied, moves(*enter("B4", "Low")), made.files)


@case("osworld", "035f41ba")
def gross_profit_and_years_as_text(shop: Workshop) -> Case:
    heads = ["Year", "Sales", "Returns", "Discounts & Allowances", "Materials", "Labor", "Overhead", "Gross profit"]
    rows: Rows = [
        heads,
        *([2012 + at, 91000 + at * 3100, 900 + at, 310, 20400, 17000 + at, 5100, None] for at in range(6)),
    ]

    def fill(made: Any, formula: bool, year: str = '=Sheet1!A{0}&"_"&INT(Sheet1!H{0})') -> None:
        made.create_sheet("Sheet2").append(["Year_Profit"])
        for at in range(2, 8):
            sold, back, *paid = (cell.value for cell in made["Sheet1"][at][1:7])
            made["Sheet1"].cell(at, 8).value = f"=B{at}-C{at}-SUM(D{at}:G{at})" if formula else sold - back - sum(paid)
            profit = sold - back - sum(paid)
            made["Sheet2"].append([year.format(at) if formula else f"{2010 + at}_{profit}"])

    return become(
        shop,
        "IncomeStatement2.xlsx",
        ["5_IncomeStatement2_gt1.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, True),
        # The figures without the year before them.
        lambda made: fill(made, True, "=INT(Sheet1!H{0})"),
        gold=lambda made: fill(made, False),
    )


@case("osworld", "04d9aeaf")
def changes_from_year_to_year(shop: Workshop) -> Case:
    rows: Rows = [["Year", "Current Assets", "Fixed Assets", "Other Assets"]]
    rows += [[2014 + at, 1000 + 130 * at * at, 2500 - 40 * at, 300 + 11 * at] for at in range(6)]

    def fill(made: Any, before: str) -> None:
        sheet = made.create_sheet("Sheet2")
        sheet.append(["Year", "CA changes", "FA changes", "OA changes"])
        for at in range(3, 8):
            past = before.format(at - 1)
            sheet.append([2012 + at, *(f"=(Sheet1!{of}{at}-Sheet1!{of}{past})/Sheet1!{of}{past}" for of in "BCD")])
            for cell in sheet[sheet.max_row][1:]:
                cell.number_format = "0%"

    return become(
        shop,
        "SmallBalanceSheet.xlsx",
        ["4_SmallBalanceSheet_gt1.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, "{0}"),
        # Compared with the first year each time.
        lambda made: fill(made, "2"),
        gold=lambda made: _changes(made, rows),
    )


def _changes(made: Any, rows: Rows) -> None:
    sheet = made.create_sheet("Sheet2")
    sheet.append(["Year", "CA changes", "FA changes", "OA changes"])
    for past, now in zip(rows[1:], rows[2:], strict=False):
        sheet.append([now[0], *(new / old - 1 for old, new in zip(past[1:], now[1:], strict=True))])


@case("osworld", "0cecd4f3")
@case("osmap", "0cecd4f3")
def rename_and_copy_sheets(shop: Workshop) -> Case:
    def start() -> Any:
        made = book([["Topic", "Link"], ["Light", "page 3"], ["Sound", "page 8"]], "Sheet1")
        made.create_sheet("Sheet2").append(["Offline", "shelf 4"])
        return made

    def arrange(made: Any, place: int) -> None:
        made["Sheet1"].title = "LARS Resources"
        made["Sheet2"].title = "LARS Resources (Offline)"
        copy = made.copy_worksheet(made["LARS Resources"])
        copy.title = "LARS Resources (Backup)"
        made.move_sheet(copy, place)

    names = ["LARS_Science_Assessment_Resource_List_7-30-21_gold.xlsx", "copy_sheet_insert_gold.xlsx"]
    given = "LARS_Science_Assessment_Resource_List_7-30-21.xlsx"
    return become(
        shop,
        "copy_sheet_insert.xlsx",
        names,
        start,
        lambda made: arrange(made, -1),
        # The copy is left at the end.
        lambda made: arrange(made, 0),
        given=given,
    )


@case("osworld", "1334ca3e")
def zoom_out(shop: Workshop) -> Case:
    def zoom(percent: int) -> bytes:
        made = book(WEEKS)
        made.active.sheet_view.zoomScale = percent
        # LibreOffice without a window saves at 100 percent.
        return content_of(made)

    name = "Zoom_Out_Oversized_Cells"
    return Case(
        satisfied=leave(f"{name}.xlsx", zoom(90)),
        near_miss=leave(f"{name}.xlsx", zoom(300)),
        files={f"{name}.xlsx": zoom(260), f"{name}_gold.xlsx": zoom(100)},
        one_sitting=True,
    )


@case("osworld", "1e8df695")
def profit_of_each_week(shop: Workshop) -> Case:
    def fill(made: Any, rows: range) -> None:
        made.active["D1"] = "Profit"
        for at in rows:
            made.active[f"D{at}"] = f"=B{at}-C{at}"

    def gold(made: Any) -> None:
        for at, row in enumerate(WEEKS, 1):
            made.active[f"D{at}"] = "Profit" if at == 1 else row[1] - row[2]

    name = "WeeklySales.xlsx"
    return become(
        shop,
        name,
        ["6_WeeklySales_gt1.xlsx"],
        lambda: book(WEEKS),
        lambda made: fill(made, range(2, 12)),
        # The last week is forgotten.
        lambda made: fill(made, range(2, 11)),
        gold=gold,
    )


@case("osworld", "21ab7b40")
def period_rates_with_the_highest_in_green(shop: Workshop) -> Case:
    rows: Rows = [["Loan", "Annual Rate (%)", "Periods"], ["A", 6, 12], ["B", 8, 4], ["C", 5, 2], ["D", 3.6, 12]]

    def fill(made: Any, green: str) -> None:
        sheet = made.active
        sheet["D1"] = "Period Rate (%)"
        for at in range(2, 6):
            sheet[f"D{at}"] = f"=B{at}/C{at}"
        sheet[green].font = Font(color="FF00FF00")

    return become(
        shop,
        "PeriodRate.xlsx",
        ["1_PeriodRate_gt1.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, "D4"),
        # The highest rate of a year is not that of a period.
        lambda made: fill(made, "D3"),
    )


@case("osworld", "26a8440e")
def totals_of_months(shop: Workshop) -> Case:
    def fill(made: Any, last: int) -> None:
        sheet = made.create_sheet("Sheet2")
        sheet.append(["Month", "Total"])
        for at, month in enumerate(MONTHS):
            of = "BCDEFG"[at]
            sheet.append([month, f"=SUM(Sheet1!{of}2:{of}{last})"])

    def gold(made: Any) -> None:
        sheet = made.create_sheet("Sheet2")
        for row in [
            ["Month", "Total"],
            *([month, sum(rep[at] for rep in REPS[1:])] for at, month in enumerate(MONTHS, 1)),
        ]:
            sheet.append(row)

    return become(
        shop,
        "SalesRep.xlsx",
        ["3_SalesRep_gt1.xlsx"],
        lambda: book(REPS),
        lambda made: fill(made, 5),
        # One person too few.
        lambda made: fill(made, 4),
        gold=gold,
    )


@case("osworld", "357ef137")
def hours_times_rate(shop: Workshop) -> Case:
    rows: Rows = [["Day", "Hours", "", "", ""], ["Mon", time(9, 30), "total hours", "hourly rate", "total earned"]]
    rows += [["Tue", time(9, 40), None, 10, None]]
    made = book(rows)
    made.active["C3"] = "=SUM(B2:B3)"
    made.active["C3"].number_format = "[hh]:mm:ss"
    return Case(
        satisfied=moves(*enter("E3", "=C3*24*D3")),
        near_miss=moves(*enter("E3", "=C3*D3")),
        files={"Multiply_Time_Number.xlsx": shop.office(made)},
    )


@case("osworld", "37608790")
@case("osmap", "37608790")
def names_in_columns(shop: Workshop) -> Case:
    people = [("Ana", "Lopez", "Captain"), ("Bo", "Chen", "Major"), ("Cy", "Okoro", "Sergeant")]
    rows: Rows = [["Full", "First Name", "Last Name", "Rank"], *([" ".join(one), None, None, None] for one in people)]

    def fill(made: Any, order: tuple[int, int, int]) -> None:
        for row, one in zip(made.active.iter_rows(min_row=2, min_col=2), people, strict=True):
            for cell, part in zip(row, order, strict=True):
                cell.value = one[part]

    made = become(
        shop,
        "Employee_Roles_and_Ranks.xlsx",
        ["Employee_Roles_and_Ranks_gold.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, (0, 1, 2)),
        lambda made: fill(made, (1, 0, 2)),
    )
    return Case(moves(*enter_rows("B2", [list(one) for one in people])), made.near_miss, made.files)


@case("osworld", "4172ea6e")
def dates_when_loans_end(shop: Workshop) -> Case:
    loans: Rows = [
        ["Start Date", "Term (months)"],
        [date(2020, 1, 15), 12],
        [date(2021, 8, 31), 6],
        [date(2019, 5, 4), 60],
    ]

    def fill(made: Any, formula: str) -> None:
        made.active["C1"] = "Maturity Date"
        for at in range(2, 5):
            made.active[f"C{at}"] = formula.format(at)
            made.active[f"C{at}"].number_format = "yyyy-mm-dd"

    def gold(made: Any) -> None:
        ends = [date(2021, 1, 15), date(2022, 2, 28), date(2024, 5, 4)]
        for at, held in enumerate(["Maturity Date", *ends], 1):
            made.active[f"C{at}"] = held

    return become(
        shop,
        "MaturityDate.xlsx",
        ["1_MaturityDate_gt1.xlsx"],
        lambda: book(loans),
        lambda made: fill(made, "=EDATE(A{0},B{0})"),
        # Months of thirty days.
        lambda made: fill(made, "=A{0}+30*B{0}"),
        gold=gold,
    )


@case("osworld", "4188d3a4")
@case("osmap", "4188d3a4")
def headings_that_stay(shop: Workshop) -> Case:
    def freeze(cell: str | None) -> bytes:
        made = book([["Item", "Price"], *([f"Item {at}", at * 1.5] for at in range(40))])
        made.active.freeze_panes = cell
        # LibreOffice without a window forgets what stays.
        return content_of(made)

    path = "Freeze_row_column.xlsx"
    given = dict.fromkeys([path, "Freeze_row_column2.xlsx"], freeze(None))
    golds = dict.fromkeys(["Freeze_row_column2_gold.xlsx", "Freeze_row_column_gold.xlsx"], freeze("C2"))
    # Only the row, not the columns.
    return Case(leave(path, freeze("C2")), leave(path, freeze("A2")), {**given, **golds}, one_sitting=True)


@case("osworld", "42e0a640")
def two_sums(shop: Workshop) -> Case:
    def fill(made: Any, *held: Any) -> None:
        sheet = made.create_sheet("Sheet2")
        sheet.append(["Total Revenue", "Total Expenses"])
        sheet.append(held)

    return become(
        shop,
        "NetIncome.xlsx",
        ["2_NetIncome_gt1.xlsx"],
        lambda: book(INCOME),
        lambda made: fill(made, "=SUM(Sheet1!B2:B13)", "=SUM(Sheet1!C2:C13)"),
        lambda made: fill(made, "=SUM(Sheet1!B2:B13)", "=SUM(Sheet1!C2:C12)"),
        gold=lambda made: fill(made, sum(row[1] for row in INCOME[1:]), sum(row[2] for row in INCOME[1:])),
    )


@case("osworld", "6e99a1ad")
@case("osmap", "6e99a1ad")
def two_decimal_places(shop: Workshop) -> Case:
    name = "Keep_Two_decimal_points"
    rows: Rows = [["who", "spent"], ["Ada", 12.3456], ["Ben", 7], ["Cleo", 1200.5]]

    def show(made: Any, form: str) -> None:
        for at in range(2, 5):
            made.active[f"B{at}"].number_format = form

    made = become(
        shop,
        f"{name}.xlsx",
        [f"{name}_gold.xlsx"],
        lambda: book(rows),
        lambda made: show(made, "0.00"),
        lambda made: show(made, "0.0"),
    )
    told = b"who,spent\nAda,12.35\nBen,7.00\nCleo,1200.50\n"
    return Case(made.satisfied, made.near_miss, {**made.files, f"{name}_gold-Sheet1.csv": told}, one_sitting=True)


@case("osworld", "7a4e4bc8")
@case("osmap", "7a4e4bc8")
def columns_in_another_order(shop: Workshop) -> Case:
    rows: Rows = [["Date", "Last Name", "First Name", "Order ID", "Sales"]]
    rows += [[date(2023, 1, at), f"Last{at}", f"First{at}", 1000 + at, at * 9.5] for at in range(1, 9)]

    def order(made: Any, columns: tuple[int, ...]) -> None:
        for line, row in enumerate(rows, 1):
            for at, column in enumerate(columns, 1):
                made.active.cell(line, at).value = row[column]

    return become(
        shop,
        "Name_Order_Id_move_column.xlsx",
        ["Name_Order_Id_move_column_gold.xlsx"],
        lambda: book(rows),
        lambda made: order(made, (0, 2, 1, 3, 4)),
        lambda made: order(made, (0, 2, 1, 4, 3)),
    )


@case("osworld", "7efeb4b1")
def numbers_in_sequence(shop: Workshop) -> Case:
    rows: Rows = [["Seq No.", "Order", "Sales"], *([None, f"Order {at}", at * 3] for at in range(1, 9))]

    def number(made: Any, form: str) -> None:
        for at in range(1, 9):
            made.active.cell(at + 1, 1).value = form.format(at)

    made = become(
        shop,
        "Order_Sales_Serial#.xlsx",
        ["Order_Sales_Serial#_gold.xlsx"],
        lambda: book(rows),
        lambda made: number(made, "No. {}"),
        lambda made: number(made, "No.{}"),
    )
    return Case(moves(*enter_rows("A2", [[f"No. {at}"] for at in range(1, 9)])), made.near_miss, made.files)


@case("osworld", "d681960f")
def grades_by_a_scale(shop: Workshop) -> Case:
    scale: Rows = [
        ["Marks", "Grade"],
        [0, "E"],
        [40, "D"],
        [55, "C"],
        [70, "B"],
        [85, "A"],
        [],
        ["Name", "Marks", "Grade"],
    ]
    marks = [91, 40, 39, 70, 84, 55]

    def fill(made: Any, exact: str) -> None:
        for at in range(9, 15):
            made.active[f"C{at}"] = f"=VLOOKUP(B{at}{exact},$A$2:$B$6,2,1)"

    def gold(made: Any) -> None:
        for at, grade in enumerate(["A", "D", "E", "B", "B", "C"], 9):
            made.active[f"C{at}"] = grade

    return become(
        shop,
        "Student_Grades_and_Remarks.xlsx",
        ["Student_Grades_and_Remarks_gold.xlsx"],
        lambda: book([*scale, *([f"Pupil {at}", mark, None] for at, mark in enumerate(marks))]),
        lambda made: fill(made, ""),
        # Above a mark only, not from it on.
        lambda made: fill(made, "-1"),
        gold=gold,
    )


@case("osworld", "ecb0df7a")
def a_list_to_choose_from(shop: Workshop) -> Case:
    rows: Rows = [["Order ID", "Date", "Sum", "Pass/Fail/Held"]]
    rows += [[at, date(2023, 2, 1), at * 2.5, None] for at in range(1, 29)]

    def choose(made: Any, cells: str, texts: str) -> None:
        rule = DataValidation(type="list", formula1=f'"{texts}"', allow_blank=True)
        rule.add(cells)
        made.active.add_data_validation(rule)

    return become(
        shop,
        "Order_Id_Mark_Pass_Fail.xlsx",
        ["Order_Id_Mark_Pass_Fail_gold.xlsx"],
        lambda: book(rows),
        lambda made: choose(made, "D2:D29", "Pass,Fail,Held"),
        lambda made: choose(made, "D2:D29", "Pass,Fail"),
    )


@case("osworld", "f9584479")
def totals_along_and_down(shop: Workshop) -> Case:
    rows: Rows = [["Zone", "Q1", "Q2", "Q3", "Total"]]
    rows += [[zone, *((at + 3) * 11 + step for step in range(3)), None] for at, zone in enumerate("NSEW")]
    rows += [["Total", None, None, None, None]]

    def fill(made: Any, formula: bool) -> None:
        for at in range(2, 6):
            made.active[f"E{at}"] = f"=SUM(B{at}:D{at})" if formula else sum(rows[at - 1][1:4])
        for place, of in enumerate("BCDE", 1):
            totals = [row[place] if place < 4 else sum(row[1:4]) for row in rows[1:5]]
            made.active[f"{of}6"] = f"=SUM({of}2:{of}5)" if formula else sum(totals)

    def rows_only(made: Any) -> None:
        for at in range(2, 6):
            made.active[f"E{at}"] = f"=SUM(B{at}:D{at})"

    return become(
        shop,
        "Quarterly_Product_Sales_by_Zone.xlsx",
        ["Quarterly_Product_Sales_by_Zone_gold.xlsx"],
        lambda: book(rows),
        lambda made: fill(made, True),
        rows_only,
        gold=lambda made: fill(made, False),
    )
