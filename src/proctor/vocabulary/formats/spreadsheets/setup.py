"""Setup steps that make spreadsheets and open them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.errors import SpecError
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods, separated_values, xlsx


@SETUP.register
def spreadsheet(
    context: SetupContext, path: str, sheets: Annotated[list[SheetSpec], Field(min_length=1)], separator: str = ","
) -> None:
    """Write a spreadsheet, .ods, .xlsx or .csv (one sheet) by its name; same sheets, same bytes."""
    if path.endswith(".ods"):
        data = ods(sheets)
    elif path.endswith(".xlsx"):
        data = xlsx(sheets)
    elif path.endswith(".csv") and len(sheets) == 1:
        data = separated_values(sheets[0], separator)
    else:
        raise SpecError(f"{path} is not a spreadsheet", remedy="end its name in .ods, .xlsx or, for one sheet, .csv")
    context.computer.write_file(path, data)
