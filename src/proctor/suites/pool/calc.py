"""Subtasks on tables in LibreOffice Calc."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from proctor.errors import SpecError
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.calc import enter, fill_down, go_to, type_rows
from proctor.suites.parts.office import (
    CALC,
    PATIENCE_SEC,
    Moves,
    begun,
    exported_as_pdf,
    merely_copied,
    office,
    quitted,
    ready,
    saved_as,
)
from proctor.suites.parts.programs import named
from proctor.suites.parts.rows import Row, column_letter, figures_in, plain_rows, shown
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

TABLING = "Office/Data/Tabling"
CENT = 0.005
"""How far a computed amount may be off."""


def _two_figures(resource: Resource, rows: list[Row]) -> tuple[int, int]:
    """Return the first two columns of numbers."""
    found = figures_in(rows)
    if len(found) < 2 or any(not isinstance(heading, str) for heading in rows[0]):
        raise SpecError(f"{resource.value} has no two columns of numbers", remedy="hand it something else")
    return found[0], found[1]


def _sheet(draw: Draw, theme: Theme, words: tuple[str, ...], rows: list[Row]) -> Resource:
    return Resource("spreadsheet", named(draw, theme, "Documents", words, ".ods"), rows)


def _holds(sheet: Resource, form: Literal["ods", "csv"] = "ods") -> Call:
    """Expect a file of a format with these rows."""
    seen = see.spreadsheet(sheet.value)
    return expect.all_of([expect.table_is(seen, sheet.content, tolerance=CENT), expect.spreadsheet_format(seen, form)])


def _edited(source: Resource, edit: Moves, sheet: Resource) -> Work:
    """Open a spreadsheet, change something and save that as another one; copying it as it is is not enough."""
    return Work(
        moves=(*office(CALC, source), *edit, *saved_as(sheet), *quitted()),
        check=_holds(sheet),
        near_misses=(NearMiss(name="copied unchanged", moves=merely_copied(source, sheet)),),
    )


class TurnATableIntoASpreadsheet(Subtask):
    """A CSV file becomes a spreadsheet."""

    app = "libreoffice-calc"
    takes = {"source": "table_file"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        "turn {source} into an OpenDocument spreadsheet {sheet}",
        "open {source} in Calc and save it as an OpenDocument spreadsheet {sheet}",
    )
    steps = (
        "Open {source} in LibreOffice Calc with the separators it suggests.",
        "Save it as an OpenDocument spreadsheet {sheet}.",
        "Close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        sheet = _sheet(draw, theme, ("workbook", "calculation", "register"), plain_rows(takes["source"]))
        return Bound(takes=takes, gives={"sheet": sheet})

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        loaded = hand.await_window("LibreOffice Calc", timeout_sec=PATIENCE_SEC)
        read = (*begun(CALC, source, window="Text Import"), hand.press("Return"), loaded, ready(CALC))
        return Work(
            moves=(*read, *saved_as(sheet), *quitted()),
            check=_holds(sheet),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, sheet)),),
        )


class ExportASheetAsTable(Subtask):
    """A spreadsheet becomes a CSV file."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"table": "table_file"}
    asks = (
        "save {source} as comma-separated values in the CSV file {table}",
        "export {source} from Calc as a CSV file {table}, separated by commas",
    )
    steps = (
        "Open {source} in LibreOffice Calc.",
        "Save it as a CSV file {table}, separated by commas.",
        "Close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Documents", ("values", "export", "for-the-office"), ".csv")
        return Bound(takes=takes, gives={"table": Resource("table_file", path, plain_rows(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, table = bound.takes["source"], bound.gives["table"]
        return Work(
            moves=(
                *office(CALC, source),
                *saved_as(table, "Confirm File Format", "Export Text File"),
                *quitted(),
            ),
            check=_holds(table, "csv"),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, table)),),
        )


class ExportASheet(Subtask):
    """A spreadsheet becomes a PDF."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"pdf": "pdf"}
    asks = (
        "export {source} from Calc as a PDF to {pdf}",
        "make a PDF {pdf} of the table in {source}",
    )
    steps = ("Open {source} in LibreOffice Calc.", "Export it as a PDF to {pdf}.", "Close Calc.")
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Documents", ("table", "overview", "figures"), ".pdf")
        rows = plain_rows(takes["source"])
        if len(rows[0]) > 6 or len(rows) > 40:
            raise SpecError(f"{takes['source'].value} does not fit on a page", remedy="hand it something else")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, rows)})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        lines = [" ".join(shown(held) for held in row) for row in pdf.content]
        return Work(
            moves=(*office(CALC, source), *exported_as_pdf(CALC, pdf), *quitted()),
            check=expect.pdf_has_text(see.pdf(pdf.value), lines),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, pdf)),),
        )


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
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Type "{heading}" above the first empty column and fill the column with "{one}" times "{other}".',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        one, other = _two_figures(source, rows)
        unused = [word for word in ("Amount", "Value", "Costs", "Product") if word not in rows[0]]
        if not unused:
            raise SpecError(f"{source.value} has such a column", remedy="hand it something else")
        heading = draw.choice(unused)
        filled: list[Row] = [[*row, round(float(row[one]) * float(row[other]), 2)] for row in rows[1:]]
        sheet = _sheet(draw, theme, ("multiplied", "with-amounts", "worked-out"), [[*rows[0], heading], *filled])
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
        return _edited(source, fill, sheet)


class AddUpTheColumns(Subtask):
    """A copy of a table gets a last row with totals."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'add a last row "{label}" with the total of every number column to {source} and save that as {sheet}',
        'save a copy of {source} as {sheet} with a last row "{label}" that has the total of every number column',
    )
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Type "{label}" below the first column and the totals below the number columns.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        if figures_in(rows) != list(range(1, len(rows[0]))):
            raise SpecError(f"{source.value} has more columns of words than one", remedy="hand it something else")
        label = draw.choice(("Total", "Sum", "Altogether"))
        if any(str(row[0]).startswith(label) for row in rows):
            raise SpecError(f"{source.value} has such a row", remedy="hand it something else")
        sums = [round(sum(float(row[place]) for row in rows[1:]), 2) for place in range(1, len(rows[0]))]
        last: Row = [label, *(int(held) if held == int(held) else held for held in sums)]
        sheet = _sheet(draw, theme, ("added-up", "with-totals", "summed"), [*rows, last])
        return Bound(takes=takes, gives={"sheet": sheet}, params={"label": label})

    def work(self, bound: Bound) -> Work:
        source, sheet, label = bound.takes["source"], bound.gives["sheet"], bound.params["label"]
        width, last = len(sheet.content[0]), len(sheet.content)
        sums = [f"=SUM({column_letter(place)}2:{column_letter(place)}{last - 1})" for place in range(1, width)]
        return _edited(source, (*go_to(f"A{last}"), *type_rows([[label, *sums]])), sheet)


