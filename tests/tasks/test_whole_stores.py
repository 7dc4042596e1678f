"""Models of stores are whole and quiet: what anybody would notice makes a difference, saving alone makes none."""

from __future__ import annotations

import base64
import io
import json
import sqlite3
import tarfile
import wave
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from PIL import Image, ImageDraw, PngImagePlugin

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make, run, see
from proctor.vocabulary.apps.gnome_clocks.parse import clock_alarms
from proctor.vocabulary.apps.gnote.parse import gnote_note
from proctor.vocabulary.apps.gtg.parse import gtg_besides, gtg_tasks
from proctor.vocabulary.apps.homebank.parse import homebank_book
from proctor.vocabulary.apps.rhythmbox.parse import rhythmbox_lists, rhythmbox_songs
from proctor.vocabulary.apps.rhythmbox.probes import RHYTHMBOX_LIBRARY, rhythmbox
from proctor.vocabulary.formats.archives.parse import look_into
from proctor.vocabulary.formats.calendars.parse import events, other_parts
from proctor.vocabulary.formats.databases.parse import database_tables
from proctor.vocabulary.formats.film.parse import playlist_files
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.formats.pictures.parse_whole import describe_whole
from proctor.vocabulary.formats.sound.parse import listen
from proctor.vocabulary.formats.text.parse import manner
from proctor.vocabulary.services.calendar.parse import whole_calendars
from proctor.vocabulary.services.chat.parse import chat_channels, chat_doings
from proctor.vocabulary.services.mail.parse import whole_accounts

LETTER = {"from": "bo@b.example", "to": "ana@a.example", "subject": "Hello", "date": "2026-03-02T09:00:00", "text": "x"}
DENTIST = {"summary": "Dentist", "start": "2026-03-17T09:00:00", "end": "2026-03-17T10:00:00"}


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def different(before: Any, after: Any) -> set[str]:
    """Return the outermost fields in which two models differ."""
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


class TestDatabases:
    def made(self, *statements: str) -> dict[str, object]:
        connection = sqlite3.connect(":memory:")
        for statement in ("CREATE TABLE prices (id INTEGER, cost REAL, photo BLOB)", *statements):
            connection.execute(statement)
        connection.commit()
        return database_tables(connection.serialize(), b"", "a.db")

    @pytest.mark.parametrize(
        ("statement", "field"),
        [
            ("CREATE UNIQUE INDEX prices_idx ON prices (cost)", "schema"),
            ("CREATE TRIGGER t AFTER INSERT ON prices BEGIN DELETE FROM prices; END", "schema"),
            ("CREATE VIEW v AS SELECT * FROM prices", "schema"),
            ("PRAGMA user_version = 3", "marks"),
            ("INSERT INTO prices VALUES (1, 2.5, NULL)", "tables"),
        ],
    )
    def test_what_is_added_is_told(self, statement: str, field: str) -> None:
        assert field in different(self.made(), self.made(statement))

    def test_bytes_of_the_same_length_are_told_apart(self) -> None:
        one, two = (self.made(f"INSERT INTO prices VALUES (1, 1, x'{data}')") for data in ("0102", "0103"))
        assert different(one, two) == {"tables"}

    def test_how_a_statement_is_broken_into_lines_is_nothing(self) -> None:
        one = self.made("CREATE INDEX i ON prices (cost)")
        assert not different(one, self.made("CREATE INDEX i\n  ON prices  (cost)"))

    def test_a_vacuum_changes_nothing(self) -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.execute("CREATE TABLE a (b)")
        connection.executemany("INSERT INTO a VALUES (?)", [("x" * 3000,)] * 50)
        connection.execute("DELETE FROM a WHERE rowid > 3")
        before = database_tables(connection.serialize(), b"", "a.db")
        connection.execute("VACUUM")
        assert database_tables(connection.serialize(), b"", "a.db") == before


