"""Annotating a live desktop in a real Chromium: a screen is kept, and its elements and texts are there to take."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.studio.annotate.sets import HOME, AnnotationSet
from tests.studio.test_annotate_browser import ALT, CTRL, Hand
from tests.studio.test_in_chromium import SEEN, THERE
from tests.studio.test_refine_browser import there

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

PROPOSED = "document.querySelectorAll('#drawing .proposal.tree').length > 2"
READ = "document.querySelectorAll('#drawing .proposal.ocr').length > 0"
SAVED = "document.querySelector('#status').textContent === 'saved'"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Serve an empty studio; yields its folder and where one browser may enter."""
    folder = tmp_path / "studio"
    command = [sys.executable, "-m", "proctor", "studio", str(folder), "--suite", "tour", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", process.stdout.readline())
        assert found
        yield folder, found[0].replace("127.0.0.1", "localhost")
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest


def annotated(visit: Hand, address: str) -> Hand:
    """Make a set, keep a screen of a live desktop in it, and take one of its elements."""
    visit.open(address).wait("document.querySelector('#rooms .card')")
    visit.open(address.partition("/enter")[0] + "/annotate").wait("document.querySelector('#sets > *')")
    visit.look("named", "document.querySelector('#name').focus()").write("live ones")
    there(visit.keys("Enter"), "document.querySelector('#live') && !document.querySelector('#live').hidden")
    there(visit.look("opened", "document.querySelector('#live').click()"), THERE).wait(SEEN)
    visit.wait("!document.querySelector('#keep').disabled")
    for kind in ("rawKeyDown", "keyUp"):
        visit._call("Input.dispatchKeyEvent", type=kind, key="s", code="KeyS", modifiers=CTRL | ALT)
    visit.wait("document.querySelector('#kept a')").picture()
    there(visit.look("there", "location.href = document.querySelector('#kept a').href"), PROPOSED)
    visit.picture().keys("f").keys("t").wait("document.querySelectorAll('#drawing .box').length === 1")
    visit.keys("Enter").write("Open this").keys("Escape").wait(SAVED)
    visit.keys("r").wait(READ).picture()
    return visit


def test_a_live_screen_is_annotated(served: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = served
    port = int(address.split(":")[2].partition("/")[0])
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{port}"]) as computer:
        visit = annotated(Hand(computer, size=(1280, 720)), address)
        visit.run()
    for number, picture in enumerate(visit.pictures):
        (tmp_path / f"page-{number}.png").write_bytes(picture)
    assert visit.complaints() == []
    made = AnnotationSet(folder / HOME / "live ones")
    (item,) = made.items()
    assert item.elements
    ((_, version),) = made.labels()[item.id].items()
    (box,) = version.data["boxes"]
    assert box["instruction"] == "Open this"
    left, top, right, bottom = box["box"]
    assert 0 <= left < right <= item.size[0]
    assert 0 <= top < bottom <= item.size[1]
