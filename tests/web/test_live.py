"""The screen of an episode under way: carried to whoever looks, closed to whoever wants to touch it."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from proctor.web.live import can_watch, screen_of
from tests.web.recorded import begin_episode, begin_run, write_run
from tests.web.site import Site
from tests.web.test_rfb import FORMAT, GREETED, GREETING, KEY, UPDATE

HELLO = b"RFB 003.008\n"


class Screen:
    """A display that greets each viewer and keeps what it is told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told = b""
        self.viewers = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        viewer, _ = self._listener.accept()
        self.viewers += 1
        with viewer:
            viewer.sendall(HELLO)
            while data := viewer.recv(1000):
                self.told += data
                if self.told.endswith(UPDATE):
                    viewer.sendall(b"a picture")

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    made = Screen(tmp_path / "rfb")
    yield made
    made.close()


@contextmanager
def under_way(place: Path, live: object) -> Iterator[Path]:
    """Yield the folder of an episode that says where its screen is."""
    record = begin_run(place)
    writer = begin_episode(place)
    (writer.folder / "live.json").write_text(json.dumps(live))
    try:
        yield writer.folder
    finally:
        writer.close()
        record.close()


def look(site: Site, episode: Path, origin: str | None = None) -> ClientConnection:
    address = f"ws://localhost:{site.port}/screen/{site.names(episode)}"
    headers = {"Origin": origin} if origin else {}
    return connect(address, additional_headers=headers, proxy=None, compression=None)


def offer(screen: Screen) -> dict[str, object]:
    return {"rfb": str(screen.path), "pid": os.getpid()}


def test_looking_is_carried_and_touching_is_not(site: Site, place: Path, screen: Screen) -> None:
    with under_way(place, offer(screen)) as episode:
        assert site.record(episode).data["screen"] == "yes"
        with look(site, episode) as viewer:
            assert viewer.recv() == HELLO
            viewer.send(GREETING + KEY)
            viewer.send(FORMAT + KEY + UPDATE)
            assert viewer.recv() == b"a picture"
        assert screen.told == GREETED + FORMAT + UPDATE


def test_a_viewer_that_says_something_else_is_sent_away(site: Site, place: Path, screen: Screen) -> None:
    with under_way(place, offer(screen)) as episode, look(site, episode) as viewer:
        assert viewer.recv() == HELLO
        viewer.send(b"GET / HTTP/1.1\r\n\r\n")
        with pytest.raises(ConnectionClosed):
            viewer.recv()
        assert screen.told == b""


def test_other_sites_cannot_look(site: Site, place: Path, screen: Screen) -> None:
    with under_way(place, offer(screen)) as episode:
        for origin in ("http://evil.example", "null"):
            with pytest.raises(InvalidStatus):
                look(site, episode, origin)
        assert screen.viewers == 0


def test_an_episode_that_ended_shows_no_screen(site: Site, place: Path) -> None:
    episode = write_run(place)
    assert site.record(episode).data["screen"] == ""
    with pytest.raises(InvalidStatus):
        look(site, episode)


@pytest.mark.parametrize(
    ("live", "why"),
    [
        ({}, "cannot be read"),
        ({"rfb": 5, "pid": 1}, "cannot be read"),
        ({"rfb": "/nowhere/rfb", "pid": os.getpid()}, "stopped"),
        ({"rfb": "a\0b", "pid": os.getpid()}, "stopped"),
        ({"rfb": "/etc/hostname", "pid": os.getpid()}, "another user"),
        ({"rfb": "/etc/hostname", "pid": 2**30}, "stopped"),
        ({"rfb": "/etc/hostname", "pid": 2**80}, "stopped"),
        ([], "not available"),
    ],
)
def test_only_a_socket_of_ones_own_is_spoken_to(tmp_path: Path, live: object, why: str) -> None:
    (tmp_path / "live.json").write_text(json.dumps(live))
    found = screen_of(tmp_path)
    assert isinstance(found, str)
    assert why in found
    assert can_watch(tmp_path) == found


def test_the_viewer_comes_from_this_server(site: Site) -> None:
    answer = site.get("/novnc/core/rfb.js")
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    for name in ("package.json", "core/../package.json", "..%2f..%2fsetup.py", "core/none.js", "app/ui.js", "core/"):
        assert site.get(f"/novnc/{name}").status == 404