class TestArchives:
    def tar(self, mode: int = 0o644, content: bytes = b"one", kind: bytes = tarfile.REGTYPE) -> dict[str, Any]:
        held = io.BytesIO()
        with tarfile.open(fileobj=held, mode="w") as archive:
            member = tarfile.TarInfo("a.bin")
            member.mode, member.type, member.linkname = mode, kind, "b" if kind == tarfile.SYMTYPE else ""
            member.size = 0 if kind == tarfile.SYMTYPE else len(content)
            archive.addfile(member, io.BytesIO(content))
        return look_into("a.tar", held.getvalue())

    def test_modes_links_and_contents(self) -> None:
        assert self.tar(0o6777)["members"][0]["mode"] == "6777"
        assert self.tar() != self.tar(0o000) and self.tar(content=b"\xff\x00") != self.tar(content=b"\xff\x01")
        assert self.tar(kind=tarfile.SYMTYPE)["members"][0]["target"] == "b"

    def test_a_zip_tells_modes_and_links_too(self) -> None:
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as archive:
            for name, mode, data in (("run", 0o100755, "echo"), ("link", 0o120777, "run")):
                info = zipfile.ZipInfo(name)
                info.external_attr = mode << 16
                archive.writestr(info, data)
        link, run_it = sorted(look_into("a.zip", held.getvalue())["members"], key=lambda each: each["name"])
        assert run_it["mode"] == "755" and "digest" in run_it
        assert (link["kind"], link["target"], "text" in link) == ("link", "run", False)


class TestPictures:
    def png(self, draw: Callable[[Any], None] = lambda _: None, **said: str) -> dict[str, Any]:
        image = Image.new("RGBA", (160, 80), "#4060a0")
        draw(ImageDraw.Draw(image))
        held, info = io.BytesIO(), PngImagePlugin.PngInfo()
        for key, value in said.items():
            info.add_text(key, value)
        image.save(held, "PNG", pnginfo=info)
        return describe_whole("a.jpg", held.getvalue())

    def test_a_local_change_has_a_place(self) -> None:
        before, after = self.png(), self.png(lambda pen: pen.point((150, 70), "red"))
        changed = [new["name"] for old, new in zip(before["regions"], after["regions"], strict=True) if old != new]
        assert changed == ["row 8, column 8"] and different(before, after) == {"regions"}

    def test_the_format_is_told_by_content(self) -> None:
        assert self.png()["format"] == "PNG"

    def test_what_the_file_says_and_what_can_be_seen_through(self) -> None:
        assert different(self.png(), self.png(Comment="by me")) == {"says"}
        assert not different(self.png(), self.png(Software="some editor"))
        holed = self.png(lambda pen: pen.rectangle((0, 0, 9, 9), "#00000000"))
        assert different(self.png(), holed) == {"opaque", "regions"} and not holed["opaque"]

    def test_metadata_of_cameras(self) -> None:
        image, held = Image.new("RGB", (8, 8)), io.BytesIO()
        exif = image.getexif()
        exif[0x010F] = "Lumen"
        exif.get_ifd(0x8825)[1] = "N"
        image.save(held, "JPEG", exif=exif, dpi=(300, 300))
        seen = describe_whole("a.jpg", held.getvalue())
        assert seen["camera"] == {"Make": "Lumen", "GPSLatitudeRef": "N"} and seen["dots_per_inch"] == [300, 300]
        assert "digest" not in seen["regions"][0]

    def test_tiny_and_broken_ones(self) -> None:
        held = io.BytesIO()
        Image.new("1", (1, 3)).save(held, "PNG")
        assert len(describe_whole("a.png", held.getvalue())["regions"]) == 3
        for data in (b"", b"text", held.getvalue()[:40]):
            with pytest.raises(CannotSee):
                describe_whole("a.png", data)

    def test_the_probe(self, computer: FakeComputer) -> None:
        held = io.BytesIO()
        Image.new("RGB", (4, 4)).save(held, "PNG")
        computer.write_file("a.jpg", held.getvalue())
        assert run(see.whole_picture("a.jpg"), ProbeContext(computer))["format"] == "PNG"


class TestSounds:
    def test_how_finely_a_recording_is_kept(self) -> None:
        seen = {}
        for width in (1, 2):
            held = io.BytesIO()
            with wave.open(held, "wb") as out:
                out.setparams((1, width, 8000, 0, "NONE", ""))
                out.writeframes(b"\x01\x02" * 4000)
            seen[width] = listen("a.wav", held.getvalue())
        assert (seen[1]["bits"], seen[2]["bits"]) == (8, 16)
        assert seen[2]["streams"] == [{"kind": "audio"}] and seen[2]["other_tags"] == {}


