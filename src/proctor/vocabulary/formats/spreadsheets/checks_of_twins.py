"""Checks of one workbook beside another that it should be like, sheet by sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.vocabulary.formats.rules import ValueRule
from proctor.vocabulary.formats.spreadsheets.cells import address, addresses, place
from proctor.vocabulary.formats.spreadsheets.tables import Held, cell_of, grid, value_of
from proctor.vocabulary.formats.visible import Look

MOST_SAID = 20
SheetName = Annotated[int, Field(ge=0)] | str
"""A sheet by its number from 0, or by its name."""
ChartPart = Literal["type", "title", "xtitle", "ytitle", "direction", "legend", "width", "height", "anchor"]
"""The last four are told by `workbook` only."""


class FuzzyRule(BaseModel):
    """How the cells of some ranges may differ in their writing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    range: list[str]
    type: Literal["includes", "included_by", "fuzzy_match", "exact_match"]
    threshold: float = 85.0
    """Of 100, for `fuzzy_match`."""
    ignore_case: bool = False
    ignore_chars: str = ""
    trim_leadings: str = ""
    trim_trailings: str = ""
    normalization: list[tuple[str, str]] = []
    """Words, each with what it is taken for."""

    def plain(self, value: Held) -> str:
        """Return the text that is compared."""
        text = _words_for(value)
        for word, meant in self.normalization:
            text = text.replace(word, meant)
        for sign in self.ignore_chars:
            text = text.replace(sign, "")
        text = text.lstrip(self.trim_leadings or None) if self.trim_leadings else text
        text = text.rstrip(self.trim_trailings or None) if self.trim_trailings else text
        return text.casefold() if self.ignore_case else text

    def fits(self, held: Held, wanted: Held) -> bool:
        """Tell whether a cell is near enough to what it should be."""
        one, two = self.plain(held), self.plain(wanted)
        if self.type == "includes":
            return two in one
        if self.type == "included_by":
            return one in two
        if self.type == "exact_match" or one == two:
            return one == two
        return SequenceMatcher(None, one, two, autojunk=False).ratio() * 100 >= self.threshold


@CHECKS.register
def same_sheet_names(of: Seen, other: Seen) -> Finding:
    """A workbook has the sheets of another by name, in its order."""
    one, two = ([sheet["name"] for sheet in each["sheets"]] for each in (of, other))
    return unless([] if one == two else [f"The sheets of {of['path']} are {', '.join(one)}, not {', '.join(two)}."])


@CHECKS.register
def same_cells(
    of: Seen, other: Seen, sheet: SheetName = 0, beside: SheetName = 0, precision: Annotated[int, Field(ge=0)] = 4
) -> Finding:
    """A sheet has the content of another: texts exactly, numbers rounded to `precision`."""
    pair = pair_of_sheets(of, other, sheet, beside)
    return unless(pair if isinstance(pair, list) else list(_other_cells(of["path"], *pair, precision))[:MOST_SAID])


@CHECKS.register
def like_cells(
    of: Seen,
    other: Seen,
    rules: Annotated[list[FuzzyRule], Field(min_length=1)],
    sheet: SheetName = 0,
    beside: SheetName = 0,
) -> Finding:
    """Some ranges of a sheet have the content of another workbook's, as loosely as the rules say."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    mine, theirs = pair
    return unless(
        f"Cell {cell} of {of['path']} is {_words_for(_value_at(mine, cell))!r}, which is not near enough."
        for rule in rules
        for area in rule.range
        for cell in addresses(area)
        if not rule.fits(_value_at(mine, cell), _value_at(theirs, cell))
    )


@CHECKS.register
def same_charts(
    of: Seen, other: Seen, parts: list[ChartPart] | None = None, sheet: SheetName = 0, beside: SheetName = 0
) -> Finding:
    """A sheet has charts of the same series as another one, and these parts of them are the same."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    mine, theirs = (sorted(map(repr, (_chart(chart, parts or []) for chart in each["charts"]))) for each in pair)
    if not theirs:
        return unless([f"{other['path']} has no charts to compare with."])
    return unless([] if mine == theirs else [f"The charts of {of['path']} are not the right ones."])


@CHECKS.register
def same_shown(of: Seen, other: Seen, sheet: SheetName = 0, beside: SheetName = 0) -> Finding:
    """The cells of a sheet display the same, as printed, as those of another sheet."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    mine, theirs = ({cell: _display(look) for cell, look in each["cells"].items()} for each in pair)
    return unless(
        [
            f"Cell {cell} of {of['path']} shows {mine.get(cell, '')!r}, expected {theirs.get(cell, '')!r}."
            for cell in sorted({*mine, *theirs})
            if mine.get(cell, "") != theirs.get(cell, "")
        ][:MOST_SAID]
    )


@CHECKS.register
def same_panes(of: Seen, other: Seen, sheet: SheetName = 0, beside: SheetName = 0) -> Finding:
    """A sheet has as many frozen rows and columns as that of another workbook."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    same = pair[0]["frozen"] == pair[1]["frozen"]
    return unless([] if same else [f"{of['path']} has {_panes(pair[0])} frozen, expected {_panes(pair[1])}."])


