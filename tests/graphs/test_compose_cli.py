"""`proctor tasks compose`: what it writes and prints, and that nothing is left when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.compose import compose, load_pool
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.compose.record import from_json
from proctor.prove.attempt import attempt
from proctor.prove.trial import trials
from proctor.tasks.load import load_task
from tests.graphs.composed import SIZE
from tests.graphs.omnibench import read_records
from tests.graphs.synthetic import SUBTASKS, goals_of

POOL = SubtaskPool(SUBTASKS, goals=goals_of(SUBTASKS))


def call(*arguments: str | Path) -> Result:
    pool = "tests.graphs.test_compose_cli:POOL"
    return CliRunner().invoke(compose, ["--pool", pool, *map(str, arguments)], catch_exceptions=True)


def test_one_object_a_line_is_printed() -> None:
    result = call("--count", 3, "--hierarchy", "hard", "--branch", "3..4", "--json")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert line["complexity"]["depth"] >= 5
        assert line["complexity"]["levels"]["branch"] == "medium"
        assert line["capabilities"] == ["long-range-planning"]
        assert line["instruction"].endswith(".")
        assert {node.subtask for node in from_json(line).nodes} <= set(POOL.names)


@pytest.mark.parametrize(
    "only", [("--app", "gnome-calendar"), ("--category", "Task Management", "--app", "gnome-calendar", "--app", "gimp")]
)
def test_only_what_is_asked_for_is_used(only: tuple[str, ...]) -> None:
    result = call("--count", 3, "--instruction", 1, *only, "--json")
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["apps"] for line in result.stdout.splitlines()] == [["gnome-calendar"]] * 3


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result = call("--count", 5, "--seed", "x", "--capability", "LSR", "--out", tmp_path / name)
        assert result.exit_code == 0, result.output
        assert f"5 tasks in {tmp_path / name}" in result.output
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["tasks.jsonl"]
    texts = [(tmp_path / name / "tasks.jsonl").read_text() for name in ("one", "two")]
    assert texts[0] == texts[1]
    assert texts[0].count("\n") == 5


def test_tasks_in_the_form_of_omnibench_come_with_the_subtasks_they_name(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "folder"
    pool = ("--pool", "tests.graphs.composed:POOL")
    result = call(*pool, "--count", 30, "--seed", 7, "--format", "omnibench", "--out", out)
    assert result.exit_code == 0, result.output
    records = read_records(out)
    assert len(records.tasks) == 30
    named = {id for task in records.tasks for id in task.dag.nodes}
    assert named == {subtask.id for subtask in records.subtasks}
    assert {path.stem for path in (out / "evaluations").iterdir()} == named
    printed = call(*pool, "--count", 30, "--seed", 7, "--format", "omnibench", "--json")
    lines = [json.loads(line) for line in printed.stdout.splitlines()]
    assert lines == [record.to_json() for record in (*records.tasks, *records.subtasks)]


def test_nothing_is_left_when_there_are_no_more(tmp_path: Path) -> None:
    arguments = (
        "--instruction",
        "1",
        "--distinct",
        "graph",
        "--app",
        "gnome-calendar",
        "--out",
        tmp_path / "new" / "er",
    )
    result = call("--count", 9, *arguments)
    assert isinstance(result.exception, SpecError)
    assert "gave 3 different compositions, not 9" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text("mine")
    result = call("--out", tmp_path)
    assert isinstance(result.exception, SpecError)
    assert (tmp_path / "tasks.jsonl").read_text() == "mine"


@pytest.mark.parametrize("arguments", [(), ("--json", "--out", "x")])
def test_one_place_for_the_tasks_must_be_given(arguments: tuple[str, ...]) -> None:
    assert "give either --out FOLDER or --json" in str(call(*arguments).exception)


def test_a_range_that_is_none_is_refused() -> None:
    assert "say easy, medium, hard, a number" in str(call("--json", "--branch", "wide").exception)


def test_pools_are_named_by_where_they_are() -> None:
    assert load_pool("tests.graphs.synthetic:SUBTASKS").names == POOL.names
    with pytest.raises(SpecError, match="is not a pool"):
        load_pool("math:pi")
    with pytest.raises(SpecError, match="cannot be loaded"):
        load_pool("tests.graphs.synthetic:NOTHING")


def test_whole_tasks_are_written_a_file_each_and_can_be_read_and_proven(tmp_path: Path) -> None:
    result = call("--pool", "tests.graphs.composed:POOL", "--count", 4, "--format", "task", "--out", tmp_path / "mine")
    assert result.exit_code == 0, result.output
    files = sorted((tmp_path / "mine").iterdir())
    assert len(files) == 4
    tasks = [load_task(file) for file in files]
    assert len({task.id for task in tasks}) == 4
    assert all(task.graph and task.solution for task in tasks)
    with FakeComputer(size=SIZE) as computer:
        (outcome,) = attempt(tasks[0], [next(trials(tasks[0]))], computer)
    assert outcome.proven, outcome


def test_a_folder_that_is_there_is_not_written_into(tmp_path: Path) -> None:
    result = call("--count", 1, "--format", "task", "--out", tmp_path)
    assert isinstance(result.exception, SpecError)
    assert list(tmp_path.iterdir()) == []
