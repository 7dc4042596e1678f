"""Nothing that a record or a folder from elsewhere names is started or imported, unless the user says so."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.store.own_runs import begun_in, remember
from proctor.store.run import RunRecord
from tests.hostile.records.foreign import EVIL, ROOT, foreign_run, is_plain, proctor, unfinished_run

TRAPS = ("random", "numpy", "pickle", "multiprocessing", "json", "click", "rich", "sitecustomize", "usercustomize",
         "threading", "selectors", "typing", "tests_own", "PIL", "isal", "runpy", "site", "proctor")  # fmt: skip


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A folder in which a file lies in wait under the name of nearly everything that is imported."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    trap = f"open({str(tmp_path / 'sprung')!r}, 'a').write(__name__)\nraise SystemExit('trapped')\n"
    for name in TRAPS:
        (folder / f"{name}.py").write_text(trap)
    return folder


def sprung(folder: Path) -> str:
    path = folder.parent / "sprung"
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize(
    "agent",
    [
        {"name": "cmd:touch {trap}", "options": {}},
        {"name": "tests_own:Agent", "options": {}},
        {"name": "osworld", "options": {"agent": "tests_own:Agent"}},
        {"name": f"cmd:{EVIL}", "options": {}},
        {"name": "idle", "options": {}},
    ],
)
def test_a_run_from_elsewhere_is_not_gone_on_with_unasked(agent: dict[str, object], trapped: Path) -> None:
    trap = trapped.parent / "sprung"
    agent = {**agent, "name": str(agent["name"]).replace("{trap}", str(trap))}
    run = unfinished_run(trapped / "run", agent, rules={"backend": "tests_own:Computer", "policy": "tests_own:policy"})
    before = sorted(path.name for path in run.iterdir())
    done = proctor("runs", "resume", str(run), cwd=trapped)
    assert done.returncode == 1
    assert "was not begun here by you" in done.stderr
    assert "--trust" in done.stderr
    assert "policy tests_own:policy" in done.stderr
    assert "computers tests_own:Computer" in done.stderr
    assert is_plain(done.stderr)
    assert not sprung(trapped)
    assert sorted(path.name for path in run.iterdir()) == before


@pytest.mark.parametrize(("answer", "goes_on"), [("n", False), ("y", True)])
def test_at_a_terminal_it_is_shown_and_asked(answer: str, goes_on: bool, tmp_path: Path) -> None:
    run = unfinished_run(tmp_path / "run", {"name": f"cmd:touch {tmp_path / 'sprung'}", "options": {}})
    ours, theirs = pty.openpty()
    argv = [sys.executable, "-P", "-m", "proctor", "runs", "resume", str(run), "-n", "1"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        argv, cwd=ROOT, env=env, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as asked:
        os.write(ours, f"{answer}\n".encode())
        said, _ = asked.communicate(timeout=120)
    os.close(ours)
    os.close(theirs)
    assert f"agent cmd:touch {tmp_path / 'sprung'}" in said.decode()
    assert "Go on?" in said.decode()
    assert (tmp_path / "sprung").exists() is goes_on


def test_trust_and_ones_own_runs_need_no_question(tmp_path: Path) -> None:
    run = unfinished_run(tmp_path / "run", {"name": "idle", "options": {}})
    assert proctor("runs", "resume", str(run), "--trust", "-n", "1").returncode == 0
    own = unfinished_run(tmp_path / "own", {"name": "idle", "options": {}}, started=1.0)
    remember(RunRecord.open(own).root, ROOT)
    done = proctor("runs", "resume", str(own), "-n", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_what_was_begun_is_known_by_its_whole_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = tmp_path / "proctor" / "begun.jsonl"
    assert begun_in("a" * 64) == ()
    remember("a" * 64, Path("/work/one"), Path("/work/three"))
    remember("b" * 64, Path("/work/two"))
    assert begun_in("a" * 64) == (Path("/work/one"), Path("/work/three"))
    assert begun_in("a" * 63) == begun_in("") == ()
    kept.write_bytes(b'[1]\n{"run": 3}\n\xff\n' + kept.read_bytes() + b'{"run": "torn')
    assert begun_in("b" * 64) == (Path("/work/two"),)
    kept.write_text(json.dumps({"run": "c" * 64, "folder": "/work/four"}) + "\n")
    assert begun_in("c" * 64) == (Path("/work/four"),), "as earlier versions wrote it"
    kept.chmod(0o666)
    assert begun_in("a" * 64) == (), "others could have written it"


def test_what_cannot_be_kept_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "proctor").write_text("in the way")
    remember("a" * 64, tmp_path)
    assert begun_in("a" * 64) == ()
    (tmp_path / "proctor").unlink()
    (tmp_path / "proctor").mkdir()
    (tmp_path / "proctor" / "begun.jsonl").symlink_to(tmp_path / "elsewhere")
    remember("a" * 64, tmp_path)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["report", "run"],
        ["report", "run", "--markdown"],
        ["runs", "verify", "run"],
        ["runs", "regrade", "run"],
        ["data", "export", "run", "--format", "sft", "--out", "../out"],
        ["view", "nowhere", "--no-open"],
    ],
)
def test_looking_at_a_record_starts_nothing(command: list[str], trapped: Path) -> None:
    config = {"agents": [{"name": "tests_own:Agent", "options": {}}], "rules": {"policy": "tests_own:policy"}}
    foreign_run(trapped / "run", config)
    done = proctor(*command, cwd=trapped)
    assert not sprung(trapped), done.stderr
    assert "Traceback" not in done.stderr


def test_as_a_module_nothing_of_the_current_folder_is_imported(trapped: Path) -> None:
    for name in ("proctor", "runpy", "typing"):
        # These Python itself looks for before any code of ours runs.
        (trapped / f"{name}.py").unlink()
    foreign_run(trapped / "run")
    done = proctor("report", "run", cwd=trapped, module=True)
    assert not sprung(trapped)
    assert done.returncode == 0, done.stderr


def test_workers_import_nothing_of_the_current_folder(trapped: Path, tmp_path: Path) -> None:
    (trapped / "tests_own.py").write_text(
        "from proctor import Done\nfrom proctor.agents.idle import Idle\nimport os, random\n"
        f"class Agent(Idle):\n    def start(self, brief):\n        open({str(tmp_path / 'seen')!r}, 'a').write("
        "f\"{os.environ.get('PYTHONSAFEPATH')} {random.__file__}\")\n        super().start(brief)\n"
    )
    run = unfinished_run(tmp_path / "run", {"name": "tests_own:Agent", "options": {}})
    done = proctor("runs", "resume", str(run), "--trust", "-n", "2", cwd=trapped, PYTHONPATH=f"{ROOT / 'src'}:{ROOT}")
    assert not sprung(trapped), "a file of the current folder stood before a module of Python"
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "seen").read_text() == f"None {sys.modules['random'].__file__}"
