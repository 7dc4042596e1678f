"""Cases of LibreOffice Calc: charts, pivot tables, other formats."""

from __future__ import annotations

from typing import Any

from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.styles import PatternFill

from tests.foreign.case import Case, case, shell, then
from tests.foreign.documents import Rows, become, book, leave
from tests.foreign.workshop import Workshop

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
REPS: Rows = [["Rep", *MONTHS], *([name, *(90 + 13 * step for step in range(6))] for name in ("Ada", "Ben", "Cleo"))]
WEEKS: Rows = [["Week", "Sales", "COGS"], *([f"Week {at}", 900 + 37 * at, 610.5 + 21 * at] for at in range(1, 11))]
SALES: Rows = [["Week", "Product", "Channel", "Promotion", "Revenue"]]
SALES += [
    [f"W{at % 4}", ("Hat", "Cap", "Bag")[at % 3], ("Shop", "Web")[at % 2], ("No", "2 for 1")[at % 5 % 2], 10 + at * 3.5]
    for at in range(24)
]


def draw(sheet: Any, cell: str, kind: type[Any], title: str, ranges: list[str], names: str, at: str) -> Any:
    """Put a chart on a sheet: its series, the names along its axis, where it stands."""
    chart = kind()
    chart.title = title or None
    for each in ranges:
        chart.add_data(Reference(sheet, range_string=f"{cell}!{each}"), from_rows=True)
    chart.set_categories(Reference(sheet, range_string=f"{cell}!{names}"))
    sheet.add_chart(chart, at)
    return chart


@case("osworld", "0326d92d")
def totals_as_bars_and_growth_as_a_line(shop: Workshop) -> Case:
    def fill(made: Any, formula: bool) -> None:
        sheet = made.active
        totals = [sum(row[at] for row in REPS[1:]) for at in range(1, 7)]
        sheet["A5"], sheet["A6"] = "Total", "Growth"
        for at, of in enumerate("BCDEFG"):
            sheet[f"{of}5"] = f"=SUM({of}2:{of}4)" if formula else totals[at]
            if at:
                before = "BCDEFG"[at - 1]
                sheet[f"{of}6"] = f"=({of}5-{before}5)/{before}5" if formula else totals[at] / totals[at - 1] - 1
                sheet[f"{of}6"].number_format = "0.00%"

    def change(made: Any, formula: bool, title: str) -> None:
        fill(made, formula)
        draw(made.active, "Sheet1", BarChart, "Total", ["B5:G5"], "B1:G1", "A10")
        draw(made.active, "Sheet1", LineChart, title, ["C6:G6"], "C1:G1", "H10")

    return become(
        shop,
        "SalesRep.xlsx",
        ["2_SalesRep_gt1.xlsx"],
        lambda: book(REPS),
        lambda made: change(made, True, "Growth"),
        # The second chart has no title.
        lambda made: change(made, True, ""),
        gold=lambda made: change(made, False, "Growth"),
    )


@case("osworld", "12382c62")
@case("osmap", "12382c62")
def sales_and_costs_as_columns(shop: Workshop) -> Case:
    def add(made: Any, kind: type[Any]) -> None:
        sheet = made.create_sheet("Sheet2")
        chart = kind()
        chart.title = "Sales & COGS"
        chart.add_data(Reference(made["Sheet1"], min_col=2, max_col=3, min_row=1, max_row=11), titles_from_data=True)
        chart.set_categories(Reference(made["Sheet1"], min_col=1, min_row=2, max_row=11))
        sheet.add_chart(chart, "A1")

    return become(
        shop,
        "WeeklySales.xlsx",
        ["13_WeeklySales_gt1.xlsx"],
        lambda: book(WEEKS),
        lambda made: add(made, BarChart),
        lambda made: add(made, LineChart),
    )


@case("osworld", "347ef137")
@case("osmap", "347ef137")
def two_years_as_columns(shop: Workshop) -> Case:
    rows: Rows = []
    for year in (2019, 2020):
        rows += [[year, *MONTHS], ["Rent", *(400 + year % 7 for _ in MONTHS)], ["Food", *(210 + at for at in range(6))]]
        rows += [["Total", *(None for _ in MONTHS)], []]

    def add(made: Any, *years: int, down: bool = False) -> None:
        sheet = made.active
        for first in (1, 6):
            for of in "BCDEFG":
                sheet[f"{of}{first + 3}"] = f"=SUM({of}{first + 1}:{of}{first + 2})"
        for year in years:
            first = 1 + 5 * year
            chart = draw(
                sheet, "Sheet1", BarChart, "", [f"B{first + 3}:G{first + 3}"], f"B{first}:G{first}", f"J{1 + 16 * year}"
            )
            chart.type = "bar" if down else "col"

    return become(
        shop,
        "Create_column_charts_using_statistics.xlsx",
        ["Create_column_charts_using_statistics_gold.xlsx"],
        lambda: book(rows),
        lambda made: add(made, 0, 1),
        # Bars that lie.
        lambda made: add(made, 0, 1, down=True),
    )


