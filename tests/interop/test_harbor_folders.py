"""Tasks as Harbor's folders: complete, readable, and without checks or answer keys."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.interop.harbor.folders import SPEC, read_spec, write_folders
from proctor.suites import load_suite


def test_the_command_writes_a_folder_for_each_task(tmp_path: Path) -> None:
    command = ["tasks", "export", "sign-the-letter", "--suite", "tour", "--format", "harbor"]
    told = CliRunner().invoke(cli, [*command, "--out", str(tmp_path / "out"), "--seed", "0", "--seed", "3"])
    assert told.exit_code == 0, told.output
    folders = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert folders == ["sign-the-letter-v1-0", "sign-the-letter-v1-3"]
    folder = tmp_path / "out" / folders[1]
    config = tomllib.loads((folder / "task.toml").read_text())
    assert config["task"]["name"] == "proctor/sign-the-letter-v1-3"
    assert config["environment"]["network_mode"] == "no-network"
    suite, name, seed = read_spec(folder / "environment")
    task = load_suite(suite).task(name, seed)
    assert task.digest == json.loads((folder / "environment" / SPEC).read_text())["digest"]
    assert (folder / "instruction.md").read_text().startswith(task.instruction)
    assert (folder / "tests/test.sh").stat().st_mode & 0o111
    assert (folder / "solution/solve.sh").stat().st_mode & 0o111


def test_no_answer_key_leaves_the_house(tmp_path: Path) -> None:
    tasks = list(load_suite("tour").tasks())
    write_folders("tour", tasks, tmp_path / "out")
    for task in tasks:
        key = [word for call in task.solution for word in json.dumps(call.to_json()).split('"') if len(word) > 30]
        written = "".join(path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file())
        assert not [word for word in key if word in written and word not in task.instruction]


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="exists already"):
        write_folders("tour", [], tmp_path)
    with pytest.raises(SpecError, match="no task"):
        write_folders("tour", [], tmp_path / "out")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"suite": 3, "task": "x"}', '{"suite": "tour"}'])
def test_folders_of_others_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "proctor.json").write_text(text)
    with pytest.raises(SpecError):
        read_spec(tmp_path)
    with pytest.raises(SpecError, match="proctor tasks export"):
        read_spec(tmp_path / "nowhere")
