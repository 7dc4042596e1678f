"""A computer that another distribution brings is opened, described, checked and refused like one of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "computers" / "own_computer.py"
BROKEN = """
from proctor.computers.host_checks import HostFinding
from proctor.computers.backends.fake.computer import FakeComputer

def fail(name):
    raise RuntimeError("no such thing")

class Odd(FakeComputer):
    backend = "odd"

    @classmethod
    def checks(cls):
        gone = HostFinding(name="a card", status="missing", found="there is no card", remedy="put one in")
        return {"a card": lambda name: gone, "a thing": fail}
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which another distribution is installed that brings computers, one of which is not there."""
    info = tmp_path / "canvas-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: canvas\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[proctor.computers]\ncanvas = own_computer:CanvasComputer\nodd = odd_computer:Odd\nlost = nowhere:Nothing\n"
    )
    (tmp_path / EXAMPLE.name).write_text(EXAMPLE.read_text())
    (tmp_path / "odd_computer.py").write_text(BROKEN)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def proctor(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "proctor", *arguments]
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=300, check=False)


def test_the_doctor_tells_of_it_and_of_what_it_needs(installed: dict[str, str]) -> None:
    told = json.loads(proctor(installed, "doctor", "--json").stdout)
    listed = {computer["name"]: computer for computer in told["computers"]}
    assert listed["canvas"]["usable"]
    assert listed["canvas"]["parts"] == ["screen", "pointer"]
    assert listed["canvas"]["options"] == [
        {
            "name": "size", "form": "WIDTHxHEIGHT", "default": "640x480", "required": False,
            "meaning": "Width and height of the canvas.",
        },
        {
            "name": "colour", "form": "text", "default": "blue", "required": False,
            "meaning": "What the mouse draws with.",
        },
    ]  # fmt: skip
    findings = {finding["name"]: finding for finding in told["findings"]}
    assert findings["pictures"]["status"] == "ok"
    assert not listed["lost"]["usable"]
    assert "nowhere" in listed["lost"]["lacks"][0]["what"]
    # What another's computer lacks, or does wrong, keeps nobody from ours.
    assert listed["odd"]["lacks"] == [{"what": "a card", "remedy": "put one in"}]
    assert findings["a card"]["status"] == findings["a thing"]["status"] == "warn"
    assert "RuntimeError: no such thing" in findings["a thing"]["found"]
    assert told["ready"] == all(finding["status"] != "missing" for finding in told["findings"])


TASK = {
    "id": "ex/sum-v1",
    "instruction": "What is two plus two? Answer with the number.",
    "check": {"check": "answer_is", "of": {"probe": "answer"}, "text": "4"},
    "expected": [],
    "solution": [{"move": "answer", "text": "4"}],
    "near_misses": [{"name": text, "moves": [{"move": "answer", "text": text}]} for text in ("five", "3")],
    "tags": {"apps": ["mousepad"], "level": 2, "domain": "Life", "scenario": "Shopping", "demand": "Searching"},
}


def test_an_agent_is_examined_on_it_with_its_options_and_no_others(installed: dict[str, str], tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "sum.json").write_text(json.dumps(TASK))
    run = ("run", str(tasks), "--agent", "oracle", "--out", str(tmp_path / "run"), "--computer")
    wrong = proctor(installed, *run, "canvas,colours=red")
    assert wrong.returncode != 0
    assert "did you mean 'colour'" in wrong.stderr
    assert "did you mean 'canvas'" in proctor(installed, *run, "canvass").stderr
    done = proctor(installed, *run, "canvas,colour=red,size=800x600")
    assert done.returncode == 0, done.stderr
    (result,) = (tmp_path / "run").rglob("result.json")
    assert json.loads(result.read_text())["score"] == 1
    (header,) = (tmp_path / "run").rglob("episode.json")
    assert "canvas" in header.read_text()


def test_it_is_opened_by_its_name(installed: dict[str, str]) -> None:
    code = """
from proctor import Drag, open_computer
with open_computer("canvas", colour="red", size=(320, 200)) as computer:
    computer.perform(Drag(path=((10, 10), (200, 10))))
    print(computer.backend, computer.size, computer.screenshot().getpixel((100, 10)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=installed, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "canvas (320, 200) (255, 0, 0)\n", done.stderr
