"""The arithmetic of the benchmark: medians, goals, and the JSON that programs read."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from benchmarks import graphs
from proctor.bench import checkout
from proctor.bench.measure import Figure, Laps, median_ms, to_json
from proctor.bench.spreadsheet import WALKER, flat_sheet
from proctor.bench.terminal import progress
from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.graphs.compose.pool import SubtaskPool
from tests.graphs.synthetic import SUBTASKS, goals_of
from tests.sources import ROOT

POOL = SubtaskPool(SUBTASKS, goals=goals_of(SUBTASKS))

numbers = some.floats(min_value=0, max_value=1e6)


def figure(key: str = "lease_ms", value: float | None = 10.0, goal: float | None = 50.0) -> Figure:
    return Figure(key=key, what="lease", value=value, unit="ms", goal=goal, note="a note")


@given(numbers, numbers)
def test_a_goal_is_reached_at_or_below_it(value: float, goal: float) -> None:
    assert figure(value=value, goal=goal).reached is (value <= goal)


def test_without_value_or_goal_nothing_is_reached() -> None:
    assert figure(value=None).reached is None
    assert figure(goal=None).reached is None


@given(
    some.lists(
        some.tuples(some.from_regex(r"[a-z_]{1,12}", fullmatch=True), some.none() | numbers), unique_by=lambda f: f[0]
    )
)
def test_json_holds_each_figure_by_its_key(given_figures: list[tuple[str, float | None]]) -> None:
    figures = [figure(key, value) for key, value in given_figures if key != "details"]
    data = json.loads(to_json(figures))
    details = data.pop("details")
    assert list(data) == list(details) == [each.key for each in figures]
    for each in figures:
        assert data[each.key] == (None if each.value is None else pytest.approx(each.value, abs=0.006))
        assert details[each.key] == {"unit": "ms", "goal": 50.0, "reached": each.reached, "note": "a note"}


@given(some.lists(numbers, min_size=1))
def test_the_median_lies_in_the_middle(spent: list[float]) -> None:
    median = Laps(spent).median
    assert sum(value <= median for value in spent) >= len(spent) / 2
    assert sum(value >= median for value in spent) >= len(spent) / 2


@pytest.mark.parametrize("times", [1, 2, 5])
def test_work_is_repeated_and_timed(times: int) -> None:
    calls: list[int] = []
    assert 0 <= median_ms(lambda: calls.append(1), times) < 100
    assert len(calls) == times
    watch = Laps()
    with watch.lap():
        sum(range(10_000))
    assert len(watch.spent) == 1
    assert watch.median > 0


def test_the_sheet_has_its_rows() -> None:
    tree = ElementTree.fromstring(flat_sheet(25))
    rows = [node for node in tree.iter() if node.tag.endswith("}table-row")]
    assert len(rows) == 25
    assert len({len(row) for row in rows}) == 1


def test_the_walk_to_compare_with_is_a_program() -> None:
    names = {node.id for node in ast.walk(ast.parse(WALKER)) if isinstance(node, ast.Name)}
    assert {"pyatspi", "walk", "deadline"} <= names


def test_the_figures_of_task_graphs() -> None:
    said: list[str] = []
    figures = graphs.measure(POOL, count=40, workers=1, say=said.append)
    values = {each.key: each.value for each in figures}
    assert list(values) == [
        "compose_s", "tasks_per_minute", "refused_percent", "compose_mb",
        "hard_ms", "hard_worst_ms",
        "consistency_30_ms", "consistency_30_worst_ms", "consistency_60_ms", "consistency_60_worst_ms",
    ]  # fmt: skip
    assert values["refused_percent"] == 0
    assert all(value is not None and value > 0 for key, value in values.items() if key != "refused_percent")
    assert "40 tasks from 97 subtasks" in said
    assert "orders" in next(each.note for each in figures if each.key == "consistency_30_ms")


def test_the_memory_of_all_processes_counts() -> None:
    alone, shared = (
        next(each.value or 0 for each in graphs.measure_composing(POOL, 5, workers) if each.unit == "MB")
        for workers in (1, 2)
    )
    assert shared > alone + 20


@pytest.mark.parametrize("name", checkout.BENCHMARKS)
def test_a_benchmark_of_the_checkout_says_what_it_takes(name: str) -> None:
    done = CliRunner().invoke(cli, ["bench", name, "--help"])
    assert done.exit_code == 0, done.output
    assert "--json" in done.output


def test_without_a_checkout_it_is_said_where_a_benchmark_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checkout, "_ROOT", tmp_path)
    done = CliRunner().invoke(cli, ["bench", "settle"])
    assert isinstance(done.exception, SpecError)
    assert "benchmarks/settle.py" in done.exception.remedy


def test_all_benchmarks_of_the_checkout_are_listed() -> None:
    files = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "\n@click.command(" in path.read_text()}
    assert files == set(checkout.BENCHMARKS)
    listed = CliRunner().invoke(cli, ["bench", "--help"]).output
    assert [name for name in files if name not in listed] == []


@pytest.mark.parametrize("args", [["--repeats", "0"], ["--desktops", "0"], ["--desktops", "many"]])
def test_mistakes_are_told_before_anything_starts(args: list[str]) -> None:
    command = [sys.executable, "-m", "proctor", "bench", "computer", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert args[0] in done.stderr
    assert "Traceback" not in done.stderr


def test_an_image_that_is_missing() -> None:
    command = [sys.executable, "-m", "proctor", "bench", "computer", "--image", "no-such-image", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "no-such-image" in done.stderr
    assert done.stdout == ""


def test_offline_figures_are_measured() -> None:
    from benchmarks.offline import measure as measure_offline

    measured = measure_offline(records=200, episodes=10, say=lambda _: None, backend="fake")
    figures = {figure.key: figure for figure in measured}
    assert figures.keys() == {"score_s", "score_mb", "make_ms", "harvest_ms"}
    assert all(figure.value for figure in figures.values())


def test_what_is_measured_is_told_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as say:
        say("screenshots")
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "measuring: screenshots\n")
