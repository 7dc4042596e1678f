"""A task made from nothing in a real Chromium, through the pages alone: prepared, shown, proven, run by an agent."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from tests.studio.test_in_chromium import CODES, MODIFIERS, SEEN, THERE, Served, press, recorded
from tests.web.browser import Visit

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

MODIFIERS.setdefault("Alt", 1)
CODES.update({"Alt": "AltLeft", "F2": "F2", "b": "KeyB"})
MAKING = "location.pathname.startsWith('/create/making/') && document.querySelector('#title').textContent"


CHANGED = """(() => {
  const known = window.known ??= { looks: 0, small: new OffscreenCanvas(64, 36) };
  const ink = known.small.getContext("2d", { willReadFrequently: true });
  ink.drawImage(document.querySelector("#screen canvas"), 0, 0, 64, 36);
  const now = ink.getImageData(0, 0, 64, 36).data.reduce((sum, byte) => (sum * 31 + (byte >> 5)) | 0, 7);
  known.looks = now === known.last ? known.looks + 1 : 0;
  known.last = now;
  if (known.looks < 25 || now === known.shown) return false;
  known.shown = now;
  return true;
})()"""
"""True once the desktop in the page is another than the last time, and has been so for half a second."""


@dataclass
class Browser:
    """A computer with Chromium that reaches two ports of this host."""

    computer: SandboxComputer
    ports: tuple[int, int]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = (one.getsockname()[1], other.getsockname()[1])
    network = [f"localhost:{port}" for port in ports]
    with SandboxComputer(image="full", look="light", size=(800, 600), network=network) as computer:
        yield Browser(computer, ports)


class Door(Served):
    """A studio with as many addresses as browsers come: it prints the next one each time."""

    def __init__(self, folder: Path, lines: IO[str]) -> None:
        self._lines = lines
        super().__init__(folder, self.next())

    def next(self) -> str:
        """Return an address that lets one browser in."""
        found = None
        while found is None:
            line = self._lines.readline()
            assert line, "the studio has ended"
            found = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", line)
        return found[0].replace("127.0.0.1", "localhost")


@pytest.fixture
def door(tmp_path: Path, browser: Browser) -> Iterator[Door]:
    folder = tmp_path / "studio"
    command = [sys.executable, "-m", "proctor", "studio", str(folder), "--port", str(browser.ports[0]), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        yield Door(folder, process.stdout)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest


def write(visit: Visit, text: str) -> Visit:
    for char in text:
        code = f"Key{char.upper()}" if char.isalpha() else {"\n": "Enter", ".": "Period", " ": "Space"}[char]
        key = "Enter" if char == "\n" else char
        shown = "\r" if char == "\n" else char
        number = {"windowsVirtualKeyCode": 13} if char == "\n" else {}
        visit._call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, text=shown, **number)
        visit._call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, **number)
    return visit


# What waits for another page ends with this one, so each page is waited for twice.


def click(visit: Visit, what: str) -> Visit:
    return visit.look(f"clicked {what} {len(visit._calls)}", f"document.querySelector({json.dumps(what)}).click()")


def done(visit: Visit) -> Visit:
    click(visit, "#done").wait("document.querySelector('#ending').open")
    click(visit, "#ending-send").wait("document.querySelector('#go-on')")
    return click(visit, "#go-on").wait(MAKING).wait(MAKING)


def fill(visit: Visit, what: str, text: str) -> Visit:
    set_it = f"it.value = {json.dumps(text)}; it.dispatchEvent(new Event('change'));"
    change = f"(() => {{ const it = document.querySelector('{what}'); {set_it} }})()"
    return visit.look(f"filled {what}", change)


def prepare(visit: Visit, address: str) -> Visit:
    """Begin a task and prepare its desktop as a person does: an editor with a list that is saved."""
    root = address.partition("/enter")[0]
    visit.open(address).wait("document.querySelector('#person') && document.querySelector('#person').value")
    visit.open(f"{root}/create").wait("document.querySelector('#known option')")
    fill(visit, "#name", "buy-eggs")
    click(visit, "#begin").wait(MAKING).wait(MAKING)
    click(visit, "#prepare").wait(THERE).wait(THERE).wait(SEEN)
    visit.wait(CHANGED)
    press(visit, "Alt", "F2").wait(CHANGED)
    write(visit, "mousepad").wait(CHANGED)
    write(visit, "\n").wait(CHANGED)
    write(visit, "milk\n")
    press(visit, "Control", "s").wait(CHANGED)
    write(visit, "list.txt").wait(CHANGED)
    write(visit, "\n").wait(CHANGED)
    done(visit).look("setup", "[...document.querySelectorAll('#setup code')].map((one) => one.textContent)").picture()
    return visit.look("page", "location.pathname")


def show(visit: Visit, address: str, page: str, *, whole: bool = False) -> Visit:
    """Write what is asked, show the solution, and begin to prove it."""
    visit.open(address).wait("document.querySelector('#person') && document.querySelector('#person').value")
    visit.open(address.partition("/enter")[0] + page).wait(MAKING).wait(MAKING)
    fill(visit, "#instruction", "Put eggs at the end of the open list, on a line of their own, and save it.")
    visit.wait("document.querySelector('#saved').textContent === 'saved'")
    click(visit, "#demonstrate").wait(THERE).wait(THERE).wait(SEEN)
    press(visit, "Control", "End").wait(recorded(1))
    write(visit, "eggs").wait(recorded(2))
    press(visit, "Control", "s").wait(recorded(3))
    done(visit).look("solution", "[...document.querySelectorAll('#solution code')].map((one) => one.textContent)")
    visit.look(
        "checks", "[...document.querySelectorAll('.check.accepted code')].map((one) => one.textContent)"
    ).picture()
    return click(visit, "#prove" if whole else "#quick")


def test_a_task_made_through_the_pages_is_proven_and_run(door: Door, browser: Browser, tmp_path: Path) -> None:
    first = prepare(Visit(browser.computer, size=(1280, 720)), door.address)
    prepared = first.run()
    second = show(Visit(browser.computer, size=(1280, 720)), door.next(), prepared["page"])
    told = second.wait("document.querySelector('#verdict').textContent === 'holds'").run()
    assert [*first.complaints(), *second.complaints()] == []
    assert [text.partition("(")[0] for text in prepared["setup"]] == ["text_file", "launch"]
    assert "eggs" in told["checks"][0]
    out = tmp_path / "run"
    command = ["run", str(door.folder / "tasks"), "--agent", "oracle", "--agent", "idle", "--out", str(out), "-n", "2"]
    subprocess.run([sys.executable, "-m", "proctor", *command], check=True, capture_output=True)
    scores = {result.key.agent: result.score for result in RunRecord.open(out).results()}
    assert scores == {"oracle": 1.0, "idle": 0.0}


def words(text: str) -> str:
    return (
        f"!document.querySelector('#asked').hidden && document.querySelector('#words').textContent.includes('{text}')"
    )


def test_a_person_controls_an_agent_in_the_page(browser: Browser, tmp_path: Path) -> None:
    out = tmp_path / "run"
    asked = ["--confirm", f"page:{browser.ports[1]}", "--out", str(out)]
    command = [
        sys.executable,
        "-m",
        "proctor",
        "run",
        "--suite",
        "tour",
        "sign-the-letter",
        "--agent",
        "oracle",
        *asked,
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = Door(tmp_path, process.stderr).address
        visit = Visit(browser.computer, size=(1280, 720)).open(address)
        visit.wait(f"{words('press ctrl+End')} && document.querySelector('#screen canvas').width > 1000")
        visit.wait("document.querySelector('#drawn .box') && document.querySelector('#drawn text')")
        visit.press("a").wait(words("Lucia Ferrari")).press("e").wait("!document.querySelector('#editing').hidden")
        fill(visit, "#fields textarea", "Lucia")
        visit.look("sent", "document.querySelector('#editing').requestSubmit()")
        visit.wait(words("press ctrl+s")).press("t").wait("document.body.classList.contains('taken')")
        write(visit, " Ferrari").wait("document.querySelector('#log .badge.bad')")
        press(visit, "Control", "s").wait("document.querySelectorAll('#log .badge.bad').length === 2")
        press(visit, "Control", "Alt", "b").wait(words("done")).press("a")
        visit.wait("document.querySelector('#word').textContent.includes('ended')").run()
        process.stderr.read()
        assert process.wait(60) == 0
    (result,) = RunRecord.open(out).results()
    assert (result.passed, result.metrics["human_edited"], result.metrics["human_acted"]) == (True, 1, 2)
    steps = [step for step in open_episode(out / result.folder).steps() if step.action]
    assert [(step.kind, step.by) for step in steps if not step.refused] == [
        ("press", ""), ("type", ""), ("type", "human"), ("press", "human"), ("done", ""),
    ]  # fmt: skip
