"""Databases are made the same way each time, read however hostile they are, and judged row by row."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.formats.databases import checks, probes
from proctor.vocabulary.formats.databases.parse_sqlite import open_database
from proctor.vocabulary.formats.databases.setup import Table, database, sqlite_bytes

GOODS = Table(columns=("id INTEGER PRIMARY KEY", "name TEXT", "price REAL"), rows=((1, "Lamp", 12.5), (2, "Desk", 99)))
TABLE_SEEN = {"columns": ["id", "name", "price"], "rows": [[1, "Lamp", 12.5]]}
SEEN = {"path": "shop.db", "tables": {"goods": TABLE_SEEN}, "besides": []}


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def seen(computer: FakeComputer, data: bytes) -> dict[str, Any]:
    computer.write_file("shop.db", data)
    return probes.database(ProbeContext(computer), "shop.db")


def fault(computer: FakeComputer, data: bytes) -> str:
    with pytest.raises(CannotSee) as caught:
        seen(computer, data)
    return caught.value.fault.kind


def test_what_is_made_is_seen(computer: FakeComputer) -> None:
    database(SetupContext(computer), "shop.db", {"goods": GOODS})
    found = probes.database(ProbeContext(computer), "shop.db")
    assert found["tables"]["goods"] == {
        "columns": ["id", "name", "price"],
        "declared": ["id INTEGER PRIMARY KEY", "name TEXT", "price REAL"],
        "rows": [[1, "Lamp", 12.5], [2, "Desk", 99.0]],
    }
    assert sqlite_bytes({"goods": GOODS}) == sqlite_bytes({"goods": GOODS})


def test_a_query_only_looks(computer: FakeComputer) -> None:
    database(SetupContext(computer), "shop.db", {"goods": GOODS})
    found = probes.query(ProbeContext(computer), "shop.db", "SELECT name FROM goods WHERE price > 50")
    assert found["rows"] == [["Desk"]]
    assert checks.query_finds(found, [["Desk"]]).passed
    assert not checks.query_finds(found, [["Lamp"]]).passed
    for sql in ("DELETE FROM goods", "PRAGMA writable_schema = 1"):
        with pytest.raises(SpecError):
            probes.query(ProbeContext(computer), "shop.db", sql)
    with pytest.raises(CannotSee):
        probes.query(ProbeContext(computer), "shop.db", "WITH x AS (SELECT 1) DELETE FROM goods")


def test_what_was_written_ahead_counts(computer: FakeComputer, tmp_path: Path) -> None:
    place = tmp_path / "a.db"
    connection = sqlite3.connect(place)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("INSERT INTO t VALUES (7)")
    connection.commit()
    computer.write_file("shop.db-wal", (tmp_path / "a.db-wal").read_bytes())
    assert seen(computer, place.read_bytes())["tables"]["t"]["rows"] == [[7]]
    connection.close()
    computer.remove_file("shop.db-wal")
    assert seen(computer, place.read_bytes())["tables"]["t"]["rows"] == [[7]]


def test_broken_files_are_unreadable(computer: FakeComputer) -> None:
    whole = sqlite_bytes({"goods": GOODS})
    assert fault(computer, b"not a database at all, but long enough to be looked at" * 20) == "unreadable"
    assert fault(computer, whole[:4096] + b"\xff" * (len(whole) - 4096)) == "unreadable"
    assert seen(computer, b"")["tables"] == {}


def test_endless_tables_are_refused(computer: FakeComputer) -> None:
    rows = tuple((number, "x", 1.0) for number in range(6_000))
    assert fault(computer, sqlite_bytes({"goods": Table(columns=GOODS.columns, rows=rows)})) == "refused"
    many = {f"t{number}": Table(columns=("x",)) for number in range(70)}
    assert fault(computer, sqlite_bytes(many)) == "refused"


def test_queries_without_end_are_stopped() -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with open_database(b"") as connection, pytest.raises(sqlite3.OperationalError, match="interrupt"):
        connection.execute(endless).fetchall()


@given(some.binary(max_size=400), some.integers(0, 8000))
def test_damage_never_crashes(noise: bytes, place: int) -> None:
    data = bytearray(sqlite_bytes({"goods": GOODS}))
    data[place : place + len(noise)] = noise
    with FakeComputer() as computer, contextlib.suppress(CannotSee):
        assert isinstance(seen(computer, bytes(data))["tables"], dict)


def test_tables_and_columns() -> None:
    assert checks.table_exists(SEEN, "Goods").passed
    assert not checks.table_exists(SEEN, "bads").passed
    assert checks.column_exists(SEEN, "goods", "PRICE").passed
    assert not checks.column_exists(SEEN, "goods", "weight").passed
    assert not checks.column_exists(SEEN, "bads", "price").passed
    assert checks.row_count(SEEN, "goods", 1).passed
    assert not checks.row_count(SEEN, "goods", 2).passed


def test_rows() -> None:
    assert checks.row_exists(SEEN, "goods", {"name": "Lamp", "price": 12.5}).passed
    assert not checks.row_exists(SEEN, "goods", {"name": "Lamp", "price": 13}).passed
    assert not checks.row_exists(SEEN, "goods", {"colour": "red"}).passed
    assert checks.row_missing(SEEN, "goods", {"name": "Desk"}).passed
    assert not checks.row_missing(SEEN, "goods", {"name": "Lamp"}).passed
    assert checks.table_rows_are(SEEN, "goods", [[1.0, " Lamp", 12.5]]).passed
    others: list[list[checks.Row]] = [[], [[1, "Lamp", 12.5]] * 2, [[1, "Lamp", "12.5"]], [[1, "Lamp", None]]]
    for rows in others:
        assert not checks.table_rows_are(SEEN, "goods", rows).passed


def test_order_counts_where_asked() -> None:
    two = {"path": "d", "tables": {"t": {"columns": ["x"], "rows": [[1], [2]]}}}
    assert checks.table_rows_are(two, "t", [[2], [1]]).passed
    assert not checks.table_rows_are(two, "t", [[2], [1]], ordered=True).passed


def test_tables_may_have_to_be_declared_as_they_were() -> None:
    columns = {"goods": ["id INTEGER PRIMARY KEY", "price REAL"]}
    table = {"columns": ["id", "price"], "declared": ["ID  integer primary key", "price REAL"], "rows": [[1, 2.5]]}
    whole: dict[str, Any] = {"path": "shop.db", "tables": {"goods": table}, "besides": []}
    bare = {"path": "shop.db", "tables": {"goods": {**table, "declared": ["id INT", "price REAL"]}}, "besides": []}
    for held, right in ((whole, True), (bare, False)):
        assert checks.tables_are(held, {"goods": [[1, 2.5]]}, columns).passed
        assert checks.tables_are(held, {"goods": [[1, 2.5]]}, columns, as_declared=True).passed is right


def test_views_and_triggers_beside_the_tables_are_not_overlooked() -> None:
    table = {"columns": ["id", "price"], "rows": [[1, 2.5]]}
    seen = {"path": "shop.db", "tables": {"goods": table}, "besides": ["spoil"]}
    found = checks.tables_are(seen, {"goods": [[1, 2.5]]})
    assert found.feedback == ("shop.db has an unexpected view or trigger spoil.",)


def test_whole_databases() -> None:
    assert checks.tables_are(SEEN, {"goods": [[1, "Lamp", 12.5]]}).passed
    assert checks.tables_are(SEEN, {"goods": [[1, "Lamp", 12.500000000000002]]}).passed
    assert not checks.tables_are(SEEN, {"goods": [[1, "Lamp", 12.501]]}).passed
    assert not checks.tables_are(SEEN, {"goods": [[1, "Lamp", 12.5]], "more": []}).passed
    as_texts = {
        "path": "a.db",
        "tables": {"goods": {"columns": ["id", "name", "price"], "rows": [["1", "Lamp", "12.50"]]}},
        "besides": [],
    }
    assert checks.tables_are(as_texts, {"goods": [[1, "Lamp", 12.5]]}, numbers_as_texts=True).passed
    assert not checks.tables_are(as_texts, {"goods": [[1, "Lamp", 12.5]]}).passed
    assert not checks.tables_are(as_texts, {"goods": [[1, "Lamp", 12.4]]}, numbers_as_texts=True).passed
    declared = [f"{name.upper()} TEXT" for name in SEEN["tables"]["goods"]["columns"]]
    assert checks.tables_are(SEEN, {"goods": [[1, "Lamp", 12.5]]}, {"goods": declared}).passed
    assert not checks.tables_are(SEEN, {"goods": [[1, "Lamp", 12.5]]}, {"goods": [*declared[:-1], "cost"]}).passed
    finding = checks.tables_are(SEEN, {})
    assert finding.feedback == ("shop.db has an unexpected table goods.",)
