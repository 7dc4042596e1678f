"""Cases of LibreOffice Calc."""

from __future__ import annotations

from typing import Any

import openpyxl

from proctor.suites.parts.calc import enter
from tests.foreign.case import Case, case, moves
from tests.foreign.workshop import Workshop


def book(rows: list[list[Any]], title: str = "Sheet1") -> Any:
    """Return a workbook with one sheet."""
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    return made


@case("osworld", "01b269ae")
def fill_the_blanks(shop: Workshop) -> Case:
    name = "Student_Level_Fill_Blank"
    level = ["Low", None, "Middle", None, None, "High"]
    rows = [[f"Pupil {at}", *[level[(at + more) % 6] for more in range(4)]] for at in range(2, 31)]
    rows = [["Name", "Reading", "Writing", "Sums", "Music"], *rows]
    rows[1][1:] = ["Low", "Middle", "High", "Low"]

    def fill(made: Any) -> None:
        for row in made.active.iter_rows(min_row=3, min_col=2, max_col=5):
            for cell in row:
                cell.value = cell.value or made.active.cell(cell.row - 1, cell.column).value

    gold = book(rows)
    fill(gold)
    start = shop.office(book(rows))
    return Case(
        files={f"{name}.xlsx": start, f"{name}_gold.xlsx": shop.office(gold)},
        satisfied=shop.edit(f"{name}.xlsx", fill),
        near_miss=moves(*enter("B4", "Low")),
    )
