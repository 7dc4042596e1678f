"""What of a sheet nobody sees, and which cells show something else than what they hold."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from proctor.vocabulary.formats.spreadsheets.cells import place, span
from proctor.vocabulary.formats.spreadsheets.tables import cell_of, value_of
from proctor.vocabulary.formats.visible import NARROW_MM, PAPER, Look, can_be_read, is_said

HIDING = ("hidden", "hidden_rows", "hidden_columns", "widths", "heights")
"""Parts of a sheet that may hide its cells."""
MOST_SHARES = 10
"""A number that is larger is hardly meant as per cent: 15271.00 % for 152.71."""
_NUMBER = re.compile(r"[-+−(]?\D*?(\d[\d.,'\u00a0\u202f ]*)(?:E([+-]?\d+))?", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def unseen(sheet: Look) -> set[str]:
    """Return the cells of a sheet that hold something and do not show it."""
    hidden = [span(each) for each in (*sheet.get("hidden_rows", ()), *sheet.get("hidden_columns", ()))]
    hidden += [span(f"{column}:{column}") for column, width in sheet.get("widths", {}).items() if width < NARROW_MM]
    hidden += [
        span(f"{row}:{row.rpartition(':')[2]}") for row, size in sheet.get("heights", {}).items() if size < NARROW_MM
    ]
    return {
        address
        for address, cell in sheet["cells"].items()
        if (value_of(cell) is not None or "formula" in cell)
        and (sheet.get("hidden") or not _shows(cell) or any(area.covers(*place(address)) for area in hidden))
    }


def hidden_cells(of: Any, sheet: Look, cells: Iterable[str], before: Look | None = None) -> Iterator[str]:
    """Yield which of some cells do not show what they hold, apart from those that did not before."""
    now, then = unseen(sheet), unseen(before) if before else set()
    kinds, kinds_then = _kinds(sheet), _kinds(before) if before else {}
    for cell in cells:
        if cell in now and cell not in then:
            yield f"Cell {cell} of {of['path']} does not show what it holds."
        elif cell not in now and (problem := _contradiction(sheet, cell, kinds)):
            earlier = "" if before is None else _contradiction(before, cell, kinds_then)
            if problem != earlier:
                yield f"Cell {cell} of {of['path']} {problem}."


def _contradiction(sheet: Look, address: str, kinds: dict[str, Counter[str]]) -> str:
    """Return how a cell shows something else than what it holds; empty where it does not."""
    cell = cell_of(sheet, address)
    beside = kinds.get(_column(address), Counter()) - Counter([str(cell.get("kind"))])
    value, shown = value_of(cell), cell.get("shown")
    if value is None:
        return ""
    if isinstance(value, str):
        if cell.get("kind") == "text" and _ISO.fullmatch(value) and "date" in beside:
            return f"holds the text {value}, where those beside it are dates"
        same = shown is None or cell.get("kind") != "text" or " ".join(shown.split()) == " ".join(value.split())
        return "" if same else f"shows {shown!r} for {value!r}"
    if isinstance(value, bool) or shown is None or _means(shown, value):
        share = isinstance(value, int | float) and not isinstance(value, bool) and "%" in (shown or "")
        if not share or (abs(value) <= MOST_SHARES and _are_shares(beside)):
            return ""
    return f"shows {shown!r} for {value}"


def _shows(cell: Look) -> bool:
    if cell.get("shown") is not None and not cell["shown"].strip():
        return False
    return can_be_read(cell, cell.get("fill") or PAPER) and is_said(cell)


def _are_shares(beside: Counter[str]) -> bool:
    """Tell whether per cent fit a cell: of other numbers in its column, some are shown so."""
    return "percentage" in beside or not {"number", "currency"} & beside.keys()


def _kinds(sheet: Look) -> dict[str, Counter[str]]:
    """Return how often each kind of value is in each column of a sheet."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for address, cell in sheet["cells"].items():
        found[_column(address)][str(cell.get("kind"))] += 1
    return found


def _column(address: str) -> str:
    return address.replace("$", "").upper().rstrip("0123456789")


def _means(shown: str, value: float) -> bool:
    """Tell whether what a cell shows is a number, rounded as it may be."""
    text = shown.strip()
    found = _NUMBER.match(text)
    if found is None:
        return False
    percent = 100 if "%" in text else 1000 if "‰" in text else 1
    minus = text.startswith(("-", "−", "(")) or bool(re.match(r"\D*[-−]", text))
    fraction = re.fullmatch(r"-?(?:(\d+)\s+)?(\d+)\s*/\s*(\d+)", text)
    if fraction and float(fraction[3]):
        whole = float(fraction[1] or 0) + float(fraction[2]) / float(fraction[3])
        return abs(whole - abs(value)) <= 0.06 and minus == (value < 0)
    exponent = int(found[2] or 0)
    for grouping, point in product((",", ".", ""), (".", ",")):
        if grouping == point:
            continue
        digits = re.sub(r"[\s'\u00a0\u202f]", "", found[1]).replace(grouping, "") if grouping else found[1].strip()
        amount = _amount(digits.replace(point, "."))
        if amount is None:
            continue
        places = len(digits.partition(point)[2])
        step = 10.0 ** (exponent - places) / percent
        near = abs(amount * 10.0**exponent / percent - abs(value)) <= step * 0.5001 + 1e-9 * abs(value)
        if near and (minus == (value < 0) or amount == 0):
            return True
    return False


def _amount(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
