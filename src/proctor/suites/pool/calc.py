"""Subtasks on tables in LibreOffice Calc."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Literal

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.office import (
    CALC,
    PATIENCE_SEC,
    begin_office,
    exported_as_pdf,
    merely_copied,
    office,
    quit_office,
    ready,
    saved_as,
)
from proctor.suites.parts.pdfs import written_pdf
from proctor.suites.parts.programs import new_path, quote_path
from proctor.suites.parts.rows import Row, cell_text, plain_rows
from proctor.suites.parts.sheets_by_code import book_made, rows_exported
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.suites.parts.writer import convert_document
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, NearMiss

TABLING = "Office/Data/Tabling"
CENT = 0.005
"""How far a computed amount may be off."""
ANY_SHEET_NAME = Admission(
    which="*: its first sheet renamed", why="Nobody says what the sheet in the new file is called."
)


def new_sheet(draw: Draw, theme: Theme, words: tuple[str, ...], rows: list[Row]) -> Resource:
    """Draw the name of a new spreadsheet that holds these rows."""
    return Resource("spreadsheet", new_path(draw, theme, "Documents", words, ".ods"), rows)


def holds(sheet: Resource, form: Literal["ods", "csv"] = "ods") -> Call:
    """Expect a file of a format with these rows."""
    seen = see.spreadsheet(sheet.value)
    return expect.all_of([expect.table_is(seen, sheet.content, tolerance=CENT), expect.spreadsheet_format(seen, form)])


class TurnATableIntoASpreadsheet(Subtask):
    """A CSV file becomes a spreadsheet."""

    app = "libreoffice-calc"
    takes = {"source": "table_file"}
    gives = {"sheet": "spreadsheet"}
    asks = (
        "turn {source} into an OpenDocument spreadsheet {sheet}",
        "open {source} in Calc and save it as an OpenDocument spreadsheet {sheet}",
    )
    brief = "save {source} as the spreadsheet {sheet}"
    steps = (
        "Open {source} in LibreOffice Calc with the separators it suggests.",
        "Save it as an OpenDocument spreadsheet {sheet}.",
        "Close Calc.",
    )
    demand = TABLING
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        sheet = new_sheet(draw, theme, ("workbook", "calculation", "register"), plain_rows(takes["source"]))
        return Bound(takes=takes, gives={"sheet": sheet})

    def work(self, bound: Bound) -> Work:
        source, sheet = bound.takes["source"], bound.gives["sheet"]
        loaded = hand.await_window("LibreOffice Calc", timeout_sec=PATIENCE_SEC)
        read = (*begin_office(CALC, source, window="Text Import"), hand.press("Return"), loaded, ready(CALC))
        return Work(
            moves=(*read, *saved_as(sheet), *quit_office()),
            check=holds(sheet),
            may_differ=(ANY_SHEET_NAME,),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, sheet)),),
            other_ways=(
                by_hand("by the command line", *convert_document(source.value, sheet.value)),
                by_hand("by Python", book_made(sheet.value, sheet.content)),
            ),
            cheats=(
                by_hand(
                    "numbers as texts", book_made(sheet.value, [[str(held) for held in row] for row in sheet.content])
                ),
                by_hand(
                    "all in one column", book_made(sheet.value, [[",".join(map(str, row))] for row in sheet.content])
                ),
                by_hand("without its last row", book_made(sheet.value, sheet.content[:-1])),
            ),
        )


class ExportASheetAsTable(Subtask):
    """A spreadsheet becomes a CSV file."""

    version = 3
    app = "libreoffice-calc"
    takes = {"source": "spreadsheet"}
    gives = {"table": "table_file"}
    asks = (
        "save {source} as comma-separated values in the CSV file {table}",
        "export {source} from Calc as a CSV file {table}, separated by commas",
    )
    brief = "save {source} as the comma-separated table {table}"
    steps = (
        "Open {source} in LibreOffice Calc.",
        "Save it as a CSV file {table}, separated by commas.",
        "Close Calc.",
    )
    demand = TABLING

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("values", "export", "for-the-office"), ".csv")
        return Bound(takes=takes, gives={"table": Resource("table_file", path, plain_rows(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, table = bound.takes["source"], bound.gives["table"]
        return Work(
            moves=(
                *office(CALC, source),
                *saved_as(table, "Confirm File Format", "Export Text File"),
                *quit_office(),
            ),
            # Calc reads other separators as well, and commas were asked for.
            check=expect.all_of([holds(table, "csv"), expect.csv_rows(see.csv(table.value), table.content)]),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, table)),),
            other_ways=(
                by_hand("by the command line", *convert_document(source.value, table.value)),
                by_hand(
                    "by Python, with quotes",
                    rows_exported(source.value, ["Sheet1"], table.value, "quoting=csv.QUOTE_ALL"),
                ),
            ),
            cheats=(
                by_hand("with semicolons", rows_exported(source.value, ["Sheet1"], table.value, "delimiter=';'")),
                by_shell("its headings alone", f"echo '{','.join(map(str, table.content[0]))}' > {quote_path(table)}"),
                by_hand("as a page of text", rows_exported(source.value, ["Sheet1"], table.value, "delimiter=' '")),
            ),
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
    brief = "export {source} as the PDF {pdf}"
    steps = ("Open {source} in LibreOffice Calc.", "Export it as a PDF to {pdf}.", "Close Calc.")
    demand = TABLING
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("table", "overview", "figures"), ".pdf")
        rows = plain_rows(takes["source"])
        if len(rows[0]) > 6 or len(rows) > 40:
            raise SpecError(f"{takes['source'].value} does not fit on a page", remedy="give it something else")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, rows)})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        lines = [" ".join(cell_text(held) for held in row) for row in pdf.content]
        return Work(
            moves=(*office(CALC, source), *exported_as_pdf(CALC, pdf), *quit_office()),
            check=expect.pdf_has_text(see.pdf(pdf.value), lines),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, pdf)),),
            other_ways=(
                by_hand("by the command line", *convert_document(source.value, pdf.value)),
                by_python("by Python", written_pdf(pdf.value, lines)),
            ),
            cheats=(
                by_python("its headings alone", written_pdf(pdf.value, lines[:1])),
                by_python(
                    "figures beside the wrong names", written_pdf(pdf.value, [lines[0], *_tear_rows(pdf.content)])
                ),
                by_python("without its last row", written_pdf(pdf.value, lines[:-1])),
                by_shell("a text under that name", f"printf '%s\\n' {shlex.join(lines)} > {quote_path(pdf)}"),
            ),
        )


def _tear_rows(rows: list[Row]) -> list[str]:
    """Return the rows of a table as text, each with the name of the one below it."""
    names = [row[0] for row in rows[1:]]
    moved = [*names[1:], names[0]]
    return [" ".join([str(name), *map(cell_text, row[1:])]) for name, row in zip(moved, rows[1:], strict=True)]
