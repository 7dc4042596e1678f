"""The plain shape of a spreadsheet, and the limits of what is read into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.spreadsheets.cells import address, place
from proctor.vocabulary.formats.visible import Look

MOST_CELLS = 200_000
MOST_SCATTERED = 2_000_000
"""Rows with something in them times columns with something in them: checks lay them out as a table."""
MOST_CHARACTERS = 20_000_000


@dataclass
class ReadingBudget:
    """How much more may be read: a small file can stand for more cells than a host can hold."""

    label: str
    cells: int = MOST_CELLS
    characters: int = MOST_CHARACTERS

    def spend(self, cell: Look) -> None:
        """Count a cell; raises CannotSee when it is one too many."""
        value = cell.get("value")
        self.cells -= 1
        self.characters -= len(value) if isinstance(value, str) else 0
        self.characters -= len(cell.get("formula", ""))
        if self.cells < 0 or self.characters < 0:
            raise CannotSee("refused", f"{self.label} holds more cells or text than are looked at")


@dataclass
class Sheet:
    """One sheet while it is read."""

    name: str
    limits: ReadingBudget
    hidden: bool = False
    cells: dict[str, Look] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    hidden_rows: list[str] = field(default_factory=list)
    """Such as `4:6`."""
    hidden_columns: list[str] = field(default_factory=list)
    """Such as `C:D`."""
    widths: dict[str, float] = field(default_factory=dict)
    """In millimetres."""
    frozen: dict[str, int] = field(default_factory=lambda: {"rows": 0, "columns": 0})
    filters: list[str] = field(default_factory=list)
    """Ranges with filter buttons."""
    charts: list[Look] = field(default_factory=list)
    besides: Look = field(default_factory=dict)
    """What else there is to say of it, by what it is called; what is empty or false is left out."""

    def put(self, row: int, column: int, cell: Look) -> None:
        """Keep a cell."""
        self.limits.spend(cell)
        self.cells[address(row, column)] = cell

    def to_json(self) -> dict[str, object]:
        """Return it as plain data; raises CannotSee when its cells lie scattered."""
        rows, columns = ({place(each)[way] for each in self.cells} for way in (0, 1))
        if len(rows) * len(columns) > MOST_SCATTERED:
            raise CannotSee(
                "refused", f"{self.limits.label} has cells scattered over more of a sheet than is looked at"
            )
        return {
            "name": self.name,
            "hidden": self.hidden,
            "cells": self.cells,
            "merged": sorted(self.merged),
            "hidden_rows": self.hidden_rows,
            "hidden_columns": self.hidden_columns,
            "widths": self.widths,
            "frozen": self.frozen,
            "filters": self.filters,
            "charts": self.charts,
            **{key: value for key, value in self.besides.items() if value},
        }


def number(text: str) -> int | float:
    """Return a number, whole where it is; raises ValueError for what is none."""
    value = float(text)
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{text!r} is not a number")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield stretches of numbers that follow one another, first and last."""
    for _, stretch in groupby(enumerate(sorted(numbers)), lambda placed: placed[1] - placed[0]):
        listed = [number for _, number in stretch]
        yield listed[0], listed[-1]
