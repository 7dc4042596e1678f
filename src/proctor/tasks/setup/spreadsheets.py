"""Setup steps that make spreadsheets and open them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.errors import SpecError
from proctor.tasks.setup.write_sheets import ods, separated, xlsx
from proctor.tasks.sheets.spec import SheetSpec
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage

LEAST_WIDTH = 400
"""Pixels of a window that is more than a stub."""


@SETUP.register
def spreadsheet(
    stage: Stage, path: str, sheets: Annotated[list[SheetSpec], Field(min_length=1)], separator: str = ","
) -> None:
    """Write a spreadsheet: .ods, .xlsx or .csv (one sheet) by its name; the same sheets give the same bytes."""
    if path.endswith(".ods"):
        data = ods(sheets)
    elif path.endswith(".xlsx"):
        data = xlsx(sheets)
    elif path.endswith(".csv") and len(sheets) == 1:
        data = separated(sheets[0], separator)
    else:
        raise SpecError(f"{path} is no spreadsheet", remedy="end its name in .ods, .xlsx or, for one sheet, .csv")
    stage.computer.write_file(path, data)


@SETUP.register
def calc(stage: Stage, path: str) -> None:
    """Open a spreadsheet in LibreOffice Calc and wait until its window has its size and rests."""
    name = path.rpartition("/")[2]
    stage.computer.launch(["libreoffice", "--norestore", "--nologo", "--calc", path], window=name, timeout_sec=90)
    # Calc's window is there, as a small stub, before there is anything in it.
    stage.computer.wait_for(
        lambda computer: any(name in window.title and window.box.width >= LEAST_WIDTH for window in computer.windows()),
        what=f"the window of {name} in Calc",
        timeout_sec=60,
    )
    stage.computer.settle(timeout_sec=20)
