"""Subtasks on databases in DB Browser for SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import (
    base,
    close_window,
    full,
    new_path,
    open_file,
    quote_path,
    rows_of,
    start_program,
)
from proctor.suites.parts.ways import by_python, by_shell
from proctor.suites.pool.sums import numeric_columns
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

TABLE = "stock"
"""The one table that every database of these tasks has."""
DEMAND = "Knowledge/Knowledge/Data Retrieval"
WINDOW = "DB Browser for SQLite"
# It keeps in mind whether the first line of a table has the headings; this way it is so from the first time on.
SETUP = (make.text_file(".config/sqlitebrowser/sqlitebrowser.conf", "[importcsv]\nfirstrowheader=true\n"),)
Rows = Sequence[Sequence[str | int | float]]


def even_rows(resource: Resource) -> list[list[str | int | float]]:
    """Return the rows of a table each of whose columns holds only numbers or only texts.

    Raises:
        SpecError: It has other ones, which a database would not keep as they are.
    """
    headings, *body = rows = rows_of(resource)
    numbers = numeric_columns(rows)
    texts = [place for place in range(len(headings)) if all(_is_text(row[place]) for row in body)]
    if len(numbers) + len(texts) < len(headings) or not all(str(heading).isalnum() for heading in headings):
        raise SpecError(f"{resource.value} has columns of a mixed kind", remedy="give it another table")
    return rows


def _is_text(held: object) -> bool:
    return isinstance(held, str) and bool(held.strip()) and not held.strip()[0].isdigit() and '"' not in held


def in_file_dialog(title: str, path: str) -> tuple[Call, ...]:
    """Give a file its whole name in one of the dialogs of DB Browser."""
    return (
        hand.await_window(title),
        hand.press("ctrl+a"),
        hand.type(path),
        hand.press("Return"),
        hand.await_window(title, gone=True),
    )


def export_rows(table: Resource) -> tuple[Call, ...]:
    """Save what the dialog for exports offers, and close the message that says it is done."""
    return (
        hand.await_window("Export data as CSV"),
        hand.click("Save", role="push button", window="Export data as CSV"),
        *in_file_dialog("Choose a filename to export data", full(table)),
        hand.await_saved(table.value),
        hand.await_element("OK", role="push button", window=f"/^{WINDOW}$/"),
        hand.press("Return"),
        hand.await_window("Export data as CSV", gone=True),
    )


def rows_in(path: str, rows: Rows) -> Call:
    """Return the check that a database has one table with these headings and rows."""
    headings, *body = rows
    return expect.tables_are(
        see.database(path),
        {TABLE: [list(row) for row in body]},
        columns={TABLE: [str(heading) for heading in headings]},
        numbers_as_texts=True,
    )


class MakeADatabase(Subtask):
    """A table is imported into a new database."""

    version = 5
    app = "sqlitebrowser"
    takes = {"table": "table_file"}
    gives = {"database": "database"}
    asks = (
        f"import {{table}} as the table {TABLE} into a new SQLite database {{database}}, with the first line as the "
        "column names",
        f"make a new SQLite database {{database}} in DB Browser with {TABLE} as its only table, holding the rows of "
        "{table} with the first line as the column names",
    )
    brief = "import {table}, headings included, as table stock of a new database {database}"
    steps = (
        "Start DB Browser for SQLite and make a new database {database}; cancel the dialog for a new table.",
        f"Import {{table}} as the table {TABLE}, with the column names in the first line.",
        "Write the changes and close DB Browser.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("records", "archive-data", "catalogue"), ".db")
        return Bound(takes=takes, gives={"database": Resource("database", path, even_rows(takes["table"]))})

    def work(self, bound: Bound) -> Work:
        table, database = bound.takes["table"], bound.gives["database"]

        def import_as(name: str) -> tuple[Call, ...]:
            return (
                *start_program("sqlitebrowser", WINDOW),
                hand.press("ctrl+n"),
                *in_file_dialog("Choose a filename to save under", full(database)),
                hand.await_window("Edit table definition"),
                hand.press("Escape"),
                hand.await_window("Edit table definition", gone=True),
                hand.menu(["File", "Import", "Table from CSV file..."]),
                *in_file_dialog("Choose text files", full(table)),
                hand.await_window("Import CSV file"),
                hand.press("ctrl+a"),
                hand.type(name),
                hand.click("OK", role="push button", window="Import CSV file"),
                hand.await_window("Import CSV file", gone=True),
                hand.await_element(name, role="table cell", window=base(database)),
            )

        written = (hand.press("ctrl+s"), hand.await_saved(database.value))
        return Work(
            moves=(*import_as(TABLE), *written, *close_window(WINDOW)),
            check=rows_in(database.value, database.content),
            near_misses=(
                NearMiss(name="another name", moves=(*import_as("things"), *written)),
                NearMiss(name="not written", moves=import_as(TABLE)),
            ),
            other_ways=_imported_by_others(table, database),
            cheats=_imported_wrong(table, database),
            expected=(f"{database.value}-journal",),
            setup=SETUP,
        )


def _imported_by_others(table: Resource, database: Resource) -> tuple[Way, ...]:
    return (
        by_shell("by the command line", f"sqlite3 {quote_path(database)} '.mode csv' '.import {table.value} {TABLE}'"),
        by_python("by Python, its columns typed", _fill_code(database, database.content)),
    )


def _imported_wrong(table: Resource, database: Resource) -> tuple[Way, ...]:
    return (
        by_python("the table, without rows", _fill_code(database, database.content[:1])),
        by_python("the headings as a row", _fill_code(database, [*database.content, database.content[0]])),
        by_python("headings of other columns", _fill_code(database, [_turn_headings(database), *database.content[1:]])),
        by_python("every row twice", _fill_code(database, [*database.content, *database.content[1:]])),
        by_shell("the table under that name", f"cp {quote_path(table)} {quote_path(database)}"),
        by_shell(
            "another table beside it",
            *(f"sqlite3 {quote_path(database)} '.mode csv' '.import {table.value} {name}'" for name in (TABLE, "more")),
        ),
    )


def _turn_headings(database: Resource) -> list[str]:
    """Return the headings of a table with the last two exchanged."""
    *others, one, last = map(str, database.content[0])
    return [*others, last, one]


class ExportADatabase(Subtask):
    """The table of a database is exported."""

    app = "sqlitebrowser"
    takes = {"database": "database"}
    gives = {"table": "table_file"}
    asks = (
        f"export the table {TABLE} from {{database}} as a CSV file {{table}}, with the column names in the first line "
        "and commas between the values",
        f"save the table {TABLE} in {{database}} as a CSV file {{table}} that has the column names in its first "
        "line and commas between the values",
    )
    brief = "export table stock of {database} with headings as {table}"
    steps = (
        "Open {database} in DB Browser for SQLite.",
        f"Export its table {TABLE} as CSV, with column names in the first line, to {{table}}.",
        "Close DB Browser.",
    )
    demand = DEMAND
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("export", "extract", "rows"), ".csv")
        return Bound(takes=takes, gives={"table": Resource("table_file", path, even_rows(takes["database"]))})

    def work(self, bound: Bound) -> Work:
        database, table = bound.takes["database"], bound.gives["table"]
        shown = (*open_file("sqlitebrowser", database), hand.menu(["File", "Export", "Table(s) as CSV file..."]))
        unnamed = (
            hand.await_window("Export data as CSV"),
            hand.click("/first line/", role="check box", window="Export data as CSV"),
        )
        return Work(
            moves=(*shown, *export_rows(table), *close_window(WINDOW)),
            check=expect.csv_rows(see.csv(table.value), [list(row) for row in table.content]),
            near_misses=(NearMiss(name="without the column names", moves=(*shown, *unnamed, *export_rows(table))),),
            other_ways=(
                by_shell("by the command line", f"{_ALL.format(quote_path(database))} > {quote_path(table)}"),
                by_python("by Python, with quotes", _export_code(database, table)),
            ),
            cheats=(
                by_shell("with semicolons", f"{_ALL.format(quote_path(database))} | tr , ';' > {quote_path(table)}"),
                by_shell("its first rows", f"{_ALL.format(quote_path(database))} | head -n 3 > {quote_path(table)}"),
                by_shell("as commands", f"sqlite3 {quote_path(database)} .dump > {quote_path(table)}"),
                by_shell("the database under that name", f"cp {quote_path(database)} {quote_path(table)}"),
            ),
            setup=SETUP,
        )


_ALL = f"sqlite3 -header -csv {{}} 'select * from {TABLE}'"


def _fill_code(database: Resource, rows: Rows) -> str:
    """Return code that makes the database with these rows below their headings."""
    headings, *body = [list(row) for row in rows]
    typed = ", ".join(f"{heading} {'TEXT' if place == 0 else 'NUMERIC'}" for place, heading in enumerate(headings))
    places = ", ".join("?" * len(headings))
    return (
        f"import sqlite3\nheld = sqlite3.connect({database.value!r})\nheld.execute('CREATE TABLE {TABLE} ({typed})')\n"
        f"held.executemany('INSERT INTO {TABLE} VALUES ({places})', {body!r})\nheld.commit()\nheld.close()\n"
    )


def _export_code(database: Resource, table: Resource) -> str:
    return (
        f"import csv, sqlite3\nfound = sqlite3.connect({database.value!r}).execute('select * from {TABLE}')\n"
        f"with open({table.value!r}, 'w', newline='') as file:\n    writer = csv.writer(file, quoting=csv.QUOTE_ALL)\n"
        "    writer.writerow([column[0] for column in found.description])\n    writer.writerows(found)\n"
    )
