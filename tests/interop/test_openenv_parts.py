"""What the OpenEnv server is made of that needs no OpenEnv: bounds, the guard at the door, the package folder."""

from __future__ import annotations

import ast
import asyncio
import json
import math
import tomllib
from collections.abc import MutableMapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from proctor.cli import serve
from proctor.errors import ImageError, MissingExtra, SpecError, UnknownName
from proctor.interop.callers import Callers
from proctor.interop.openenv.bounds import MOST_ITEMS, MOST_TEXT, cut_to_size
from proctor.interop.openenv.guard import MOST_BYTES, Guard
from proctor.interop.openenv.package import write_package
from proctor.suites import load_suite
from proctor.suites.suite import Suite
from tests.interop.rooms import suite

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(), parts),
)


@given(anything)
def test_anything_becomes_something_that_can_be_sent_back(value: Any) -> None:
    json.dumps(cut_to_size(value)).encode()


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=100))
def test_small_texts_stay_as_they_are(text: str) -> None:
    assert cut_to_size({"text": text}) == {"text": text}


def test_what_is_too_large_stays_too_large_to_be_accepted() -> None:
    assert len(cut_to_size("x" * 10_000_000)) == MOST_TEXT + 1
    assert len(cut_to_size([0] * 10_000_000)) == MOST_ITEMS + 1
    assert math.isinf(cut_to_size(10**5000))
    assert cut_to_size("\ud800") == "?" or "\ufffd" in cut_to_size("\ud800")
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    assert len(json.dumps(cut_to_size(deep))) < 100


class Reached(Exception):
    pass


def asked(guard: Guard, kind: str = "http", **headers: str) -> list[MutableMapping[str, Any]]:
    said: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": f"{kind}.connect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        said.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    asyncio.run(guard({"type": kind, "headers": pairs, "server": ("10.0.0.5", 8000)}, receive, send))
    return said


async def beyond(*_: Any) -> None:
    raise Reached


def guard(host: str = "0.0.0.0", *allowed: str) -> Guard:
    return Guard(beyond, callers=Callers(host, allowed), release=lambda: None)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST:8000", "10.0.0.5:8000"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_this_machine_may_pass(host: str, kind: str) -> None:
    with pytest.raises(Reached):
        asked(guard(), kind, host=host)
    with pytest.raises(Reached):
        asked(guard(), kind, host=host, origin=f"http://{host}")


@pytest.mark.parametrize(
    "host",
    ["example.org", "example.org:8000", "127.0.0.1.example.org:8000", "", "[", "[::1", "evil@127.0.0.1.x",
     "localhost", "localhost:9999", "0.0.0.0:8000", "10.0.0.6:8000", "desk.example:8000"],
)  # fmt: skip
@pytest.mark.parametrize("listens", ["127.0.0.1", "0.0.0.0", "::"])
def test_another_name_for_this_machine_is_refused(host: str, listens: str) -> None:
    assert asked(guard(listens), host=host)[0]["status"] == 421
    assert asked(guard(listens), "websocket", host=host)[0]["code"] == 1008


@pytest.mark.parametrize(
    ("host", "passes"),
    [("desk.example", True), ("desk.example:8000", True), ("desk.example:9000", False), ("two.example:81", True),
     ("two.example", False), ("own.example:8000", True), ("own.example", False), ("other.example", False)],
)  # fmt: skip
def test_names_may_be_added(host: str, passes: bool) -> None:
    door = guard("own.example", "desk.example", "two.example:81")
    if not passes:
        assert asked(door, host=host)[0]["status"] == 421
        return
    for more in ({}, {"origin": f"https://{host}"}, {"origin": "http://two.example:81"}):
        with pytest.raises(Reached):
            asked(door, host=host, **more)
    assert asked(door, host=host, origin="http://localhost:8001")[0]["status"] == 403


@pytest.mark.parametrize("name", ["*", "a/b", ""])
def test_a_name_is_never_wild(name: str) -> None:
    with pytest.raises(SpecError, match="not the name of a host"):
        Callers("127.0.0.1", [name])


@pytest.mark.parametrize("origin", ["http://example.org", "null", "http://localhost:9999", "http://["])
def test_a_page_of_another_site_is_refused(origin: str) -> None:
    assert asked(guard(), host="localhost:8000", origin=origin)[0]["status"] == 403
    assert asked(guard(), "websocket", host="localhost:8000", origin=origin)[0]["code"] == 1008


@pytest.mark.parametrize("length", [str(MOST_BYTES + 1), "-1", "many", "9" * 5000])
def test_what_is_too_long_is_refused_before_it_is_read(length: str) -> None:
    assert asked(guard(), host="localhost:8000", content_length=length)[0]["status"] == 413


