"""Annotation and review in a real Chromium: by pointer and by keys, with undo, two tabs, hostile texts."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.store.reviews import read_reviews
from proctor.store.verify import verify
from proctor.studio.annotate.sets import AnnotationSet
from tests.studio.sets import recorded
from tests.web.browser import Visit

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

SAVED = "document.querySelector('#status').textContent === 'saved'"
ALT, CTRL, SHIFT = 1, 2, 8
EVIL = "<img src=x onerror='window.owned=1'>"
# Undo and redo against a model: a list of all states and a place in it.
HISTORY = """import('/annotate-files/history.js').then(({ History }) => {
  let seed = 7;
  const chance = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let round = 0; round < 200; round += 1) {
    const history = new History({ at: 0 });
    let [states, place] = [[0], 0];
    for (let move = 0; move < 40; move += 1) {
      const drawn = chance();
      if (drawn < 0.5) {
        place += 1;
        states = [...states.slice(0, place), round * 1000 + move + 1];
        history.push({ at: states[place] });
      }
      else if (drawn < 0.75) { history.undo(); place = Math.max(place - 1, 0); }
      else { history.redo(); place = Math.min(place + 1, states.length - 1); }
      if (history.state.at !== states[place]) return `differs after ${move} moves of round ${round}`;
    }
  }
  return 'good';
})"""


class Hand(Visit):
    """A visit with a pointer that drags and keys that are held."""

    def drag(self, *points: tuple[float, float], held: int = 0) -> Self:
        """Press at the first point, go on to the others, let go at the last."""
        (x, y), *rest = points
        self._mouse("mousePressed", x, y, held)
        for x, y in rest:
            self._mouse("mouseMoved", x, y, held)
        return self._mouse("mouseReleased", x, y, held)

    def _mouse(self, kind: str, x: float, y: float, held: int) -> Self:
        return self._call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1, modifiers=held
        )

    def keys(self, key: str, held: int = 0, times: int = 1) -> Self:
        """Press a key while others are held."""
        codes = {
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
            "Enter": 13,
            "Escape": 27,
            "Delete": 46,
        }
        text = {"text": key} if len(key) == 1 and not held & (CTRL | ALT) else {"text": "\r"} if key == "Enter" else {}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key.upper()[0])), "modifiers": held, **text}
        for _ in range(times):
            self._call("Input.dispatchKeyEvent", type="keyDown", **common)
            self._call("Input.dispatchKeyEvent", type="keyUp", **common)
        return self

    def write(self, text: str) -> Self:
        return self._call("Input.insertText", text=text)


@dataclass
class Server:
    """A studio as a user starts it."""

    folder: Path
    port: int
    invitation: str
    process: subprocess.Popen[str]

    def invite(self) -> str:
        """Return an address that lets a browser in, once."""
        found, self.invitation = self.invitation, ""
        if not found:
            assert self.process.stdout is not None
            found = _address(self.process.stdout.readline())
        return found.replace("127.0.0.1", "localhost")


def _address(line: str) -> str:
    found = re.search(r"http://\S+", line)
    assert found, line
    return found[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("studio")
    recorded(folder, "ground", name="screens", annotators=1)
    command = [sys.executable, "-m", "proctor", "studio", str(folder), "--port", "0", "--no-open"]
    command += ["--suite", "tour", "--run", str(folder / "runs")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        address = _address("".join(lines))
        yield Server(folder, int(address.split(":")[2].partition("/")[0]), address, process)
        process.send_signal(signal.SIGKILL)


@pytest.fixture(scope="module")
def computer(server: Server) -> Iterator[SandboxComputer]:
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{server.port}"]) as found:
        yield found


def posted(path: str, data: str) -> str:
    """Return an expression that posts data from the page, and comes to the status of the answer."""
    headers = "{'Content-Type': 'application/json'}"
    return f"fetch('{path}', {{method: 'POST', headers: {headers}, body: JSON.stringify({data})}}).then(r => r.status)"


def enter(server: Server, computer: SandboxComputer, path: str, name: str = "ann") -> Hand:
    root = f"http://localhost:{server.port}"
    visit = (
        Hand(computer, size=(1280, 720))
        .open(server.invite())
        .wait("location.pathname === '/' && document.querySelector('#person')")
    )
    told = posted("/studio/person", f"{{name: {name!r}}}")
    return visit.look("named", told).open(root + path)


def on_page(box: str) -> str:
    """Return an expression for where a place of the picture is on the page."""
    return f"""(() => {{ const root = document.querySelector('#drawing'); const m = root.getScreenCTM();
      const p = new DOMPoint({box}).matrixTransform(m); return [p.x, p.y]; }})()"""


def test_boxes_are_drawn_snapped_undone_and_saved(server: Server, computer: SandboxComputer) -> None:
    opened = AnnotationSet(server.folder / "annotations/screens")
    item = opened.items()[0]
    path = f"/annotate/screens/items/{item.id}"
    ready = "document.querySelectorAll('#drawing .proposal').length === 39"
    # Where points of the picture are on a page of this size is asked for first.
    spots = {
        "a": "612, 102",
        "b": "688, 122",
        "c": "900, 400",
        "d": "1000, 450",
        "e": "950, 425",
        "f": "930, 500",
        "g": "650, 112",
    }
    look = enter(server, computer, path).wait(ready)
    for name, point in spots.items():
        look.look(name, on_page(point))
    at = {name: tuple(value) for name, value in look.run().items() if name in spots}
    assert look.complaints() == []

    hand = enter(server, computer, path).wait(ready)
    count = "document.querySelectorAll('#drawing .box').length"
    # Drawn roughly around the button Save: it snaps to the element, and takes its role.
    hand.drag(at["a"], at["g"], at["b"]).wait(f"{count} === 1")
    hand.look(
        "snapped",
        "document.querySelector('#drawing .box').getAttribute('x') + ' ' + document.querySelector('#role').value",
    )
    hand.keys("Enter").write(f"Click Save {EVIL}").keys("Escape")
    # Drawn where nothing is proposed, then moved by the pointer and by keys, resized, marked.
    # What is typed right after drawing are its words: m marks nothing, n draws nothing.
    hand.drag(at["c"], at["e"], at["d"]).wait(f"{count} === 2").write("The empty place, m n").keys("Escape")
    hand.drag(at["e"], at["f"], at["f"]).keys("ArrowRight", times=3).keys("ArrowDown", SHIFT, 2).keys("m")
    hand.wait(SAVED).look("two", count)
    hand.keys("Delete").wait(f"{count} === 1").keys("z", CTRL).wait(f"{count} === 2")
    hand.keys("z", CTRL | SHIFT).wait(f"{count} === 1").keys("u").wait(f"{count} === 2")
    # A third by keys alone: a proposal is lit and taken, then deleted again.
    hand.keys("f").keys("f").keys("t").wait(f"{count} === 3").keys("Delete").wait(f"{count} === 2").wait(SAVED)
    hand.keys("+").keys("+").wait("document.querySelector('#drawing').viewBox.baseVal.width < 1000").keys("0")
    hand.wait("document.querySelector('#drawing').viewBox.baseVal.width >= 1280")
    hand.look("history", HISTORY).look("owned", "window.owned || 0").picture()
    hand.keys("Enter", CTRL).wait(f"location.pathname !== '{path}'")
    seen = hand.run()
    assert hand.complaints() == []
    assert seen["snapped"] == "610 push button"
    assert (seen["two"], seen["history"], seen["owned"]) == (2, "good", 0)
    kept = opened.labels()[item.id]["ann"].data
    save, empty = kept["boxes"]
    assert (kept["done"], save["box"], save["instruction"]) == (True, [610, 100, 690, 124], f"Click Save {EVIL}")
    assert (empty["ambiguous"], empty["instruction"]) == (True, "The empty place, m n")
    assert empty["box"] == pytest.approx([883, 475, 983, 527], abs=4)


def test_a_second_tab_is_told_and_loses_nothing(server: Server, computer: SandboxComputer) -> None:
    opened = AnnotationSet(server.folder / "annotations/screens")
    item = opened.items()[1]
    path = f"/annotate/screens/items/{item.id}"
    hand = enter(server, computer, path, "tab").wait("document.querySelector('#status').textContent === 'not begun'")
    label = "{version: 0, save: 'x', label: {boxes: [{id: 'b1', box: [5, 5, 95, 95], instruction: 'theirs'}]}}"
    hand.look("other", posted(f"/annotate-data/screens/items/{item.id}", label))
    hand.keys("n").wait("!document.querySelector('#conflict').hidden").keys("Enter")
    hand.wait("document.querySelector('#boxes').textContent.includes('theirs')").keys("u")
    hand.wait("document.querySelector('#boxes').textContent.includes('no instruction yet')").wait(SAVED)
    seen = hand.run()
    assert seen["other"] == 200
    assert [each["level"] for each in [event["params"].get("entry", {}) for event in hand.complaints()]] in (
        [],
        ["error"],
    )
    assert opened.labels()[item.id]["tab"].number == 2


def test_an_episode_is_reviewed_by_keys(server: Server, computer: SandboxComputer) -> None:
    root = server.folder / "runs/run"
    visit = enter(server, computer, "/review").wait("document.querySelector('#runs a')")
    visit.look("run", "document.querySelector('#runs a').getAttribute('href')")
    run = visit.run()["run"]
    visit = enter(server, computer, run).wait("document.querySelector('#episodes a')")
    visit.look("episode", "document.querySelector('#episodes a').getAttribute('href')")
    hand = enter(server, computer, visit.run()["episode"])
    hand.wait(
        "document.querySelectorAll('#steps .entry').length === 12 && document.querySelector('#picture').naturalWidth"
    )
    hand.keys("ArrowRight", times=3).keys("w").wait("document.querySelectorAll('.entry.wrong').length === 1")
    hand.keys("x").keys("1").keys("c").write(f"went wrong {EVIL}").keys("Escape").wait(SAVED).picture()
    hand.look("owned", "window.owned || 0")
    seen = hand.run()
    assert hand.complaints() == []
    ((review,),) = read_reviews(root).values()
    assert (review.by, review.success, review.first_wrong, review.failures) == ("ann", False, 3, ("false_finish",))
    assert review.comment == f"went wrong {EVIL}"
    assert seen["owned"] == 0
    assert verify(root) == []
