"""Probes that look into databases, which may be anything an agent left."""

from __future__ import annotations

from proctor.errors import SpecError
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.databases.parse import database_answer, database_tables


@PROBES.register_with(database_tables, whole="file")
def database(context: ProbeContext, path: str) -> dict[str, object]:
    """The tables of an SQLite database, as saved in its file: their columns and rows.

    `schema` lists indexes, views and triggers, each with its statement.
    """
    return parsed(path, database_tables, context.read(path), context.read_beside(f"{path}-wal"), path)


@PROBES.register_with(database_answer)
def query(context: ProbeContext, path: str, sql: str) -> dict[str, object]:
    """The result of a SELECT by the task's author in an SQLite database."""
    if not sql.lstrip().casefold().startswith(("select", "with")):
        raise SpecError(f"{sql!r} does more than read", remedy="write a SELECT")
    return parsed(path, database_answer, context.read(path), context.read_beside(f"{path}-wal"), path, sql)