class TestTexts:
    @pytest.mark.parametrize(
        ("data", "ends"),
        [
            (b"", "LF"),
            (b"a", "LF"),
            (b"a\nb\n", "LF"),
            (b"a\r\nb", "CRLF"),
            (b"a\r\nb\n", "mixed"),
            (b"a\rb\r", "CR"),
        ],
    )
    def test_line_ends(self, data: bytes, ends: str) -> None:
        assert manner(data) == {"line_ends": ends, "byte_order_mark": False}
        assert manner(b"\xef\xbb\xbf" + data)["byte_order_mark"]

    def test_files_and_folders_tell_rights(self, computer: FakeComputer) -> None:
        computer.write_file("Docs/open", b"", mode=0o644)
        computer.write_file("Docs/shut", b"", mode=0o000)
        computer.write_file("Docs/odd", b"", mode=0o6777)
        listed: Any = run(see.folder("Docs"), ProbeContext(computer))["entries"]
        modes = {each["name"]: each["mode"] & 0o7777 for each in listed}
        assert modes == {"open": 0o644, "shut": 0, "odd": 0o6777}
        assert [each["name"] for each in listed if each.get("out_of_reach")] == ["shut"]
        assert run(see.file("Docs/shut"), ProbeContext(computer))["out_of_reach"]
        assert "out_of_reach" not in run(see.file("Docs/open"), ProbeContext(computer))


def event(*lines: str) -> dict[str, Any]:
    start = ("UID:1", "SUMMARY:Dentist", "DTSTART:20260317T090000Z")
    text = "\r\n".join(["BEGIN:VCALENDAR", "BEGIN:VEVENT", *start, *lines, "END:VEVENT", "END:VCALENDAR", ""])
    (found,) = events(text)
    return found


class TestCalendars:
    @pytest.mark.parametrize(
        ("line", "field"),
        [
            ("DESCRIPTION:cancelled", "description"),
            ("STATUS:TENTATIVE", "said"),
            ("TRANSP:TRANSPARENT", "said"),
            ("CATEGORIES:Work,A\\, b", "categories"),
            ("ATTENDEE;CN=Bo;PARTSTAT=DECLINED:mailto:Bo@x.example", "replies"),
            ("ORGANIZER:mailto:eve@x.example", "organizer"),
            ("X-PRICE:3", "others"),
            ("ATTACH:http://x.example/a", "said"),
        ],
    )
    def test_every_fact_makes_a_difference(self, line: str, field: str) -> None:
        assert field in different(event(), event(line))

    @pytest.mark.parametrize(
        "line",
        [
            "DTSTAMP:20260101T000000Z",
            "LAST-MODIFIED:20260101T000000Z",
            "SEQUENCE:4",
            "X-MOZ-LASTACK:x",
            "STATUS:CONFIRMED",
        ],
    )
    def test_what_programs_note_makes_none(self, line: str) -> None:
        assert not different(event(), event(line))

    def test_reminders_tell_how_they_come(self) -> None:
        def alarm(*lines: str) -> dict[str, Any]:
            return event("BEGIN:VALARM", "TRIGGER:-PT15M", *lines, "END:VALARM")

        assert alarm("ACTION:DISPLAY")["alarms"] == []
        assert alarm("ACTION:EMAIL")["alarms"] == [{"minutes": 15, "how": "EMAIL", "says": ""}]
        assert alarm("ACTION:DISPLAY", "DESCRIPTION:Default Mozilla Description") == alarm("ACTION:DISPLAY")
        assert alarm("ACTION:EMAIL") != alarm("ACTION:DISPLAY")

    def test_days_of_one_event_are_told_apart(self) -> None:
        assert event("RECURRENCE-ID:20260310T090000Z")["id"] == "1 on 2026-03-10T09:00" != event()["id"]

    def test_all_calendars(self) -> None:
        todo = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:7\r\nSUMMARY:Milk\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        facts = {"D:displayname": "Home", "ICAL:calendar-color": "#ff0000"}
        printed = json.dumps({"calendars": [{"path": "home", "facts": facts, "events": [todo]}]})
        (home,) = whole_calendars(printed)
        assert (home["title"], home["colour"], home["events"]) == ("Home", "#ff0000", [])
        assert home["others"] == other_parts(todo) == [{"uid": "7", "kind": "todo", "summary": "Milk"}]
        for broken in ('{"too_much": true}', '{"calendars": [{"path": "a", "facts": 3, "events": ["x"]}]}'):
            with pytest.raises(CannotSee):
                whole_calendars(broken)


