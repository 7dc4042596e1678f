"""OmniBench's records are read as what they are; ours can be run, and of others it is said what they lack."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.import_tasks import import_
from proctor.cli.old_names import renew
from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose_with
from proctor.graphs.omnibench.folder import number_tasks, write_composed
from proctor.graphs.omnibench.task_lines import lines_of
from proctor.suites.foreign.collection import ForeignTask
from proctor.suites.foreign.suite import foreign_suite, read_tasks
from proctor.suites.pool import POOL
from tests.foreign.files import write

EXCEL = {
    "id": "s1",
    "instruction_template": "Open '{xlsx_path}', select all and copy it.",
    "application": "Excel",
    "available_parameters": [{"xlsx_path": "C:\\Users\\user\\rates.xlsx"}],
    "OS": "Windows",
    "input_resources": ["xlsx_path"],
    "output_resources": ["table_in_clipboard"],
}
CALC = {**EXCEL, "application": "libreoffice-calc", "OS": "Linux"}
TASK = {
    "task_instruction": "Copy the rates.",
    "dag": {"nodes": ["s1"], "edges": {"s1": []}},
    "task_intent": "The rates are copied",
    "successful_topo": [["s1"]],
}
CLICKED = """
from collections import namedtuple
EvalResult = namedtuple('EvalResult', ['success', 'message', 'progress'])
def evaluate_agent_task_completion(xlsx_path: str) -> EvalResult:
    if not check_file_exists(file_path=xlsx_path):
        return EvalResult(False, "no file", 0/2)
    if not check_mouse_clicks(text='Copy'):
        return EvalResult(False, "not clicked", 1/2)
    return EvalResult(True, "done", 2/2)
