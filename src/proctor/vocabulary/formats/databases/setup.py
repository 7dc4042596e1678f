"""Setup steps that make databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

Value = str | int | float | None


class Table(PlainModel):
    """A table: its columns as SQL declares them (`price REAL`) and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...] = ()


@SETUP.register
def database(context: SetupContext, path: str, tables: dict[str, Table]) -> None:
    """Write an SQLite database with these tables."""
    context.computer.write_file(path, sqlite_bytes(tables))


def sqlite_bytes(tables: Mapping[str, Table]) -> bytes:
    """Return a database file with these tables; the same tables give the same bytes."""
    connection = sqlite3.connect(":memory:")
    try:
        for name, table in tables.items():
            connection.execute(f'CREATE TABLE "{name}" ({", ".join(table.columns)})')
            places = ", ".join("?" * len(table.columns))
            connection.executemany(f'INSERT INTO "{name}" VALUES ({places})', table.rows)
        connection.commit()
        return connection.serialize()
    finally:
        connection.close()