def noted(*entries: tuple[str, str, str, str]) -> str:
    keys = ("kind", "who", "where", "text")
    return "".join(json.dumps(dict(zip(keys, entry, strict=True))) + "\n" for entry in entries)


class TestChats:
    ANSWERS = json.dumps(
        {
            "told": [
                ["322", "greta", "#Choir", "2", "Tuesday"],
                ["332", "greta", "#choir", "Tuesday"],
                ["324", "greta", "#choir", "+nt"],
                ["353", "greta", "=", "#choir", "@greta +ines"],
                ["367", "greta", "#choir", "bo!*@*", "ines", "1"],
            ],
            "lost": False,
        }
    )

    def test_channels(self) -> None:
        (choir,) = chat_channels(self.ANSWERS, "")
        assert (choir["topic"], choir["modes"], choir["kept_out"]) == ("Tuesday", "+nt", ["bo!*@*"])
        assert choir["members"] == [{"name": "greta", "marks": "@"}, {"name": "ines", "marks": "+"}]

    def test_closing_the_program_is_not_leaving(self) -> None:
        def members(*more: tuple[str, str, str, str]) -> list[str]:
            (choir,) = chat_channels(self.ANSWERS, noted(("join", "bo", "#choir", ""), *more))
            return [each["name"] for each in choir["members"]]

        assert "bo" in members(("quit", "bo", "", ""))
        assert "bo" not in members(("part", "bo", "#choir", ""))
        assert "bo" not in members(("kick", "greta", "#choir", "bo off you go"))
        assert "bob" in members(("nick", "bo", "", "bob"))

    def test_opening_it_again_does_nothing(self) -> None:
        join = ("join", "bo", "#choir", "")
        assert chat_doings(noted(join, ("quit", "bo", "", ""), join)) == chat_doings(noted(join))
        assert len(chat_doings(noted(join, ("part", "bo", "#choir", ""), join))) == 3
        kinds = [
            each["kind"]
            for each in chat_doings(noted(("notice", "bo", "#choir", "hi"), ("mode", "bo", "#choir", "+m")))
        ]
        assert kinds == ["notice", "mode"]

    def test_somebody_who_is_lost(self) -> None:
        with pytest.raises(CannotSee, match="lost"):
            chat_channels('{"lost": true}', "")

    @given(some.lists(some.lists(some.text(max_size=8), min_size=1, max_size=6), max_size=6))
    def test_no_answer_of_a_server_crashes_it(self, told: list[list[str]]) -> None:
        assert isinstance(chat_channels(json.dumps({"told": told, "lost": False}), ""), list)


class TestLetters:
    def test_whole_accounts(self) -> None:
        data = base64.b64encode(b"Subject: a\nReply-To: x@y.example\nX-Priority: 1\n\nhi\n").decode()
        letters = [{"flags": ["\\Seen", "$label1", "NonJunk"], "data": data}]
        folders = [{"name": "INBOX", "shown": True, "letters": letters}, {"name": "Old", "shown": False, "letters": []}]
        (account,) = whole_accounts(
            json.dumps({"accounts": [{"address": "a@x", "folders": folders}]}), '{"letters": []}'
        )
        inbox, old = account["folders"]
        (one,) = inbox["letters"]
        assert (one["marks"], one["labels"], one["priority"], one["reply_to"]) == (
            ["read"],
            ["important"],
            "1",
            ["x@y.example"],
        )
        assert (old["name"], old["shown"], old["letters"]) == ("Old", False, [])
        with pytest.raises(CannotSee, match="INBOX"):
            folders[0]["too_much"] = True
            whole_accounts(json.dumps({"accounts": [{"address": "a@x", "folders": folders}]}), '{"letters": []}')

    def test_forms(self) -> None:
        page = b"Content-Type: text/html\n\n<p>x"
        assert letter(b"Subject: a\n\nx")["forms"] == ["plain"] and letter(page)["forms"] == ["html"]


