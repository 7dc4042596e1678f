"""The command `proctor view`."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from proctor.cli.view import view
from proctor.errors import HostError, ProctorError
from tests.web.conftest import START
from tests.web.recorded import write_run


def test_one_run_is_opened_at_once_and_an_interrupt_ends_it(tmp_path: Path) -> None:
    write_run(tmp_path / "tour")
    command = [*START, str(tmp_path / "tour"), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/run/tour-[0-9a-f]{6}$", process.stdout.readline())
        assert found
        process.stdout.readline()
        # It serves, and so it is ready to be interrupted.
        assert urlopen(found[0], timeout=60).status == 200
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert "Traceback" not in rest


def mistake(*arguments: str) -> ProctorError:
    result = CliRunner().invoke(view, [*arguments, "--no-open"])
    assert isinstance(result.exception, ProctorError), result.output
    return result.exception


def test_mistakes_are_named(tmp_path: Path) -> None:
    assert "absent is not a folder" in mistake(str(tmp_path / "absent")).message
    with socket.create_server(("127.0.0.1", 0)) as taken:
        error = mistake(str(tmp_path), "--port", str(taken.getsockname()[1]))
        assert isinstance(error, HostError)
        assert "--port" in error.remedy
    assert isinstance(mistake(str(tmp_path), "--host", "no.such.host.invalid", "--port", "0"), HostError)


@pytest.mark.parametrize("arguments", [[], ["x", "--port", "70000"]])
def test_what_click_refuses(arguments: list[str]) -> None:
    assert CliRunner().invoke(view, arguments).exit_code == 2
