"""How quick the studio is: from a key to the screen, what recording costs, how soon sets open, how large it gets."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import click
from PIL import Image

from proctor.bench.measure import Figure, median_ms
from proctor.bench.terminal import print_figures, progress
from proctor.computers.channels.x11.keysyms import keysym_for_char
from proctor.errors import ComputerError, MissingExtra
from proctor.pause import pause
from proctor.studio.annotate.make_sets import from_pictures
from proctor.studio.annotate.sets import HOME, AnnotationSet

try:
    from benchmarks.studio_viewer import Viewer
except ModuleNotFoundError as error:
    raise MissingExtra("proctor bench studio", "web") from error

PICTURES = 1000
REST_SEC = 5.0
DRAG_SEC = 5.0
TEN_MINUTES = 600.0
READY_SEC = 90.0
LETTER = "the quick brown fox jumps over the lazy dog "
TICKS = os.sysconf("SC_CLK_TCK")
DESKS = "/record/desks"


class Served:
    """A studio in a process of its own, and somebody who entered it."""

    def __init__(self, address: str, pid: int) -> None:
        self.pid = pid
        self.root = address.partition("/enter")[0]
        jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self._opener.addheaders = [("Origin", self.root)]
        self._opener.open(address, timeout=30).read()
        self.cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)

    def ask(self, path: str, data: dict[str, Any] | None = None) -> Any:
        """Fetch something, or post an object; returns the answer's JSON."""
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"{self.root}{path}", body, {"Content-Type": "application/json"})
        with self._opener.open(request, timeout=30) as answer:
            return json.loads(answer.read())

    def fetch(self, path: str) -> None:
        """Fetch something and look at nothing of it."""
        with self._opener.open(f"{self.root}{path}", timeout=30) as answer:
            answer.read()

    def busy(self, seconds: float) -> float:
        """Return the share of one processor that the studio uses, in per cent, over so many seconds."""
        before, began = self._spent(), time.monotonic()
        pause(seconds)
        return 100 * (self._spent() - before) / (time.monotonic() - began)

    def spent_during(self, work: Callable[[], None]) -> float:
        """Return that share while something is done."""
        before, began = self._spent(), time.monotonic()
        work()
        return 100 * (self._spent() - before) / (time.monotonic() - began)

    def _spent(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@click.command("studio")
@click.option("--keys", type=click.IntRange(min=1), default=30, show_default=True, help="Keys to press.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(keys: int, as_json: bool) -> None:
    """From a key to the screen, what recording costs, how soon sets open, how large recordings are."""
    with progress() as say:
        figures = measure(keys=keys, say=say)
    print_figures(figures, "proctor bench studio", as_json=as_json)


def measure(*, keys: int, say: Callable[[str], None]) -> list[Figure]:
    """Return the figures of the studio; a desk with an editor is opened for most of them."""
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        folder = Path(place) / "studio"
        say(f"{PICTURES} annotated pictures")
        _annotated(folder)
        with _studio(folder) as served:
            opened = median_ms(lambda: _open_set(served), 5)
            say("a desk with an editor")
            desk = served.ask(DESKS, {"task": "sign-the-letter", "kind": "record", "video": True})["id"]
            try:
                figures = _at_desk(served, f"{DESKS}/{desk}", keys, say)
            finally:
                served.ask(f"{DESKS}/{desk}/end", {"word": "leave"})
                _until(served, f"{DESKS}/{desk}", "over", "failed")
            figures.append(_size(folder))
    note = "page, states of all, the first list and the first item over HTTP, one after the other; median of 5"
    return [
        *figures,
        Figure(key="set_ms", what=f"{PICTURES} annotated pictures opened", value=opened, goal=1000, note=note),
    ]


def _at_desk(served: Served, desk: str, keys: int, say: Callable[[str], None]) -> list[Figure]:
    _until(served, desk, "working")
    scheme = served.root.replace("http", "ws")
    with Viewer(f"{scheme}{desk}/screen", served.root, served.cookies) as viewer:
        width, height = viewer.size
        viewer.click(width // 2, height // 2)
        say("keys")
        spent = [viewer.key_to_change(keysym_for_char(LETTER[number % len(LETTER)])) for number in range(keys)]
        say("recording at rest")
        viewer.rest()
        idle = served.busy(REST_SEC)
        say("recording while a window is dragged")
        dragging = served.spent_during(lambda: viewer.drag((width // 2, height // 2 - 190), DRAG_SEC))
    how = "RFB client at the studio's websocket on loopback; a browser's own drawing is not in it"
    return [
        Figure(
            key="key_to_change_ms",
            what="a key until the screen has changed",
            value=statistics.median(spent) * 1000,
            goal=80,
            note=f"{how}; median of {keys}",
        ),
        Figure(key="rest_percent", what="recording at rest", value=idle, unit="% of a core", goal=10,
               note="the studio's own process, a desk of 1920x1080 with a video"),
        Figure(key="drag_percent", what="recording while a window is dragged", value=dragging, unit="% of a core",
               goal=40, note="the same"),
    ]  # fmt: skip


def _size(folder: Path) -> Figure:
    """Return how large ten minutes of such work would be."""
    (run,) = (folder / "demonstrations").iterdir()
    size = sum(file.stat().st_size for file in run.rglob("*") if file.is_file())
    times = [file.stat().st_mtime for file in run.rglob("*") if file.is_file()]
    seconds = max(max(times) - (run / "run.json").stat().st_mtime, 1.0)
    return Figure(
        key="ten_minutes_mb",
        what="a recording of ten minutes, with its video",
        value=size / 1e6 * TEN_MINUTES / seconds,
        unit="MB",
        goal=60,
        note=f"scaled from {seconds:.0f} s of typing, rest and dragging at 1920x1080",
    )


def _annotated(folder: Path) -> None:
    """Make a set of pictures with a label on each."""
    source = folder.parent / "pictures"
    source.mkdir()
    for number in range(PICTURES):
        Image.new("RGB", (64, 48), (number % 256, number // 256, 90)).save(source / f"{number:04d}.png")
    place = folder / HOME / "bench"
    from_pictures(place, source, annotators=1)
    made = AnnotationSet(place)
    log = made.log("bench")
    box = {"id": "b1", "box": [1, 2, 30, 20], "instruction": "Click it", "role": "button", "ambiguous": False}
    for item in made.items():
        log.save(item.id, 0, {"boxes": [box], "note": "", "done": True}, by="bench")


def _open_set(served: Served) -> None:
    """Fetch what a browser needs to show the set and the first of its pictures."""
    served.fetch("/annotate/bench")
    first = served.ask("/annotate-data/bench?from=0&state=")["listed"][0]["id"]
    served.ask(f"/annotate-data/bench/items/{first}")


def _until(served: Served, desk: str, *states: str) -> dict[str, Any]:
    ends = time.monotonic() + READY_SEC
    while time.monotonic() < ends:
        found: dict[str, Any] = served.ask(desk)
        if found["state"] in states:
            return found
        if found["state"] == "failed":
            break
        pause(0.1)
    raise ComputerError(f"the desk did not become {' or '.join(states)}: {found['trouble'] or found['state']}",
                        remedy="see `proctor doctor`")  # fmt: skip


@contextmanager
def _studio(folder: Path) -> Iterator[Served]:
    argv = [
        sys.executable,
        "-P",
        "-m",
        "proctor",
        "studio",
        str(folder),
        "--suite",
        "tour",
        "--port",
        "0",
        "--no-open",
    ]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            server.stdout.readline()
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                raise ComputerError("the studio did not start", remedy="try `proctor studio --no-open`")
            yield Served(found[0], server.pid)
        finally:
            server.terminate()
