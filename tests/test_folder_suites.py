"""A folder as a suite: task files and templates of one's own, without a package."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor import load_suite
from proctor.cli.tasks import tasks
from proctor.errors import ProctorError, SpecError, UnknownName
from proctor.prove.scaffold import scaffold
from proctor.suites.folder import folder_suite
from proctor.suites.lint import lint_suite, lint_task
from proctor.tasks.load import task_from_json


@pytest.fixture
def folder(project: Path, tmp_path: Path) -> Path:
    """A copy of the example folder."""
    return Path(shutil.copytree(project / "examples" / "tasks", tmp_path / "My Tasks"))


def listed(*args: str) -> list[str]:
    outcome = CliRunner().invoke(tasks, ["list", *args, "--json"], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return [json.loads(line)["id"] for line in outcome.output.splitlines()]


def test_task_files_and_templates_are_found(folder: Path) -> None:
    suite = load_suite(folder)
    assert (suite.name, suite.assets) == ("my-tasks", folder)
    assert [suite.id(template) for template in suite.templates] == ["tasks/buy-eggs-v1", "my-tasks/thank-the-host-v1"]
    assert [str(remark) for remark in lint_suite(suite)] == []


def test_seeds_change_templates_and_not_what_was_written_by_hand(folder: Path) -> None:
    found = list(load_suite(str(folder)).tasks(range(3)))
    assert [task.seed for task in found] == [None, 0, 1, 2]
    assert len({task.digest for task in found}) == 4


def test_commands_take_a_folder(folder: Path) -> None:
    expected = ["tasks/buy-eggs-v1", "my-tasks/thank-the-host-v1"]
    assert listed(str(folder)) == listed("--suite", str(folder)) == expected
    assert listed("thank-the-host", "--suite", str(folder)) == expected[1:]
    shown = CliRunner().invoke(tasks, ["show", "buy-eggs-v1", "--suite", str(folder)], catch_exceptions=False)
    assert "Add eggs" in shown.output
    linted = CliRunner().invoke(tasks, ["lint", str(folder)], catch_exceptions=False)
    assert (linted.exit_code, linted.output) == (0, "no problems found\n")


def test_a_folder_below_the_current_one_is_found_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert load_suite("My Tasks").name == "my-tasks"
    shutil.copytree(folder, folder.parent / "core")
    assert len(load_suite("core").templates) > 100
    assert len(load_suite("./core").templates) == 2


def test_other_files_are_left_alone(folder: Path) -> None:
    (folder / "script.py").write_text("raise SystemExit('run by mistake')")
    (folder / "test_template.py").write_text("raise SystemExit('run by mistake')")
    (folder / "assets").mkdir()
    (folder / "assets" / "data.json").write_text("[]")
    assert len(load_suite(folder).templates) == 2


def refused(folder: Path) -> ProctorError:
    with pytest.raises(SpecError) as caught:
        list(folder_suite(folder).tasks())
    assert caught.value.remedy
    return caught.value


def test_what_is_wrong_is_named_with_its_place(folder: Path) -> None:
    template = folder / "templates.py"
    text = template.read_text()
    template.write_text(text.replace("draw.people(2)", "draw.peple(2)"))
    line = text[: text.index("draw.people")].count("\n") + 1
    assert f"templates.py:{line}: template 'thank-the-host': AttributeError" in refused(folder).message


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("broken.py", "# template\nimport\n", "broken.py:2: it cannot be loaded: SyntaxError"),
        ("broken.py", "# template\n\n1 / 0\n", "broken.py:3: it cannot be loaded: ZeroDivisionError"),
        ("broken.json", "{", "broken.json:1: it is not valid JSON"),
        ("other.json", "[1]", "other.json:1: a task is an object"),
    ],
)
def test_files_that_cannot_be_read(folder: Path, name: str, content: str, said: str) -> None:
    (folder / name).write_text(content)
    assert said in refused(folder).message


def test_two_tasks_with_one_id(folder: Path) -> None:
    shutil.copy(folder / "buy-eggs.json", folder / "copy.json")
    assert "belongs to" in refused(folder).message


def test_nothing_to_run(tmp_path: Path) -> None:
    assert "neither a task file" in refused(tmp_path).message
    assert "there is no folder" in refused(tmp_path / "nowhere").message
    with pytest.raises(UnknownName):
        load_suite("nowhere")


def test_a_folder_is_named_alone(folder: Path) -> None:
    with pytest.raises(SpecError, match="among other tasks") as caught:
        listed(str(folder), "thank-the-host")
    assert f"--suite '{folder}'" in caught.value.remedy


# What lint finds without a computer.


@pytest.fixture
def task(tmp_path: Path) -> dict[str, Any]:
    path, _ = scaffold(tmp_path / "mine" / "buy-eggs")
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def remarks(task: dict[str, Any]) -> list[str]:
    return [remark.message for remark in lint_task(task_from_json(task))]


def test_a_new_task_is_right(task: dict[str, Any]) -> None:
    assert remarks(task) == []


def test_an_unknown_role_and_key(task: dict[str, Any]) -> None:
    task["solution"][0] = {"move": "press", "keys": "ctrl+Edn"}
    task["near_misses"][0]["moves"].append({"move": "click", "role": "push buton", "name": "Save"})
    found = remarks(task)
    assert "press: unknown key 'Edn'; did you mean 'end'?" in found
    assert "click: no element has the role 'push buton'; did you mean 'push button'?" in found


def test_a_changed_file_that_nobody_expects(task: dict[str, Any]) -> None:
    del task["expected"]
    assert remarks(task) == [
        "its check wants Documents/shopping.txt changed, and `expected` names no file that it may change"
    ]


def test_a_file_that_is_to_stay_needs_no_expectation(task: dict[str, Any]) -> None:
    del task["expected"]
    task["check"]["text"] = task["setup"][0]["text"]
    assert remarks(task) == []
