"""Probes that look into databases, which may be anything an agent left."""

from __future__ import annotations

import math
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.tasks.finding import CannotSee
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

MOST_TABLES = 60
MOST_ROWS = 5_000
MOST_TEXT = 20_000
MOST_STEPS = 2_000
"""How often a query may run on for another 10,000 instructions before it is given up."""
WRITE_AHEAD = b"\x02\x02"
ROLLBACK = b"\x01\x01"
"""How a database says, in two bytes of its header, in which way it is written."""
ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


@PROBES.register
def database(scene: Scene, path: str) -> dict[str, Any]:
    """The tables of an SQLite database: their columns and rows, as they are written to the file."""
    with _opened(scene, path) as connection:
        return {"path": path, "tables": _tables(connection, path)}


@PROBES.register
def query(scene: Scene, path: str, sql: str) -> dict[str, Any]:
    """What a SELECT of the task's author finds in an SQLite database."""
    if not sql.lstrip().casefold().startswith(("select", "with")):
        raise SpecError(f"{sql!r} does not only look", remedy="write a SELECT")
    with _opened(scene, path) as connection:
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY)
        cursor = connection.execute(sql)
        return {"path": path, "columns": [each[0] for each in cursor.description], "rows": _rows(cursor, path)}


@contextmanager
def _opened(scene: Scene, path: str) -> Iterator[sqlite3.Connection]:
    data = scene.read(path)
    ahead = _beside(scene, f"{path}-wal")
    try:
        with open_database(data, ahead) as connection:
            yield connection
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        kind = "refused" if "interrupt" in str(error) else "unreadable"
        raise CannotSee(kind, f"{path} cannot be read as a database: {error}") from error  # type: ignore[arg-type]


def _beside(scene: Scene, path: str) -> bytes:
    """Return what was written ahead of a database, which is part of it; nothing is the usual case."""
    info = scene.info(path)
    return scene.read(path) if info is not None and info.kind == "file" and info.size else b""


@contextmanager
def open_database(data: bytes, ahead: bytes = b"") -> Iterator[sqlite3.Connection]:
    """Open a database that may have been made to do harm; raises sqlite3.Error when it is none."""
    with tempfile.TemporaryDirectory() as folder:
        if ahead:
            copy = Path(folder) / "copy.db"
            copy.write_bytes(data)
            copy.with_name("copy.db-wal").write_bytes(ahead)
            connection = sqlite3.connect(copy)
        else:
            connection = sqlite3.connect(":memory:")
        try:
            if not ahead:
                # What lives in memory cannot be written ahead, and an empty file is an empty database.
                plain = data[:18] + ROLLBACK + data[20:] if data[18:20] == WRITE_AHEAD else data
                if plain:
                    connection.deserialize(plain)
            _restrain(connection)
            yield connection
        finally:
            connection.close()


def _restrain(connection: sqlite3.Connection) -> None:
    steps = iter(range(MOST_STEPS))
    connection.set_progress_handler(lambda: next(steps, None) is None, 10_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 16 * 2**20)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    # Views, triggers and default values of a foreign file may call functions; none of them is trusted.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA cell_size_check = ON")


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
        found[name] = {"columns": [each[0] for each in cursor.description], "rows": _rows(cursor, path)}
    return found


def _virtual(sql: str) -> bool:
    return " ".join(sql.split()[:2]).casefold() == "create virtual"


def _rows(cursor: sqlite3.Cursor, path: str) -> list[list[Any]]:
    rows = cursor.fetchmany(MOST_ROWS + 1)
    if len(rows) > MOST_ROWS:
        raise CannotSee("refused", f"{path} has a table of more than the {MOST_ROWS:,} rows that are looked at")
    return [[_value(held) for held in row] for row in rows]


def _value(held: Any) -> Any:
    if isinstance(held, bytes):
        return {"bytes": len(held)}
    if isinstance(held, float) and not math.isfinite(held):
        return str(held)
    return held[:MOST_TEXT] if isinstance(held, str) else held
