"""Books can be opened and read back; bookmarks, clocks and the results of code are told exactly."""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, see
from proctor.vocabulary.apps.gnome_clocks import checks as gnome_clocks_checks
from proctor.vocabulary.apps.gnome_clocks import probes as clocks
from proctor.vocabulary.apps.gnome_clocks.parse import clock_alarms, clock_cities
from proctor.vocabulary.apps.gnome_clocks.setup import clocks_setting, world_clocks
from proctor.vocabulary.apps.okular import checks as okular_checks
from proctor.vocabulary.apps.okular import probes as okular_probes
from proctor.vocabulary.apps.okular.parse import okular_bookmarks
from proctor.vocabulary.desktop.checks import python_code as desktop_python_code
from proctor.vocabulary.desktop.probes.python_code import python_results
from proctor.vocabulary.formats.books import checks, probes, setup
from proctor.vocabulary.formats.books.parse import epub_content
from proctor.vocabulary.formats.books.setup import Chapter, epub_bytes, pdf_bytes
from tests.tasks.answering import AnsweringComputer, said

XBEL = b"""<?xml version="1.0"?>
<!DOCTYPE xbel>
<xbel><folder><bookmark href="file:///home/user/Books/a%20b.pdf#16;C2:0.5:0.1:1"><title>#17</title></bookmark>
<bookmark href="file:///home/user/Books/c.pdf#2"><title>#3</title></bookmark></folder></xbel>"""
CHAPTERS = [Chapter(title="One & only", paragraphs=("First.", "Second.")), Chapter(title="Two")]
ALARM = (
    "{{'name': <{name}>, 'id': <'0f8c'>, 'active': <{active}>, 'hour': <{hour}>, 'minute': <{minute}>, "
    "'days': <{days}>, 'snooze_minutes': <10>, 'ring_minutes': <5>}}"
)
"""One alarm as GNOME Clocks keeps it, but for what varies."""
HARD_NAME = "Ada's \"call\" \\ {café}, 'active': <false>"
plain = some.text(some.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40)
ADDED = {"path": "a.py", "function": "add", "cases": [[1, 2], [3, 4]], "results": [{"value": 3}, {"value": 7.0}]}


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def test_pdf_is_well_formed(computer: FakeComputer) -> None:
    pages = [["Title", "", "a (b) \\ c"], ["Second", "über"]]
    setup.pdf(SetupContext(computer), "a.pdf", pages, {"Start": 1, "End": 2})
    data = computer.read_file("a.pdf")
    start = int(data.rpartition(b"startxref\n")[2].split()[0])
    assert data[start : start + 4] == b"xref"
    for number, line in enumerate(data[start:].split(b"\n")[3:]):
        if line.endswith(b" n "):
            offset = int(line.split()[0])
            assert data[offset:].startswith(b"%d 0 obj" % (number + 1))
    assert pdf_bytes(pages, {}) == pdf_bytes(pages, {})
    with pytest.raises(ValueError, match="do not fit"):
        pdf_bytes([["x"] * 60], {})


def test_an_e_book_comes_back(computer: FakeComputer) -> None:
    setup.epub(SetupContext(computer), "a.epub", "Salt & Sea", "Nadia Quinn", CHAPTERS)
    found = probes.epub(ProbeContext(computer), "a.epub")
    assert found["chapters"] == ["One & only\nFirst.\nSecond.", "Two"]
    assert checks.book_is(found, title="Salt & Sea", author="nadia quinn", chapters=2).passed
    assert len(checks.book_is(found, title="Salt", author="Nobody", chapters=3).feedback) == 3


def test_broken_e_books_are_unreadable() -> None:
    whole = epub_bytes("T", "A", CHAPTERS)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
    for data in (b"", whole[:200], buffer.getvalue()):
        with pytest.raises(CannotSee):
            epub_content(data, "a.epub")


@given(some.binary(max_size=60), some.integers(0, 3000))
def test_damaged_e_books_never_crash(noise: bytes, place: int) -> None:
    data = bytearray(epub_bytes("T", "A", CHAPTERS))
    data[place : place + len(noise)] = noise
    with contextlib.suppress(CannotSee):
        assert epub_content(bytes(data), "a.epub")["path"] == "a.epub"


