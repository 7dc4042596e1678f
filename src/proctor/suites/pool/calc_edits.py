"""Subtasks that change tables in LibreOffice Calc, and that look something up in them."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.contents import another_row
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.calc import enter, fill_down, go_to, type_rows
from proctor.suites.parts.office import CALC, Moves, merely_copied, office, quit_office, ready, saved_as
from proctor.suites.parts.programs import quote_path
from proctor.suites.parts.rows import Row, column_letter, figures_in, plain_rows
from proctor.suites.parts.sheets_by_code import book_made, cells_written, rows_exported
from proctor.suites.parts.ways import by_hand, by_shell, to_clipboard, typed_and_copied
from proctor.suites.parts.writer import convert_document
from proctor.suites.pool.calc import ANY_SHEET_NAME, TABLING, holds, new_sheet
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, NearMiss

VALUES_DO = Admission(which="*formula* frozen to its value", why="The results are asked for, not how they come about.")


def _two_figures(resource: Resource, rows: list[Row]) -> tuple[int, int]:
    """Return the first two columns of numbers."""
    found = figures_in(rows)
    if len(found) < 2 or any(not isinstance(heading, str) for heading in rows[0]):
        raise SpecError(f"{resource.value} has no two columns of numbers", remedy="give it something else")
    return found[0], found[1]


def _edit_work(
    source: Resource,
    edit: Moves,
    sheet: Resource,
    mistaken: Mapping[str, list[Row]],
    cells: Mapping[str, object] | None = None,
) -> Work:
    """Change a spreadsheet and save that as another one; `mistaken` are tables like it, but wrong."""
    copied = hand.run_code(f"cp {quote_path(source)} /tmp/edited.ods")
    in_a_copy = (
        (copied, cells_written("/tmp/edited.ods", cells), *convert_document("/tmp/edited.ods", sheet.value))
        if cells
        else _through_text(sheet)
    )
    return Work(
        moves=(*office(CALC, source), *edit, *saved_as(sheet), *quit_office()),
        check=holds(sheet),
        may_differ=(ANY_SHEET_NAME, *([VALUES_DO] if _has_formulas(cells or {}) else [])),
        near_misses=(NearMiss(name="copied unchanged", moves=merely_copied(source, sheet)),),
        other_ways=(
            by_hand("by Python, as a new file", book_made(sheet.value, sheet.content)),
            by_hand("in a copy, worked out by the command line" if cells else "through separated values", *in_a_copy),
        ),
        cheats=(
            by_hand(
                "the original changed as well",
                book_made(sheet.value, sheet.content),
                hand.run_code(f"cp {quote_path(sheet)} {quote_path(source)}"),
            ),
            *(by_hand(name, book_made(sheet.value, rows)) for name, rows in mistaken.items()),
        ),
    )


def _has_formulas(cells: Mapping[str, object]) -> bool:
    return any(str(held).startswith("=") for held in cells.values())


def _through_text(sheet: Resource) -> Moves:
    """Write separated values, and convert them by the command line."""
    lines = "".join(",".join(map(str, row)) + "\\n" for row in sheet.content)
    return (hand.run_code(f"printf '{lines}' > /tmp/rows.csv"), *convert_document("/tmp/rows.csv", sheet.value))


class MultiplyTwoColumns(Subtask):
    """A copy of a table gets a column with the product of two others."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'save a copy of {source} as {sheet} with an extra column "{heading}" on the right that has "{one}" '
        'times "{other}" in every row',
        'multiply "{one}" by "{other}" in every row of {source}, put the results in a new last column '
        '"{heading}" and save that as {sheet}',
    )
    brief = 'save {source} as {sheet} with a last column "{heading}" of "{one}" times "{other}"'
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Type "{heading}" above the first empty column and fill the column with "{one}" times "{other}".',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        one, other = _two_figures(source, rows)
        unused = [word for word in ("Amount", "Value", "Costs", "Product") if word not in rows[0]]
        if not unused:
            raise SpecError(f"{source.value} has such a column", remedy="give it something else")
        heading = theme.hint("heading", draw, draw.choice(unused))
        filled: list[Row] = [[*row, round(float(row[one]) * float(row[other]), 2)] for row in rows[1:]]
        sheet = new_sheet(draw, theme, ("multiplied", "with-amounts", "worked-out"), [[*rows[0], heading], *filled])
        params = {"heading": heading, "one": str(rows[0][one]), "other": str(rows[0][other])}
        return Bound(takes=takes, gives={"sheet": sheet}, params=params)

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        heading, *rows = sheet.content
        one, other = (column_letter(heading.index(bound.params[which])) for which in ("one", "other"))
        new = column_letter(len(heading) - 1)
        fill = (
            *enter(f"{new}1", bound.params["heading"]),
            *enter(f"{new}2", f"={one}2*{other}2"),
            *fill_down(f"{new}2:{new}{len(rows) + 1}"),
        )
        added: list[Row] = [[*row[:-1], row[heading.index(bound.params["one"])]] for row in rows]
        mistaken: dict[str, list[Row]] = {
            "one of the columns once more": [heading, *added],
            "only the first row worked out": [heading, rows[0], *([*row[:-1], ""] for row in rows[1:])],
            "without its heading": [heading[:-1], *rows],
            "at the left": [[row[-1], *row[:-1]] for row in sheet.content],
        }
        formulas = {f"{new}{row}": f"=[.{one}{row}]*[.{other}{row}]" for row in range(2, len(rows) + 2)}
        return _edit_work(source, fill, sheet, mistaken, {f"{new}1": bound.params["heading"], **formulas})


