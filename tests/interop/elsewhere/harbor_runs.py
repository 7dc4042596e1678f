"""`harbor run` on real desktops: the oracle earns 1, an agent that does nothing earns 0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from proctor.interop.harbor.folders import write_folders
from proctor.suites import load_suite

ENVIRONMENT = "proctor.interop.harbor:ProctorEnvironment"
NAMES = ("sign-the-letter", "sort-the-downloads", "extract-one-report")


def harbor(folder: Path, jobs: Path, *more: str) -> dict[str, Any]:
    command = [str(Path(sys.executable).with_name("harbor")), "run", "-p", str(folder), "-e", ENVIRONMENT, "-y"]
    command += ["-n", "1", "--jobs-dir", str(jobs), "--ek", "look=light", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
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
