"""Open pages, bookmarks and extensions as other suites judge them: each check takes what is right, nothing near it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.apps.browsers import checks_of_pages as checks
from proctor.vocabulary.apps.chromium.parse import chromium_extensions, page_answers


def text(held: str) -> dict[str, Any]:
    return {"path": "The address in front", "text": held}


def tabs(*urls: str) -> dict[str, Any]:
    return {"tabs": [{"url": url, "title": ""} for url in urls]}


def bar(*names: str, urls: tuple[str, ...] = (), **folders: tuple[str, ...]) -> dict[str, Any]:
    inside = {**dict.fromkeys(names, ()), **folders}
    below = [{"name": name, "bookmarks": _entries(held), "folders": []} for name, held in inside.items()]
    return {"folders": [{"name": "Bookmarks bar", "bookmarks": _entries(urls), "folders": below}]}


def _entries(urls: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"url": url, "title": ""} for url in urls]


@pytest.mark.parametrize("shown", ["https://www.a.example/x/", "http://a.example/x", "https://a.example/x"])
def test_the_page_in_front_compares_loosely(shown: str) -> None:
    assert checks.page_in_front(text(shown), "https://a.example/x").passed
    assert not checks.page_in_front(text(shown + "?y=1"), "https://a.example/x").passed
    assert not checks.page_in_front(text("chrome://settings"), "https://a.example/x").passed


def test_what_an_address_asks_for() -> None:
    of = text("https://a.example/s?from=BOM&to=STO&n=2")
    assert checks.page_asks(of, {"from": "BOM", "n": "2"}).passed
    assert not checks.page_asks(of, {"from": "bom"}).passed
    assert not checks.page_asks(of, {"day": "2"}).passed


def test_open_pages() -> None:
    of = tabs("https://www.a.example/", "file:///home/user/b.html")
    assert checks.open_pages_are(of, ["file:///home/user/b.html", "http://a.example"]).passed
    assert not checks.open_pages_are(of, ["http://a.example"]).passed
    assert not checks.open_pages_are(tabs("http://a.example", "http://a.example"), ["http://a.example"]).passed
    assert not checks.open_pages_are(of, ["http://a.example", "http://c.example"]).passed
    assert checks.open_pages_include(of, ["http://a.example"]).passed
    assert not checks.open_pages_include(of, ["http://c.example"]).passed


def test_the_bookmarks_bar() -> None:
    of = bar("Favorites", urls=("http://a.example/",))
    assert checks.bookmarks_bar_is(of, folders=["Favorites"]).passed
    assert not checks.bookmarks_bar_is(of, folders=["favorites"]).passed
    assert not checks.bookmarks_bar_is(bar("Favorites", "More"), folders=["Favorites"]).passed
    assert checks.bookmarks_bar_is(of, urls=["http://a.example/"]).passed
    assert not checks.bookmarks_bar_is(of, urls=[]).passed
    assert not checks.bookmarks_bar_is({"folders": [{"name": "Other bookmarks"}]}, folders=["Favorites"]).passed


def test_a_folder_with_one_of_each_group() -> None:
    groups = [["http://a1.example", "http://a2.example"], ["http://b.example"]]

    def holds(*urls: str) -> bool:
        return checks.bookmark_folder_is(bar(Liked=urls), "Liked", groups).passed

    assert holds("http://a2.example", "http://b.example")
    assert not holds("http://a1.example")
    assert not holds("http://a1.example", "http://a2.example", "http://b.example")
    assert not holds("http://a1.example", "http://b.example", "http://c.example")
    assert not checks.bookmark_folder_is(bar("liked"), "Liked", groups).passed


def test_extensions_and_experiments() -> None:
    listed = {"extensions": [{"id": "a", "path": "/home/user/ext", "name": "hello"}]}
    assert checks.extension_loaded(listed, "/home/user/ext").passed
    assert not checks.extension_loaded(listed, "/home/user").passed
    assert checks.extensions_include(listed, ["hello"]).passed
    assert not checks.extensions_include(listed, ["hello", "more"]).passed
    state = {"data": {"browser": {"enabled_labs_experiments": ["one@2", "two"]}}}
    assert checks.experiments_are(state, ["one", "two"]).passed
    assert not checks.experiments_are(state, ["two", "one"]).passed
    assert checks.experiments_are({"data": {}}, []).passed
    assert not checks.experiments_are({"data": []}, ["one"]).passed


def test_the_look_of_the_browser() -> None:
    of = {"path": "The look of Chromium", "look": "dark"}
    assert checks.browser_look_is(of, ["light", "dark"]).passed
    assert not checks.browser_look_is(of, ["light", "system"]).passed


def test_extensions_are_read_from_both_files() -> None:
    def kept(**entries: Any) -> bytes:
        return json.dumps({"extensions": {"settings": entries}}).encode()

    secure = kept(a={"path": "/home/user/ext", "manifest": {"name": "hello"}}, b={"path": ""}, c=3)
    found = chromium_extensions(secure, kept(d={"path": "e/1"}))
    assert [(each["path"], each["name"]) for each in found] == [("/home/user/ext", "hello"), ("e/1", "")]
    assert chromium_extensions(b"", b"") == []
    for broken in (b"[]", b'{"extensions": 3}', b'{"extensions": {"settings": []}}', b"{"):
        with pytest.raises(CannotSee):
            chromium_extensions(broken, b"")


@pytest.mark.parametrize("printed", ["", "{", "[]", '{"answers": 3}', "3"])
def test_what_is_no_answer_of_a_page_is_refused(printed: str) -> None:
    assert page_answers('{"answers": [1, null]}') == [1, None]
    with pytest.raises(CannotSee):
        page_answers(printed)