class TestPlayers:
    LISTS = (
        b'<rhythmdb-playlists><playlist name="Car" type="static"><location>file:///m/a%20b.ogg</location></playlist>'
        b'<playlist name="All" type="automatic" limit="3"><conjunction><like prop="genre">x</like></conjunction>'
        b"</playlist>"
        b"</rhythmdb-playlists>"
    )

    def test_all_lists(self) -> None:
        car, every = rhythmbox_lists(self.LISTS, "x")
        assert (car["name"], car["kind"], car["files"]) == ("Car", "static", ["/m/a b.ogg"])
        assert "genre" in every["rules"][0] and every["sorted"][2] == "3"  # type: ignore[index]

    def test_playing_a_song_changes_nothing_and_renaming_it_does(self, computer: FakeComputer) -> None:
        def library(more: str) -> list[dict[str, str]]:
            entry = f'<entry type="song"><title>A</title><location>file:///m/a.ogg</location>{more}</entry>'
            return rhythmbox_songs(f"<rhythmdb>{entry}</rhythmdb>".encode(), "x")

        assert library("<play-count>3</play-count><last-played>9</last-played>") == library("")
        assert library("<rating>4</rating>") != library("")
        assert rhythmbox(ProbeContext(computer)) == {"path": "Rhythmbox", "lists": [], "library": []}
        computer.write_file(RHYTHMBOX_LIBRARY, b"<rhythmdb")
        with pytest.raises(CannotSee):
            rhythmbox(ProbeContext(computer))

    def test_titles_on_play_lists(self) -> None:
        plain = playlist_files(b"#EXTM3U\n#EXTINF:3,Song\na.ogg\n", "l.m3u")
        assert (plain["files"], plain["derived"]) == (["/home/user/a.ogg"], {"titles": ["#EXTINF:3,Song"]})
        pls = playlist_files(b"[playlist]\nFile1=a.ogg\nTitle1=Song\n", "l.pls")
        assert pls["derived"] == {"titles": ["Title1=Song"]}
        xspf = b"<playlist><trackList><track><location>a</location><title>T</title></track></trackList></playlist>"
        assert playlist_files(xspf, "l.xspf")["derived"] == {"titles": ["T"]}