@case("osmap", "97dd78c1")
def the_best_in_blue_and_the_last_in_red(shop: Workshop) -> Case:
    rows: Rows = [["Rep", *MONTHS, "Total"], *([name, *(90 + 13 * step for step in range(6)), None] for name in "ABCD")]
    rows[1][1], rows[3][2] = 300, 1
    rows += [["Total", *(None for _ in range(7))]]
    start = [row[:7] for row in rows[:5]]

    def fill(made: Any, best: int, last: int) -> None:
        sheet = made.active
        sheet["H1"], sheet["A6"] = "Total", "Total"
        for at in range(2, 6):
            sheet[f"H{at}"] = f"=SUM(B{at}:G{at})"
        for of in "BCDEFG":
            sheet[f"{of}6"] = f"=SUM({of}2:{of}5)"
        for at, colour in ((best, "FF0000FF"), (last, "FFFF0000")):
            sheet[f"A{at}"].fill = PatternFill("solid", fgColor=colour)

    return become(
        shop,
        "SalesRep.xlsx",
        ["1_SalesRep_gt1.xlsx"],
        lambda: book(start),
        lambda made: fill(made, 2, 4),
        # The other way round.
        lambda made: fill(made, 4, 2),
    )


# -- pivot tables, which only LibreOffice makes -----------------------------------------------------------------------

_PIVOT = """
target = doc.Sheets.getByName("{sheet}")
tables = target.getDataPilotTables()
about = tables.createDataPilotDescriptor()
about.setSourceRange(doc.Sheets.getByName("Sheet1").getCellRangeByName("{area}").getRangeAddress())
fields = about.getDataPilotFields()
{fields}
tables.insertNewByName("{name}", target.getCellRangeByName("{at}").getCellAddress(), about)
"""
_FIELD = """one = fields.getByName("{name}")
one.Orientation = com.sun.star.sheet.DataPilotFieldOrientation.{side}
{more}"""


def pivot(at: str, area: str, *, name: str = "pivot", sheet: str = "Sheet2", **sides: str) -> str:
    """Return Basic that makes a pivot table; `DATA` may be told with a function, as `Revenue:SUM`."""
    told = []
    for side, field in sides.items():
        of, _, function = field.partition(":")
        more = f"one.Function = com.sun.star.sheet.GeneralFunction.{function or 'SUM'}" if side == "DATA" else ""
        told.append(_FIELD.format(name=of, side=side, more=more))
    return _PIVOT.format(sheet=sheet, area=area, fields="\n".join(told), name=name, at=at)


def become_by_basic(
    shop: Workshop, path: str, golds: list[str], start: Any, right: str, wrong: str, at: int = 1
) -> Case:
    """Return the case of a workbook that LibreOffice changes, the expected one straight from its material.

    `at` is the place of a second sheet.
    """
    saved = shop.office(start)
    new = f'doc.Sheets.insertNewByName("Sheet2", {at})\n'
    gold = shop.basic(start, new + right)
    satisfied, near_miss = (shop.basic(saved, new + code, path) for code in (right, wrong))
    files = {path: saved, **dict.fromkeys(golds, gold)}
    return Case(leave(path, satisfied), leave(path, near_miss), files, one_sitting=True)


@case("osworld", "1de60575")
def revenue_of_each_promotion(shop: Workshop) -> Case:
    return become_by_basic(
        shop,
        "EntireSummerSales.xlsx",
        ["6_EntireSummerSales_gt1.xlsx"],
        book(SALES),
        pivot("A1", "A1:E25", COLUMN="Promotion", DATA="Revenue"),
        # As headings of rows.
        pivot("A1", "A1:E25", ROW="Promotion", DATA="Revenue"),
    )


@case("osworld", "535364ea")
def two_pivot_tables(shop: Workshop) -> Case:
    first = pivot("A1", "A1:E25", name="one", ROW="Product", DATA="Revenue")
    return become_by_basic(
        shop,
        "SummerSales.xlsx",
        ["5_SummerSales_gt1.xlsx"],
        book(SALES),
        first + pivot("A10", "A1:E25", name="two", ROW="Channel", DATA="Revenue"),
        # Both at once in one table.
        pivot("A1", "A1:E25", ROW="Product", COLUMN="Channel", DATA="Revenue"),
    )