"""
SAVED = CLICKED.replace("check_mouse_clicks(text='Copy')", "check_file_exists(f'{xlsx_path}.bak')")


@pytest.fixture(scope="module")
def composed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("omnibench")
    write_composed(folder, number_tasks(compose_with(lines_of, POOL, count=25, seed=3)))
    return folder


def found_in(folder: Path) -> dict[tuple[str, str], ForeignTask]:
    return {(one.kind, one.id): one for one in read_tasks("omnibench", folder, None)}


def said(task: ForeignTask) -> str:
    return "\n".join(f"{reason.status}: {reason.why}" for reason in task.reasons)


def foreign(folder: Path, **files: object) -> dict[tuple[str, str], ForeignTask]:
    for name, data in files.items():
        write(folder, f"{name}.json", data)
    return found_in(folder)


def test_what_we_write_can_be_run(composed: Path) -> None:
    found = found_in(composed)
    assert {kind for kind, _ in found} == {"task", "subtask", "evaluation"}
    assert [said(one) for one in found.values() if one.reasons] == []
    suite = foreign_suite(f"omnibench:{composed}")
    assert len(suite.templates) == 25
    written = [lines.task for lines in compose_with(lines_of, POOL, count=25, seed=3)]
    for number, (task, record) in enumerate(zip(suite.tasks(), written, strict=True)):
        assert task.id == f"omnibench/task-{number}-v1" and task.instruction == record.task_instruction
        assert task.graph and not task.solution and task.source
        assert {node.id for node in task.graph.nodes} == set(record.dag.nodes)
        assert task.setup and task.check


def test_the_old_name_of_the_command_is_understood(composed: Path) -> None:
    words, hints = renew(["convert", "omnibench", str(composed), "--report", "--json"])
    assert words[:2] == ["tasks", "import"] and "tasks import" in hints[0]
    result = CliRunner().invoke(import_, words[2:])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(line["status"] == "ready" for line in lines)
    totals = json.loads(result.stderr)
    assert totals["tasks"] == totals["records"]["task"] == 25
    assert totals["records"]["subtask"] == totals["records"]["evaluation"] > 25
    shown = CliRunner().invoke(import_, words[2:-1])
    assert "25 tasks, " in shown.stdout and "evaluation records" in shown.stdout


def test_theirs_say_what_they_lack(tmp_path: Path) -> None:
    found = foreign(tmp_path, subtasks=[EXCEL], tasks=[TASK])
    assert found["task", "0"].status == "needs application"
    assert "Excel on Windows" in said(found["task", "0"])
    found = foreign(tmp_path, subtasks=[CALC])
    assert "not judged yet: subtask s1: there is no evaluation of it" in said(found["task", "0"])
    assert "needs asset: what is there when it begins: xlsx_path" in said(found["task", "0"])
    (tmp_path / "s1.txt").write_text(CLICKED)
    found = found_in(tmp_path)
    assert "check_mouse_clicks: what was done, and not what came of it" in said(found["task", "0"])
    assert found["evaluation", "s1"].status == "not judged yet"
    (tmp_path / "s1.txt").write_text(SAVED)
    (one,) = (each for each in foreign(tmp_path, tasks=[{**TASK, "proctor": {"setup": []}}]).values() if each.make)
    assert one.make
    check = one.make().check.key
    assert "rates.xlsx" in check and ".bak" in check
    with pytest.raises(SpecError, match="none of them is ready"):
        foreign_suite(f"omnibench:{_only_subtasks(tmp_path / 'other')}")


def _only_subtasks(folder: Path) -> Path:
    write(folder, "subtasks.json", [CALC])
    return folder


def test_a_folder_may_hold_records_by_id_or_one_each(tmp_path: Path) -> None:
    found = foreign(tmp_path, subtasks={"s1": {key: CALC[key] for key in CALC if key != "id"}}, t7=TASK)
    assert set(found) == {("subtask", "s1"), ("task", "t7")}
    assert all(one.status != "malformed" for one in found.values())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"dag": {"nodes": [], "edges": {}}}, "its graph has no subtasks"),
        ({"dag": {"nodes": ["s1", "s1"], "edges": {}}}, "its graph has s1 twice"),
        ({"dag": {"nodes": ["s1", "s2"], "edges": {"s1": ["s2"], "s2": ["s1"]}}}, "its graph: "),
        ({"dag": {"nodes": ["s1"], "edges": {"s1": ["s9"]}}}, "its edges name s9, which its graph does not have"),
        ({"dag": {"nodes": [f"x{number}" for number in range(14)], "edges": {}}}, "x9 and 4 more"),
        ({"dag": "s1"}, "dag: "),
        ({"dag": {"nodes": ["s1", "s2"], "edges": {"s1": ["s2"]}}, "successful_topo": [["s2", "s1"]]}, "1 of its 1 "),
        ({"task_instruction": None}, "task_instruction: "),
        ({"proctor": {"setup": [{"setup": "no-such-step"}]}}, "cannot be used"),
        ({"proctor": {"setup": "all"}}, "cannot be used"),
        ({"proctor": {"setup": [], "last": [["s1"]]}}, "cannot be used"),
        ({"proctor": {"setup": [], "last": [["s1", "s9"]]}}, "cannot be used"),
        ({"proctor": {"setup": [], "patience": "long"}}, "cannot be used"),
    ],
)
def test_bad_tasks_are_told_as_such(tmp_path: Path, change: Mapping[str, Any], why: str) -> None:
    (tmp_path / "s1.txt").write_text(SAVED)
    (tmp_path / "s2.txt").write_text(SAVED)
    found = foreign(tmp_path, subtasks=[CALC, {**CALC, "id": "s2"}], tasks=[{**TASK, **change}])
    assert found["task", "0"].status == "malformed" and found["task", "0"].make is None
    assert why in said(found["task", "0"]), said(found["task", "0"])


def test_bad_records_of_other_kinds_are_told_as_such(tmp_path: Path) -> None:
    write(
        tmp_path, "subtasks.json", [CALC, CALC, {**CALC, "id": "s2", "available_parameters": [{"x": 1}]}, 3, {"a": 1}]
    )
    (tmp_path / "tasks.jsonl").write_text(json.dumps(TASK) + "\n{\n\n" + "[" * 100_000 + "\n")
    (tmp_path / "s9.txt").write_text("def evaluate_agent_task_completion(:")
    (tmp_path / "readme.txt").write_text("no record")
    steps: dict[str, object] = {"instruction": "x", "observations": ["1.png"], "actions": [{"function": "click_input"}]}
    journeys = [
        {**steps, "trajectory_id": "0(0)", "task_id": "0", "topological_order": ["s1"]},
        {**steps, "trajectory_id": "0(4)", "task_id": "0", "topological_order": ["s1"]},
        {**steps, "trajectory_id": "0(1)", "task_id": "0", "topological_order": ["s2"]},
        {**steps, "trajectory_id": "8(0)", "task_id": "8", "topological_order": ["s1"]},
        {**steps, "trajectory_id": "a", "subtask_id": "s1"},
        {**steps, "trajectory_id": "b", "subtask_id": "s7"},
    ]
    write(tmp_path, "trajectories.json", journeys)
    every = list(read_tasks("omnibench", tmp_path, None))
    told = [f"{one.kind} {one.id}: {said(one)}" for one in every]
    for part in (
        "subtask s1: malformed: another subtask has the id 's1' already",
        "subtask s2: malformed: no value stands for xlsx_path of its template",
        "malformed: a record is an object, not a number",
        "malformed: it is none of OmniBench's records",
        "malformed: it is not valid JSON",
        "evaluation s9: malformed: no subtask has the id s9",
        "malformed: it is no Python",
        "task trajectory 0(0): needs asset: its pictures 1.png",
        "task trajectory 0(4): malformed: its id says order 4, and its task lists 1",
        "task trajectory 0(1): malformed: its order is not one of all subtasks of its task",
        "task trajectory 8(0): malformed: no task has the id 8",
        "subtask trajectory a: needs asset",
        "subtask trajectory b: malformed: no subtask has the id s7",
    ):
        assert any(part in line for line in told), (part, told)
    assert not any("readme" in line for line in told)


def test_which_parameters_are_meant_is_told_by_the_text_or_asked_for(tmp_path: Path) -> None:
    (tmp_path / "s1.txt").write_text(SAVED)
    two = {**CALC, "available_parameters": [{"xlsx_path": "a.xlsx"}, {"xlsx_path": "b.xlsx"}]}
    task = {**TASK, "proctor": {"setup": []}}
    found = foreign(tmp_path, subtasks=[two], tasks=[task, {**task, "task_instruction": "Copy b.xlsx."}])
    assert "with which of its 2 sets of parameters subtask s1 is asked for is not told" in said(found["task", "0"])
    chosen = found["task", "1"]
    assert chosen.make and "b.xlsx" in chosen.make().check.key


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no folder"):
        list(read_tasks("omnibench", tmp_path / "none", None))