class TestNotesTasksAndBooks:
    def test_words_that_are_set_apart(self) -> None:
        def note(inside: str) -> Any:
            text = f"<note><title>T</title><text><note-content>T\n\n{inside}</note-content></text></note>"
            return gnote_note(text.encode(), "1.note")

        plain, struck = note("milk"), note("<strikethrough>milk</strikethrough>")
        assert different(plain, struck) == {"looks"}
        assert struck["looks"] == [{"kind": "strikethrough", "words": "milk"}] and plain["uid"] == "1"

    def test_tags_searches_and_subtasks_of_gtg(self) -> None:
        data = (
            b'<gtgData><taglist><tag id="1" name="home" color="#f00"/></taglist><searchlist><savedSearch name="s"/>'
            b'</searchlist><tasklist><task id="t" status="Active"><title>A</title><subtasks><sub>u</sub></subtasks>'
            b"</task></tasklist></gtgData>"
        )
        assert gtg_besides(data, "x")["derived"] == [{"id": "1", "name": "home", "color": "#f00"}]
        assert gtg_besides(data, "x")["searches"] == [{"name": "s"}]
        (task,) = gtg_tasks(data, "x")
        assert (task["uid"], task["subtasks"]) == ("t", ["u"])

    def test_alarms_tell_their_days(self) -> None:
        text = (
            "[{'name': <'Tea'>, 'hour': <7>, 'minute': <5>, 'days': <[1, 3]>, 'active': <true>, 'ring_minutes': <5>}]"
        )
        (alarm,) = clock_alarms(text)
        assert (alarm["on"], alarm["days"], alarm["ring_minutes"]) == (["1", "3"], 2, 5)

    def test_everything_in_a_book(self) -> None:
        def book(account: str = 'initial="3.0" minimum="0"', more: str = "") -> Any:
            text = f'<homebank><account key="1" name="Cash" {account}/><pay key="1" name="Bakery"/>{more}</homebank>'
            return homebank_book(text.encode(), "a.xhb")

        assert book() == book('initial="3"') == book('initial="3.00" maximum="-0"')
        assert book() != book('initial="3" notes="x"')
        assert book(more='<fav key="1" amount="-3" payee="1"/>')["records"][-1]["payee"] == "Bakery"
        ope = '<ope date="739684" amount="-1.5" account="1" {}/>'
        assert book(more=ope.format('info="check 7"')) != book(more=ope.format("")) != book(more=ope.format('st="2"'))


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_services_are_told_whole() -> None:
    """A chat, calendars and a repository on a real computer, with what somebody does besides."""
    with open_computer("sandbox", image="full", network="loopback") as computer:
        setup, look = SetupContext(computer), ProbeContext(computer)
        run(make.chat_server([{"name": "#choir", "topic": "Tuesday", "people": ["greta", "samir"]}]), setup)
        run(make.repository("site", [{"message": "One", "files": {"a.txt": "a\n", "b.sh": "true\n"}}]), setup)
        chat, repository = (run(call, look) for call in (see.chat(), see.repository("site")))
        assert chat["channels"][0]["topic"] == "Tuesday"
        assert [each["name"] for each in chat["channels"][0]["members"]] == ["greta", "samir"]
        assert (run(see.chat(), look), run(see.repository("site"), look)) == (chat, repository)
        run(make.mail_service([{"address": "ana@a.example", "password": "x", "folders": {"INBOX": [LETTER]}}]), setup)
        run(make.calendar_service("ana@a.example", "x", [{"title": "Home", "events": [DENTIST]}]), setup)
        (account,) = run(see.mailboxes(), look)["accounts"]
        subjects = {each["name"]: [one["subject"] for one in each["letters"]] for each in account["folders"]}
        assert subjects["INBOX"] == ["Hello"] and "Drafts" not in subjects
        (home,) = run(see.calendars(), look)["calendars"]
        assert (home["title"], [each["summary"] for each in home["events"]]) == ("Home", ["Dentist"])
        computer.baseline()
        assert run(see.started_programs(), look)["programs"] == []
        computer.run(["sh", "-c", "setsid sleep 987 > /dev/null 2>&1 &"])
        assert [each["name"] for each in run(see.started_programs(), look)["programs"]] == ["sleep 987"]
        talk = (
            "import socket; s = socket.create_connection(('127.0.0.1', 6667)); f = s.makefile('rw');"
            "f.write('NICK bo\\r\\nUSER bo 0 * :bo\\r\\n'); f.flush()\n"
            "for line in f:\n"
            "    if line.startswith('PING'): f.write(line.replace('PING', 'PONG')); f.flush()\n"
            "    if ' 001 ' in line: break\n"
            "f.write('JOIN #choir\\r\\nNOTICE #choir :hear\\r\\nPRIVMSG greta :psst\\r\\nTOPIC #choir :Off\\r\\n"
            "JOIN #other\\r\\nPING :x\\r\\n'); f.flush()\n"
            "for line in f:\n"
            "    if 'PONG' in line and ':x' in line: break\n"
        )
        done = computer.run(["python3", "-c", talk])
        assert done.code == 0, done.stderr
        now = run(see.chat(), look)
        said = [(each["kind"], each["where"], each["text"]) for each in now["entries"]]
        assert said[:4] == [
            ("join", "#choir", ""), ("notice", "#choir", "hear"), ("message", "greta", "psst"),
            ("topic", "#choir", "Off"),
        ]  # fmt: skip
        assert now["channels"][0]["topic"] == "Off" and "bo" in [e["name"] for e in now["channels"][0]["members"]]
        git = (
            "cd site && git config core.autocrlf true && git stash list && git tag -a v1 -m first && git branch spare "
            "&& chmod 755 b.sh && GIT_AUTHOR_NAME=Eve git commit -qam 'Mode' && printf 'exit 0' > .git/hooks/pre-push"
        )
        done = computer.run(["sh", "-c", git])
        assert done.code == 0, done.stderr
        after = run(see.repository("site"), look)
        derived = after["derived"]
        assert {each["name"] for each in derived["refs"]} == {"refs/heads/main", "refs/heads/spare", "refs/tags/v1"}
        assert [each["says"] for each in derived["refs"] if "says" in each] == ["first"]
        assert any(each["name"].startswith("Eve ") for each in after["people"]) and len(repository["people"]) == 1
        assert after["modes"] == [{"path": "b.sh", "mode": "100755"}] and after["others"] == repository["modes"] == []
        assert [each["name"] for each in after["hooks"]] == ["pre-push"] and "autocrlf" in after["settings"][0]["text"]
        assert {each["path"]: each["mode"] for each in derived["folder"]}["b.sh"] == "755"
        newest = derived["history"][0]
        assert newest["says"] == "Mode" and newest["parents"] == [repository["derived"]["head"]]
