"""Writes the databases of programs: Thunderbird's address book, Chromium's history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from proctor.worlds.model import Contact
from proctor.worlds.views.desk import PageSeen
from proctor.worlds.writers.vcf import card, uid

HERE = Path(__file__).parent
_BOOK = """
CREATE TABLE properties (card TEXT, name TEXT, value TEXT);
CREATE TABLE lists (uid TEXT PRIMARY KEY, name TEXT, nickName TEXT, description TEXT);
CREATE TABLE list_cards (list TEXT, card TEXT, PRIMARY KEY(list, card));
CREATE INDEX properties_card ON properties(card);
CREATE INDEX properties_name ON properties(name);
PRAGMA user_version = 4;
"""
"""What Thunderbird lays out itself in an empty profile."""
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_BY_ITSELF = 0x30000000
"""A visit of its own, by nobody's link."""


def address_book(contacts: Iterable[Contact]) -> bytes:
    """Return an address book of Thunderbird."""
    rows = []
    for contact in contacts:
        first, _, last = contact.name.rpartition(" ")
        values = {
            "DisplayName": contact.name,
            "FirstName": first,
            "LastName": last,
            "PrimaryEmail": contact.address,
            "PopularityIndex": "0",
        }
        rows += [(uid(contact), name, value) for name, value in {**values, "_vCard": card(contact)}.items()]
    return _database(_BOOK, [("INSERT INTO properties VALUES (?, ?, ?)", rows)])


def history(seen: Sequence[PageSeen]) -> bytes:
    """Return what Chromium remembers of pages that were looked at."""
    numbers: dict[str, int] = {}
    titles: dict[str, tuple[str, int, int]] = {}
    visits = []
    for each in seen:
        at = int((each.at.replace(tzinfo=UTC) - _EPOCH).total_seconds() * 1_000_000)
        number = numbers.setdefault(each.url, len(numbers) + 1)
        titles[each.url] = (each.title, titles.get(each.url, ("", 0, 0))[1] + 1, at)
        visits.append((number, at, _BY_ITSELF))
    urls = [(numbers[url], url, title, count, last) for url, (title, count, last) in titles.items()]
    return _database(
        (HERE / "history.sql").read_text(),
        [
            ("INSERT INTO urls (id, url, title, visit_count, last_visit_time) VALUES (?, ?, ?, ?, ?)", urls),
            ("INSERT INTO visits (url, visit_time, from_visit, transition, segment_id) VALUES (?, ?, 0, ?, 0)", visits),
        ],
    )


def _database(layout: str, filled: Sequence[tuple[str, Sequence[tuple[object, ...]]]]) -> bytes:
    with sqlite3.connect(":memory:") as held:
        held.executescript(layout)
        for statement, rows in filled:
            held.executemany(statement, rows)
        held.commit()
        return held.serialize()
