"""A studio in a process of its own, killed as the kernel kills, and a visitor who comes back to the next one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, TypeVar

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.studio.displayed import ENCODINGS, GREETING, UPDATE, VERSION

COMPUTER = "tests.studio.displayed:Displayed"
PROJECT = Path(__file__).parents[2]
Found = TypeVar("Found")


def until(ask: Callable[[], Found | None], what: str) -> Found:
    """Wait for something that another process brings about."""
    for _ in range(1200):
        if found := ask():
            return found
        threading.Event().wait(0.05)
    raise AssertionError(f"waited in vain for {what}")


class Killable:
    """A running studio and somebody in it."""

    def __init__(self, folder: Path, *more: str, name: str = "Ann") -> None:
        command = [sys.executable, "-m", "proctor", "studio", str(folder), "--suite", "tour", "--computer", COMPUTER]
        self._process = subprocess.Popen(
            [*command, "--port", "0", "--no-open", *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=PROJECT,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        self.root = found[0].partition("/enter")[0]
        jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self._opener.addheaders = [("Origin", self.root)]
        self._opener.open(found[0], timeout=60).read()
        self.tell("/studio/person", {"name": name})
        self._cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)

    def kill(self) -> None:
        """End it without a warning."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def ask(self, path: str) -> Any:
        with self._opener.open(f"{self.root}{path}", timeout=60) as answer:
            return json.loads(answer.read())

    def tell(self, path: str, data: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            f"{self.root}{path}", json.dumps(data).encode(), {"Content-Type": "application/json"}
        )
        try:
            with self._opener.open(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from error

    def state(self, desk: str, *states: str) -> dict[str, Any]:
        """Wait until a desk is in one of these states."""
        return until(lambda: (found := self.ask(desk))["state"] in states and found or None, "/".join(states))

    @contextmanager
    def screen(self, desk: str) -> Iterator[ClientConnection]:
        """Sit down before the screen of a desk."""
        self.state(desk, "working")
        address = f"{self.root.replace('http', 'ws')}{desk}/screen"
        told = {"Cookie": self._cookies}
        with connect(address, origin=Origin(self.root), additional_headers=told, compression=None) as socket:
            assert socket.recv(timeout=60) == VERSION
            socket.send(GREETING + ENCODINGS)
            yield socket

    def heard(self, socket: ClientConnection) -> None:
        """Wait until the display has taken everything."""
        socket.send(UPDATE)
        assert socket.recv(timeout=60) == b"heard"


@contextmanager
def studio(folder: Path, *more: str, name: str = "Ann") -> Iterator[Killable]:
    """Start a studio; it is killed at the end, whatever it is at."""
    running = Killable(folder, *more, name=name)
    try:
        yield running
    finally:
        running.kill()
