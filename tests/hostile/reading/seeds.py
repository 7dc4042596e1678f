"""One sound file of every kind that probes read, made by our own writers, and the probe that looks at it."""

from __future__ import annotations

import base64
import bz2
import functools
import gzip
import json
import lzma
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from proctor.applications import settings_stores
from proctor.computers.sandbox_machine import xfconf
from proctor.tasks.call import Call
from proctor.tasks.shelves import see
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE, chromium_bookmarks
from proctor.vocabulary.apps.firefox.profile import FIREFOX_PROFILE
from proctor.vocabulary.apps.gnote import probes as gnote_probes
from proctor.vocabulary.apps.gnote.setup import WrittenNote, gnote_xml
from proctor.vocabulary.apps.gtg.setup import GTG_FILE, Todo, gtg_xml
from proctor.vocabulary.apps.homebank.setup import BankAccount, Transaction, homebank_xml
from proctor.vocabulary.apps.okular import probes as okular_probes
from proctor.vocabulary.apps.rhythmbox import probes as rhythmbox_probes
from proctor.vocabulary.apps.vlc import probes as vlc_probes
from proctor.vocabulary.desktop.probes.state import CHANNELS, DATABASE
from proctor.vocabulary.formats.archives.setup import archive_of
from proctor.vocabulary.formats.books.setup import Chapter, epub_bytes
from proctor.vocabulary.formats.databases.setup import Table, sqlite_bytes
from proctor.vocabulary.formats.drawings import setup as vectors
from proctor.vocabulary.formats.film.setup import Scene, film_file
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Run, Slide
from proctor.vocabulary.formats.office.write_odf import odp, odt
from proctor.vocabulary.formats.office.write_ooxml import docx, pptx
from proctor.vocabulary.formats.pictures import setup as pictures
from proctor.vocabulary.formats.sound import setup as sound
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods, separated_values, xlsx
from proctor.vocabulary.services.calendar.setup import CalendarEvent, event_text
from proctor.vocabulary.services.mail.setup import Attachment, Letter, letter_bytes
from tests.tasks.settings_table import ALARMS, CITIES, LETTERS, PATH, THREE, member, settings_file


@dataclass(frozen=True)
class Seed:
    """A sound file, and who looks at it."""

    kind: str
    probe: Call
    path: str
    """Where the file is; empty for what a command prints."""
    data: bytes


