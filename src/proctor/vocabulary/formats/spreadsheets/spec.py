"""What a task writes down of a spreadsheet that is to be made."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from proctor.tasks.model import PlainModel

Held = bool | int | float | str | None
"""What a cell holds; a text that begins with `=` is a formula as OOXML writes it."""

ColumnKind = Literal["date", "money", "percent", "text"]


class SheetSpec(PlainModel):
    """One sheet: its rows, and how its columns look."""

    name: Annotated[str, Field(min_length=1, max_length=31)]
    rows: tuple[tuple[Held, ...], ...]
    widths: tuple[float, ...] = ()
    """Of the columns, in millimetres."""
    bold_header: bool = False
    kinds: dict[str, ColumnKind] = {}
    """Of columns by their letter, below the first row: texts like `2026-03-12` in a date column are dates."""

    def kind(self, row: int, column: str) -> ColumnKind | None:
        """Return the kind of a cell."""
        return self.kinds.get(column) if row else None
