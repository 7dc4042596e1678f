"""The studio in a real Chromium: a person signs the letter with pointer and keys on a live desktop."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.web.browser import Visit

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

ROW = "[...document.querySelectorAll('#tasks tr')].find((row) => row.textContent.includes('sign-the-letter'))"
SEEN = "document.querySelector('#screen canvas') && document.querySelector('#cover').hidden"
CANVAS = "document.querySelector('#screen canvas')"
WIDTH = f"Math.round({CANVAS}.getBoundingClientRect().width)"
THERE = "location.pathname.startsWith('/record/desk/')"
MODIFIERS = {"Control": 2, "Shift": 8}
CODES = {"Control": "ControlLeft", "End": "End", "s": "KeyS"}


@dataclass
class Served:
    folder: Path
    address: str

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].partition("/")[0])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "studio"
    command = [sys.executable, "-m", "proctor", "studio", str(folder), "--suite", "tour", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", line)
        assert found, line
        yield Served(folder, found[0].replace("127.0.0.1", "localhost"))
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest


def press(visit: Visit, *keys: str) -> Visit:
    """Press a chord as a keyboard does: every key with its place on it."""
    held = 0
    for key in keys:
        held |= MODIFIERS.get(key, 0)
        visit._call("Input.dispatchKeyEvent", type="rawKeyDown", key=key, code=CODES[key], modifiers=held)
    for key in reversed(keys):
        held &= ~MODIFIERS.get(key, 0)
        visit._call("Input.dispatchKeyEvent", type="keyUp", key=key, code=CODES[key], modifiers=held)
    return visit


def write(visit: Visit, text: str) -> Visit:
    for char in text:
        code = f"Key{char.upper()}" if char.isalpha() else "Space"
        for kind in ("keyDown", "keyUp"):
            visit._call(
                "Input.dispatchKeyEvent", type=kind, key=char, code=code, text=char if kind == "keyDown" else ""
            )
    return visit


def click(visit: Visit, x: int, y: int) -> Visit:
    """Click as a mouse does, which says with every event which buttons are down."""
    visit._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    visit._call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
    return visit._call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)


def recorded(number: int) -> str:
    return f"document.querySelectorAll('#steps li').length >= {number}"


def signing(visit: Visit, address: str, name: str) -> Visit:
    """Do the task as a person does."""
    visit.open(address).wait(f"{ROW} && document.querySelector('#person').value")
    # What waits for another page ends with this one, so it is waited for there once more.
    visit.look("chosen", f"{ROW}.querySelector('button').click()").wait(THERE).wait(SEEN)
    # Pixel by pixel, and whole again.
    visit.look("larger", "document.querySelector('#zoom').click()").wait(f"{WIDTH} === {CANVAS}.width")
    visit.look("smaller", "document.querySelector('#zoom').click()").wait(f"{WIDTH} < {CANVAS}.width")
    # The middle of the desktop, which the letter covers.
    click(visit, 500, 380).wait(recorded(1))
    press(visit, "Control", "End").wait(recorded(2))
    write(visit, name).wait(recorded(3))
    press(visit, "Control", "s").wait(recorded(4))
    visit.look("done", "document.querySelector('#done').click()").wait("document.querySelector('#ending').open")
    visit.look("sent", "document.querySelector('#ending-send').click()")
    return visit.wait("document.querySelector('#word h2')").look(
        "verdict", "document.querySelector('#word h2').textContent"
    )


def test_a_person_signs_the_letter(served: Served) -> None:
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{served.port}"]) as computer:
        visit = signing(Visit(computer, size=(1280, 720)), served.address, "Lucia Ferrari")
        told = visit.run()
    assert told["verdict"] == "Solved"
    assert visit.complaints() == []
    (run,) = (served.folder / "demonstrations").iterdir()
    assert verify(run) == []
    (result,) = RunRecord.open(run).results()
    assert (result.key.agent, result.score, result.steps) == ("human", 1, 4)
    steps = [step for step in open_episode(run / result.folder).steps() if step.action]
    assert [step.kind for step in steps] == ["click", "press", "type", "press", "done"]
    assert steps[0].element is not None
    assert steps[0].element.app.lower() == "mousepad"
    assert steps[2].action is not None
    assert steps[2].action["text"] == "Lucia Ferrari"