PAPER = Paper(
    title="Minutes",
    header="Left",
    blocks=(
        DocumentBlock(text="A heading", heading=1),
        DocumentBlock(
            runs=(Run(text="bold ", bold=True), Run(text="new", inserted_by="Ana"), Run(text="x", deleted_by="B"))
        ),
        DocumentBlock(items=("one", "two"), ordered=True),
        DocumentBlock(rows=(("a", "b"), ("1", "2.5"))),
        DocumentBlock(page_break=True),
        DocumentBlock(text="The end", align="center"),
    ),
)
SLIDES = (Slide(title="First", bullets=("a", "b"), notes="Say it"), Slide(title="Second", bullets=("c",)))
SHEETS = (
    SheetSpec(
        name="Sales",
        rows=(
            ("Item", "Price", "Day"),
            ("Lamp", 12.5, "2026-03-12"),
            ("Desk", 99, "2026-03-13"),
            (None, "=SUM(B2:B3)", None),
        ),
        widths=(30, 20),
        bold_header=True,
        kinds={"B": "money", "C": "date"},
    ),
    SheetSpec(name="Other", rows=((1, True, "text"), (None, "=Sales!B2*2", -1e-3))),
)
SHAPES = (
    vectors.Shape(kind="rectangle", box=(40, 40, 140, 90), fill="#c1121f", id="table"),
    vectors.Shape(kind="polygon", points=((90, 170), (140, 260), (40, 260)), fill="#1d4ed8", id="lamp"),
    vectors.Shape(kind="text", box=(220, 210, 0, 0), text="Hall", id="title"),
)
DIA = """<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/"><dia:layer>
<dia:object type="Flowchart - Box" id="O0"><dia:attribute name="text"><dia:string>#Order#</dia:string></dia:attribute>
<dia:attribute name="inner_color"><dia:color val="#ff0000ff"/></dia:attribute></dia:object>
<dia:object type="Flowchart - Box" id="O1"><dia:attribute name="text"><dia:string>#Pay#</dia:string>
</dia:attribute></dia:object>
<dia:object type="Standard - Line" id="O2"><dia:connections><dia:connection handle="0" to="O0" connection="3"/>
<dia:connection handle="1" to="O1" connection="1"/></dia:connections></dia:object></dia:layer></dia:diagram>"""
XBEL = """<?xml version="1.0"?><xbel><folder><title>a</title>
<bookmark href="file:///home/user/Books/a.pdf#16;2:0.5:0.5"><title>#17</title></bookmark></folder></xbel>"""
LIBRARY = """<?xml version="1.0"?><rhythmdb version="2.0"><entry type="song">
<location>file:///home/user/Music/a%20b.flac</location><rating>4</rating></entry></rhythmdb>"""
LISTS = """<rhythmdb-playlists><playlist name="Car" type="static">
<location>file:///home/user/Music/a%20b.flac</location></playlist></rhythmdb-playlists>"""
PREFERENCES = {"homepage": "http://a.example/", "homepage_is_newtabpage": False, "browser": {"zoom": 1.25, "n": [1, 2]}}
PREFS = 'user_pref("browser.startup.homepage", "http://a.example/");\nuser_pref("a.b", 3);\nuser_pref("c", true);\n'
DATA = {"a": [1, 2.5, {"b": None, "c": "text"}], "d": True, "e": -1e3}
INI = "loose = 1\n[First]\nkey = value\nempty\nother=2\n[Second]\nlong = a\n  b\n"
XML = '<?xml version="1.0"?><root a="1"><item id="2">text</item><item>3.5</item></root>'
PLAYING = "(<{'mpris:trackid': <'/1'>, 'xesam:url': <'file:///home/user/a%20b.mp3'>, 'xesam:title': <'Song'>}>,)\n"
TABS = [{"type": "page", "url": "http://a.example/", "title": "A &amp; B"}, {"type": "other"}]
PROCESSES = "S bash /bin/bash -l\nR+ ps ps -ww\nZ gone\nSl vlc /usr/bin/vlc --one\n"
LETTER = Letter(
    **{"from": "Ana <ana@a.example>"},
    to="ben@b.example",
    cc="cy@c.example",
    subject="Lunch ☕",
    date=datetime(2026, 3, 12, 9, 30),
    text="Hello\n> quoted\nbye",
    attachments=[Attachment(name="a.txt", text="attached", type="text/plain")],
)
EVENT = CalendarEvent(
    summary="Lunch",
    start=datetime(2026, 3, 12, 12),
    end=datetime(2026, 3, 12, 13),
    rule="FREQ=WEEKLY;BYDAY=TH",
    alarms=[15],
)
FORMS = '{"kind": "order", "number": 1, "fields": {"a": "1"}, "account": "ana"}\n'
SAFE = (
    "<KeePassFile><Meta><Binaries><Binary ID='0' Compressed='False'>eA==</Binary></Binaries></Meta><Root><Group>"
    "<Name>Root</Name><Group><Name>Shops</Name><Entry><UUID>1</UUID><String><Key>Title</Key><Value>Books</Value></String>"
    "<String><Key>Password</Key><Value>x</Value></String><Binary><Key>a</Key><Value Ref='0'/></Binary><History>"
    "<Entry/></History></Entry></Group></Group></Root></KeePassFile>"
)


@functools.cache
def seeds() -> tuple[Seed, ...]:
    """Return one sound file of every kind."""
    return tuple([*_documents(), *_media(), *_data(), *_profiles(), *_settings(), *_printed()])


def _documents() -> Iterator[Seed]:
    for name, data in {"a.odt": odt(PAPER), "a.docx": docx(PAPER)}.items():
        yield Seed(name[2:], see.document(name), name, data)
    for name, data in {"a.odp": odp(SLIDES), "a.pptx": pptx(SLIDES)}.items():
        yield Seed(name[2:], see.slides(name), name, data)
    for name, data in {"a.ods": ods(SHEETS), "a.xlsx": xlsx(SHEETS), "a.csv": separated_values(SHEETS[0])}.items():
        yield Seed(name[2:], see.spreadsheet(name), name, data)
    chapters = [
        Chapter(title="One", paragraphs=("It began.", "So.")),
        Chapter(title="Two", paragraphs=("It went on.",)),
    ]
    yield Seed("epub", see.epub("a.epub"), "a.epub", epub_bytes("Salt", "Ana", chapters))
    held = {"a/b.txt": "text", "c.txt": "more"}
    plain = archive_of("a.tar", held)
    archives = {"a.zip": archive_of("a.zip", held), "a.tar": plain, "a.tar.gz": archive_of("a.tar.gz", held)}
    for name, data in {**archives, "a.tar.xz": lzma.compress(plain), "a.tar.bz2": bz2.compress(plain)}.items():
        yield Seed(name[2:], see.archive(name), name, data)
    yield Seed("member", see.archived("a.zip", "c.txt"), "a.zip", archive_of("a.zip", {"c.txt": "more"}))


