"""Refining in a real Chromium: a demonstration of a real desktop is edited by keys, and its answer key is proven."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.studio.record.pages import close
from proctor.studio.refine.log import Refinements
from proctor.studio.refine.material import Material
from proctor.studio.studio import Studio
from proctor.suites import load_suite
from proctor.tasks.load import load_task
from tests.studio.displayed import GREETING, chord, click, typing
from tests.studio.test_annotate_browser import ALT, CTRL, EVIL, SHIFT, Hand
from tests.studio.test_recording import AtDesk, name_asked, until
from tests.studio.visiting import Visitor

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

CTRL_KEY, END_KEY = 0xFFE3, 0xFF57
ROWS = "[...document.querySelectorAll('#steps .entry')].map((row) => row.textContent)"
SAVED = "document.querySelector('#status').textContent === 'saved'"
PROVEN = "document.querySelector('#state').textContent === 'proven'"


FAILED = "document.querySelector('.event .bad')"


def there(visit: Hand, expression: str) -> Hand:
    """Wait for something on another page: what waits for it on this one may end with it, so it waits once more."""
    return visit.wait(expression).wait(expression)


def rows(count: int) -> str:
    return f"document.querySelectorAll('#steps .entry').length === {count} && {SAVED}"


def record(folder: Path) -> Path:
    """Sign the letter on a real desktop, as a viewer of it does; returns the run."""
    studio = Studio(folder=folder, suites=(load_suite("tour"),))
    at = AtDesk(Visitor(studio))
    try:
        at.state("working")
        with at.visitor.websocket_connect(at.path + "/screen") as socket:
            socket.receive_bytes()
            socket.send_bytes(GREETING)
            # The middle of the desktop, which the letter covers.
            doing = (click(960, 540), chord(CTRL_KEY, END_KEY), typing(name_asked(at)), chord(CTRL_KEY, ord("s")))
            for number, sent in enumerate(doing, start=1):
                socket.send_bytes(sent)
                until(lambda number=number: at.status()["count"] >= number, "a step")  # type: ignore[misc]
        at.tell("end", word="done")
        assert at.state("over")["verdict"]["score"] == 1
    finally:
        close(studio)
    (run,) = (folder / "demonstrations").iterdir()
    return run


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Record a demonstration and serve it; yields its run and where one browser may enter."""
    run = record(tmp_path / "studio")
    command = [sys.executable, "-m", "proctor", "studio", str(tmp_path / "studio"), "--suite", "tour"]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", line)
        assert found, line
        yield run, found[0].replace("127.0.0.1", "localhost")
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest


@pytest.mark.turns(day=0)
def test_a_demonstration_is_refined_by_keys_and_its_key_is_proven(served: tuple[Path, str]) -> None:
    run, address = served
    port = int(address.split(":")[2].partition("/")[0])
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{port}"]) as computer:
        visit = Hand(computer, size=(1280, 720))
        visit.open(address).wait("document.querySelector('#made a')")
        visit.open(address.partition("/enter")[0] + "/refine").wait("document.querySelector('#list a')")
        visit.look("there", "document.querySelector('#list a').click()")
        there(visit, f"{ROWS}.length === 5").wait("document.querySelector('#picture').naturalWidth > 0")
        # The third step is split, joined again, moved and moved back, deleted; all of it is undone.
        visit.keys("ArrowDown", times=2).keys("s").wait("document.querySelector('#asking').open")
        visit.look("split", "document.querySelector('#asking-yes').click()").wait(rows(6))
        visit.keys("ArrowDown", SHIFT).keys("j").wait(rows(5))
        visit.keys("ArrowUp", ALT).wait(f"{rows(5)} && {ROWS}[1].includes('type')")
        visit.keys("z", CTRL).wait(f"{rows(5)} && {ROWS}[2].includes('type')")
        visit.keys("Delete").wait(rows(4)).keys("z", CTRL).wait(rows(5)).keys("z", CTRL | SHIFT).wait(rows(4))
        visit.keys("z", CTRL).wait(rows(5)).keys("z", CTRL).wait(rows(6)).keys("z", CTRL).wait(rows(5))
        visit.keys("Home").keys("ArrowDown", times=2)
        visit.keys("i").write(EVIL).keys("Escape").wait(f"{SAVED} && {ROWS}.join().includes('onerror')")
        visit.look("owned", "window.owned === undefined").look("rows", ROWS)
        visit.keys("e").wait("document.querySelector('#asking').open && document.querySelector('#elements .entry')")
        visit.keys("Escape").wait("!document.querySelector('#asking').open")
        there(visit.keys("d"), "document.querySelectorAll('.pair').length === 5")
        visit.look("differs", "document.querySelector('#told').textContent")
        there(visit.keys("Escape"), f"{ROWS}.length === 5")
        there(visit.keys("k"), "document.querySelectorAll('#moves tbody tr').length === 4")
        visit.look("set", "document.querySelector('#seeds').value = '1'").keys("p")
        for number in (1, 2, 3):
            visit.wait(f"document.querySelectorAll('.event .good').length >= {number} || {FAILED}")
        visit.wait(f"{PROVEN} || {FAILED}")
        visit.look("state", "document.querySelector('#state').textContent")
        visit.look("proof", "document.querySelector('#proof').textContent")
        told = visit.run()
    assert told["state"] == "proven", told["proof"]
    assert told["owned"]
    assert EVIL in told["rows"][2]
    assert told["differs"] == "1 changed"
    assert visit.complaints() == []
    assert verify(run) == []
    material = Material(run / next(RunRecord.open(run).results()).folder)
    versions = Refinements(material.folder, len(material.demonstration.lines)).read()
    assert [step.instruction for step in versions.now if step.instruction] == [EVIL]
    (key,) = (run.parent.parent / "keys").glob("*/task.json")
    assert load_task(key).solution
