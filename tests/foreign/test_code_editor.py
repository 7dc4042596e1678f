"""Visual Studio Code in foreign tasks: files, settings and extensions count; what needs the program itself says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.suites.foreign.collection import ForeignTask
from proctor.tasks.call import Call
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from tests.foreign.files import agentstudio, judged, osworld, read_one

SCRIPT = str(files("proctor.vocabulary.desktop").joinpath("code_command.py"))
USER = "/home/user/.config/Code/User/settings.json"


def code(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(home)}
    return subprocess.run([sys.executable, "-I", SCRIPT, *words], capture_output=True, text=True, env=env, cwd=home)


def vsix(home: Path, package: object, *more: str) -> str:
    with zipfile.ZipFile(home / "x.vsix", "w") as packed:
        packed.writestr("extension/package.json", package if isinstance(package, str) else json.dumps(package))
        for name in more:
            packed.writestr(name, "x")
    return "x.vsix"


class TestCommand:
    def test_an_extension_is_installed_listed_and_removed(self, tmp_path: Path) -> None:
        assert code(tmp_path, "--list-extensions").stdout == ""
        done = code(tmp_path, "--install-extension", vsix(tmp_path, {"name": "test", "version": "0.0.1"}))
        assert done.returncode == 0 and "successfully installed" in done.stdout
        assert code(tmp_path, "--list-extensions").stdout == "undefined_publisher.test\n"
        again = vsix(tmp_path, {"name": "test", "version": "0.2.0"})
        assert code(tmp_path, f"--install-extension={again}", "--force").returncode == 0
        assert code(tmp_path, "--list-extensions", "--show-versions").stdout == "undefined_publisher.test@0.2.0\n"
        assert code(tmp_path, "--uninstall-extension", "Undefined_Publisher.Test").returncode == 0
        assert code(tmp_path, "--list-extensions").stdout == ""
        assert code(tmp_path, "--uninstall-extension", "undefined_publisher.test").returncode == 1

    def test_there_is_no_marketplace(self, tmp_path: Path) -> None:
        done = code(tmp_path, "--install-extension", "ms-python.python")
        assert (done.returncode, done.stdout) == (1, "")
        assert "no marketplace" in done.stderr

    @pytest.mark.parametrize("package", ["{", "[]", {"version": "1"}, {"name": "../../x"}, {"name": "a b"}])
    def test_what_is_no_extension_is_refused(self, tmp_path: Path, package: object) -> None:
        assert code(tmp_path, "--install-extension", vsix(tmp_path, package)).returncode == 1
        assert not (tmp_path / ".vscode").exists()

    def test_nothing_is_unpacked_outside_its_folder(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        home.mkdir()
        name = vsix(
            home, {"name": "t", "publisher": "p", "version": "1"}, "extension/../../../../out.txt", "extension/in.txt"
        )
        assert code(home, "--install-extension", name).returncode == 0
        assert (home / ".vscode/extensions/p.t-1/in.txt").exists()
        assert not list(tmp_path.rglob("out.txt"))

    def test_it_says_what_it_is(self, tmp_path: Path) -> None:
        assert "stands in for Visual Studio Code" in code(tmp_path, "--version").stdout


def reasons(found: ForeignTask) -> str:
    return "; ".join(f"{reason.status}: {reason.why}" for reason in found.reasons)


def plain(call: Call) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in call.arguments.items()}


def steps_of(found: ForeignTask) -> list[tuple[str, dict[str, Any]]]:
    assert found.make is not None, reasons(found)
    return [(call.name, plain(call)) for call in found.make().setup]


def launched(command: Any, **more: Any) -> dict[str, Any]:
    return {**more, "config": [{"type": "launch", "parameters": {"command": command}}]}


SETTINGS = judged(
    "check_json_settings",
    {"type": "vm_file", "path": USER},
    {"type": "rule", "rules": {"expected": {"editor.wordWrapColumn": 50}}},
)["evaluator"]
LISTED = {"type": "vm_command_line", "command": ["code", "--list-extensions", "|", "grep", "p.t"]}


def listed(kind: str) -> dict[str, Any]:
    return judged("is_extension_installed", LISTED, {"type": "rule", "rules": {"type": kind, "expected": "p.t"}})


class TestOSWorld:
    def test_settings_are_judged_by_their_file(self, tmp_path: Path) -> None:
        found = read_one(tmp_path, osworld(evaluator=SETTINGS, **launched(["code"], related_apps=["vscode"])))
        assert found.status == "ready"
        assert [name for name, _ in steps_of(found)] == ["other_names", "code_command", "launch"]
        assert steps_of(found)[-1][1] == {"argv": ["code"], "window": "Mousepad"}

    @pytest.mark.parametrize(
        ("command", "window"),
        [
            (["code", "/home/user/project/"], "project"),
            (["code", "/home/user/a.py"], "a.py"),
            (["code", "--new-window"], "Mousepad"),
        ],
    )
    def test_what_is_opened_is_waited_for(self, tmp_path: Path, command: list[str], window: str) -> None:
        found = read_one(tmp_path, osworld(evaluator=SETTINGS, **launched(command)))
        assert steps_of(found)[-1] == ("launch", {"argv": command, "window": window})

    def test_tasks_about_something_else_find_no_code(self, tmp_path: Path) -> None:
        found = read_one(tmp_path, {**osworld(), "config": [], "instruction": "Decode it."})
        assert [name for name, _ in steps_of(found)] == ["other_names"]

    def test_an_extension_of_the_marketplace_is_there_by_name(self, tmp_path: Path) -> None:
        step = {"type": "command", "parameters": {"command": ["code", "--install-extension", "ms-python.python"]}}
        found = read_one(tmp_path, osworld(evaluator=SETTINGS, config=[step]))
        assert ("code_extension", {"id": "ms-python.python"}) in steps_of(found)
        line = {
            "type": "execute",
            "parameters": {"command": "code --install-extension a.b@1.2 && touch x", "shell": True},
        }
        found = read_one(tmp_path, osworld(evaluator=SETTINGS, config=[line]))
        assert ("code_extension", {"id": "a.b", "version": "1.2"}) in steps_of(found)
        assert steps_of(found)[-1][1]["argv"][-1] == "true && touch x"

    def test_an_extension_at_work_needs_the_program(self, tmp_path: Path) -> None:
        step = {"type": "command", "parameters": {"command": ["code", "--install-extension", "esbenp.prettier"]}}
        found = read_one(tmp_path, osworld(config=[step]))
        assert "needs application: Visual Studio Code with the extension esbenp.prettier at work" in reasons(found)

    def test_what_is_open_in_it_needs_the_program(self, tmp_path: Path) -> None:
        getter = {"type": "vscode_config", "vscode_extension_command": "OpenProject", "path": "/home/user/o.txt"}
        found = read_one(tmp_path, judged("compare_config", getter, {"type": "rule", "rules": {"expected": "p"}}))
        assert "needs application: Visual Studio Code itself" in reasons(found)

    def test_an_extension_comes_from_a_file_or_from_the_internet(self, tmp_path: Path) -> None:
        assert "needs internet: the extension p.t comes from the marketplace" in reasons(
            read_one(tmp_path, listed("contain"))
        )
        assert read_one(tmp_path, listed("not_contain")).status == "ready"
        file = {"url": "https://f.example/t.vsix", "path": "/home/user/t.vsix"}
        task = {**listed("contain"), "config": [{"type": "download", "parameters": {"files": [file]}}]}
        assert read_one(tmp_path, task).status == "needs asset"

    def test_what_is_listed_holds_a_piece_or_lacks_it(self, tmp_path: Path) -> None:
        check = read_one(tmp_path, listed("not_contain")).make().check  # type: ignore[misc]
        assert (check.name, plain(check)["none"]) == ("text_includes", ["p.t"])
        assert check.arguments["of"].arguments["argv"][-1] == "code --list-extensions | grep p.t"
        assert "not judged yet" in reasons(read_one(tmp_path, listed("resembles")))


class TestAgentStudio:
    @staticmethod
    def task(evaluation: dict[str, Any], *reset: dict[str, Any]) -> dict[str, Any]:
        return agentstudio(eval_procedure=[evaluation], reset_procedure=list(reset))

    @staticmethod
    def call(evaluator: str, function: str, **params: Any) -> dict[str, Any]:
        return {"evaluator": evaluator, "function": function, "params": params}

    def test_extensions_are_set_up_and_judged(self, tmp_path: Path) -> None:
        gone = self.call("vscode", "extension_installed", extension_id="p.t", exists=False)
        reset = [self.call("vscode", "install_extension", extension_id="p.t@1.0.0")]
        found = read_one(tmp_path, self.task(gone, *reset), "agentstudio")
        assert ("code_extension", {"id": "p.t", "version": "1.0.0"}) in steps_of(found)
        check = found.make().check  # type: ignore[misc]
        assert (check.name, plain(check)["none"]) == ("lines_match", [r"(?i)^p\.t@"])

    def test_what_only_others_know_is_said(self, tmp_path: Path) -> None:
        there = self.call("vscode", "extension_installed", extension_id="p.t")
        assert "marketplace" in reasons(read_one(tmp_path, self.task(there), "agentstudio"))
        dated = self.call("vscode", "extension_installed", extension_id="p.t", exists=False, published_before="2024")
        assert "not judged yet" in reasons(read_one(tmp_path, self.task(dated), "agentstudio"))
        disabled = self.call("vscode", "is_extension_disabled", extensions=[])
        assert "needs application" in reasons(read_one(tmp_path, self.task(disabled), "agentstudio"))

    def test_code_runs_by_its_name(self, tmp_path: Path) -> None:
        found = read_one(tmp_path, self.task(self.call("process", "match_process", name="code")), "agentstudio")
        assert [name for name, _ in steps_of(found)] == ["other_names", "code_command"]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('// mine\n{"a": {"b": [1, 2,]}, /* two\n */ "url": "http://x.example",}', 1.0),
        ('{"a": {"b": [1]}, "url": "http://x.example"}', 0.0),
        ("// nothing else", 0.0),
        ('{"a": {"b": [1, 2]}, "url": "http:', 0.0),
    ],
)
def test_settings_may_hold_comments(text: str, score: float, tmp_path: Path) -> None:
    entries = {"a": {"b": [1, 2]}, "url": "http://x.example"}
    params = {"path": "${AS_HOME}/.config/Code/User/settings.json", "settings": entries}
    steps = [{"evaluator": "filesystem", "function": "check_json_settings", "params": params}]
    found = read_one(tmp_path, agentstudio(eval_procedure=steps), "agentstudio")
    assert found.make is not None
    computer = FakeComputer()
    computer.start()
    computer.write_file("/home/user/.config/Code/User/settings.json", text.encode())
    assert judge(found.make(), computer, Ending()).score == score