def _media() -> Iterator[Seed]:
    image = pictures.paint(48, 32, "#ffd000", (pictures.Shape(kind="ellipse", box=(4, 4, 20, 20), fill="#0000ff80"),))
    for ending in ("png", "jpg", "webp", "bmp", "gif", "tiff"):
        name = f"a.{ending}"
        yield Seed(ending, see.picture(name), name, pictures.encode(image, name))
    for ending in ("wav", "flac", "ogg", "mp3"):
        name = f"a.{ending}"
        notes = (sound.Note(hertz=440, seconds=0.3), sound.Note(hertz=0, seconds=0.1))
        yield Seed(ending, see.sound(name), name, sound.sound_file(name, notes, {"title": "Song", "artist": "Ana"}))
    for ending in ("mp4", "mkv", "webm"):
        name = f"film.{ending}"
        yield Seed(
            ending, see.film(name), name, film_file(name, (32, 32), (Scene(seconds=1, background="#ff0000"),), 5)
        )
    yield Seed("svg", see.drawing("a.svg"), "a.svg", vectors.svg(420, 300, SHAPES, "#ffffff"))
    moved = f'<g transform="translate(3 4) scale(2)">{vectors.svg(9, 9, SHAPES).decode().partition("?>")[2]}</g>'
    yield Seed(
        "svg group", see.drawing("b.svg"), "b.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{moved}</svg>'.encode()
    )
    yield Seed("dia", see.diagram("a.dia"), "a.dia", DIA.encode())
    yield Seed("dia packed", see.diagram("b.dia"), "b.dia", gzip.compress(DIA.encode(), mtime=0))
    for name, text in {
        "a.m3u": "#EXTM3U\na b.mp3\nfile:///c.mp3\n",
        "a.pls": "[playlist]\nFile1=a.mp3\nFile2=/b.mp3\n",
    }.items():
        yield Seed(name[2:], see.playlist(name), name, text.encode())


def _data() -> Iterator[Seed]:
    goods = Table(
        columns=("id INTEGER PRIMARY KEY", "name TEXT", "price REAL"), rows=((1, "Lamp", 12.5), (2, "Desk", 99))
    )
    yield Seed("sqlite", see.database("a.db"), "a.db", sqlite_bytes({"goods": goods, "more": Table(columns=("x",))}))
    yield Seed("query", see.query("b.db", "SELECT * FROM goods"), "b.db", sqlite_bytes({"goods": goods}))
    yield Seed("text", see.text("a.txt"), "a.txt", "héllo\nworld\n".encode())
    yield Seed("json", see.json("a.json"), "a.json", json.dumps(DATA).encode())
    yield Seed("ini", see.ini("a.ini"), "a.ini", INI.encode())
    yield Seed("xml", see.xml("a.xml"), "a.xml", XML.encode())
    yield Seed("rows", see.csv("b.csv"), "b.csv", b'a,b,c\n1,"two, 2",3\n,,\n')
    booked = [Transaction(date=date(2026, 3, 1), amount=-12.5, account="Cash", payee="Gale", category="Food", memo="x")]
    book = homebank_xml("a.xhb", [BankAccount(name="Cash", initial=100)], booked, ["Food"], [])
    yield Seed("homebank", see.account_book("a.xhb"), "a.xhb", book.encode())
    yield Seed(
        "zim",
        see.notebook("Notes"),
        "Notes/Recipes/Soup.txt",
        b"Content-Type: text/x-zim-wiki\n\n====== Soup ======\nhot\n",
    )
    note = gnote_xml(WrittenNote(title="Soup", text="hot\nred", notebook="Food"))
    yield Seed("gnote", see.gnote(), f"{gnote_probes.GNOTE_FOLDER}/a.note", note.encode())
    tasks = gtg_xml(
        [Todo(title="Shop", text="a &amp; b", tags=("food",), due=date(2026, 3, 1)), Todo(title="Rest", done=True)]
    )
    yield Seed("gtg", see.todo(), GTG_FILE, tasks.encode())