def test_a_request_that_does_not_say_how_long_it_is_is_cut_off() -> None:
    heard: list[str] = []

    async def reading(_scope: Any, receive: Any, _send: Any) -> None:
        while (message := await receive())["type"] != "http.disconnect":
            heard.append(message["type"])

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x" * (MOST_BYTES // 2), "more_body": True}

    async def send(_message: Any) -> None:
        raise AssertionError

    scope = {
        "type": "http",
        "headers": [(b"host", b"localhost:80"), (b"transfer-encoding", b"chunked")],
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(Guard(reading, callers=Callers("127.0.0.1"), release=lambda: None)(scope, receive, send))
    assert len(heard) == 2


def test_everything_is_let_go_when_the_server_ends() -> None:
    gone: list[bool] = []

    async def served(*_: Any) -> None:
        assert not gone

    asked(Guard(served, callers=Callers("127.0.0.1"), release=lambda: gone.append(True)), "lifespan")
    assert gone == [True]


def test_the_package_says_what_is_served(tmp_path: Path) -> None:
    served = asdict(serve.Served(suite="tour", sessions=3, actions=("type",), computer="fake,size=800x600"))
    files = {path.relative_to(tmp_path / "desks").as_posix() for path in
             write_package(tmp_path / "desks", load_suite("tour"), served)}  # fmt: skip
    assert {"openenv.yaml", "client.py", "models.py", "server/app.py", "server/Dockerfile", "pyproject.toml"} <= files
    for path in (tmp_path / "desks").rglob("*.py"):
        ast.parse(path.read_text())
    app = (tmp_path / "desks/server/app.py").read_text()
    assert "sessions=3" in app and "actions=('type',)" in app and "computer='fake,size=800x600'" in app
    project = tomllib.loads((tmp_path / "desks/pyproject.toml").read_text())["project"]
    assert project["scripts"]["server"] == "desks.server.app:main"
    assert '"train": 800' in (tmp_path / "desks/openenv.yaml").read_text()


@pytest.mark.parametrize(("name", "lowest"), [("tour", "0.0"), ("graph", "-1.0")])
def test_the_package_says_which_rewards_there_are(tmp_path: Path, name: str, lowest: str) -> None:
    write_package(tmp_path / "desks", load_suite(name), asdict(serve.Served(suite=name)))
    told = (tmp_path / "desks/openenv.yaml").read_text()
    assert told.split('"range": [')[1].split(",")[0].strip() == lowest


def test_tasks_of_ones_own_go_along(project: Path, tmp_path: Path) -> None:
    own = project / "examples" / "tasks"
    write_package(tmp_path / "desks", load_suite(own), asdict(serve.Served(suite=str(own))))
    assert load_suite(tmp_path / "desks" / "tasks").templates
    assert str(project) not in (tmp_path / "desks/server/app.py").read_text()


@pytest.mark.parametrize("name", ["7days", "---"])
def test_a_folder_that_cannot_be_a_package_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecError, match="name"):
        write_package(tmp_path / name, suite(), asdict(serve.Served(suite="tour")))


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SpecError, match="not empty"):
        write_package(tmp_path, suite(), asdict(serve.Served(suite="tour")))


def test_wrong_settings_are_named_before_anything_is_served() -> None:
    with pytest.raises(UnknownName, match="typo"):
        serve.Served(suite="tour", actions=("typo",)).venue()
    with pytest.raises(SpecError, match="colour"):
        serve.Served(suite="tour", computer="fake,colour=red").venue()
    with pytest.raises(SpecError, match="wait"):
        serve.Served(suite="tour", settle="soon").venue()
    with pytest.raises(UnknownName):
        serve.Served(suite="nope").venue()


def test_tasks_that_cannot_be_held_are_named_before_anything_is_served(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = str(project / "examples" / "tasks")
    assert serve.check(serve.Served(suite=own, computer="fake")) == []
    assert any("thunar" in why for why in serve.check(serve.Served(suite="tour", computer="fake")))
    tour = load_suite("tour")
    downloads = Suite("one", 1, "", (tour.template("sort-the-downloads"),), tasks_from="core")
    monkeypatch.setattr(serve, "load_suite", lambda name: downloads)
    with pytest.raises(SpecError, match="cannot run any task"):
        serve.check(serve.Served(suite="one", computer="fake"))
    with pytest.raises(ImageError, match="nosuch"):
        serve.check(serve.Served(suite="tour", computer="sandbox,image=nosuch"))


def test_without_openenv_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "openenv", None)
    monkeypatch.delitem(sys.modules, "proctor.interop.openenv.app", raising=False)
    monkeypatch.delitem(sys.modules, "proctor.interop.openenv.models", raising=False)
    for name in [name for name in sys.modules if name.startswith("openenv.")]:
        monkeypatch.delitem(sys.modules, name)
    outcome = CliRunner().invoke(serve.serve, ["openenv", "--computer", "fake"])
    assert isinstance(outcome.exception, MissingExtra) and "proctor[openenv]" in str(outcome.exception)


def test_help() -> None:
    outcome = CliRunner().invoke(serve.serve, ["openenv", "--help"])
    assert outcome.exit_code == 0 and "--sessions" in outcome.output and "--write" in outcome.output
