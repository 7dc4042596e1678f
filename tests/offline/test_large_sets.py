"""The large sets, made by one command from nothing; here on the fake computer, and so small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.offline.loaders.load import load
from tests.offline.test_make import rows


def call(*args: object) -> Result:
    return CliRunner().invoke(cli, ["offline", *map(str, args)])


def made(project: Path, name: str, out: Path) -> dict[str, object]:
    fixed = ("--suite", project / "examples/tasks", "--computer", "fake", "-n", 1, "--json")
    done = call("make", "--set", name, "--out", out, *fixed)
    assert done.exit_code == 0, done.output
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_attempts_come_from_answer_keys_and_near_misses(project: Path, tmp_path: Path) -> None:
    told = made(project, "critic", tmp_path / "set")
    assert told["has"] == {"trajectories": 6, "successes": 3, "failures": 3}
    assert "300 are wanted" in str(told["short"])
    found = rows(tmp_path / "set", "critic")
    assert {row["made"] for row in found} == {"passed", "near miss"}
    assert not load("critic", tmp_path / "set/critic.jsonl").defects
    assert call("audit", tmp_path / "set").exit_code == 0
    # Its episodes are kept: whoever was interrupted goes on with them.
    (tmp_path / "set").rename(tmp_path / "first")
    made(project, "critic", tmp_path / "set")
    assert (tmp_path / "set/critic.jsonl").read_bytes() == (tmp_path / "first/critic.jsonl").read_bytes()


def test_other_options_do_not_go_on_with_what_was_begun(project: Path, tmp_path: Path) -> None:
    made(project, "critic", tmp_path / "set")
    (tmp_path / "set").rename(tmp_path / "first")
    args = ("--suite", project / "examples/tasks", "--computer", "fake", "-n", 1, "--out", tmp_path / "set")
    for options in (("--set", "critic", "--limit", 1), ("--set", "idm")):
        done = call("make", *options, *args)
        assert isinstance(done.exception, SpecError) and "other options" in str(done.exception)
    assert not (tmp_path / "set").exists()


def test_transitions_and_sequences(project: Path, tmp_path: Path) -> None:
    told = made(project, "idm", tmp_path / "set")
    has = told["has"]
    assert isinstance(has, dict) and has["transitions"] > 0 and has["sequences"] > 0


def test_elements(tmp_path: Path) -> None:
    done = call("make", "--set", "ground", "--computer", "fake", "--rounds", 2, "--out", tmp_path / "set", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["visits"] == 2
    assert "samples where 5000 are wanted" in done.stderr and "1 applications where 30" in done.stderr


@pytest.mark.parametrize("args", [(), ("--set", "ground", "--run", "."), ("--set", "nothing")])
def test_one_of_both_is_named(tmp_path: Path, args: tuple[str, ...]) -> None:
    assert call("make", *args, "--out", tmp_path / "set").exit_code == 2


def test_a_near_miss_that_a_task_has_not_is_said(project: Path, tmp_path: Path) -> None:
    args = ["run", "--suite", str(project / "examples/tasks"), "--agent", "oracle,miss=9", "--computer", "fake"]
    done = CliRunner().invoke(cli, [*args, "-n", "1", "--limit", "1", "--out", str(tmp_path / "run")])
    assert done.exit_code in (0, 4), done.output
    (result,) = [json.loads(line) for line in (tmp_path / "run/index.jsonl").read_text().splitlines()][:1]
    assert "near misses" in result.get("error", "")
