"""Checks on databases; blanks around texts are ignored, and 2 is the same number as 2.0."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

Value = str | int | float | None
Row = list[Value]
Values = Annotated[dict[str, Value], Field(min_length=1)]
MOST_LISTED = 10
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)", re.ASCII)


@CHECKS.register
def table_exists(of: Seen, table: str) -> Finding:
    """A database has a table of this name, whatever the case."""
    return unless(_find(of, table)[1])


@CHECKS.register
def column_exists(of: Seen, table: str, column: str) -> Finding:
    """A table has a column of this name, whatever the case."""
    found, problems = _find(of, table)
    if found is not None and column.casefold() not in _lower(found["columns"]):
        problems = [f"Table {table} has no column {column}; it has {', '.join(found['columns'])}."]
    return unless(problems)


@CHECKS.register
def row_count(of: Seen, table: str, count: Annotated[int, Field(ge=0)]) -> Finding:
    """A table has this many rows."""
    found, problems = _find(of, table)
    if found is not None and len(found["rows"]) != count:
        problems = [f"Table {table} has {len(found['rows'])} rows, expected {count}."]
    return unless(problems)


@CHECKS.register
def row_exists(of: Seen, table: str, values: Values, times: Annotated[int, Field(ge=1)] = 1) -> Finding:
    """A table has exactly this many rows with these values in these columns."""
    count, problems = _count_rows(of, table, values)
    if not problems and count != times:
        problems = [f"Table {table} has {count} rows with {_pairs(values)}, expected {times}."]
    return unless(problems)


@CHECKS.register
def row_missing(of: Seen, table: str, values: Values) -> Finding:
    """A table has no row with these values in these columns."""
    count, problems = _count_rows(of, table, values)
    return unless(problems) if problems else (right() if not count else wrong(f"A row with {_pairs(values)} is there."))


@CHECKS.register
def table_rows_are(of: Seen, table: str, rows: list[Row], ordered: bool = False) -> Finding:
    """A table has exactly these rows, each as often as given; their order matters only if required."""
    found, problems = _find(of, table)
    return unless(problems if found is None else _different_rows(table, found["rows"], rows, ordered=ordered))


@CHECKS.register
def tables_are(
    of: Seen,
    tables: dict[str, list[Row]],
    columns: dict[str, list[str]] | None = None,
    numbers_as_texts: bool = False,
    as_declared: bool = False,
) -> Finding:
    """A database has exactly these tables with these rows, in any order, under these columns.

    There is no view or trigger. Columns may be given as they are declared, `price REAL`; of those, types and keys do
    not matter unless they are to be `as_declared`. Where it was left open what columns hold, numbers may be kept as
    texts: some programs import them so.
    """
    problems = [f"{of['path']} has an unexpected table {name}." for name in _surplus(of["tables"], tables)]
    for name, rows in tables.items():
        found, missing = _find(of, name)
        held = [] if found is None else _as_numbers(found["rows"]) if numbers_as_texts else found["rows"]
        problems += missing if found is None else list(_different_rows(name, held, rows, ordered=False))
        named = [column.split()[0].casefold() for column in (columns or {}).get(name, ())]
        if found is not None and named and _lower(found["columns"]) != named:
            problems.append(f"Table {name} has the columns {', '.join(found['columns'])}, expected {', '.join(named)}.")
    problems += _other_columns(of, columns or {}) if as_declared else ()
    return unless([*problems, *(f"{of['path']} has an unexpected view or trigger {name}." for name in of["besides"])])


@CHECKS.register
def query_finds(of: Seen, rows: list[Row], ordered: bool = False) -> Finding:
    """A query finds exactly these rows."""
    return unless(_different_rows("the result", of["rows"], rows, ordered=ordered))


@CHECKS.register
def query_holds(of: Seen) -> Finding:
    """The first value of a query's result is a number other than 0."""
    value = of["rows"][0][0] if of["rows"] and of["rows"][0] else None
    holds = isinstance(value, int | float) and value != 0
    return right() if holds else wrong(f"The query of {of['path']} finds {_show(value)}.")


def _other_columns(of: Any, columns: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield what a database has of other types and keys."""
    for name, declared in columns.items():
        held = [" ".join(each.split()) for each in (_find(of, name)[0] or {}).get("declared", ())]
        if _lower(held) != _lower([" ".join(each.split()) for each in declared]):
            yield f"Table {name} is declared as {', '.join(held) or 'nothing'}, expected {', '.join(declared)}."


def _find(of: Any, table: str) -> tuple[dict[str, Any] | None, list[str]]:
    for name, found in of["tables"].items():
        if name.casefold() == table.casefold():
            return found, []
    listed = ", ".join(of["tables"]) or "none"
    return None, [f"{of['path']} has no table {table}; its tables: {listed}."]


def _count_rows(of: Any, table: str, values: Mapping[str, Value]) -> tuple[int, list[str]]:
    found, problems = _find(of, table)
    if found is None:
        return 0, problems
    columns = _lower(found["columns"])
    if unknown := [name for name in values if name.casefold() not in columns]:
        return 0, [f"Table {table} has no column {name}." for name in unknown]
    places = {columns.index(name.casefold()): _plain(value) for name, value in values.items()}
    fits = (all(_plain(row[place]) == value for place, value in places.items()) for row in found["rows"])
    return sum(fits), []


def _different_rows(label: str, found: Sequence[Row], wanted: Sequence[Row], *, ordered: bool) -> Iterator[str]:
    held, sought = ([tuple(map(_plain, row)) for row in rows] for rows in (found, wanted))
    missing, surplus = Counter(sought) - Counter(held), Counter(held) - Counter(sought)
    for verb, rows in (("lacks", missing), ("should not have", surplus)):
        for row, times in list(rows.items())[:MOST_LISTED]:
            shown = f"({', '.join(map(_show, row))}){f', {times} times' * (times > 1)}"
            yield f"{label[:1].upper()}{label[1:]} {verb} the row {shown}."
        if len(rows) > MOST_LISTED:
            yield f"{len(rows) - MOST_LISTED} more rows of {label} are like that."
    if ordered and not missing and not surplus and held != sought:
        yield f"The rows of {label} are in another order."


def _as_numbers(rows: Sequence[Row]) -> list[Row]:
    return [
        [float(held) if isinstance(held, str) and _NUMBER.fullmatch(held.strip()) else held for held in row]
        for row in rows
    ]


def _plain(value: object) -> object:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return f"{value.get('bytes')} bytes"
    # Whoever adds to a price leaves an error in its last digits.
    return round(float(value), 9) if isinstance(value, int | float) else value


def _surplus(found: Mapping[str, object], wanted: Mapping[str, object]) -> list[str]:
    known = _lower(list(wanted))
    return [name for name in found if name.casefold() not in known]


def _lower(names: Sequence[str]) -> list[str]:
    return [name.casefold() for name in names]


def _pairs(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} {_show(value)}" for name, value in values.items())


def _show(value: object) -> str:
    return "nothing" if value is None else f"{value:g}" if isinstance(value, float) else repr(value)[:80]
