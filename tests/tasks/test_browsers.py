"""Web browsers: profiles that are prepared, what probes read from them, and the checks on that."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.inside.merge import merge
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.browsers.checks import (
    bookmark_exists,
    bookmark_missing,
    browser_setting_is,
    cookies_have,
    cookies_lack,
    download_exists,
    history_has,
    history_lacks,
    home_page_is,
    tab_open,
    tabs_are,
    web_bookmarks_are,
)
from proctor.vocabulary.apps.browsers.parse import query_database
from proctor.vocabulary.apps.browsers.probes import (
    browser_setting,
    home_page,
    visited_pages,
    web_bookmarks,
    web_cookies,
    web_downloads,
    web_logins,
)
from proctor.vocabulary.apps.browsers.profiles import Bookmark
from proctor.vocabulary.apps.browsers.setup import browser_profile, open_browser, quit_browser
from proctor.vocabulary.apps.chromium.probes import web_tabs
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE
from proctor.vocabulary.apps.chromium.setup import visit_pages
from proctor.vocabulary.apps.firefox.parse import bookmarks_of, firefox_settings
from proctor.vocabulary.apps.firefox.profile import FIREFOX_PROFILE
from proctor.vocabulary.services.web.setup import Page, web_site

PAGES = [
    Bookmark(title="Soup & more", url="http://recipes.example/soup", folder="To cook"),
    Bookmark(title="News", url="http://news.example/"),
]


def database(folder: Path, *statements: str) -> bytes:
    path = folder / "made.sqlite"
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


@pytest.fixture
def fake() -> FakeComputer:
    return FakeComputer().start()


def test_a_prepared_chromium_profile_reads_back(fake: FakeComputer) -> None:
    browser_profile(SetupContext(fake), "chromium", PAGES, ["Empty"], "http://news.example/", {"a.b": 3})
    context = ProbeContext(fake)
    expected = {"Bookmarks bar/To cook": ["http://recipes.example/soup"], "Bookmarks bar": ["http://news.example"]}
    assert web_bookmarks_are(web_bookmarks(context, "chromium"), expected).passed
    assert home_page_is(home_page(context, "chromium"), "http://news.example").passed
    assert browser_setting_is(browser_setting(context, "chromium", "a.b"), 3).passed
    assert browser_setting(context, "chromium", "a.c")["value"] is None


def test_a_prepared_firefox_profile_reads_back(fake: FakeComputer) -> None:
    browser_profile(SetupContext(fake), "firefox", PAGES, home_page="http://news.example/")
    context = ProbeContext(fake)
    assert home_page_is(home_page(context, "firefox"), "http://news.example").passed
    assert browser_setting_is(browser_setting(context, "firefox", "signon.rememberSignons"), False).passed
    written = fake.read_file(f"{FIREFOX_PROFILE}/bookmarks.html").decode()
    assert "Soup &amp; more" in written and "<H3>To cook</H3>" in written


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"roots": {"bookmark_bar": 3}}', b'{"roots": {}}', b"\xff", b"[" * 99_999]
)
def test_broken_bookmarks_are_unreadable(fake: FakeComputer, content: bytes) -> None:
    fake.write_file(f"{CHROMIUM_PROFILE}/Bookmarks", content)
    with pytest.raises(CannotSee) as caught:
        web_bookmarks(ProbeContext(fake), "chromium")
    assert caught.value.fault.kind == "unreadable"


def test_what_is_not_there_is_absent(fake: FakeComputer) -> None:
    for look in (web_bookmarks, visited_pages, web_cookies, home_page):
        for browser in ("chromium", "firefox"):
            with pytest.raises(CannotSee) as caught:
                look(ProbeContext(fake), browser)
            assert caught.value.fault.kind == "absent"


def test_history_and_cookies_are_read_from_databases(fake: FakeComputer, tmp_path: Path) -> None:
    urls = "CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT, visit_count INTEGER)"
    rows = (
        "INSERT INTO urls VALUES (1, 'http://a.example/x', 2), (2, 'http://b.example/', 0), (3, 'http://c.example/', 0)"
    )
    # A page that was looked at is remembered, whatever its counter says.
    visits = ("CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER)", "INSERT INTO visits VALUES (1, 1), (2, 3)")
    fake.write_file(f"{CHROMIUM_PROFILE}/History", database(tmp_path, urls, rows, *visits))
    assert visited_pages(ProbeContext(fake), "chromium")["urls"] == ["http://a.example/x", "http://c.example/"]
    (tmp_path / "made.sqlite").unlink()
    made = "CREATE TABLE cookies (host_key TEXT, name TEXT)"
    jar = database(tmp_path, made, "INSERT INTO cookies VALUES ('.a.example', 'session')")
    fake.write_file(f"{CHROMIUM_PROFILE}/Cookies", jar)
    found = web_cookies(ProbeContext(fake), "chromium")
    assert cookies_have(found, "a.example").passed and not cookies_lack(found, "a.example").passed
    assert cookies_lack(found, "b.example").passed and not cookies_have(found, "b.example").passed


def test_hostile_databases_are_unreadable(tmp_path: Path) -> None:
    numbers = "WITH RECURSIVE n(url) AS (SELECT 1 UNION ALL SELECT url + 1 FROM n)"
    endless = f"CREATE VIEW urls AS {numbers} SELECT count(*) AS url FROM n"
    for data in (b"no database", b"SQLite format 3\0" + b"\xff" * 5000, database(tmp_path, endless)):
        with pytest.raises(CannotSee) as caught:
            query_database("History", data, b"", b"", "SELECT url FROM urls")
        assert caught.value.fault.kind == "unreadable"


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_reading_of_a_database(data: bytes) -> None:
    with pytest.raises(CannotSee):
        query_database("History", data, b"", b"", "SELECT url FROM urls")


def test_the_log_beside_a_database_counts(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "places.sqlite")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE urls (url TEXT)")
    connection.execute("INSERT INTO urls VALUES ('late')")
    connection.commit()
    main, ahead = ((tmp_path / name).read_bytes() for name in ("places.sqlite", "places.sqlite-wal"))
    connection.close()
    assert query_database("places.sqlite", main, ahead, b"", "SELECT url FROM urls") == [("late",)]


def test_firefox_settings_and_bookmarks() -> None:
    text = '// comment\nuser_pref("a.b", "x\\"y");\nuser_pref("c", -1);\nuser_pref("d", true);\n'
    assert firefox_settings(text) == {"a.b": 'x"y', "c": -1, "d": True}
    with pytest.raises(CannotSee):
        firefox_settings('user_pref("a", nonsense);\n')
    rows: list[tuple[Any, ...]] = [
        (1, 0, 2, "", None, "root________", None),
        (2, 1, 2, "toolbar", None, "toolbar_____", None),
        (3, 2, 2, "To cook", None, "x", None),
        (4, 3, 1, "Soup", "http://recipes.example/soup", "y", 7),
        (5, 5, 2, "circle", None, "z", None),
        (6, 1, 2, "tags", None, "tags________", None),
        (7, 6, 2, "winter", None, "t", None),
        (8, 7, 1, None, "http://recipes.example/soup", "u", 7),
        (9, 2, 2, "Empty", None, "e", None),
        (10, 99, 2, "lost", None, "l", None),
    ]
    found = bookmarks_of(rows, {7: "so"})
    soup = {"title": "Soup", "url": "http://recipes.example/soup", "folder": "Bookmarks bar/To cook"}
    assert found["bookmarks"] == [{**soup, "keyword": "so", "tags": ["winter"]}]
    folders = [each["path"] for each in found["folders"] if "circle" not in each["path"]]
    assert folders == ["Bookmarks bar/To cook", "Bookmarks bar/Empty"]


def test_folders_of_chromium_are_told_with_what_they_hold(fake: FakeComputer) -> None:
    empty: dict[str, object] = {"type": "folder", "name": "Later", "children": []}
    roots = {name: {"children": [empty] if name == "other" else []} for name in ("bookmark_bar", "other", "synced")}
    fake.write_file(f"{CHROMIUM_PROFILE}/Bookmarks", json.dumps({"roots": roots}).encode())
    seen = web_bookmarks(ProbeContext(fake), "chromium")
    later = {"name": "Later", "bookmarks": [], "folders": []}
    assert seen["folders"] == [{"name": "Other bookmarks", "bookmarks": [], "folders": [later]}]
    page = {"type": "url", "name": "Soup", "url": "http://recipes.example/soup"}
    empty["children"] = [page]
    fake.write_file(f"{CHROMIUM_PROFILE}/Bookmarks", json.dumps({"roots": roots}).encode())
    (change,) = merge(seen, web_bookmarks(ProbeContext(fake), "chromium")).differences
    assert change.place == ("folders", "Other bookmarks", "folders", "Later", "bookmarks", "Soup")


def test_logins_are_told_apart_and_not_told(fake: FakeComputer, tmp_path: Path) -> None:
    assert web_logins(ProbeContext(fake), "chromium")["logins"] == []
    made = (
        "CREATE TABLE logins (origin_url TEXT, username_value TEXT, password_value BLOB, blacklisted_by_user INTEGER)",
        "INSERT INTO logins VALUES ('http://a.example/', 'rosa', x'0102', 0), ('http://b.example/', '', x'', 1)",
    )
    fake.write_file(f"{CHROMIUM_PROFILE}/Login Data", database(tmp_path, *made))
    first, never = web_logins(ProbeContext(fake), "chromium")["logins"]
    assert (first["site"], first["username"], never["never"]) == ("http://a.example/", "rosa", "true")
    login = {"guid": "{1}", "hostname": "http://a.example", "encryptedUsername": "x", "encryptedPassword": "secret"}
    fake.write_file(f"{FIREFOX_PROFILE}/logins.json", json.dumps({"logins": [login]}).encode())
    (kept,) = web_logins(ProbeContext(fake), "firefox")["logins"]
    assert kept["site"] == "http://a.example" and "secret" not in json.dumps(kept)
    for broken in (b"{", b"[]", b'{"logins": [3]}', b'{"logins": 3}'):
        fake.write_file(f"{FIREFOX_PROFILE}/logins.json", broken)
        with pytest.raises(CannotSee):
            web_logins(ProbeContext(fake), "firefox")


def test_tabs() -> None:
    seen = {"tabs": [{"url": "http://A.example/x/", "title": "X"}, {"url": "chrome://newtab/", "title": "New Tab"}]}
    assert tab_open(seen, "http://a.example/x").passed
    assert not tab_open(seen, "http://a.example/y").passed
    assert tabs_are(seen, ["http://a.example/x"]).passed
    assert len(tabs_are(seen, ["http://a.example/y"]).feedback) == 2
    assert not tabs_are(seen, ["http://a.example/x", "http://a.example/x"]).passed


def test_bookmarks() -> None:
    soup = {"title": "Soup", "url": "http://a.example/"}
    seen = {"folders": [{"name": "Bookmarks bar", "bookmarks": [soup], "folders": []}]}
    assert bookmark_exists(seen, "http://a.example", "Bookmarks bar", "Soup").passed
    assert len(bookmark_exists(seen, "http://a.example", "Other", "Stew").feedback) == 2
    assert not bookmark_exists(seen, "http://b.example").passed
    assert bookmark_missing(seen, "http://b.example").passed
    assert not bookmark_missing(seen, "http://a.example").passed
    assert not web_bookmarks_are(seen, {}).passed
    assert web_bookmarks_are(seen, {"Bookmarks bar": ["http://a.example"]}, {"http://a.example": "soup"}).passed
    assert not web_bookmarks_are(seen, {"Bookmarks bar": ["http://a.example"]}, {"http://a.example": "Stew"}).passed
    assert not web_bookmarks_are(seen, {"Other": ["http://a.example"]}).passed


def test_settings_home_page_and_history() -> None:
    assert not browser_setting_is({"name": "a", "value": 1}, True).passed, "1 is not true"
    assert not home_page_is({"home_page": ""}, "http://a.example").passed
    seen = {"urls": ["http://a.example/x", "http://sub.a.example/"]}
    assert history_lacks(seen, "b.example").passed and not history_lacks(seen, "a.example").passed
    assert history_has(seen, ["http://a.example/x/"]).passed
    assert not history_has(seen, ["http://a.example/y"]).passed


def test_downloads(fake: FakeComputer) -> None:
    for name, data in (("map.pdf", b"x"), ("empty.pdf", b""), ("late.pdf.crdownload", b"x")):
        fake.write_file(f"Downloads/{name}", data)
    found = web_downloads(ProbeContext(fake))
    assert download_exists(found, "map.pdf").passed
    for name in ("empty.pdf", "late.pdf", "late.pdf.crdownload"):
        assert not download_exists(found, name).passed


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_chromium_opens_remembers_and_quits() -> None:
    with open_computer("sandbox", image="full", network="loopback") as computer:
        setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
        pages = {"/": Page(title="Start", body="x"), "/late": Page(title="Late & last", body="y")}
        web_site(setup_context, "shop.example", "Shop", pages)
        browser_profile(setup_context, "chromium", PAGES, home_page="http://shop.example/late")
        with pytest.raises(CannotSee):
            web_tabs(probe_context)
        open_browser(setup_context, "chromium", ["http://shop.example/"], "Start")
        visit_pages(setup_context, ["http://shop.example/late"])
        assert tabs_are(web_tabs(probe_context), ["http://shop.example/"]).passed
        quit_browser(setup_context, "chromium")
        assert not computer.windows()
        assert history_has(visited_pages(probe_context, "chromium"), ["http://shop.example/late"]).passed
        assert bookmark_exists(web_bookmarks(probe_context, "chromium"), PAGES[0].url, "Bookmarks bar/To cook").passed
        assert json.loads(computer.read_file(f"{CHROMIUM_PROFILE}/Preferences"))["homepage"].endswith("/late")
        quit_browser(setup_context, "chromium")


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_firefox_opens_with_bookmarks_and_quits() -> None:
    with open_computer("sandbox", image="full", network="loopback") as computer:
        setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
        web_site(setup_context, "shop.example", "Shop", {"/": Page(title="Start", body="x")})
        browser_profile(setup_context, "firefox", PAGES)
        open_browser(setup_context, "firefox", ["http://shop.example/"], "Start")
        quit_browser(setup_context, "firefox")
        assert bookmark_exists(web_bookmarks(probe_context, "firefox"), PAGES[0].url, "Bookmarks bar/To cook").passed
        assert history_has(visited_pages(probe_context, "firefox"), ["http://shop.example/"]).passed


def test_what_is_no_address_is_compared_as_it_stands() -> None:
    visited = {"urls": ["http://[::1", "http://a.example/"], "path": "history"}
    assert not history_has(visited, ["http://[::1"]).feedback
    assert not history_lacks(visited, "b.example").feedback