class AddUpTheColumns(Subtask):
    """A copy of a table gets a last row with totals."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'add a last row "{label}" with the total of every number column to {source} and save that as {sheet}',
        'save a copy of {source} as {sheet} with a last row "{label}" that has the total of every number column',
    )
    brief = 'add a row "{label}" totalling every number column to {source} as {sheet}'
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Type "{label}" below the first column and the totals below the number columns.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        if figures_in(rows) != list(range(1, len(rows[0]))):
            raise SpecError(f"{source.value} has more columns of words than one", remedy="give it something else")
        label = draw.choice(("Total", "Sum", "Altogether"))
        if any(str(row[0]).startswith(label) for row in rows):
            raise SpecError(f"{source.value} has such a row", remedy="give it something else")
        sums = [round(sum(float(row[place]) for row in rows[1:]), 2) for place in range(1, len(rows[0]))]
        last: Row = [label, *(int(held) if held == int(held) else held for held in sums)]
        sheet = new_sheet(draw, theme, ("added-up", "with-totals", "summed"), [*rows, last])
        return Bound(takes=takes, gives={"sheet": sheet}, params={"label": label})

    def work(self, bound: Bound) -> Work:
        source, sheet, label = bound.takes["source"], bound.gives["sheet"], bound.params["label"]
        width, last = len(sheet.content[0]), len(sheet.content)
        sums = [f"=SUM({column_letter(place)}2:{column_letter(place)}{last - 1})" for place in range(1, width)]
        rows, totals = sheet.content[:-1], sheet.content[-1]
        mistaken: dict[str, list[Row]] = {
            "the label alone": [*rows, [label]],
            "one total for all": [*rows, [label, sum(float(held) for held in totals[1:])]],
            "the last row once more": [*rows, [label, *rows[-1][1:]]],
            "at the top": [rows[0], totals, *rows[1:]],
        }
        added = [f"=SUM([.{column_letter(place)}2:.{column_letter(place)}{last - 1}])" for place in range(1, width)]
        cells = {f"{column_letter(place)}{last}": held for place, held in enumerate([label, *added])}
        return _edit_work(source, (*go_to(f"A{last}"), *type_rows([[label, *sums]])), sheet, mistaken, cells)


class AddARow(Subtask):
    """A copy of a table gets one more row."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'add a row with "{item}", {number} and {price} at the bottom of {source} and save that as {sheet}',
        'save a copy of {source} as {sheet} with one more row at the end: "{item}", {number} and {price}',
    )
    brief = 'add a row "{item}", {number}, {price} below {source} as {sheet}'
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Type "{item}", {number} and {price} in the first empty row.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        there, named = [str(row[0]) for row in rows[1:]], theme.hint("item", draw, "")
        item, number, price = another_row(rows[0], there, draw, named)
        if len(rows[0]) != 3 or figures_in(rows) != [1, 2] or any(row[0] == item for row in rows):
            raise SpecError(f"{source.value} has other columns", remedy="give it something else")
        sheet = new_sheet(draw, theme, ("extended", "one-more", "completed"), [*rows, [item, number, price]])
        return Bound(
            takes=takes,
            gives={"sheet": sheet},
            params={"item": item, "number": str(number), "price": str(price)},
        )

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        last = len(sheet.content)
        heading, *rows, new = sheet.content
        mistaken: dict[str, list[Row]] = {
            "at the top": [heading, new, *rows],
            "twice": [*sheet.content, new],
            "its numbers as texts": [heading, *rows, [str(held) for held in new]],
            "in place of the last one": [heading, *rows[:-1], new],
        }
        cells = {f"{column_letter(place)}{last}": held for place, held in enumerate(new)}
        return _edit_work(source, (*go_to(f"A{last}"), *type_rows([new])), sheet, mistaken, cells)