class AddARow(Subtask):
    """A copy of a table gets one more row."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'add a row with "{item}", {number} and {price} at the bottom of {source} and save that as {sheet}',
        'save a copy of {source} as {sheet} with one more row at the end: "{item}", {number} and {price}',
    )
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Type "{item}", {number} and {price} in the first empty row.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        item = draw.choice(("Masking tape", "Paint brushes", "Window cleaner", "Garden hose"))
        if len(rows[0]) != 3 or figures_in(rows) != [1, 2] or any(row[0] == item for row in rows):
            raise SpecError(f"{source.value} has other columns", remedy="hand it something else")
        number, price = draw.randint(2, 60), draw.amount(1, 40)
        sheet = _sheet(draw, theme, ("extended", "one-more", "completed"), [*rows, [item, number, price]])
        return Bound(
            takes=takes,
            gives={"sheet": sheet},
            params={"item": item, "number": str(number), "price": str(price)},
        )

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        last = len(sheet.content)
        return _edited(source, (*go_to(f"A{last}"), *type_rows([sheet.content[-1]])), sheet)


class SortByAColumn(Subtask):
    """A copy of a table is sorted by a column of numbers."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'sort the rows of {source} by "{column}", smallest first, and save that as {sheet}',
        'save a copy of {source} as {sheet} with the rows sorted by "{column}" from smallest to largest',
    )
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Sort the rows by "{column}", smallest first.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING

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
            raise SpecError(f"{source.value} has no column to sort by", remedy="hand it something else")
        place = draw.choice(columns)
        ordered = [rows[0], *sorted(rows[1:], key=lambda row: float(row[place]))]
        sheet = _sheet(draw, theme, ("sorted", "in-order", "ranked"), ordered)
        return Bound(takes=takes, gives={"sheet": sheet}, params={"column": str(rows[0][place])})

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        column = column_letter(sheet.content[0].index(bound.params["column"]))
        ascending = hand.click("Sort Ascending", role="push button", app="soffice", timeout_sec=40)
        return _edited(source, (*go_to(f"{column}2"), ascending, ready(CALC)), sheet)


