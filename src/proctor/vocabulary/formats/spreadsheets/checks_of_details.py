"""Checks of details of workbooks: pivot tables, zoom, styles, rules for input, sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.vocabulary.formats.rules import ValueRule
from proctor.vocabulary.formats.spreadsheets.checks_of_twins import MOST_SAID, SheetName, pair_of_sheets, sheet_by
from proctor.vocabulary.formats.visible import Look

PivotPart = Literal["name", "source", "rows", "columns", "pages", "left_out", "data"]
SizePart = Literal["hidden", "collapsed", "outline_level", "height", "width"]
StylePart = Literal[
    "number_format", "font_name", "font_family", "font_color", "font_bold", "font_italic", "font_underline",
    "font_size", "fill_type", "bgcolor", "fgcolor", "hyperlink", "horizontal", "vertical",
]  # fmt: skip
GROUNDS = frozenset({"bgcolor", "fgcolor", "fill_type"})
"""What shows of cells that hold nothing."""


@CHECKS.register
def same_pivots(
    of: Seen,
    other: Seen,
    parts: Annotated[list[PivotPart], Field(min_length=1)],
    sheet: SheetName = 0,
    beside: SheetName = 0,
) -> Finding:
    """A sheet has pivot tables that agree in these parts with those of another sheet, in any order."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    mine, theirs = (sorted(str([table[part] for part in parts]) for table in each["pivots"]) for each in pair)
    if not theirs:
        return wrong(f"{other['path']} has no pivot table to compare with.")
    same = mine == theirs
    return right() if same else wrong(f"{of['path']} has {len(mine)} pivot tables, not those that are wanted.")


@CHECKS.register
def zoom_agrees(of: Seen, rule: ValueRule, sheet: SheetName = 0) -> Finding:
    """The zoom of a sheet, in percent, satisfies a rule."""
    found = sheet_by(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    return right() if rule.holds(found["zoom"]) else wrong(f"{of['path']} is shown at {found['zoom']}%.")


@CHECKS.register
def same_styles(
    of: Seen,
    other: Seen,
    parts: Annotated[list[StylePart], Field(min_length=1)],
    sheet: SheetName = 0,
    beside: SheetName = 0,
) -> Finding:
    """The cells of a sheet look like those of another in these parts, conditional formats included."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    problems = [f"Cell {cell} of {of['path']} looks otherwise ({part})." for cell, part in _other_looks(*pair, parts)]
    if pair[0]["unknown_conditions"] != pair[1]["unknown_conditions"]:
        problems.append(f"{of['path']} has other conditions for how cells look.")
    return unless(problems[:MOST_SAID])


@CHECKS.register
def cell_looks(
    of: Seen, cell: str, rules: Annotated[dict[StylePart, ValueRule], Field(min_length=1)], sheet: SheetName = 0
) -> Finding:
    """The look of a cell satisfies the rules; colours may include opacity, `FF0000FF`."""
    found = sheet_by(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    look = found["styles"].get(cell.replace("$", "").upper(), {})
    return unless(
        f"The {part} of cell {cell} of {of['path']} is {look.get(part, 'not set')!r}, which is not right."
        for part, rule in rules.items()
        if not any(rule.holds(each) for each in _ways(look.get(part)))
    )


@CHECKS.register
def inputs_agree(
    of: Seen, rules: Annotated[list[dict[str, ValueRule]], Field(min_length=1)], sheet: SheetName = 0
) -> Finding:
    """The data validation rules of a sheet are exactly these."""
    found = sheet_by(of, sheet)
    if isinstance(found, str):
        return wrong(found)
    fits = [[_fits(held, rule) for rule in rules] for held in found["validations"]]
    surplus = sum(not any(row) for row in fits)
    missing = sum(not any(row[at] for row in fits) for at in range(len(rules)))
    problems = [f"{of['path']} has {surplus} extra data validation rules."] if surplus else []
    return unless(problems + ([f"{of['path']} lacks {missing} data validation rules."] if missing else []))


@CHECKS.register
def same_sizes(
    of: Seen,
    other: Seen,
    way: Literal["rows", "columns"],
    parts: Annotated[list[SizePart], Field(min_length=1)],
    sheet: SheetName = 0,
    beside: SheetName = 0,
) -> Finding:
    """The rows, or columns, of a sheet are hidden, grouped and sized like those of another."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    mine, theirs = pair[0][way], pair[1][way]
    return unless(
        f"{way[:-1].title()} {name} of {of['path']} is not as it should be."
        for name in sorted({*mine, *theirs})
        if any(not _near(mine.get(name, {}).get(part), theirs.get(name, {}).get(part)) for part in parts)
    )


@CHECKS.register
def same_sparklines(of: Seen, other: Seen, sheet: SheetName = 0, beside: SheetName = 0) -> Finding:
    """The same cells of two sheets have sparklines of the same ranges."""
    pair = pair_of_sheets(of, other, sheet, beside)
    if isinstance(pair, list):
        return unless(pair)
    mine, theirs = (sorted((each["at"], each["shows"]) for each in side["sparklines"]) for side in pair)
    if not theirs:
        return wrong(f"{other['path']} has no sparklines to compare with.")
    return right() if mine == theirs else wrong(f"The sparklines in {of['path']} are not the right ones.")


def _other_looks(mine: Look, theirs: Look, parts: list[StylePart]) -> Iterator[tuple[str, str]]:
    held, wanted = mine["styles"], theirs["styles"]
    for cell in sorted({*held, *wanted}):
        one, two = held.get(cell, {}), wanted.get(cell, {})
        told = parts if one.get("held") or two.get("held") else [part for part in parts if part in GROUNDS]
        # Of a cell that one of them does not mention, nothing is set.
        yield from ((cell, part) for part in told if one.get(part, "") != two.get(part, ""))


def _fits(held: Look, rules: dict[str, ValueRule]) -> bool:
    return all(rule.holds(held.get(name)) for name, rule in rules.items())


def _ways(value: Any) -> tuple[Any, ...]:
    """Return how others write a value: colours with their opacity before them."""
    if isinstance(value, str) and value.startswith("#"):
        return value, f"FF{value[1:].upper()}", f"00{value[1:].upper()}", value[1:].upper()
    return (value,)


def _near(one: Any, two: Any) -> bool:
    if isinstance(one, bool) or isinstance(two, bool) or one is None or two is None:
        return bool(one) == bool(two)
    return abs(float(one) - float(two)) <= 0.5