class SortByAColumn(Subtask):
    """A copy of a table is sorted by a column of numbers."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'sort the rows of {source} by "{column}", smallest first, and save that as {sheet}',
        'save a copy of {source} as {sheet} with the rows sorted by "{column}" from smallest to largest',
    )
    brief = 'sort {source} by "{column}" from smallest to largest as {sheet}'
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Sort the rows by "{column}", smallest first.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        columns = [
            place
            for place in figures_in(rows)
            if len({row[place] for row in rows[1:]}) == len(rows) - 1
            and [row[place] for row in rows[1:]] != sorted(float(row[place]) for row in rows[1:])
            and isinstance(rows[0][place], str)
        ]
        if not columns:
            raise SpecError(f"{source.value} has no column to sort by", remedy="give it something else")
        place = rows[0].index(theme.among("column", draw, [str(rows[0][one]) for one in columns]))
        ordered = [rows[0], *sorted(rows[1:], key=lambda row: float(row[place]))]
        sheet = new_sheet(draw, theme, ("sorted", "in-order", "ranked"), ordered)
        return Bound(takes=takes, gives={"sheet": sheet}, params={"column": str(rows[0][place])})

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        column = column_letter(sheet.content[0].index(bound.params["column"]))
        ascending = hand.click("Sort Ascending", role="push button", app="soffice", timeout_sec=40)
        heading, *rows = sheet.content
        place = heading.index(bound.params["column"])
        torn = [
            [*row[:place], new[place], *row[place + 1 :]] for row, new in zip(source.content[1:], rows, strict=True)
        ]
        mistaken: dict[str, list[Row]] = {
            "largest first": [heading, *rows[::-1]],
            "that column alone": [heading, *torn],
            "the heading sorted in": [*rows, heading],
        }
        return _edit_work(source, (*go_to(f"{column}2"), ascending, ready(CALC)), sheet, mistaken)


class DropAColumn(Subtask):
    """A copy of a table leaves out one of its columns."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'delete the "{column}" column from {source} and save the result as {sheet}',
        'save a copy of {source} as {sheet} without the "{column}" column, leaving no gap',
    )
    brief = 'save {source} without the "{column}" column as {sheet}'
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Delete the "{column}" column.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        figures = figures_in(rows)
        if len(rows[0]) < 3 or not figures or figures[-1] == 0 or rows[0].count(rows[0][figures[-1]]) > 1:
            raise SpecError(f"{source.value} has no column to spare", remedy="give it something else")
        place = figures[-1]
        left = [[*row[:place], *row[place + 1 :]] for row in rows]
        sheet = new_sheet(draw, theme, ("shortened", "short", "without"), left)
        return Bound(takes=takes, gives={"sheet": sheet}, params={"column": str(rows[0][place])})

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        column = column_letter(source.content[0].index(bound.params["column"]))
        delete = (*go_to(f"{column}1"), hand.press("ctrl+space"), hand.press("ctrl+minus"))
        place = source.content[0].index(bound.params["column"])
        mistaken: dict[str, list[Row]] = {
            "emptied below its heading": [
                source.content[0],
                *([*row[:place], "", *row[place + 1 :]] for row in source.content[1:]),
            ],
            "another column": [row[1:] for row in source.content],
            "its heading alone": [
                [held for at, held in enumerate(source.content[0]) if at != place],
                *source.content[1:],
            ],
        }
        return _edit_work(source, delete, sheet, mistaken)