def test_bookmarks(computer: FakeComputer) -> None:
    assert okular_probes.bookmarks(ProbeContext(computer), "Books/a b.pdf")["bookmarks"] == []
    computer.write_file(".local/share/okular/bookmarks.xml", XBEL)
    found = okular_probes.bookmarks(ProbeContext(computer), "Books/a b.pdf")
    assert (
        found["bookmarks"] == [{"page": 17, "title": "#17"}] == okular_bookmarks(XBEL, "/home/user/Books/a b.pdf", "x")
    )
    assert okular_checks.bookmarks_are(found, [17]).passed
    assert len(okular_checks.bookmarks_are(found, [16]).feedback) == 2
    assert okular_checks.bookmark_titled(found, 17, "#17").passed
    assert not okular_checks.bookmark_titled(found, 17, "Salt").passed
    assert not okular_checks.bookmark_titled(found, 3, "#3").passed


def test_clocks_of_the_world() -> None:
    text = clocks_setting(["Cairo", "Oslo"])
    found = {"path": "Clocks", "cities": clock_cities(text)}
    assert found["cities"] == [{"city": "Cairo", "station": "HECA"}, {"city": "Oslo", "station": "ENGM"}]
    assert gnome_clocks_checks.world_clocks_are(found, {"Oslo": "", "Cairo": "HECA"}).passed
    assert not gnome_clocks_checks.world_clocks_are(found, {"Cairo": "HECA"}).passed
    assert not gnome_clocks_checks.world_clocks_are(found, {"Oslo": "", "Cairo": "KCIR"}).passed
    assert gnome_clocks_checks.world_clock_has(found, "oslo").passed
    assert not gnome_clocks_checks.world_clock_has(found, "Lima").passed
    assert clock_cities("@aa{sv} []") == []
    assert clock_cities("[{'location': <(uint32 2, <(\"St. John's\", 'CYYT', true")[0]["city"] == "St. John's"


def alarm(name: str, time: str = "07:45", active: bool = True, days: str = "@ai []") -> str:
    sign = '"' if "'" in name else "'"
    written = name.replace("\\", "\\\\").replace(sign, f"\\{sign}")
    hour, minute = map(int, time.split(":"))
    return ALARM.format(name=f"{sign}{written}{sign}", active=str(active).lower(), hour=hour, minute=minute, days=days)


def alarms(*listed: str) -> dict[str, Any]:
    return {"path": "Clocks", "alarms": clock_alarms(f"[{', '.join(listed)}]")}


def test_alarms_are_read() -> None:
    found = alarms(alarm("Leave 5", "14:05"), alarm("Ada's call", active=False, days="[1, 5]"))["alarms"]
    rings = {"snooze_minutes": 10, "ring_minutes": 5}
    assert found == [
        {"name": "Leave 5", "time": "14:05", "active": True, "days": 0, "on": [], **rings},
        {"name": "Ada's call", "time": "07:45", "active": False, "days": 2, "on": ["1", "5"], **rings},
    ]
    assert clock_alarms("@aa{sv} []") == clock_alarms("") == clock_alarms("[{'name': <'a") == []


def test_what_an_alarm_holds_may_come_in_any_order() -> None:
    held = (
        "[{'hour': <7>, 'days': <@ai []>, 'minute': <45>, 'name': <\"Bo's {tea}\">, 'active': <true>}, {'hour': <8>}]"
    )
    assert clock_alarms(held) == [{"name": "Bo's {tea}", "time": "07:45", "active": True, "days": 0, "on": []}]


@given(plain, plain)
def test_no_name_of_an_alarm_makes_it_another(name: str, other: str) -> None:
    found = alarms(alarm(name, active=False), alarm(other, "21:15"))["alarms"]
    assert [(each["name"], each["time"], each["active"]) for each in found] == [
        (name, "07:45", False),
        (other, "21:15", True),
    ]


def test_an_alarm_is_set() -> None:
    found = alarms(alarm("Leave 5"), alarm("Pack", days="[1]"), alarm("Call", active=False), alarm("Twice"))
    assert gnome_clocks_checks.alarm_set(found, "leave 5", "07:45").passed
    assert gnome_clocks_checks.alarm_set(found, "Leave 5", "19:45").feedback == (
        "The alarm 'Leave 5' is set to 07:45, expected 19:45.",
    )
    assert gnome_clocks_checks.alarm_set(found, "Pack", "07:45").feedback == ("The alarm 'Pack' is repeated.",)
    assert gnome_clocks_checks.alarm_set(found, "Call", "07:45").feedback == ("The alarm 'Call' is off.",)
    assert gnome_clocks_checks.alarm_set(found, "Leave", "07:45").feedback == (
        "There are 0 alarms 'Leave', expected one.",
    )
    twice = {**found, "alarms": found["alarms"] * 2}
    assert gnome_clocks_checks.alarm_set(twice, "Twice", "07:45").feedback == (
        "There are 2 alarms 'Twice', expected one.",
    )
    with pytest.raises(SpecError, match="7:45"):
        expect.alarm_set(see.alarms(), "Leave 5", "7:45")