class DropAColumn(Subtask):
    """A copy of a table leaves out one of its columns."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        'delete the "{column}" column from {source} and save the result as {sheet}',
        'save a copy of {source} as {sheet} without the "{column}" column, leaving no gap',
    )
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Delete the "{column}" column.',
        "Save it as {sheet} and close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        figures = figures_in(rows)
        if len(rows[0]) < 3 or not figures or figures[-1] == 0 or rows[0].count(rows[0][figures[-1]]) > 1:
            raise SpecError(f"{source.value} has no column to spare", remedy="hand it something else")
        place = figures[-1]
        left = [[*row[:place], *row[place + 1 :]] for row in rows]
        sheet = _sheet(draw, theme, ("shortened", "short", "without"), left)
        return Bound(takes=takes, gives={"sheet": sheet}, params={"column": str(rows[0][place])})

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        column = column_letter(source.content[0].index(bound.params["column"]))
        delete = (*go_to(f"{column}1"), hand.press("ctrl+space"), hand.press("ctrl+minus"))
        return _edited(source, delete, sheet)


class CopyTheLargest(Subtask):
    """The name in the row with the highest figure goes to the clipboard."""

    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"clip": "clipboard_text"}
    asks = (
        'copy the "{name}" in the row with the highest "{figure}" in {source} to the clipboard',
        'find the row with the highest "{figure}" in {source} and put its "{name}" on the clipboard',
    )
    steps = (
        "Open {source} in LibreOffice Calc.",
        'Find the row with the highest "{figure}" and copy its "{name}" to the clipboard.',
        "Close Calc.",
    )
    demand = "Knowledge/Knowledge/Data Retrieval"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        rows = plain_rows(source)
        figures = figures_in(rows)
        if not figures or 0 in figures or not all(isinstance(heading, str) for heading in rows[0]):
            raise SpecError(f"{source.value} has no figures with names", remedy="hand it something else")
        place = draw.choice(figures)
        *_, second, most = sorted(rows[1:], key=lambda row: float(row[place]))
        if second[place] == most[place]:
            raise SpecError(f"{source.value} has two highest figures", remedy="hand it something else")
        clip = Resource("clipboard_text", str(most[0]), [str(most[0])])
        params = {"name": str(rows[0][0]), "figure": str(rows[0][place])}
        return Bound(takes=takes, gives={"clip": clip}, params=params)

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        names = [row[0] for row in source.content]

        def copied(row: int) -> Moves:
            # The cell itself: what is copied while one edits it is gone when Calc closes.
            return (*office(CALC, source), *go_to(f"A{row}"), hand.press("ctrl+c"), ready(CALC))

        right = names.index(clip.value) + 1
        return Work(
            moves=(*copied(right), *quitted()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="another row", moves=copied(right - 1 if right > 2 else right + 1)),),
        )
