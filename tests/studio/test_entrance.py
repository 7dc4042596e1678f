"""Who is let into the studio, and what those find who are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from proctor.errors import SpecError
from proctor.studio.app import ROOMS, make_app, rooms, routes_of
from proctor.studio.entrance import MOST_INVITATIONS, Entrance
from proctor.studio.record.pages import close
from proctor.studio.studio import Studio, clean_name
from proctor.suites import load_suite
from tests.studio.visiting import ROOT, Visitor

PAGES = (
    "/",
    "/studio/home",
    "/studio/tasks",
    "/record",
    "/record/desks",
    "/studio-files/base.css",
    "/replay-files/dom.js",
)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(folder=tmp_path / "studio", suites=(load_suite("tour"),))
    yield made
    close(made)


@pytest.fixture
def stranger(studio: Studio) -> Visitor:
    return Visitor(studio, enter=False)


@pytest.mark.parametrize(
    "path", [*PAGES, "/no-such-page", "/enter", "/enter?token=", "/enter?token=guess", "/enter?" + "a&" * 99]
)
def test_nobody_enters_without_a_token(stranger: Visitor, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert "Open the newest address" in answer.text


def test_an_address_lets_one_browser_in_once(studio: Studio) -> None:
    used: list[int] = []
    entrance = Entrance(lambda: used.append(1))
    app = make_app(studio, entrance)
    address = entrance.invite()
    first, second = (TestClient(app, base_url=ROOT) for _ in range(2))
    answer = first.get(address, follow_redirects=False)
    assert answer.status_code == 303
    cookie = next(line for line in answer.headers.get_list("set-cookie") if line.startswith(entrance.cookie))
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert address.partition("=")[2] not in answer.headers["location"]
    assert used == [1]
    assert first.get("/").status_code == 200
    assert second.get(address).status_code == 403
    assert first.get(address).status_code == 200, "who is in may come by the old address"
    assert used == [1]


@pytest.mark.parametrize("path", PAGES)
def test_whoever_came_in_finds_the_pages(studio: Studio, path: str) -> None:
    answer = Visitor(studio).get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_asking_for_the_head_of_an_address_does_not_use_it(studio: Studio) -> None:
    visitor = Visitor(studio, enter=False)
    address = visitor.entrance.invite()
    assert visitor.head(address).status_code == 403
    assert visitor.get(address).status_code == 200


def test_a_link_of_another_site_leads_in_all_the_same(studio: Studio) -> None:
    # Such a browser does not send its cookie at first.
    stranger = TestClient(make_app(studio, Entrance()), base_url=ROOT)
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = stranger.get("/", headers=headers)
    assert answer.status_code == 200
    assert 'content="0;url=/"' in answer.text
    assert "Studio" not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8430", ""])
def test_other_host_names_are_refused(studio: Studio, host: str) -> None:
    assert Visitor(studio).get("/", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "https://localhost", None])
@pytest.mark.parametrize("path", ["/studio/person", "/studio/invitation", "/record/desks"])
def test_posts_from_elsewhere_are_refused(studio: Studio, origin: str | None, path: str) -> None:
    visitor = Visitor(studio)
    del visitor.headers["Origin"]
    answer = visitor.post(path, json={"name": "x"}, headers={"Origin": origin} if origin else {})
    assert answer.status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_websockets_from_elsewhere_are_refused(studio: Studio, origin: str | None) -> None:
    visitor = Visitor(studio)
    del visitor.headers["Origin"]
    headers = {"Origin": origin} if origin else {}
    with pytest.raises(WebSocketDisconnect), visitor.websocket_connect("/record/desks/x/screen", headers=headers):
        pass


def test_a_websocket_without_a_cookie_is_refused(stranger: Visitor) -> None:
    with pytest.raises(WebSocketDisconnect), stranger.websocket_connect("/record/desks/x/screen"):
        pass


@pytest.mark.parametrize(
    "path",
    [
        "/studio-files/../app.py",
        "/studio-files/%2e%2e/app.py",
        "/record-files/..%2fpages.py",
        "/novnc/../../etc/passwd.js",
        "/replay/../../etc/passwd",
        "/data/..%2f..%2fetc/passwd",
        "/record/desk/..%2f..%2f",
    ],
)
def test_paths_lead_nowhere_else(studio: Studio, path: str) -> None:
    answer = Visitor(studio).get(path)
    assert answer.status_code == 404
    assert "from __future__" not in answer.text


def test_a_browser_is_shown_a_page_where_there_is_none(studio: Studio) -> None:
    visitor = Visitor(studio)
    page = visitor.get("/no/such/page", headers={"Accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such page" in page.text
    assert visitor.get("/no/such/page").json() == {"problem": "Not Found"}


def test_what_is_sent_must_be_short_json(studio: Studio) -> None:
    visitor = Visitor(studio)
    for content, kind, status in [
        (b"{}", "text/plain", 415),
        (b"name=x", "application/x-www-form-urlencoded", 415),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"name": ["x"]}', "application/json", 400),
        (b'{"name": "  "}', "application/json", 400),
        (b'{"name": "' + b"x" * (2 << 20) + b'"}', "application/json", 413),
    ]:
        answer = visitor.post("/studio/person", content=content, headers={"Content-Type": kind})
        assert (answer.status_code, kind) == (status, kind)
        assert answer.json()["problem"]

    def unannounced() -> Iterator[bytes]:
        yield from [b"x" * 65536] * 64

    answer = visitor.post("/studio/person", content=unannounced(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close", "the rest of what somebody sends is not even read"


def test_a_name_is_kept_and_is_only_text(studio: Studio) -> None:
    visitor = Visitor(studio)
    assert visitor.get("/studio/home").json()["person"].startswith("visitor-")
    name = '<img src=x onerror=alert(1)> "Zoë"; \x1b[31m'
    told = visitor.tell("/studio/person", {"name": name})["person"]
    assert "\x1b" not in told
    assert "Zoë" in told
    assert visitor.get("/studio/home").json()["person"] == told


def test_names_are_one_line_of_bounded_length() -> None:
    assert clean_name("  a\n\tb  ") == "a b"
    assert len(clean_name("x" * 1000)) == 80
    assert clean_name("\u202eevil") != "\u202eevil"


def test_somebody_inside_can_invite(studio: Studio) -> None:
    visitor = Visitor(studio)
    path = visitor.tell("/studio/invitation", {})["path"]
    other = TestClient(visitor.app, base_url=ROOT)
    assert other.get(path).status_code == 200
    assert other.get("/studio/home").json()["person"] != visitor.get("/studio/home").json()["person"]


def test_invitations_do_not_pile_up() -> None:
    entrance = Entrance()
    first = entrance.invite()
    for _ in range(MOST_INVITATIONS):
        entrance.invite()
    assert not entrance._take(first.partition("?")[2].encode())


def test_tasks_are_listed(studio: Studio) -> None:
    tasks = Visitor(studio).get("/studio/tasks").json()["tasks"]
    assert len(tasks) == len(load_suite("tour").templates)
    assert {"id", "suite", "name", "summary", "level", "apps", "demand"} <= set(tasks[0])


def test_every_room_says_what_it_is(studio: Studio) -> None:
    found = rooms()
    assert "proctor.studio.record.pages" in [room.__name__ for room in found]
    assert all(room.__name__ in ROOMS and len(room.HOME) == 3 for room in found)
    paths = [getattr(route, "path", "") for route in routes_of(studio)]
    for _, address, _ in (room.HOME for room in found):
        assert address in paths


def test_a_folder_of_runs_that_is_not_there_is_said(studio: Studio, tmp_path: Path) -> None:
    studio.runs = (tmp_path / "nothing",)
    with pytest.raises(SpecError, match="nothing"):
        routes_of(studio)
