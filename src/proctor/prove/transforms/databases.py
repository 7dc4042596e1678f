"""Transforms of SQLite databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import Any

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import next_number, unlike

FILES = ("*.db", "*.sqlite", "*.sqlite3")
MAGIC = b"SQLite format 3\0"
MOST_BYTES = 32 * 2**20


def _edit(data: bytes, edit: Callable[[sqlite3.Connection], bool]) -> bytes | None:
    """Return a database with something changed; None where it is none or nothing was."""
    if not data.startswith(MAGIC) or len(data) < 100 or len(data) > MOST_BYTES:
        return None
    # A database in memory has no write-ahead log: bytes 18 and 19 say whether there is one.
    plain = data[:18] + b"\1\1" + data[20:]
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(plain)
            if not edit(connection):
                return None
            connection.commit()
            return connection.serialize()
    except (sqlite3.Error, ValueError, OverflowError, UnicodeDecodeError, MemoryError):
        return None


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


@mutant("a row dropped", *FILES)
def row_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one row."""

    def edit(connection: sqlite3.Connection) -> bool:
        if (found := _row(connection, draw)) is None:
            return False
        connection.execute(f"DELETE FROM {found[0]} WHERE rowid = ?", (found[1],))
        return True

    return _edit(data, edit)


@mutant("a value changed", *FILES)
def value_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another value in place of one that is no key."""

    def edit(connection: sqlite3.Connection) -> bool:
        if (found := _row(connection, draw)) is None:
            return False
        table, row = found
        columns = [info[1] for info in connection.execute(f"PRAGMA table_info({table})") if not info[5]]
        if not columns:
            return False
        column = _quote(draw.choice(columns))
        (value,) = connection.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_other(value), row))
        return True

    return _edit(data, edit)


@mutant("a row written twice", *FILES)
def row_twice(data: bytes, draw: Random) -> bytes | None:
    """Write one row a second time, under another key where it has one."""

    def edit(connection: sqlite3.Connection) -> bool:
        if (found := _row(connection, draw)) is None:
            return False
        table, row = found
        columns = [info[1] for info in connection.execute(f"PRAGMA table_info({table})") if not info[5]]
        listed = ", ".join(map(_quote, columns))
        connection.execute(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM {table} WHERE rowid = ?", (row,))
        return True

    return _edit(data, edit)


@variant("packed anew", *FILES)
def packed_anew(data: bytes, draw: Random) -> bytes | None:
    """Write its pages anew, a table of no rows and an index more or less aside."""

    def edit(connection: sqlite3.Connection) -> bool:
        connection.execute("VACUUM")
        return True

    return _edit(data, edit)


def _other(value: object) -> Any:
    if isinstance(value, int | float):
        return value + 7
    if isinstance(value, str) and value:
        return "".join(next_number(c) if c.isascii() and c.isdigit() else unlike(c) for c in value)
    return "something else"
