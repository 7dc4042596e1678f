"""Redoing in a real Chromium: a part of a demonstration is done again by pointer and keys, spliced in and compared."""

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
from proctor.studio.refine.log import Refinements
from proctor.studio.refine.material import Material
from tests.studio.test_annotate_browser import Hand
from tests.studio.test_in_chromium import SEEN, THERE, click, press, recorded
from tests.studio.test_in_chromium import write as type_keys
from tests.studio.test_refine_browser import ROWS, record, there

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

REPEATED = 1
"""Steps that are kept: the click into the letter."""
OTHER = "the other one"
BACK = "[...document.querySelectorAll('#word a')].find((link) => link.textContent.includes('Back to'))"
SPLICED = f"location.pathname.startsWith('/refine/') && {ROWS}.join().includes('{OTHER}')"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Record a demonstration on a real desktop and serve it; yields its run and where one browser may enter."""
    run = record(tmp_path / "studio")
    command = [sys.executable, "-m", "proctor", "studio", str(tmp_path / "studio"), "--suite", "tour"]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", process.stdout.readline())
        assert found
        yield run, found[0].replace("127.0.0.1", "localhost")
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest


def redone(visit: Hand, address: str) -> Hand:
    """Open the demonstration, do it again from its second step on, and come back to it."""
    visit.open(address).wait("document.querySelector('#made a, #rooms a')")
    visit.open(address.partition("/enter")[0] + "/refine").wait("document.querySelector('#list a')")
    there(visit.look("opened", "document.querySelector('#list a').click()"), f"{ROWS}.length === 5")
    visit.keys("Home").keys("ArrowDown", times=REPEATED).picture()
    there(visit.keys("r"), THERE).wait(SEEN).wait(recorded(REPEATED)).picture()
    # The middle of the desktop, which the letter covers.
    click(visit, 500, 380).wait(recorded(REPEATED + 1))
    press(visit, "Control", "End").wait(recorded(REPEATED + 2))
    type_keys(visit, OTHER).wait(recorded(REPEATED + 3))
    press(visit, "Control", "s").wait(recorded(REPEATED + 4))
    visit.look("done", "document.querySelector('#done').click()").wait(
        "document.querySelector('#ending').open"
    ).picture()
    visit.look("sent", "document.querySelector('#ending-send').click()").wait("document.querySelector('#word h2')")
    visit.look("verdict", "document.querySelector('#word h2').textContent").picture()
    there(visit.look("back", f"{BACK}.click()"), SPLICED).look("rows", ROWS).picture()
    there(visit.keys("d"), "document.querySelectorAll('.pair').length > 5")
    visit.look("differs", "document.querySelector('#told').textContent").picture()
    return visit.look("pairs", "[...document.querySelectorAll('.pair')].map((pair) => pair.textContent)")


def test_a_part_is_done_again_by_hand_and_compared(served: tuple[Path, str], tmp_path: Path) -> None:
    run, address = served
    port = int(address.split(":")[2].partition("/")[0])
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{port}"]) as computer:
        visit = redone(Hand(computer, size=(1280, 720)), address)
        told = visit.run()
    for number, picture in enumerate(visit.pictures):
        (tmp_path / f"page-{number}.png").write_bytes(picture)
    assert visit.complaints() == []
    # Another name than the one that was asked for is written under the letter.
    assert told["verdict"] != "Solved"
    assert len(told["rows"]) == 6
    assert OTHER in "".join(told["rows"])
    assert told["differs"] == "4 deleted, 5 new"
    assert verify(run) == []
    material = Material(run / next(RunRecord.open(run).results()).folder)
    versions = Refinements(material.folder, len(material.demonstration.lines)).read()
    assert versions.number == 1
    kinds = [(step.kind, (step.action or {}).get("text")) for step in material.steps(versions.now)]
    done = [("click", None), ("click", None), ("press", None), ("type", OTHER), ("press", None), ("done", None)]
    assert kinds == done
    # The recording itself is as it was, and what was done again lies beside it.
    assert len(material.steps(versions.state(0))) == 5
    assert len(list(run.parent.iterdir())) == 2