def _profiles() -> Iterator[Seed]:
    yield Seed("okular", see.bookmarks("Books/a.pdf"), okular_probes.OKULAR_BOOKMARKS, XBEL.encode())
    yield Seed("rhythmbox", see.rhythmbox_ratings(), rhythmbox_probes.RHYTHMBOX_LIBRARY, LIBRARY.encode())
    yield Seed("rhythmbox library", see.rhythmbox(), rhythmbox_probes.RHYTHMBOX_LIBRARY, LIBRARY.encode())
    yield Seed("rhythmbox lists", see.rhythmbox(), rhythmbox_probes.RHYTHMBOX_LISTS, LISTS.encode())
    yield Seed("rhythmbox list", see.rhythmbox_playlist("Car"), rhythmbox_probes.RHYTHMBOX_LISTS, LISTS.encode())
    yield Seed(
        "vlc", see.vlc_settings(), vlc_probes.VLC_SETTINGS, b"[core]\nsnapshot-path=/home/user\n#x=1\nvolume-save=0\n"
    )
    marks = chromium_bookmarks({"Recipes": []}, [])
    yield Seed("chromium bookmarks", see.web_bookmarks("chromium"), f"{CHROMIUM_PROFILE}/Bookmarks", marks.encode())
    preferences = f"{CHROMIUM_PROFILE}/Preferences"
    yield Seed(
        "chromium setting",
        see.browser_setting("chromium", "browser.zoom"),
        preferences,
        json.dumps(PREFERENCES).encode(),
    )
    yield Seed("chromium home", see.home_page("chromium"), preferences, json.dumps(PREFERENCES).encode())
    yield Seed("firefox home", see.home_page("firefox"), f"{FIREFOX_PROFILE}/prefs.js", PREFS.encode())
    logins = _made(
        "CREATE TABLE logins (origin_url TEXT, username_value TEXT, password_value BLOB, blacklisted_by_user INTEGER)",
        "INSERT INTO logins VALUES ('http://a/', 'ana', x'01', 0)",
    )
    yield Seed("chromium logins", see.web_logins("chromium"), f"{CHROMIUM_PROFILE}/Login Data", logins)
    kept = {"logins": [{"guid": "1", "hostname": "a", "encryptedUsername": "b", "encryptedPassword": "c"}]}
    yield Seed("firefox logins", see.web_logins("firefox"), f"{FIREFOX_PROFILE}/logins.json", json.dumps(kept).encode())
    history = _made(
        "CREATE TABLE urls (id INTEGER, url TEXT, visit_count INTEGER)",
        "CREATE TABLE visits (id INTEGER, url INTEGER)",
        "INSERT INTO urls VALUES (1, 'http://a/', 2)",
        "INSERT INTO visits VALUES (1, 1)",
    )
    yield Seed("chromium history", see.visited_pages("chromium"), f"{CHROMIUM_PROFILE}/History", history)
    places = _made(
        "CREATE TABLE moz_places (id INTEGER, url TEXT, visit_count INTEGER)",
        "CREATE TABLE moz_bookmarks (id INTEGER, parent INTEGER, type INTEGER, title, fk, guid, position)",
        "CREATE TABLE moz_keywords (place_id INTEGER, keyword TEXT)",
        "INSERT INTO moz_places VALUES (1, 'http://a/', 2)",
        "INSERT INTO moz_bookmarks VALUES (3, 1, 2, 'bar', NULL, 'toolbar_____', 0), (4, 3, 1, 'A', 1, 'x', 0)",
    )
    yield Seed("firefox bookmarks", see.web_bookmarks("firefox"), f"{FIREFOX_PROFILE}/places.sqlite", places)
    jar = _made(
        "CREATE TABLE moz_cookies (host TEXT, name TEXT)", "INSERT INTO moz_cookies VALUES ('.a.example', 'sid')"
    )
    yield Seed("firefox cookies", see.web_cookies("firefox"), f"{FIREFOX_PROFILE}/cookies.sqlite", jar)


