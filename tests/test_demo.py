"""The first thing a newcomer sees: a desktop operated from start to end, in one command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from proctor.cli.demo import LETTER
from tests.sandbox.host import Watched, descendants

pytestmark = pytest.mark.sandbox


def demo(out: Path, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "proctor", "computers", "demo", "--out", str(out), *args]
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


@pytest.mark.parametrize("look", ["xfce", "light"])
def test_the_demo_runs_and_leaves_what_it_promises(look: str, tmp_path: Path) -> None:
    out = tmp_path / "out [1]"
    process = demo(out, "--look", look)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert f"{len(LETTER)} characters on disk, all equal" in output
    assert "Dear visitor" in output
    assert "6 x 7 = 42" in output
    assert "os.getuid()=1000 on desktop" in output
    assert re.search(r"created /home/user/letter\.txt \(\d+ bytes\)", output)
    assert str(out / "screen.png") in output
    with Image.open(out / "screen.png") as picture:
        assert picture.size == (1920, 1080)
    assert (out / "demo.mp4").stat().st_size > 10_000
    lines = (out / "demo.mp4.frames.jsonl").read_text().splitlines()
    assert len(lines) > 5
    assert [json.loads(line)["index"] for line in lines] == list(range(len(lines)))


def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    process = demo(tmp_path / "out", "--look", "light")
    assert process.stdout is not None
    assert "a complete desktop" in process.stdout.readline()
    with Watched(descendants(process.pid)) as family:
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 130, output
        assert "Traceback" not in output
        assert family.wait() == []


def test_an_image_that_is_missing(tmp_path: Path) -> None:
    process = demo(tmp_path / "out", "--image", "no-such-image")
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "proctor images build no-such-image" in output
