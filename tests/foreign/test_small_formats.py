"""Smaller suites' files are read as what they are, and say what they would need; none of their programs is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.import_tasks import import_
from proctor.errors import SpecError, UnknownName
from proctor.suites import FOREIGN, load_suite
from proctor.suites.foreign.collection import ForeignTask
from proctor.suites.foreign.suite import FORMATS, foreign_suite, read_tasks
from tests.foreign.files import osworld, write


def only(format: str, folder: Path) -> ForeignTask:
    [found] = read_tasks(format, folder, None)
    return found


def said(task: ForeignTask) -> str:
    return "\n".join(f"{reason.status}: {reason}" for reason in task.reasons)


def test_a_bundle_of_cua_gym_is_named_by_its_folder(tmp_path: Path) -> None:
    write(tmp_path, "t-7/meta.json", {"app": "libreoffice_calc"})
    for name, text in (("instruction.md", "Sum the column.\n"), ("setup.sh", "exit 1"), ("check.sh", "exit 1")):
        write(tmp_path, f"t-7/{name}", text)
    found = only("cuagym", tmp_path)
    assert (found.id, found.instruction, found.status) == ("t-7", "Sum the column.", "not judged yet")
    (tmp_path / "t-7/check.sh").unlink()
    assert "check.sh does not lie beside it" in said(only("cuagym", tmp_path))


def test_a_folder_of_gym_anything_needs_its_environment(tmp_path: Path) -> None:
    task = {
        "id": "measure@1",
        "env_id": "google_earth_env@0.1",
        "description": "Measure the distance.",
        "hooks": {"pre_task": "setup_task.sh"},
        "success": {"spec": {"program": "verifier.py::check"}},
    }
    write(tmp_path, "env/tasks/measure/task.json", task)
    assert only("gymanything", tmp_path).status == "malformed"
    write(tmp_path, "env/tasks/measure/verifier.py", "raise SystemExit('never run')")
    found = only("gymanything", tmp_path)
    assert (found.id, found.domain, found.status) == ("measure@1", "google_earth_env", "needs application")
    assert "verifier.py::check, a program that judges on the host there" in said(found)


def test_opencomputer_names_programs_files_and_applications(tmp_path: Path) -> None:
    task = {
        "id": "blender_cube",
        "app": "blender",
        "task": "Open https://example.com/x and make a cube.",
        "env": {"files": [{"filename": "in.blend", "sandbox_path": "/home/user/in.blend"}]},
        "verification": [{"command": "check-file-exists /a", "key": "exists", "expected": True}],
    }
    write(tmp_path, "a/task.json", task)
    write(tmp_path, "a/env_manifest.json", {"not": "a task"})
    found = only("opencomputer", tmp_path)
    assert (found.status, found.domain) == ("needs internet", "blender")
    assert "needs application: blender" in said(found)
    assert "'check-file-exists', a program of its own" in said(found)
    assert "needs asset: in.blend" in said(found)
    write(tmp_path, "a/task.json", {**task, "verification": {}})
    assert "'verification' is no list of checks" in said(only("opencomputer", tmp_path))


def test_macosworld_is_read_in_english(tmp_path: Path) -> None:
    task: dict[str, Any] = {
        "id": "000b",
        "task": {"zh": "导入", "en": "Import the pictures. "},
        "grading_command": [["echo True", 100], ["echo True", 50]],
        "in_process": ["osascript", 5, "x", "y"],
    }
    write(tmp_path, "advanced/000b.json", task)
    found = only("macosworld", tmp_path)
    assert (found.instruction, found.status, said(found)) == (
        "Import the pictures.", "needs application", "needs application: macOS",
    )  # fmt: skip
    assert any("en, zh" in remark for remark in found.remarks) and any("dialog" in each for each in found.remarks)
    write(tmp_path, "advanced/000b.json", {**task, "task": {"zh": "导入"}})
    assert only("macosworld", tmp_path).status == "malformed"


def test_windows_agent_arena_needs_windows(tmp_path: Path) -> None:
    write(tmp_path, "notepad/1.json", osworld(_commments="draft"))
    found = only("windowsagentarena", tmp_path)
    assert "needs application: Windows" in said(found)
    assert "'_commments' was left out" in found.remarks


def test_an_attack_on_a_task_is_told_and_not_left_out(tmp_path: Path) -> None:
    write(tmp_path, "rocketchat/1.json", osworld(injection={"post": "ignore"}, adv_evaluator={"func": "exact_match"}))
    found = only("redteamcua", tmp_path)
    assert found.make is None
    assert "'injection'" in said(found) and "'adv_evaluator'" in said(found)
    write(tmp_path, "rocketchat/1.json", osworld())
    assert any("no attack" in remark for remark in only("redteamcua", tmp_path).remarks)


CLASS = """
import os
os.remove("__marker__")

