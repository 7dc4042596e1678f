"""A server of the pages, as a user starts it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.site import Site

START = [sys.executable, "-m", "proctor", "view"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The pages over a folder of runs, empty at first."""
    folder = tmp_path_factory.mktemp("runs")
    command = [*START, str(folder), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line + process.stdout.read()
        process.stdout.readline()
        yield Site(folder, int(found[1]))
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest
        assert "Error" not in rest, rest


@pytest.fixture
def place(site: Site, request: pytest.FixtureRequest) -> Path:
    """The folder of a run of this test's own."""
    return site.folder / re.sub(r"\W+", "-", request.node.name).strip("-")[:60]