def test_alarms_that_nobody_can_ask_for_are_a_fault() -> None:
    with (
        AnsweringComputer(lambda _: said()) as computer,
        pytest.raises(CannotSee, match="no file .*schemas"),
    ):
        clocks.alarms(ProbeContext(computer))


def test_results_of_code() -> None:
    assert desktop_python_code.returns(ADDED, [3, 7]).passed
    assert not desktop_python_code.returns(ADDED, [3, 8]).passed
    assert not desktop_python_code.returns(ADDED, [3]).passed
    assert not desktop_python_code.returns(ADDED, [3, True]).passed
    failed = {**ADDED, "results": [{"error": "TypeError: no"}, {"value": "7"}]}
    assert len(desktop_python_code.returns(failed, [3, 7]).feedback) == 2


TILL = '"""Till."""\n\n\ndef greet():\n    return "Hi"\n\n\ndef total(prices):\n    return prices[0]\n'


@pytest.mark.parametrize(
    ("old", "new", "right"),
    [
        ("prices[0]", "sum(prices)", True),
        ("prices[0]", "sum(prices)  \n\n# Looked over.\n", True),
        ("def total", "import math\n\n\ndef helper():\n    return 1\n\n\ndef total", True),
        ('"Hi"', '"Hello"', False),
        ('    return "Hi"', '    return "Hi"\n    return "Hi"', False),
        ('"""Till."""', '"""Till."""\n"""Till."""', False),
        ('"""Till."""', "", False),
        ("def total", 'def greet():\n    return "Hi"\n\n\ndef total', False),
        ("def total", "def greet():\n    pass\n\n\ndef total", False),
        # What was there keeps its meaning, and what is free is not left in two versions.
        ("prices[0]", "sum(prices)\n\n\ndef greet(name=''):\n    return name", False),
        ("prices[0]", "sum(prices)\n\n\ngreet = print", False),
        ("prices[0]", "sum(prices)\n\n\nfrom other import greet", False),
        ("prices[0]", "prices[0]  # wrong\n\n\ndef total(prices):\n    return sum(prices)", False),
        ("def total(prices)", "VAT = 7\nimport math as m\n\n\ndef total(prices: list[int]) -> int", True),
    ],
)
def test_the_rest_of_a_source_is_kept(old: str, new: str, right: bool) -> None:
    now, then = {"path": "till.py", "text": TILL.replace(old, new)}, {"path": "till.py", "text": TILL}
    assert desktop_python_code.code_kept(now, then, ["total"]).passed is right


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_code_and_clocks_inside() -> None:
    with open_computer("sandbox", image="full") as computer:
        context = ProbeContext(computer)
        computer.write_file("a.py", b"def add(a, b):\n    return a + b\n\nprint('hello')\n")
        found = python_results(context, "a.py", "add", [[1, 2], ["x", 1]])
        assert found["results"][0] == {"value": 3}
        assert "TypeError" in found["results"][1]["error"]
        for broken in (b"def add(", b"raise SystemExit(0)", b"1 / 0"):
            computer.write_file("b.py", broken)
            with pytest.raises(CannotSee):
                python_results(context, "b.py", "add", [[1, 2]])
        world_clocks(SetupContext(computer), ["Nairobi"])
        assert clocks.world_clocks(context)["cities"] == [{"city": "Nairobi", "station": "HKJK"}]
        assert clocks.alarms(context)["alarms"] == []
        kept = f"[{alarm('Leave 5', '14:05')}, {alarm(HARD_NAME, days='[1, 5]')}]"
        computer.run(["gsettings", "set", "org.gnome.clocks", "alarms", kept])
        assert clocks.alarms(context)["alarms"] == clock_alarms(kept)
        assert clocks.alarms(context)["alarms"][1]["name"] == HARD_NAME
