"""Files that were found to void an episode, or to take gigabytes or minutes, each with what becomes of it now."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.call import Call
from proctor.tasks.examine import looker
from proctor.tasks.findings import Fault
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import see
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE
from proctor.vocabulary.apps.okular.probes import OKULAR_BOOKMARKS
from proctor.vocabulary.apps.rhythmbox.probes import RHYTHMBOX_LIBRARY
from proctor.vocabulary.formats.databases.parse_sqlite import open_database, rolled_back, with_log
from tests.tasks.answering import AnsweringComputer, said

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
BOOK = (
    '<homebank><account key="1" name="Cash" initial="{}"/><pay key="1" name="x"/>'
    '<ope date="{}" amount="{}" account="1" payee="1" st="0"/></homebank>'
)


@pytest.fixture(scope="module")
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def seen(computer: FakeComputer, probe: Call, path: str, data: bytes) -> Any:
    computer.write_file(path, data)
    evidence: dict[str, Any] = {}
    looker(ProbeContext(computer), evidence)(probe)
    computer.remove_file(path)
    json.dumps(evidence, allow_nan=False, ensure_ascii=False).encode()
    return evidence[probe.key]


def kind(held: Any) -> str:
    fault = Fault.from_json(held)
    return fault.kind if fault else "a value"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[1e999]", "unreadable"),
        ("-1e999", "unreadable"),
        ("[" * 900 + "]" * 900, "refused"),
        ("[" * 99_999, "unreadable"),
        ('{"a":' * 90 + "1" + "}" * 90, "a value"),
        ("NaN", "unreadable"),
        ("9" * 5000, "unreadable"),
        ("9" * 400, "unreadable"),
        ('"\\ud800"', "a value"),
        ('{"fault": "absent", "why": "x"}', "a value"),
    ],
)
def test_json(computer: FakeComputer, text: str, wanted: str) -> None:
    assert kind(seen(computer, see.json("a.json"), "a.json", text.encode())) == wanted


@pytest.mark.parametrize(
    "text", ["key\n  goes on\n", "  first\n", "[a]\nb\n\tc = d\n", "[", "=\n =\n", "a = b\n c\n\n d\n"]
)
def test_settings_files_with_lines_that_go_on(computer: FakeComputer, text: str) -> None:
    assert kind(seen(computer, see.ini("a.ini"), "a.ini", text.encode())) in ("a value", "unreadable")


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "[" * 2000 + "]" * 2000])
def test_settings_of_a_browser(computer: FakeComputer, value: str) -> None:
    data = f'{{"homepage": "x", "browser": {{"zoom": {value}}}}}'.encode()
    path = f"{CHROMIUM_PROFILE}/Preferences"
    asked = seen(computer, see.browser_setting("chromium", "browser.zoom"), path, data)
    assert kind(asked) in ("unreadable", "a value")
    other = seen(computer, see.home_page("chromium"), path, data)
    assert kind(other) == ("unreadable" if value.startswith("[") else "a value"), "one setting does not spoil the rest"


@pytest.mark.parametrize(
    "inside",
    [
        '<rect width="1e999" height="5"/>',
        '<g transform="scale(1e300)"><g transform="scale(1e300)"><rect width="5" height="5"/></g></g>',
        '<rect width="5" height="5" transform="matrix(1e308 1e308 1e308 1e308 1e308 1e308)"/>',
        '<rect transform="rotate(1e400)" width="1" height="1"/>',
        '<rect transform="scale()" width="1" height="1"/>',
        "<g>" * 150 + "</g>" * 3,
        '<polygon points="1e308,1e308 -1e308,-1e308"/>',
    ],
)
def test_drawings_beyond_every_number(computer: FakeComputer, inside: str) -> None:
    assert kind(seen(computer, see.drawing("a.svg"), "a.svg", SVG.format(inside).encode())) == "unreadable"


@pytest.mark.parametrize(
    "inside", ['<rect width="nan" height="5"/>', '<rect transform="scale(nan)" width="1" height="1"/>']
)
def test_drawings_with_no_numbers(computer: FakeComputer, inside: str) -> None:
    assert kind(seen(computer, see.drawing("a.svg"), "a.svg", SVG.format(inside).encode())) in ("a value", "unreadable")


@pytest.mark.parametrize("stars", ["nan", "1e999", "five", "٣", "-inf", "1" * 5000])
def test_stars_that_are_none(computer: FakeComputer, stars: str) -> None:
    song = f'<rhythmdb><entry type="song"><location>file:///a</location><rating>{stars}</rating></entry></rhythmdb>'
    assert kind(seen(computer, see.rhythmbox_ratings(), RHYTHMBOX_LIBRARY, song.encode())) in ("unreadable", "a value")


@pytest.mark.parametrize(
    ("initial", "day", "amount"),
    [
        ("nan", "738000", "1"), ("1e308", "738000", "1e308"), ("0", "0", "1"), ("0", "99999999999", "1"),
        ("0", "7" * 5000, "1"), ("0", "nan", "1"), ("0", "738000", "1e999"), ("x", "738000", "1"),
    ],
)  # fmt: skip
def test_account_books(computer: FakeComputer, initial: str, day: str, amount: str) -> None:
    book = BOOK.format(initial, day, amount).encode()
    assert kind(seen(computer, see.account_book("a.xhb"), "a.xhb", book)) == "unreadable"


@pytest.mark.parametrize("place", ["9" * 5000, "٣", "99999999", "1e9", "-1", ""])
def test_bookmarks(computer: FakeComputer, place: str) -> None:
    mark = f'<xbel><bookmark href="file:///home/user/a.pdf#{place};2"><title>x</title></bookmark></xbel>'
    found = seen(computer, see.bookmarks("a.pdf"), OKULAR_BOOKMARKS, mark.encode())
    assert found["bookmarks"] in ([], [{"page": 2, "title": "x"}])
    odd = '<xbel><bookmark href="http://[::1"><title>x</title></bookmark></xbel>'
    assert kind(seen(computer, see.bookmarks("a.pdf"), OKULAR_BOOKMARKS, odd.encode())) == "a value"


def workbook(cells: str, more: str = "") -> bytes:
    buffer = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    office = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{packages}/content-types">'
            f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{office}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{office}.worksheet+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r" Type="{relations}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets><sheet name="A" sheetId="1" r:id="r"/></sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r" Type="{relations}/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData>{more}</worksheet>'
        )
    return buffer.getvalue()


def test_a_cell_in_the_last_corner_is_one_cell(computer: FakeComputer) -> None:
    far = workbook('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>7</v></c></row>')
    assert len(far) < 5000
    (sheet,) = seen(computer, see.spreadsheet("a.xlsx"), "a.xlsx", far)["sheets"]
    assert {address: cell["value"] for address, cell in sheet["cells"].items()} == {"A1": 1, "XFD1048576": 7}


def test_cells_that_are_scattered_are_refused(computer: FakeComputer) -> None:
    from proctor.vocabulary.formats.spreadsheets.cells import column_name

    rows = "".join(f'<row r="{n + 1}"><c r="{column_name(n)}{n + 1}"><v>1</v></c></row>' for n in range(2000))
    assert kind(seen(computer, see.spreadsheet("a.xlsx"), "a.xlsx", workbook(rows))) == "refused"


@pytest.mark.parametrize(
    "more",
    [
        '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        '<hyperlinks><hyperlink ref="A1:XFD1048576" location="A1"/></hyperlinks>',
        '<cols><col min="1" max="99999999" width="1e999"/></cols>',
        '<autoFilter ref="nonsense"/>',
    ],
)
def test_workbooks_that_say_they_are_large(computer: FakeComputer, more: str) -> None:
    data = workbook('<row r="1"><c r="A1"><v>1</v></c></row>', more)
    assert kind(seen(computer, see.spreadsheet("a.xlsx"), "a.xlsx", data)) in ("refused", "unreadable", "a value")


def test_a_database_whose_columns_make_more_of_themselves(computer: FakeComputer) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a, b GENERATED ALWAYS AS (zeroblob(3000000)) VIRTUAL)")
    connection.execute("CREATE TABLE u (a, b AS (hex(zeroblob(1500000))) VIRTUAL, c AS (b || b) VIRTUAL)")
    connection.executemany("INSERT INTO t(a) VALUES (?)", [(n,) for n in range(2000)])
    connection.executemany("INSERT INTO u(a) VALUES (?)", [(n,) for n in range(2000)])
    connection.commit()
    assert kind(seen(computer, see.database("a.db"), "a.db", connection.serialize())) in (
        "a value",
        "refused",
        "unreadable",
    )
    connection.close()


class TestLogs:
    """What lies beside a database is applied as SQLite does it."""

    def rows(self, data: bytes, ahead: bytes = b"", journal: bytes = b"") -> list[Any]:
        with open_database(data, ahead, journal) as connection:
            return connection.execute("SELECT x FROM t ORDER BY x").fetchall()

    @pytest.mark.parametrize("page_size", [512, 4096, 65536])
    def test_write_ahead(self, tmp_path: Any, page_size: int) -> None:
        place = tmp_path / "a.db"
        connection = sqlite3.connect(place)
        connection.execute(f"PRAGMA page_size = {page_size}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE t (x)")
        for number in range(300):
            connection.execute("INSERT INTO t VALUES (?)", (number,))
        connection.commit()
        before = (tmp_path / "a.db-wal").read_bytes()
        connection.execute("DELETE FROM t WHERE x >= 100")
        connection.commit()
        data, log = place.read_bytes(), (tmp_path / "a.db-wal").read_bytes()
        assert self.rows(data, log) == [(number,) for number in range(100)]
        assert self.rows(data, before) == [(number,) for number in range(300)]
        half = log[: len(before) + 30]
        assert self.rows(data, half) == self.rows(data, before), "what was not written whole does not count"
        broken = bytearray(log)
        broken[len(before) + 60] ^= 1
        assert self.rows(data, bytes(broken)) == self.rows(data, before)
        connection.close()

    def test_rollback(self, tmp_path: Any) -> None:
        place = tmp_path / "a.db"
        connection = sqlite3.connect(place, isolation_level=None)
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("CREATE TABLE t (x, y)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(n, "y" * 500) for n in range(200)])
        connection.execute("BEGIN")
        connection.execute("UPDATE t SET x = x + 1000, y = 'z' || y")
        # A cache of one page makes SQLite write what is not finished, and the journal that takes it back.
        data, journal = place.read_bytes(), (tmp_path / "a.db-journal").read_bytes()
        connection.execute("ROLLBACK")
        connection.close()
        assert journal.startswith(b"\xd9\xd5\x05\xf9")
        assert self.rows(data, journal=journal) == [(n,) for n in range(200)]

    def test_nonsense_changes_nothing(self) -> None:
        for junk in (b"", b"x" * 500, bytes(100), b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(600), bytes(32)):
            assert with_log(b"data", junk) == b"data"
            assert rolled_back(b"data", junk) == b"data"
        head = struct.pack(">6I", 0x377F0682, 3007000, 4096, 0, 1, 2)
        assert with_log(b"data", head + bytes(8) + bytes(9000)) == b"data"


def test_a_picture_that_says_it_is_large_is_not_unpacked(computer: FakeComputer) -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    for size in ((60_000, 60_000), (3900, 3900)):
        rows = zlib.compress(bytes((size[0] * 4 + 1) * size[1]), 9) if size[0] < 5000 else b""
        header = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 6, 0, 0, 0))
        data = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
        assert kind(seen(computer, see.picture("a.png"), "a.png", data)) == ("unreadable" if not rows else "a value")


@pytest.mark.parametrize(
    "text", ["(" * 5000, "[" * 100 + "]" * 100, "1e999", "9" * 5000, "'\\ud800'", "nan", "uint32", "b'x'", "1j"]
)
def test_settings_of_the_desktop(text: str) -> None:
    with AnsweringComputer(lambda _: said(text)) as computer:
        evidence: dict[str, Any] = {}
        looker(ProbeContext(computer), evidence)(see.gsetting("a", "b"))
        json.dumps(evidence, allow_nan=False, ensure_ascii=False).encode()
