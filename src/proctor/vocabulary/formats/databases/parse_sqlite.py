"""SQLite databases in memory, with what lies beside the file, opened without trusting any of it."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager

MOST_STEPS = 2_000
"""How often queries may run on for another 10,000 instructions before they are given up."""
MOST_VALUE = 4 * 2**20
"""Bytes of one value; a column may be declared to make more of itself than the file holds."""
WRITE_AHEAD = b"\x02\x02"
ROLLBACK = b"\x01\x01"
"""How a database says, in two bytes of its header, in which way it is written."""
ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_LOG_MAGIC = 0x377F0682
_PAGE_SIZES = {2**power for power in range(9, 17)}


@contextmanager
def open_database(data: bytes, ahead: bytes = b"", journal: bytes = b"") -> Iterator[sqlite3.Connection]:
    """Open a database with its logs `-wal` and `-journal`; sqlite3.Error when it is none."""
    whole = with_log(rolled_back(data, journal), ahead)
    # What lives in memory cannot be written ahead, and an empty file is an empty database.
    plain = whole[:18] + ROLLBACK + whole[20:] if whole[18:20] == WRITE_AHEAD else whole
    connection = sqlite3.connect(":memory:")
    try:
        if plain:
            connection.deserialize(plain)
        _restrain(connection)
        yield connection
    finally:
        connection.close()


def _restrain(connection: sqlite3.Connection) -> None:
    steps = iter(range(MOST_STEPS))
    connection.set_progress_handler(lambda: next(steps, None) is None, 10_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    # Views, triggers and default values of a foreign file may call functions; none of them is trusted.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA cell_size_check = ON")


def only_looking(connection: sqlite3.Connection) -> None:
    """Let a connection do nothing but look."""
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY)


def with_log(data: bytes, log: bytes) -> bytes:
    """Return a database with all that its write-ahead log has committed, and nothing after that."""
    if len(log) < 32:
        return data
    magic, _, page_size, _, *salts_and_sums = struct.unpack(">8I", log[:32])
    salts, sums = tuple(salts_and_sums[:2]), tuple(salts_and_sums[2:])
    order = ">" if magic & 1 else "<"
    if magic & ~1 != _LOG_MAGIC or page_size not in _PAGE_SIZES or _checksum(order, log[:24], (0, 0)) != sums:
        return data
    frames: list[tuple[int, bytes]] = []
    committed = size = 0
    for start in range(32, len(log) - 24 - page_size + 1, 24 + page_size):
        number, pages_after, *told = struct.unpack(">6I", log[start : start + 24])
        page = log[start + 24 : start + 24 + page_size]
        sums = _checksum(order, page, _checksum(order, log[start : start + 8], sums))
        if not number or (*salts, *sums) != tuple(told):
            break
        frames.append((number, page))
        if pages_after:
            committed, size = len(frames), pages_after
    return _laid_over(data, dict(frames[:committed]), page_size, size) if committed else data


def rolled_back(data: bytes, journal: bytes) -> bytes:
    """Return a database as it was before what a journal beside it says was not finished."""
    pages: dict[int, bytes] = {}
    first = end = 0
    # What did not fit into memory was written in parts, each with a header of its own.
    while header := _journal_header(journal, end):
        count, nonce, size, sector, page_size = header
        first = first or size
        start, step = end + sector, page_size + 8
        while count and start + step <= len(journal):
            number, page = int.from_bytes(journal[start : start + 4]), journal[start + 4 : start + 4 + page_size]
            told = int.from_bytes(journal[start + 4 + page_size : start + step])
            if not number or (nonce + sum(page[page_size - 200 : 0 : -200])) & 0xFFFFFFFF != told:
                return _laid_over(data, pages, page_size, first)
            pages.setdefault(number, page)
            count, start = count - 1, start + step
        end = -(-start // sector) * sector
    return _laid_over(data, pages, page_size, first) if end else data


def _journal_header(journal: bytes, at: int) -> tuple[int, ...] | None:
    """Return how many pages follow, the base of their sums, the pages there were, and two sizes."""
    if not journal.startswith(_JOURNAL, at) or len(journal) < at + 28:
        return None
    found = struct.unpack(">5I", journal[at + 8 : at + 28])
    return found if found[4] in _PAGE_SIZES and 512 <= found[3] <= 65536 else None


def _laid_over(data: bytes, pages: dict[int, bytes], page_size: int, size: int) -> bytes:
    most = len(data) // page_size + 1 + len(pages)
    # Nothing says that a file is as large as its log wants it to be.
    whole = bytearray(data[: min(size, most) * page_size])
    for number, page in pages.items():
        if number <= min(size, most):
            end = number * page_size
            whole.extend(bytes(max(0, end - len(whole))))
            whole[end - page_size : end] = page
    return bytes(whole)


def _checksum(order: str, data: bytes, sums: tuple[int, ...]) -> tuple[int, ...]:
    one, two = sums
    for first, second in struct.iter_unpack(f"{order}2I", data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