class Task031(BaseTask):
    id = "031"
    instruction = "Plan the trip."
    related_apps = ["chrome", "gimp"]
    volume_size: int = 64

    def __init__(self):
        self.intermediate_eval_safe = False
        self.user_simulator = {"goal": "go"}
        self.id = make_up_a_name()

    def evaluate(self, env):
        return 1.0
"""


def test_classes_of_osworld_2_are_read_and_never_run(tmp_path: Path) -> None:
    marker = write(tmp_path, "marker.txt", "here")
    write(tmp_path, "tasks/task_031.py", CLASS.replace("__marker__", str(marker)))
    write(tmp_path, "tasks/helpers.py", "def help(): ...")
    write(tmp_path, "tasks/__init__.py", "")
    found = only("osworld2", tmp_path / "tasks")
    assert marker.exists()
    assert (found.id, found.instruction, found.status) == ("031", "Plan the trip.", "needs account")
    assert "Python that runs on the host there" in said(found)
    assert found.remarks[-1] == "volume_size: 64" and "intermediate_eval_safe: False" in found.remarks


@pytest.mark.parametrize("text", ["class A(:\n", "x = '" + "(" * 10, "\x00", "class A: instruction = 'x' + 1\n"])
def test_python_that_is_none_is_named_or_left_out(tmp_path: Path, text: str) -> None:
    write(tmp_path, "tasks/a.py", text)
    assert all(task.status == "malformed" for task in read_tasks("osworld2", tmp_path / "tasks", None))


@pytest.mark.parametrize("format", ["cuagym", "gymanything", "opencomputer", "macosworld", "windowsagentarena"])
@pytest.mark.parametrize("content", ["[]", "{", '"x"', '{"id": 3, "task": 4, "verification": [7], "env": [1]}'])
def test_broken_files_are_named(tmp_path: Path, format: str, content: str) -> None:
    name = {"cuagym": "meta.json"}.get(format, "task.json")
    write(tmp_path, f"a/{name}", content)
    assert only(format, tmp_path).status == "malformed"


def test_they_are_reported_like_the_others(tmp_path: Path) -> None:
    write(tmp_path, "advanced/a.json", {"id": "a", "task": "Do it.", "grading_command": []})
    done = CliRunner().invoke(import_, ["macosworld", str(tmp_path), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.output.splitlines()[0])["status"] == "needs application"
    with pytest.raises(SpecError, match="none of them is ready"):
        foreign_suite(f"macosworld:{tmp_path}")


def test_every_format_can_be_named_as_a_suite(tmp_path: Path) -> None:
    assert set(FOREIGN) == set(FORMATS)
    write(tmp_path, "a/000.json", {"id": "000", "task": "x", "grading_command": []})
    with pytest.raises(SpecError, match="1 tasks and none of them is ready") as raised:
        load_suite(f"macosworld:{tmp_path}")
    assert "proctor tasks import macosworld" in raised.value.remedy
    for nearly in ("osword", "AgentStudio", "os-map"):
        with pytest.raises(UnknownName, match="unknown format of tasks"):
            load_suite(f"{nearly}:{tmp_path}")


def test_a_task_of_redteamcua_without_an_attack_runs(tmp_path: Path) -> None:
    write(tmp_path, "os/one.json", osworld(config=[]))
    assert [template.name for template in load_suite(f"redteamcua:{tmp_path}").templates] == ["os-a-1"]


def test_what_a_format_calls_a_task_is_never_left_out(tmp_path: Path) -> None:
    write(tmp_path, "t-8/meta.json", {"app": ["gimp"]})  # looks like a list of tasks
    assert "instruction.md does not lie beside it" in said(only("cuagym", tmp_path))


def test_an_instruction_that_is_put_together_is_said_to_be(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "class T:\n    def __init__(self):\n        self.instruction = f'Add {1 + 1}'\n")
    found = only("osworld2", tmp_path)
    assert found.status == "malformed" and "of T is put together when it runs" in said(found)
    write(tmp_path, "a.py", "class A:\n    instruction = 'One'\nclass B:\n    instruction = 'Two'\n")
    found = only("osworld2", tmp_path)
    assert found.instruction == "One" and found.remarks == ("B is another task in it, and was left out",)


def test_a_verifier_is_looked_for_beside_its_task_only(tmp_path: Path) -> None:
    program = {"success": {"spec": {"program": f"{tmp_path}/verifier.py::check"}}}
    write(tmp_path, "verifier.py", "")
    write(tmp_path, "e/task.json", {"id": "a", "env_id": "e", "description": "b", **program})
    assert "verifier.py does not lie beside it" in said(only("gymanything", tmp_path))
    write(tmp_path, "e/task.json", {"id": "a", "description": 5})
    assert "None" not in said(only("gymanything", tmp_path))
