"""How files of a browser's profile are read: databases and JSON that nobody vouches for."""

from __future__ import annotations

import hashlib
import json
import sqlite3

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.databases.parse_sqlite import only_looking, open_database

MOST_ROWS = 10_000
MOST_FOLDERS = 50
"""How deep folders of bookmarks may lie in each other."""
TOOLBAR = "Bookmarks bar"
"""How both browsers' folder of bookmarks below the address is called here."""


def query_database(name: str, main: bytes, ahead: bytes, journal: bytes, query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query on a database that nobody vouches for."""
    try:
        with open_database(main, ahead, journal) as connection:
            only_looking(connection)
            return connection.execute(query).fetchmany(MOST_ROWS)
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        raise CannotSee("unreadable", f"the database {name} is broken: {error}") from error


def read_json(data: bytes, name: str) -> object:
    """Return what a file of Chromium holds."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CannotSee("unreadable", f"Chromium's {name} are not JSON: {error}") from error


def digest_of(data: bytes) -> str:
    """Return what tells a locked value from another, and says nothing of it."""
    return hashlib.sha256(data).hexdigest()[:16]
