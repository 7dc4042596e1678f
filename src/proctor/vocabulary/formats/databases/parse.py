"""What stands in an SQLite database."""

from __future__ import annotations

import hashlib
import math
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.databases.parse_sqlite import only_looking, open_database

MOST_TABLES = 60
MOST_ROWS = 5_000
MOST_TEXT = 20_000
MOST_NAME = 200
MOST_CELLS = 200_000
MOST_DEFINED = 500
"""Tables, indexes, views and triggers together."""
MARKS = ("user_version", "application_id", "encoding")
"""What a database says of itself beside its tables."""


def database_tables(data: bytes, ahead: bytes, path: str) -> dict[str, object]:
    """Return the tables of a database with columns and rows, and whatever else is defined in it."""
    with _open(data, ahead, path) as connection:
        defined = _schema(connection, path)
        return {
            "path": path,
            "tables": _tables(connection, path),
            "besides": _besides(connection),
            "schema": [each for each in defined if each["kind"] != "table"],
            "derived": [each for each in defined if each["kind"] == "table"],
            "marks": {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in MARKS},
        }


def database_answer(data: bytes, ahead: bytes, path: str, sql: str) -> dict[str, object]:
    """Return what a SELECT finds."""
    with _open(data, ahead, path) as connection:
        only_looking(connection)
        cursor = connection.execute(sql)
        return {"path": path, "columns": _columns(cursor), "rows": _rows(cursor, path)}


@contextmanager
def _open(data: bytes, ahead: bytes, path: str) -> Iterator[sqlite3.Connection]:
    try:
        with open_database(data, ahead) as connection:
            yield connection
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        kind = "refused" if "interrupt" in str(error) else "unreadable"
        raise CannotSee(kind, f"{path} cannot be read as a database: {error}") from error  # type: ignore[arg-type]


def _tables(connection: sqlite3.Connection, path: str) -> dict[str, Any]:
    listed = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    names = [
        name
        for name, sql in listed
        if isinstance(name, str) and not name.startswith("sqlite_") and not _virtual(str(sql))
    ]
    if len(names) > MOST_TABLES:
        raise CannotSee("refused", f"{path} has {len(names)} tables, more than the {MOST_TABLES} that are looked at")
    found = {}
    for name in names:
        quoted = name.replace('"', '""')
        cursor = connection.execute(f'SELECT * FROM "{quoted}"')
        rows = _rows(cursor, path)
        found[name] = {"columns": _columns(cursor), "declared": _columns_of(connection, quoted), "rows": rows}
    return found


def _columns_of(connection: sqlite3.Connection, quoted: str) -> list[str]:
    """Return the columns of a table with types and key, such as `id INTEGER PRIMARY KEY`."""
    columns = connection.execute(f'PRAGMA table_info("{quoted}")').fetchall()
    return [" ".join([str(each[1]), str(each[2]), *["PRIMARY KEY"] * bool(each[5])])[:MOST_TEXT] for each in columns]


def _besides(connection: sqlite3.Connection) -> list[str]:
    listed = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY name")
    return [str(name)[:MOST_NAME] for (name,) in listed.fetchmany(MOST_TABLES)]


def _schema(connection: sqlite3.Connection, path: str) -> list[dict[str, str]]:
    """Return all that is defined, each with its statement; how that is broken into lines is left out."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchmany(
        MOST_DEFINED + 1
    )
    if len(rows) > MOST_DEFINED:
        raise CannotSee("refused", f"{path} defines more than the {MOST_DEFINED} things that are looked at")
    return [
        {"name": str(name)[:MOST_NAME], "kind": str(kind), "table": str(table)[:MOST_NAME], "sql": _statement(sql)}
        for kind, name, table, sql in rows
        if not str(name).startswith("sqlite_")
    ]


def _statement(sql: object) -> str:
    return re.sub(r"\s+", " ", str(sql or "")).strip()[:MOST_TEXT]


def _virtual(sql: str) -> bool:
    return " ".join(sql.split()[:2]).casefold() == "create virtual"


def _columns(cursor: sqlite3.Cursor) -> list[str]:
    return [str(each[0]) for each in cursor.description or ()]


def _rows(cursor: sqlite3.Cursor, path: str) -> list[list[object]]:
    """Return the rows, one after the other: a row may be much larger than what is kept of it."""
    rows: list[list[object]] = []
    for row in cursor:
        rows.append([_value(held) for held in row])
        if len(rows) > MOST_ROWS or len(rows) * len(row) > MOST_CELLS:
            raise CannotSee("refused", f"{path} has a table of more than the {MOST_ROWS:,} rows that are looked at")
    return rows


def _value(held: object) -> object:
    if isinstance(held, bytes):
        return {"bytes": len(held), "sha256": hashlib.sha256(held).hexdigest()}
    if isinstance(held, float) and not math.isfinite(held):
        return str(held)
    return held[:MOST_TEXT] if isinstance(held, str) else held
