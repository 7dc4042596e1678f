"""Reports, pages and messages about a record from elsewhere carry nothing that anybody would obey."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.prove.page import page as proofs_page
from tests.hostile.records.foreign import EVIL, foreign_run, is_plain, proctor
from tests.store.making import key


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs") / f"run-{EVIL.replace('/', '_').replace(chr(0), '')}"
    texts = {"error": EVIL, "settings": {EVIL: EVIL}, "metrics": {EVIL: 1.0}, "labels": {EVIL: EVIL}}
    return foreign_run(folder, score=0.5, domain=EVIL, scenario=EVIL, demand=EVIL, modes=(EVIL,), **texts)


@pytest.mark.parametrize("command", ["report", "report --markdown", "report --json", "runs verify", "runs regrade"])
def test_what_is_printed_is_plain(run: Path, command: str) -> None:
    done = proctor(*command.split(), str(run))
    assert "Traceback" not in done.stderr
    assert is_plain(done.stdout)
    assert is_plain(done.stderr)
    if command == "report --markdown":
        bare = re.sub(r"\\.", "", done.stdout)
        assert "<script" not in bare
        assert "](" not in bare


def test_errors_quote_what_is_wrong_without_obeying_it(run: Path) -> None:
    for arguments in (
        ["runs", "resume", str(run)],
        ["report", f"{run}{EVIL[:6]}"],
        ["data", "export", str(run), "--format", "\x1b[2J"],
    ):
        done = proctor(*arguments)
        assert done.returncode != 0
        assert is_plain(done.stderr)


def test_the_page_runs_nothing_of_it(run: Path) -> None:
    assert proctor("report", str(run)).returncode == 0
    text = (run / "report" / "index.html").read_text()
    assert is_plain(text)
    assert "<script>alert" not in text
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert "script-src 'sha256-" in policy[1]
    assert "unsafe-inline" not in policy[1].partition("script-src")[2]
    assert "Content-Security-Policy" in proofs_page("x", [])


def test_a_question_before_an_action_cannot_be_forged() -> None:
    code = f"from proctor.exam.watchers.veto import at_the_terminal; at_the_terminal({EVIL!r} + '\\x7f')"
    done = subprocess.run([sys.executable, "-c", code], input="y\n", capture_output=True, text=True, check=True)
    assert is_plain(done.stderr)


def test_keys_lead_to_folders_of_the_run_only(run: Path) -> None:
    from proctor.store.paths import RunPaths

    for text in (EVIL, "../../..", "/etc/passwd", ".", "", "\udc80"):
        place = RunPaths(run).episode(key(agent=text, task=text))
        assert place.relative_to(run).parts[0] == "episodes"
        assert ".." not in place.relative_to(run).parts
