"""Transforms of SQLite databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random

from proctor.prove.transforms.shelf import Function, mutant, variant
from proctor.prove.transforms.words import other_datum

FILES = ("*.db", "*.sqlite", "*.sqlite3")
MAGIC = b"SQLite format 3\0"
MOST_BYTES = 32 * 2**20


def _of_database(edit: Callable[[sqlite3.Connection, Random], object]) -> Function:
    """Return what changes a database: what edits it tells whether there was anything to edit."""

    def of_bytes(data: bytes, draw: Random) -> bytes | None:
        if not data.startswith(MAGIC) or len(data) < 100 or len(data) > MOST_BYTES:
            return None
        # A database in memory has no write-ahead log: bytes 18 and 19 say whether there is one.
        plain = data[:18] + b"\1\1" + data[20:]
        try:
            with closing(sqlite3.connect(":memory:")) as connection:
                connection.deserialize(plain)
                if not edit(connection, draw):
                    return None
                connection.commit()
                return connection.serialize()
        except (sqlite3.Error, ValueError, OverflowError, UnicodeDecodeError, MemoryError):
            return None

    return of_bytes


def _tables(connection: sqlite3.Connection) -> list[str]:
    listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    names = [_quote(name) for (name,) in listed if isinstance(name, str) and not name.startswith("sqlite_")]
    return [name for name in names if connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _row(connection: sqlite3.Connection, draw: Random) -> tuple[str, int] | None:
    tables = _tables(connection)
    if not tables:
        return None
    table = draw.choice(tables)
    ids = [row[0] for row in connection.execute(f"SELECT rowid FROM {table} LIMIT 10000")]
    return (table, draw.choice(ids)) if ids else None


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns that are no keys."""
    return [_quote(info[1]) for info in connection.execute(f"PRAGMA table_info({table})") if not info[5]]


@mutant("a row dropped", *FILES)
@_of_database
def _drop_row(connection: sqlite3.Connection, draw: Random) -> bool:
    if (found := _row(connection, draw)) is None:
        return False
    connection.execute(f"DELETE FROM {found[0]} WHERE rowid = ?", (found[1],))
    return True


@mutant("a value changed", *FILES)
@_of_database
def _change_value(connection: sqlite3.Connection, draw: Random) -> bool:
    table, row = _row(connection, draw) or ("", 0)
    if not table or not (columns := _columns(connection, table)):
        return False
    column = draw.choice(columns)
    (value,) = connection.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (other_datum(value), row))
    return True


@mutant("a row written twice", *FILES)
@_of_database
def _double_row(connection: sqlite3.Connection, draw: Random) -> bool:
    """Write a row a second time, under another key where it has one."""
    if (found := _row(connection, draw)) is None:
        return False
    table, row = found
    listed = ", ".join(_columns(connection, table))
    connection.execute(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM {table} WHERE rowid = ?", (row,))
    return True


@mutant("an index added", *FILES)
@_of_database
def _add_index(connection: sqlite3.Connection, draw: Random) -> bool:
    for table in _tables(connection):
        for column in _columns(connection, table)[:1]:
            connection.execute(f"CREATE INDEX left_over ON {table} ({column})")
            return True
    return False


@mutant("an empty table added", *FILES)
@_of_database
def _add_table(connection: sqlite3.Connection, draw: Random) -> bool:
    connection.execute("CREATE TABLE left_over (note TEXT)")
    return True


@mutant("a view added", *FILES)
@_of_database
def _add_view(connection: sqlite3.Connection, draw: Random) -> bool:
    connection.execute("CREATE VIEW left_over AS SELECT 1")
    return True


variant("packed anew", *FILES)(_of_database(lambda connection, draw: connection.execute("VACUUM")))
