"""What of a sheet nobody sees: hidden rows and columns, letters in the colour of their ground."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from proctor.vocabulary.formats.office.parse_xml import PAPER
from proctor.vocabulary.formats.spreadsheets.cells import place, span
from proctor.vocabulary.formats.spreadsheets.tables import value_of

NARROW_MM = 0.5
"""A column that is narrower shows nothing."""


def unseen(sheet: dict[str, Any]) -> set[str]:
    """Return the cells of a sheet that hold something and do not show it."""
    hidden = [span(each) for each in (*sheet.get("hidden_rows", ()), *sheet.get("hidden_columns", ()))]
    hidden += [span(f"{column}:{column}") for column, width in sheet.get("widths", {}).items() if width < NARROW_MM]
    return {
        address
        for address, cell in sheet["cells"].items()
        if (value_of(cell) is not None or "formula" in cell)
        and (sheet.get("hidden") or _like_its_ground(cell) or any(area.covers(*place(address)) for area in hidden))
    }


def hidden_cells(
    of: Any, sheet: dict[str, Any], cells: Iterable[str], before: dict[str, Any] | None = None
) -> Iterator[str]:
    """Yield which of some cells do not show what they hold, apart from those that did not before."""
    now, then = unseen(sheet), unseen(before) if before else set()
    for cell in cells:
        if cell in now and cell not in then:
            yield f"Cell {cell} of {of['path']} does not show what it holds."


def _like_its_ground(cell: dict[str, object]) -> bool:
    colour = cell.get("colour")
    return colour is not None and colour == (cell.get("fill") or PAPER)