SCHEMA_FILE = settings_file(
    {},
    {
        "org.a": {".path": PATH, "b": LETTERS},
        "org.gnome.clocks": {".path": PATH, "alarms": ALARMS, "world-clocks": CITIES},
    },
)
"""What the image has of schemas, which no agent can write to."""


def _settings() -> Iterator[Seed]:
    """Yield the files that hold settings of the desktop."""

    yield Seed("dconf", see.dconf("/a/b"), DATABASE, settings_file({"/a/b": THREE}))
    yield Seed("gsetting", see.gsetting("org.a", "b"), DATABASE, settings_file({"/org/a/b": member(LETTERS)}))
    yield Seed("alarms", see.alarms(), DATABASE, settings_file({"/org/a/alarms": member(ALARMS)}))
    yield Seed("clocks", see.world_clocks(), DATABASE, settings_file({"/org/a/world-clocks": member(CITIES)}))
    channel = {"b": ["x", "y"], "c": {"d": True, "e": 0.5}}
    written = {
        "chromium": (preferences_file("chromium"), json.dumps(PREFERENCES).encode()),
        "firefox": (preferences_file("firefox"), PREFS.encode()),
        "geany": (preferences_file("geany"), b"[geany]\nshow_notebook_tabs=false\n"),
        "libreoffice-calc": (
            preferences_file("libreoffice-calc"),
            b'<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/a"><prop oor:name="b">'
            b"<value>1</value></prop></item></oor:items>",
        ),
        "mousepad": (DATABASE, settings_file({"/org/xfce/mousepad/preferences/b": THREE})),
        "desktop": (f"{CHANNELS}/a.xml", xfconf.channel("a", channel)),
    }
    for app, (path, data) in written.items():
        yield Seed(f"settings of {app}", see.application_settings(app), path, data)
    yield Seed("xfconf", see.xfconf("a", "/b"), f"{CHANNELS}/a.xml", xfconf.channel("a", channel))


def _printed() -> Iterator[Seed]:
    """Yield what commands print, which programs of the agent may have a hand in."""
    letter = base64.b64encode(letter_bytes(LETTER)).decode()
    inbox = {"letters": [{"flags": ["\\Seen", "$Forwarded"], "data": letter}, {"flags": ["\\Deleted"], "data": letter}]}
    posted = [{"from": "ana@a.example", "to": ["ben@b.example"], "data": letter}]
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{_vevent()}END:VCALENDAR\r\n"
    printed = {
        "mailbox": (see.mailbox("ana@a.example"), json.dumps(inbox)),
        "posted mail": (see.posted_mail(), json.dumps({"letters": posted})),
        "mail folders": (see.mail_folders("ana@a.example"), '{"folders": ["INBOX", "Sent"]}'),
        "calendar": (see.calendar("Home"), json.dumps({"events": [calendar]})),
        "site records": (see.site_records("shop"), FORMS),
        "site log": (see.site_log("shop"), '{"method": "GET", "path": "/", "user": ""}\n'),
        "mailboxes": (see.mailboxes(), json.dumps({"accounts": [], "letters": posted})),
        "calendars": (
            see.calendars(),
            json.dumps({"calendars": [{"path": "a", "facts": {"D:displayname": "A"}, "events": [calendar]}]}),
        ),
        "chat": (see.chat_log("#a"), '{"kind": "message", "who": "ana", "where": "#a", "text": "hi"}\n'),
        "player": (see.player("vlc"), PLAYING),
        "tabs": (see.web_tabs(), json.dumps(TABS)),
        "clipboard": (see.clipboard(), "copied text"),
        "processes": (see.processes(), PROCESSES),
        "link": (see.link("link"), "/home/user/a"),
    }
    for kind, (probe, text) in printed.items():
        yield Seed(kind, probe, "", text.encode())
    yield Seed("pdf", see.pdf("a.pdf"), "", b"First page\n\x0cSecond \xef\xac\x81ne\n\x0c")
    yield Seed("safe", see.password_safe("a.kdbx", "x"), "", SAFE.encode())


def preferences_file(app: str) -> str:
    """Return where an application keeps most of its settings."""
    return settings_stores(app)[0].path


def _vevent() -> str:
    return event_text(EVENT).partition("BEGIN:VCALENDAR\r\n")[2].rpartition("END:VCALENDAR")[0] or event_text(EVENT)


def _made(*statements: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data
