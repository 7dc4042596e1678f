"""`harbor run` on real desktops: the oracle earns 1, an agent that does nothing earns 0."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from proctor.interop.harbor.folders import write_folders
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.suites import load_suite
from tests.interop.elsewhere.running import PROJECT

ENVIRONMENT = "proctor.interop.harbor:ProctorEnvironment"
NAMES = ("sign-the-letter", "sort-the-downloads", "extract-one-report")


def with_tests() -> dict[str, str]:
    """Return an environment in which Harbor finds the agents of these tests."""
    return {**os.environ, "PYTHONPATH": str(PROJECT)}


def words(folder: Path, jobs: Path, *more: str) -> list[str]:
    command = [str(Path(sys.executable).with_name("harbor")), "run", "-p", str(folder), "-e", ENVIRONMENT, "-y"]
    return [*command, "-n", "1", "--jobs-dir", str(jobs), "--ek", "look=light", *more]


def harbor(folder: Path, jobs: Path, *more: str) -> dict[str, Any]:
    done = subprocess.run(words(folder, jobs, *more), capture_output=True, text=True, timeout=600, env=with_tests())
    results = [json.loads(path.read_text()) for path in jobs.glob("*/*/result.json")]
    assert results, done.stdout + done.stderr
    return {one["task_name"]: one for one in results}


def test_the_oracle_earns_one(tmp_path: Path) -> None:
    suite = load_suite("tour")
    write_folders("tour", [suite.task(name) for name in NAMES], tmp_path / "tasks")
    found = harbor(tmp_path / "tasks", tmp_path / "jobs", "-a", "oracle")
    assert len(found) == 3
    for one in found.values():
        assert one["exception_info"] is None, one["exception_info"]
        assert one["verifier_result"]["rewards"] == {"reward": 1.0, "clean": 1.0}
    assert len(list(tmp_path.glob("jobs/*/*/agent/oracle.txt"))) == 3


@pytest.mark.parametrize("more", [(), ("--verifier", "proctor.interop.harbor:ProctorVerifier")])
def test_doing_nothing_earns_nothing(tmp_path: Path, more: tuple[str, ...]) -> None:
    write_folders("tour", [load_suite("tour").task("sign-the-letter")], tmp_path / "tasks")
    (one,) = harbor(tmp_path / "tasks", tmp_path / "jobs", "-a", "nop", *more).values()
    assert one["verifier_result"]["rewards"] == {"reward": 0.0, "clean": 0.0}


SIGN = "printf 'Lucia Ferrari' >> ~/Documents/letter.txt"
AGENT = ("-a", "tests.interop.elsewhere.shell_agent:ShellAgent")


def test_commands_of_an_agent_are_steps_of_a_record_and_its_side_effects_count(tmp_path: Path) -> None:
    write_folders("tour", [load_suite("tour").task("sign-the-letter")], tmp_path / "tasks")
    commands = [SIGN, "touch ~/Documents/other.txt", "cat ~/Documents/letter.txt"]
    more = [*AGENT, "--ak", f"commands={' ;; '.join(commands)}"]
    run = tmp_path / "run"
    (one,) = harbor(
        tmp_path / "tasks", tmp_path / "jobs", *more, "--ek", f"out={run}", "--ek", "agent=shell", "--ek", "steps=2"
    ).values()
    assert one["exception_info"] is None, one["exception_info"]
    assert one["verifier_result"]["rewards"]["clean"] == 0.0
    (told,) = (json.loads(path.read_text()) for path in tmp_path.glob("jobs/*/*/verifier/proctor.json"))
    assert (told["side_effects"], told["stop"]) == (1, "step_limit")
    (said,) = (path.read_text() for path in tmp_path.glob("jobs/*/*/agent/2.txt"))
    assert said == "1\nThe task has ended (step limit).\n"
    record = RunRecord.open(run)
    assert record.sealed and not verify(run)
    (result,) = record.results()
    assert (result.key.agent, result.steps, result.clean) == ("shell", 2, False)
    steps = [step for step in open_episode(run / result.folder).steps() if step.action]
    assert [step.action["code"] for step in steps if step.action] == commands[:2]


def test_a_job_that_is_ended_leaves_a_sealed_record(tmp_path: Path) -> None:
    write_folders("tour", [load_suite("tour").task("sign-the-letter")], tmp_path / "tasks")
    run = tmp_path / "run"
    more = ["--ek", f"out={run}", *AGENT, "--ak", "commands=touch /tmp/here ;; sleep 60"]
    command = words(tmp_path / "tasks", tmp_path / "jobs", *more)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=with_tests()) as job:
        until = time.monotonic() + 120
        while not list(tmp_path.glob("jobs/*/*/agent/0.txt")):
            assert time.monotonic() < until and job.poll() is None
            time.sleep(0.5)
        job.terminate()
        job.wait(120)
    record = RunRecord.open(run)
    assert record.sealed and not verify(run)
    (result,) = record.results()
    assert result.void and result.acted