_CHART = """
Dim box As New com.sun.star.awt.Rectangle
box.X = 8000
box.Width = 12000
box.Height = 8000
Dim ranges(0) As New com.sun.star.table.CellRangeAddress
ranges(0) = target.getCellRangeByName("{area}").getRangeAddress()
target.getCharts().addNewByName("drawn", box, ranges(), True, True)
chart = target.getCharts().getByName("drawn").getEmbeddedObject()
diagram = chart.createInstance("com.sun.star.chart.{kind}Diagram")
chart.setDiagram(diagram)
{more}
"""


@case("osmap", "163789f0")
def revenue_as_bars_that_lie(shop: Workshop) -> Case:
    table = pivot("A1", "A1:E25", ROW="Product", DATA="Revenue")
    looks = """diagram.Vertical = True
chart.HasLegend = {legend}
chart.HasMainTitle = True
chart.Title.String = "Revenue of each product"
"""
    return become_by_basic(
        shop,
        "SummerSales.xlsx",
        ["1_SummerSales_gt1.xlsx"],
        book(SALES),
        table + _CHART.format(area="A1:B5", kind="Bar", more=looks.format(legend="False")),
        # The legend is still there.
        table + _CHART.format(area="A1:B5", kind="Bar", more=looks.format(legend="True")),
    )


@case("osmap", "b6e9778c")
def revenue_as_a_pie(shop: Workshop) -> Case:
    table = pivot("A1", "A1:E25", ROW="Product", DATA="Revenue")
    looks = """chart.HasLegend = True
chart.Legend.Alignment = com.sun.star.chart.ChartLegendPosition.RIGHT
"""
    return become_by_basic(
        shop,
        "EntireSummerSales.xlsx",
        ["11_EntireSummerSales_gt1.xlsx"],
        book(SALES),
        table + _CHART.format(area="A1:B5", kind="Pie", more=looks),
        # Below instead of beside.
        table + _CHART.format(area="A1:B5", kind="Pie", more=looks.replace("RIGHT", "BOTTOM")),
        at=0,
    )


@case("osmap", "8fa9072b")
def revenue_of_each_week_as_a_line(shop: Workshop) -> Case:
    heading = """top = doc.Sheets.getByName("Sheet2").getCellRangeByName("A1:B1")
top.merge(True)
first = top.getCellByPosition(0, 0)
first.String = "Summer sales ($)"
first.CellBackColor = RGB(255, 255, 0)
first.CharColor = RGB(255, 255, 255)
first.CharWeight = com.sun.star.awt.FontWeight.BOLD
"""
    looks = """chart.HasLegend = False
chart.HasMainTitle = True
chart.Title.String = "Revenue of Each Week"
diagram.HasXAxisTitle = True
diagram.XAxisTitle.String = "{axis}"
"""
    table = heading + pivot("A3", "A1:E25", ROW="Week", DATA="Revenue")
    return become_by_basic(
        shop,
        "EntireSummerSales.xlsx",
        ["2_EntireSummerSales_gt1.xlsx"],
        book(SALES),
        table + _CHART.format(area="A3:B7", kind="Line", more=looks.format(axis="Week")),
        table + _CHART.format(area="A3:B7", kind="Line", more=looks.format(axis="Weeks")),
        at=0,
    )


@case("osworld", "51719eea")
def revenue_by_a_list_of_prices(shop: Workshop) -> Case:
    rows: Rows = [["Product", "Quantity", "Discount"]]
    rows += [[["Hat", "Cap", "Bag"][at % 3], 1 + at % 4, at % 3 * 0.1] for at in range(12)]

    def start() -> Any:
        made = book(rows)
        prices = made.create_sheet("Retail Price")
        for row in [["Product", "Price"], ["Hat", 20], ["Cap", 15], ["Bag", 42.5]]:
            prices.append(row)
        return made

    fill = """with_revenue = doc.Sheets.getByName("Sheet1")
with_revenue.getCellRangeByName("D1").String = "Revenue"
For at = 2 To 13
price = "VLOOKUP(A" & at & ";$'Retail Price'.$A$2:$B$4;2;0)"
with_revenue.getCellRangeByName("D" & at).Formula = "=" & price & "*B" & at & "*(1-C" & at & ")"
Next
"""
    table = {"at": "A1", "area": "A1:D13", "ROW": "Product", "DATA": "Revenue"}
    return become_by_basic(
        shop,
        "BoomerangSales.xlsx",
        ["8_BoomerangSales_gt1.xlsx"],
        start(),
        fill + pivot(**table),
        # An average is no sum.
        fill + pivot(**{**table, "DATA": "Revenue:AVERAGE"}),
    )


