"""Checks on structured data: JSON, settings, XML, tables of text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field, JsonValue

from proctor.tasks.compare import beyond
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short

Place = list[str | int]

Scalar = str | int | float | bool

Row = list[str | int | float]

MOST_ROWS = 20
"""More mismatches than this are counted, not listed."""


@CHECKS.register
def json_value(of: Seen, at: Place, value: JsonValue) -> Finding:
    """The value at a place (keys, positions from 0) is this one; 1 is 1.0 and is not true."""
    found, problem = _at(of["data"], at, of["path"])
    if problem:
        return wrong(problem)
    same = _equal(found, value)
    return right() if same else wrong(f"{of['path']}, {_place(at)}: it is {_show(found)}, expected {_show(value)}.")


@CHECKS.register
def json_number(of: Seen, at: Place, least: float, most: float) -> Finding:
    """The value at a place is a number in a range, both ends included."""
    found, problem = _at(of["data"], at, of["path"])
    if problem:
        return wrong(problem)
    if isinstance(found, int | float) and not isinstance(found, bool) and least <= found <= most:
        return right()
    return wrong(f"{of['path']}, {_place(at)}: it is {_show(found)}, expected {least:g} to {most:g}.")


@CHECKS.register_for_faults
def json_lacks(of: Seen, at: Place) -> Finding:
    """There is nothing at a place of a JSON file; the file itself must be there."""
    if not isinstance(of, dict):
        return Finding(0.0, (f"{of.why}.",), known=False)
    _, problem = _at(of["data"], at, of["path"])
    return right() if problem else wrong(f"{of['path']} still has {_place(at)}.")


@CHECKS.register
def ini_value(of: Seen, section: str, key: str, value: Scalar) -> Finding:
    """A key in a section of a settings file has this value, whatever quotes or form of number."""
    sections = of["sections"]
    if section not in sections:
        return wrong(f"{of['path']} has no section [{section}].")
    if key not in sections[section]:
        return wrong(f"{of['path']} has no {key} in [{section}].")
    found = (sections[section][key] or "").strip()
    if _same_setting(found, value) or _same_setting(found.strip("\"'"), value):
        return right()
    return wrong(f"{of['path']}, {key} in [{section}]: it is {short(found)}, expected {_show(value)}.")


@CHECKS.register
def xml_value(of: Seen, at: str, value: Scalar) -> Finding:
    """An element or attribute of an XML file has this text.

    The place is written from below the root, such as `profile/name`, `item[2]/title` for the second, or `item/@id`.
    """
    found = _xml_text(of["root"], at)
    if found is None:
        return wrong(f"{of['path']} has no {at}.")
    if _same_setting(" ".join(found.split()), value):
        return right()
    return wrong(f"{of['path']}, {at}: it is {short(found)}, expected {_show(value)}.")


@CHECKS.register
def setting_is(of: Seen, value: Scalar | list[Scalar]) -> Finding:
    """A setting of the desktop has this value, however numbers and truth values are written."""
    found = of["value"]
    if isinstance(value, list) or isinstance(found, list):
        left, right_side = found if isinstance(found, list) else [found], value if isinstance(value, list) else [value]
        same = len(left) == len(right_side) and all(map(_same_setting, left, right_side))
    else:
        same = _same_setting(found, value)
    return right() if same else wrong(f"{of['path']} is {_show(found)}, expected {_show(value)}.")


@CHECKS.register
def setting_between(of: Seen, least: float, most: float) -> Finding:
    """A setting of the desktop is a number in a range, both ends included."""
    number = None if isinstance(of["value"], bool) else _number(str(of["value"]))
    if number is not None and least <= number <= most:
        return right()
    return wrong(f"{of['path']} is {_show(of['value'])}, expected {least:g} to {most:g}.")


@CHECKS.register
def csv_rows(of: Seen, rows: list[Row], ordered: bool = True) -> Finding:
    """A table has exactly these rows, header included, whatever the spacing and form of numbers."""
    found, wanted = [_cells(row) for row in of["rows"]], [_cells(row) for row in rows]
    if not ordered:
        lost = [f"{of['path']} lacks the row {_row(row)}." for row in beyond(wanted, found)]
        return unless([*lost, *(f"{of['path']} has the extra row {_row(row)}." for row in beyond(found, wanted))])
    return unless(_different_rows(of["path"], found, wanted))


@CHECKS.register
def csv_has_rows(of: Seen, rows: Annotated[list[Row], Field(min_length=1)]) -> Finding:
    """A table has at least these rows, anywhere."""
    missing = beyond(map(_cells, rows), map(_cells, of["rows"]))
    return unless(f"{of['path']} lacks the row {_row(row)}." for row in missing)


@CHECKS.register
def csv_lacks_rows(of: Seen, rows: Annotated[list[Row], Field(min_length=1)]) -> Finding:
    """A table has none of these rows."""
    found = [_cells(row) for row in of["rows"]]
    return unless(f"{of['path']} still has the row {_row(row)}." for row in map(_cells, rows) if row in found)


def _at(data: Any, at: Sequence[str | int], label: str) -> tuple[Any, str]:
    for depth, step in enumerate(at):
        inside = isinstance(data, dict) and step in data
        counted = isinstance(data, list) and isinstance(step, int) and -len(data) <= step < len(data)
        if not inside and not counted:
            return None, f"{label} has no {_place(at[: depth + 1])}."
        data = data[step]
    return data, ""


def _place(at: Sequence[str | int]) -> str:
    return ".".join(map(str, at)) or "content"


def _equal(found: object, wanted: object) -> bool:
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(_equal(found[key], wanted[key]) for key in wanted)
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_equal, found, wanted))
    return bool(found == wanted)


def _same_setting(found: object, wanted: Scalar) -> bool:
    if isinstance(wanted, bool):
        return str(found).strip().casefold() in (("true", "1", "yes", "on") if wanted else ("false", "0", "no", "off"))
    if isinstance(wanted, int | float):
        number = _number(str(found))
        return number is not None and math.isclose(number, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return str(found) == wanted


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _xml_text(element: dict[str, Any], at: str) -> str | None:
    for part in at.split("/"):
        if part.startswith("@"):
            attribute: str | None = element["attributes"].get(part[1:])
            return attribute
        named = re.fullmatch(r"(.+?)(?:\[(\d+)\])?", part)
        if named is None:
            return None
        fits = [child for child in element["children"] if child["tag"] == named[1]]
        number = int(named[2] or 1)
        if not 1 <= number <= len(fits):
            return None
        element = fits[number - 1]
    return str(element["text"])


def _cells(row: Sequence[str | int | float]) -> tuple[str | float, ...]:
    texts = [str(cell).strip() for cell in row]
    return tuple(text if (number := _number(text)) is None else number for text in texts)


def _row(row: Sequence[str | float]) -> str:
    return short(", ".join(f"{cell:.12g}" if isinstance(cell, float) else cell for cell in row))


def _different_rows(label: str, found: list[Any], wanted: list[Any]) -> Iterator[str]:
    if len(found) != len(wanted):
        yield f"{label} has {len(found)} rows, expected {len(wanted)}."
    pairs = [(number, *pair) for number, pair in enumerate(zip(found, wanted, strict=False), start=1)]
    different = [(number, left, right_side) for number, left, right_side in pairs if left != right_side]
    for number, left, right_side in different[:MOST_ROWS]:
        yield f"{label}, row {number}: it is {_row(left)}, expected {_row(right_side)}."
    if len(different) > MOST_ROWS:
        yield f"{label} differs in {len(different) - MOST_ROWS} more rows."


def _show(value: object) -> str:
    return short(value) if isinstance(value, str) else str(value)[:120]
