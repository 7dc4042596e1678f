"""Cells by address as lines, and whether somebody put rows or columns in or took them out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from proctor.tasks.inside.align import ItemPair, align

Axis = Literal["row", "column"]
AXES: tuple[Axis, ...] = ("row", "column")
Grid = Mapping[str, object]
Line = dict[str, object]
"""The cells of a row by their columns, or of a column by their rows."""

ADDRESS = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
MOST_LINES = 2000
"""A grid of more is compared address by address."""
REFERENCE = re.compile(r"\$?[A-Z]{1,3}\$?[0-9]{1,7}")


@dataclass(frozen=True, slots=True)
class LineShift:
    """Lines of a grid that are not where they were."""

    axis: Axis
    before: Sequence[Line]
    after: Sequence[Line]
    pairs: Sequence[ItemPair]


def is_grid(value: object) -> bool:
    """Tell whether a value holds cells by address."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(ADDRESS.fullmatch(name) and isinstance(cell, dict) for name, cell in value.items())
    )


def shift_between(before: Grid, after: Grid) -> LineShift | None:
    """Return how lines were put in or taken out, where that explains more than half of what differs."""
    best, least = (
        None,
        sum(_content_of(before.get(at)) != _content_of(after.get(at)) for at in before.keys() | after.keys()) / 2,
    )
    for axis in AXES:
        lines = lines_of(before, axis), lines_of(after, axis)
        if not least or max(map(len, lines)) > MOST_LINES:
            continue
        told = [[{at: _content_of(cell) for at, cell in line.items()} for line in some] for some in lines]
        pairs = align(*told)
        shift = LineShift(axis, *lines, pairs)
        cost = sum(_cost(told, pair) for pair in pairs)
        shifted = any(None not in (pair.before, pair.after) and pair.before != pair.after for pair in pairs)
        if shifted and cost < least:
            best, least = shift, cost
    return best


def lines_of(grid: Grid, axis: Axis) -> list[Line]:
    """Return the rows or columns of a grid, the empty ones between them included."""
    found: dict[int, Line] = {}
    for address, cell in grid.items():
        column, row = _split(address)
        at, name = (int(row) - 1, column) if axis == "row" else (column_number(column) - 1, row)
        found.setdefault(at, {})[name] = cell
    most = max(found, default=-1)
    return [found.get(at, {}) for at in range(most + 1)] if most < MOST_LINES else [{}] * (MOST_LINES + 1)


def address_of(axis: Axis, line: int, name: str) -> str:
    """Return the address of a cell in a line, which is counted from 0."""
    return f"{name}{line + 1}" if axis == "row" else f"{column_name(line + 1)}{name}"


def column_number(name: str) -> int:
    """Return the number of a column, 1 for A."""
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_name(number: int) -> str:
    """Return the name of a column, A for 1."""
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def without_references(formula: str) -> str:
    """Return a formula as it reads wherever it stands."""
    return REFERENCE.sub("#", formula)


def _content_of(cell: object) -> object:
    """Return what a cell tells, however it looks and wherever it stands."""
    if not isinstance(cell, dict):
        return cell
    if isinstance(cell.get("formula"), str):
        return without_references(cell["formula"])
    return cell.get("value", cell.get("text"))


def _cost(told: Sequence[Sequence[Line]], pair: ItemPair) -> int:
    """Return how many cells a pair of lines leaves to be explained."""
    if pair.before is None or pair.after is None:
        return 1
    one, two = told[0][pair.before], told[1][pair.after]
    return sum(one.get(name) != two.get(name) for name in one.keys() | two.keys())


def _split(address: str) -> tuple[str, str]:
    found = ADDRESS.fullmatch(address)
    assert found is not None
    return found[1], found[2]