@case("osworld", "30e3e107")
def three_shares_under_a_heading(shop: Workshop) -> Case:
    rows: Rows = [["Name", "Sex", "Civil Status", "Highest Educational Attainment"]]
    for at in range(20):
        rows.append([f"P{at}", "FM"[at % 2], ("Single", "Married")[at % 3 % 2], ("School", "College")[at % 5 % 2]])
    heading = """top = doc.Sheets.getByName("Sheet2").getCellRangeByName("A1:C1")
top.merge(True)
first = top.getCellByPosition(0, 0)
first.String = "Demographic Profile"
first.CellBackColor = RGB({blue})
first.CharColor = RGB(255, 255, 255)
first.CharWeight = com.sun.star.awt.FontWeight.BOLD
"""
    tables = ""
    for at, field in enumerate(rows[0][1:]):
        tables += pivot(f"A{3 + 6 * at}", "A1:D21", name=f"p{at}", ROW=field, DATA="Name:COUNT")
    return become_by_basic(
        shop,
        "DemographicProfile.xlsx",
        ["1_DemographicProfile_gt1.xlsx"],
        book(rows),
        heading.format(blue="0, 0, 255") + tables,
        # Another blue.
        heading.format(blue="79, 129, 189") + tables,
    )


# -- other formats ----------------------------------------------------------------------------------------------------


@case("osworld", "3aaa4e37")
def as_separated_values(shop: Workshop) -> Case:
    made = book([["Item", "Price"], ["Tea, green", 3.5], ["Milk", 1.256], ["Bread", 2]])
    for at in range(2, 5):
        made.active[f"B{at}"].number_format = "0.00"
    told = b'Item,Price\n"Tea, green",3.50\nMilk,1.26\nBread,2.00\n'
    name = "Export_Calc_to_CSV"
    convert = "soffice --headless -env:UserInstallation=file:///tmp/own --convert-to "
    shown = '"csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false"'
    return Case(
        satisfied=shell(f"{convert}{shown} --outdir . {name}.xlsx"),
        # The figures themselves, not what is shown of them.
        near_miss=shell(f"{convert}{shown.replace('true,true', 'true,false')} --outdir . {name}.xlsx"),
        files={f"{name}.xlsx": shop.office(made), f"{name}.csv": told},
    )


@case("osworld", "a01fbce3")
@case("osmap", "a01fbce3")
def a_comma_before_decimals(shop: Workshop) -> Case:
    name = "Set_Decimal_Separator_Dot"
    rows: Rows = [["what", "how much"], ["a", 1.5], ["b", 22.25], ["c", 3]]

    def show(made: Any, form: str) -> None:
        for at in range(2, 5):
            made.active[f"B{at}"].number_format = form

    made = become(
        shop,
        f"{name}.xlsx",
        [f"{name}_gold_ru.xlsx", f"{name}_gold.xlsx"],
        lambda: book(rows),
        # Numbers as in Russia.
        lambda made: show(made, "[$-419]General"),
        # Commas between thousands instead.
        lambda made: show(made, "#,##0.##"),
    )
    told = b'what,how much\na,"1,5"\nb,"22,25"\nc,3\n'
    return Case(
        made.satisfied,
        made.near_miss,
        {**made.files, f"{name}_gold_ru.csv": told, f"{name}_gold-Sheet1.csv": told},
        one_sitting=True,
    )


@case("osworld", "aa3a8974")
@case("osmap", "aa3a8974")
def all_on_one_page(shop: Workshop) -> Case:
    name = "Resize_Cells_Fit_Page"
    made = book([[f"column {of}" for of in range(20)], *([f"{row}.{of}" for of in range(20)] for row in range(70))])
    start = shop.office(made)
    made.active.page_setup.fitToWidth = made.active.page_setup.fitToHeight = 1
    made.active.sheet_properties.pageSetUpPr.fitToPage = True
    whole = shop.office(shop.office(made), f"{name}.xlsx", "pdf")
    export = f"soffice --headless -env:UserInstallation=file:///tmp/own --convert-to pdf --outdir . {name}.xlsx"
    return Case(
        satisfied=then(leave(f"{name}.xlsx", shop.office(made)), shell(export)),
        near_miss=shell(export),
        files={f"{name}.xlsx": start, f"{name}_gt.pdf": whole},
    )
