"""Web sites inside a computer: what they answer, what they keep, and how that is checked."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor import open_computer
from proctor.errors import SpecError
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make
from proctor.vocabulary.apps.chromium.probes import web_tabs
from proctor.vocabulary.desktop.setup.elsewhere import open_tabs, other_names
from proctor.vocabulary.services.web.checks import (
    no_site_record,
    page_requested,
    site_record,
    site_record_among,
    site_records_are,
)
from proctor.vocabulary.services.web.inside.site_server import Site, SiteHandler
from proctor.vocabulary.services.web.probes import site_log, site_records
from proctor.vocabulary.services.web.setup import Page, WebForm, site_address, site_changed, web_site
from proctor.vocabulary.services.web.setup_copies import site_copy

DATA: dict[str, Any] = {
    "title": "Shop",
    "pages": {
        "/": {"title": "Start", "body": "<p>Kettles and pans</p>", "listed": True},
        "/mine": {"title": "Mine", "body": "<p>Secret</p>", "listed": False},
    },
    "menu": {"Start": "/"},
    "forms": {
        "/order": {
            "kind": "order", "needed": ["name"], "thanks": "<h1>Thank you, {name}</h1>", "members": False, "page": "/",
            "refuses": [{"field": "item", "value": "Brio", "why": "Brio is sold out."}],
        },
        "/tell": {"kind": "message", "needed": [], "thanks": "Told.", "members": True, "page": "/mine", "refuses": []},
    },
    "accounts": {"ines": "secret"},
    "members": ["/mine"],
    "invitations": [{"key": "k", "account": "ines", "page": "/mine", "requests": 1}],
    "files": {
        "/feed.xml": "<rss/>", "/news": "<rss/>", "/list.txt": "milk", "/list.csv": "a,b", "/old/a.html": "<p>Hi</p>",
    },
    "search": True,
    "overlay": "<button data-dismiss>Close</button>",
    "footer": "",
}  # fmt: skip

Ask = Callable[..., tuple[int, str, dict[str, str]]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def ask(folder: Path) -> Iterator[Ask]:
    (folder / "site.json").write_text(json.dumps(DATA))
    fds = [os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for name in ("records", "log")]
    fds.insert(0, os.open(folder / "site.json", os.O_RDONLY))
    handler = type("Bound", (SiteHandler,), {"site": Site(*fds), "protocol_version": "HTTP/1.0"})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def request(path: str, fields: dict[str, str] | None = None, cookie: str = "") -> tuple[int, str, dict[str, str]]:
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        body = None if fields is None else urlencode(fields)
        connection.request("GET" if fields is None else "POST", path, body, headers)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode(), dict(answer.getheaders())
        connection.close()
        return found

    yield request
    server.shutdown()
    thread.join()
    server.server_close()
    for fd in fds:
        os.close(fd)


def kept(folder: Path, name: str = "records") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_pages_are_shown_and_logged(ask: Ask, folder: Path) -> None:
    status, text, _ = ask("/?from=mail")
    assert status == 200 and "Kettles and pans" in text and "<title>Start - Shop</title>" in text
    assert ask("/style.css")[0] == 200
    assert ask("/nowhere")[0] == 404
    assert [entry["path"] for entry in kept(folder, "log")] == ["/?from=mail", "/nowhere"]


def test_what_a_form_gets_is_kept_and_shown_safely(ask: Ask, folder: Path) -> None:
    status, text, _ = ask("/order", {"name": " <b>Ines</b> ", "item": "Alto"})
    assert status == 200 and "Thank you, &lt;b&gt;Ines&lt;/b&gt;" in text
    assert kept(folder) == [
        {"kind": "order", "number": 1, "fields": {"name": "<b>Ines</b>", "item": "Alto"}, "account": ""}
    ]


def test_a_form_that_lacks_something_is_kept_as_refused_only(ask: Ask, folder: Path) -> None:
    assert "Please fill in: name." in ask("/order", {"item": "Alto"})[1]
    assert "Brio is sold out." in ask("/order", {"name": "Ines", "item": "Brio"})[1]
    assert [entry["kind"] for entry in kept(folder)] == ["refused order", "refused order"]


def test_a_site_goes_by_what_it_is_told_now(ask: Ask, folder: Path) -> None:
    told = {**DATA, "pages": {"/": {"title": "Start", "body": "<p>No kettles left</p>", "listed": True}}}
    (folder / "site.json").write_text(json.dumps(told)[:40])  # as if it were still being written
    assert "Kettles and pans" in ask("/")[1]
    (folder / "site.json").write_text(json.dumps(told))
    assert "No kettles left" in ask("/")[1] and ask("/mine", cookie="")[0] == 404
    assert ask("/order", {"name": "Ines"})[0] == 200 and [entry["number"] for entry in kept(folder)] == [1]


def test_members_sign_in(ask: Ask, folder: Path) -> None:
    status, _, headers = ask("/mine")
    assert status == 303 and headers["Location"] == "/sign-in?next=%2Fmine"
    assert "do not match" in ask("/sign-in", {"account": "ines", "password": "wrong"})[1]
    assert "do not match" in ask("/sign-in", {"account": "nobody", "password": ""})[1]
    status, _, headers = ask("/sign-in", {"account": "ines", "password": "secret", "next": "//elsewhere.example"})
    assert status == 303 and headers["Location"] == "/"
    session = headers["Set-Cookie"].partition(";")[0]
    assert "Secret" in ask("/mine", cookie=session)[1]
    ask("/tell", {"text": "hello"}, cookie=session)
    assert kept(folder)[-1]["account"] == "ines"


def test_a_session_expires_and_sends_nothing(ask: Ask, folder: Path) -> None:
    _, _, headers = ask("/enter?key=k")
    session = headers["Set-Cookie"].partition(";")[0]
    assert "Secret" in ask("/mine", cookie=session)[1]
    assert "session has expired" in ask("/tell", {"text": "hello"}, cookie=session)[1]
    assert kept(folder) == []
    assert ask("/enter?key=k")[0] == 404, "an invitation is good for one time"


def test_search_finds_listed_pages_only(ask: Ask) -> None:
    assert 'href="/">Start</a></li>' in ask("/search?q=PANS+kettles")[1]
    assert "Nothing was found" in ask("/search?q=secret")[1]
    assert "Nothing was found" in ask("/search?q=")[1]


def test_an_overlay_lies_over_pages_until_it_was_seen(ask: Ask) -> None:
    assert 'class="overlay"' in ask("/")[1] and "onclick=" in ask("/")[1]
    assert 'class="overlay"' not in ask("/", cookie="overlay=seen")[1]


def test_files_are_served_as_they_are(ask: Ask) -> None:
    kinds = {"/feed.xml": "xml", "/news": "xml", "/list.txt": "plain", "/list.csv": "csv", "/old/a.html": "html"}
    for path, kind in kinds.items():
        status, text, headers = ask(path)
        assert (status, text) == (200, DATA["files"][path])
        assert headers["Content-Type"].startswith(f"text/{kind};")
    assert ask("/list.html")[0] == 404


def test_too_large_forms_are_refused(ask: Ask, folder: Path) -> None:
    assert ask("/order", {"name": "x" * 70_000})[0] == 413
    assert kept(folder) == []


@given(st.text(max_size=200), st.dictionaries(st.text(min_size=1, max_size=20), st.text(max_size=50), max_size=4))
def test_records_compare_with_themselves(name: str, fields: dict[str, str]) -> None:
    record = {"kind": "order", "number": 1, "fields": {**fields, "name": name}, "account": ""}
    assert site_record({"site": "s", "kind": "order", "records": [record]}, {"name": name}).passed


def seen(*fields: dict[str, str], account: str = "") -> dict[str, Any]:
    records = [{"kind": "order", "number": n, "fields": each, "account": account} for n, each in enumerate(fields, 1)]
    return {"site": "shop.example", "kind": "order", "records": records}


def test_one_record_with_these_fields() -> None:
    right = {"item": "Alto", "name": "ines  dahl"}
    assert site_record(seen(right), {"item": "Alto", "name": "Ines Dahl"}).passed
    assert site_record(seen(right, account="ines"), {"item": "Alto"}, account="ines").passed
    wrong = site_record(seen({"item": "Brio", "name": "x"}), {"item": "Alto", "name": "y", "town": "z"})
    assert len(wrong.feedback) == 3, "every mismatch is named"
    assert not site_record(seen(right, right), {"item": "Alto"}).passed
    assert not site_record(seen(), {"item": "Alto"}).passed
    assert not site_record(seen(right), {"item": "Alto"}, account="ines").passed


def test_several_records_in_any_order() -> None:
    both = seen({"item": "Alto"}, {"item": "Brio"})
    assert site_records_are(both, [{"item": "Brio"}, {"item": "Alto"}]).passed
    assert not site_records_are(both, [{"item": "Brio"}, {"item": "Brio"}]).passed
    assert not site_records_are(both, [{"item": "Brio"}]).passed


def test_no_record_and_one_among_others() -> None:
    assert no_site_record(seen()).passed
    assert not no_site_record(seen({"item": "Alto"})).passed
    assert site_record_among(seen({"item": "Alto"}, {"item": "Brio"}), {"item": "Brio"}).passed
    assert not site_record_among(seen({"item": "Alto"}), {"item": "Brio"}).passed


def test_a_page_was_opened() -> None:
    log = {"site": "s", "requests": [{"method": "GET", "path": "/a?x=1"}, {"method": "POST", "path": "/b"}]}
    assert page_requested(log, "/a").passed and page_requested(log, "/a?x=1").passed
    assert not page_requested(log, "/a?x=2").passed
    twice = {**log, "requests": [*log["requests"], {"method": "GET", "path": "/a"}]}
    assert page_requested(log, "/a", at_most=1).passed and not page_requested(twice, "/a", at_most=1).passed
    assert not page_requested(log, "/b").passed, "sending a form is not looking at a page"


def test_sites_have_addresses_of_their_own() -> None:
    assert site_address("shop.example") != site_address("town.example")
    assert site_address("shop.example").startswith("127.80.")


@pytest.mark.parametrize("name", ["shop.com", "-; rm -rf /.example", "SHOP.example"])
def test_only_names_that_lead_nowhere_else_are_allowed(name: str) -> None:
    with pytest.raises(SpecError):
        make.web_site(name, "Shop", {})


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_site_answers_inside_and_keeps_its_records_from_the_agent() -> None:
    with open_computer("sandbox", image="full", network="loopback") as computer:
        page = Page(title="Start", body="Hello")
        web_site(SetupContext(computer), "shop.example", "Shop", {"/": page}, forms={"/order": WebForm(kind="order")})
        fetch = "import urllib.request as u; print(u.urlopen('http://shop.example/%s', %s).read().decode())"
        assert "Hello" in computer.run(["python3", "-c", fetch % ("", None)]).stdout
        computer.run(["python3", "-c", fetch % ("order", b"item=Alto")])
        context = ProbeContext(computer)
        assert site_record(site_records(context, "shop.example", "order"), {"item": "Alto"}).passed
        assert page_requested(site_log(context, "shop.example"), "/").passed
        site_changed(SetupContext(computer), "shop.example", {"/": Page(title="Start", body="Sold out")})
        assert "Sold out" in computer.run(["python3", "-c", fetch % ("", None)]).stdout
        for command in ("cat /run/proctor-sites/shop.example/*", "kill $(pgrep -u www-data)", "echo x >> /etc/hosts"):
            assert computer.run(["sh", "-c", command]).code != 0
        assert "Sold out" in computer.run(["python3", "-c", fetch % ("", None)]).stdout


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_the_browser_trusts_a_copy(tmp_path: Path) -> None:
    (tmp_path / "1").write_text("<!doctype html><title>Lentil soup</title><a href='/none'>More</a>")
    with open_computer("sandbox", image="full", network="loopback") as computer:
        context = SetupContext(computer, tmp_path)
        other_names(context)
        site_copy(context, "www.soups.example", {"/lentil.html": "1"})
        computer.launch(["chromium"], window="Chromium", timeout_sec=60)
        # In place of the empty tab that is there.
        open_tabs(context, ["https://www.soups.example/lentil", "http://www.soups.example/none"], instead=True)
        titles = {tab["title"] for tab in web_tabs(ProbeContext(computer))["tabs"]}
        assert titles == {"Lentil soup", "Not found"}