class CopyTheLargest(Subtask):
    """The name in the row with the highest figure goes to the clipboard."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"clip": "clipboard_text"}
    asks = (
        'copy the "{name}" in the row with the highest "{figure}" in {source} to the clipboard',
        'find the row with the highest "{figure}" in {source} and put its "{name}" on the clipboard',
    )
    brief = 'copy the "{name}" with the highest "{figure}" in {source}'
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Find the row with the highest "{figure}" and copy its "{name}" to the clipboard.',
        "Close Calc.",
    )
    demand = "Knowledge/Knowledge/Data Retrieval"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        figures = figures_in(rows)
        if not figures or 0 in figures or not all(isinstance(heading, str) for heading in rows[0]):
            raise SpecError(f"{source.value} has no figures with names", remedy="give it something else")
        place = rows[0].index(theme.among("figure", draw, [str(rows[0][one]) for one in figures]))
        *_, second, most = sorted(rows[1:], key=lambda row: float(row[place]))
        if second[place] == most[place]:
            raise SpecError(f"{source.value} has two highest figures", remedy="give it something else")
        clip = Resource("clipboard_text", str(most[0]), [str(most[0])])
        params = {"name": str(rows[0][0]), "figure": str(rows[0][place])}
        return Bound(takes=takes, gives={"clip": clip}, params=params)

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        names = [row[0] for row in source.content]

        def copy_row(row: int) -> Moves:
            # The cell itself: what is copied while one edits it is gone when Calc closes.
            return (*office(CALC, source), *go_to(f"A{row}"), hand.press("ctrl+c"), ready(CALC))

        right = names.index(clip.value) + 1
        ranked = f"tail -n +2 /tmp/rows.csv | sort -t, -g -k{source.content[0].index(bound.params['figure']) + 1}"
        return Work(
            moves=(*copy_row(right), *quit_office()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="another row", moves=copy_row(right - 1 if right > 2 else right + 1)),),
            other_ways=(
                by_hand(
                    "by the command line",
                    rows_exported(source.value, ["Sheet1"], "/tmp/rows.csv"),
                    *to_clipboard("sorted", f"{ranked} | tail -n 1 | cut -d, -f1").moves,
                ),
                typed_and_copied("typed into an editor", clip.value),
            ),
            cheats=(
                to_clipboard("every name", f"printf '%s\\n' {' '.join(repr(str(name)) for name in names[1:])}"),
                by_hand(
                    "its whole row",
                    rows_exported(source.value, ["Sheet1"], "/tmp/rows.csv"),
                    *to_clipboard("sorted", f"{ranked} | tail -n 1").moves,
                ),
                by_hand(
                    "the lowest",
                    rows_exported(source.value, ["Sheet1"], "/tmp/rows.csv"),
                    *to_clipboard("sorted", f"{ranked} | head -n 1 | cut -d, -f1").moves,
                ),
                by_shell("noted in a file", f"echo '{clip.value}' > Documents/highest.txt"),
            ),
        )