@CHECKS.register
def same_filters(of: Seen, other: Seen, sheet: SheetName = 0, beside: SheetName = 0) -> Finding:
    """A sheet has filter buttons where that of another workbook has them."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    same = sorted(pair[0]["filters"]) == sorted(pair[1]["filters"])
    return unless([] if same else [f"The filter buttons of {of['path']} are not where they should be."])


@CHECKS.register
def cell_agrees(of: Seen, cell: str, rule: ValueRule, sheet: SheetName = 0) -> Finding:
    """The content of a cell satisfies a rule."""
    found = sheet_by(of, sheet)
    if isinstance(found, str):
        return unless([found])
    held = _value_at(found, cell)
    return unless(
        [] if rule.holds(held) else [f"Cell {cell} of {of['path']} is {_words_for(held)!r}, which is not right."]
    )


@CHECKS.register
def cells_say(
    of: Seen, cell: str, texts: Annotated[list[list[str]], Field(min_length=1)], sheet: SheetName = 0
) -> Finding:
    """The cells of a column, from one downwards, each have one of the texts given for it."""
    found = sheet_by(of, sheet)
    if isinstance(found, str):
        return unless([found])
    row, column = place(cell)
    names = [address(row + down, column) for down in range(len(texts))]
    return unless(
        f"Cell {name} of {of['path']} is {_words_for(_value_at(found, name))!r}, expected {wanted[0]!r}."
        for name, wanted in zip(names, texts, strict=True)
        if not any(text in _words_for(_value_at(found, name)) for text in wanted)
    )


@CHECKS.register
def last_row_is(
    of: Seen, values: Annotated[list[str | int | float], Field(min_length=1)], case: bool = True, sheet: SheetName = 0
) -> Finding:
    """The last non-empty row of a sheet has these values, as they are written."""
    found = sheet_by(of, sheet)
    if isinstance(found, str):
        return unless([found])
    rows = grid(found)
    held = [_words_for(value) for value in rows[-1]] if rows else []
    one, two = ([text if case else text.casefold() for text in each] for each in (held, map(str, values)))
    return unless([] if one == two else [f"The last row of {of['path']} is {', '.join(held)}."])


def pair_of_sheets(of: Any, other: Any, sheet: SheetName, beside: SheetName) -> tuple[Look, Look] | list[str]:
    """Return two sheets, or what is wrong where one is missing."""
    mine, theirs = sheet_by(of, sheet), sheet_by(other, beside)
    if isinstance(mine, str) or isinstance(theirs, str):
        return [each for each in (mine, theirs) if isinstance(each, str)]
    return mine, theirs


def sheet_by(of: Any, which: SheetName) -> Look | str:
    """Return a sheet by its number or name, or what is wrong where there is none."""
    sheets: list[Look] = of["sheets"]
    if isinstance(which, int):
        return sheets[which] if which < len(sheets) else f"{of['path']} has {len(sheets)} sheets, not {which + 1}."
    found = next((sheet for sheet in sheets if sheet["name"] == which), None)
    return found or f"{of['path']} has no sheet {which!r}."


def _value_at(sheet: Look, cell: str) -> Held:
    return value_of(cell_of(sheet, cell))


def _other_cells(path: str, mine: Look, theirs: Look, precision: int) -> Iterator[str]:
    one, two = grid(mine), grid(theirs)
    if len(one) != len(two) or len(one[0] if one else []) != len(two[0] if two else []):
        yield (
            f"Sheet {mine['name']} of {path} is filled to {len(one)} rows and {len(one[0]) if one else 0} columns, "
            f"expected {len(two)} and {len(two[0]) if two else 0}."
        )
        return
    for row, (held, wanted) in enumerate(zip(one, two, strict=True), 1):
        for column, (a, b) in enumerate(zip(held, wanted, strict=True)):
            if _round(a, precision) != _round(b, precision):
                texts = isinstance(a, str) != isinstance(b, str) and _words_for(a) == _words_for(b)
                told = [f"the {'text' if isinstance(each, str) else 'number'} " if texts else "" for each in (a, b)]
                yield (
                    f"Row {row}, column {column + 1} of {path} is {told[0]}{_words_for(a)!r}, "
                    f"expected {told[1]}{_words_for(b)!r}."
                )


def _round(value: Held, precision: int) -> object:
    if isinstance(value, bool):
        return value
    # Halfway between two roundings the last bit would decide.
    return round(float(value), precision) + 0.0 if isinstance(value, int | float) else value


def _display(cell: Look) -> str:
    held = value_of(cell)
    plain = str(held).upper() if isinstance(held, bool) else _words_for(held)
    return str(cell.get("shown", plain)).strip()


def _words_for(value: Held) -> str:
    return "" if value is None else str(value)


def _chart(chart: Look, parts: list[ChartPart]) -> dict[str, object]:
    kind = chart["kind"]
    told = {
        "type": "column" if kind == "bar" else kind,
        "direction": kind,
        "title": chart["title"],
        "xtitle": chart["x_title"],
        "ytitle": chart["y_title"],
        **{part: chart.get(part) for part in ("legend", "width", "height", "anchor")},
    }
    series = sorted(f"{_reference(each['values'])}|{_reference(chart['categories'])}" for each in chart["series"])
    return {"series": series, **{part: told[part] for part in sorted(parts)}}


def _reference(text: str) -> str:
    return re.sub(r"[$']", "", text).upper()


def _panes(sheet: Look) -> str:
    return f"{sheet['frozen']['rows']} rows and {sheet['frozen']['columns']} columns"
