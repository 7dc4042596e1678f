"""`proctor report` on records of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.report import report
from proctor.errors import RecordError
from proctor.report.read_runs import read_runs
from tests.report.records import outcomes, write_run

RESULTS = [
    *outcomes("oracle", {"t": [1.0], "u": [1.0]}, level=2, apps=("gimp",)),
    *outcomes("idle", {"t": [0.0], "u": [0.0]}, level=2, apps=("gimp",)),
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", RESULTS)


def told(*args: object) -> str:
    outcome = CliRunner().invoke(report, [str(arg) for arg in args], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_without_options_there_is_a_table_and_a_page(run: Path) -> None:
    text = told(run)
    assert "oracle" in text
    assert str(run / "report" / "index.html") in text
    assert (run / "report" / "index.html").read_text().startswith("<!doctype html>")


def test_json_is_one_object(run: Path) -> None:
    found = json.loads(told(run, "--json"))
    assert [(agent["agent"], agent["success"]) for agent in found["agents"]] == [("idle", 0.0), ("oracle", 1.0)]
    assert not (run / "report").exists()


def test_markdown_and_html(run: Path, tmp_path: Path) -> None:
    assert told(run, "--markdown").startswith("# Report")
    place = tmp_path / "new" / "page.html"
    assert str(place) in told(run, "--html", place)
    assert "oracle" in place.read_text()


def test_compare_and_by(run: Path) -> None:
    text = told(run, "--compare", "--by", "app")
    assert "indistinguishable" in text
    assert "Success by application" in text


def test_the_threshold_is_stated(run: Path) -> None:
    assert json.loads(told(run, "--json", "--threshold", "0.8"))["matrix"]["threshold"] == 0.8


def test_several_runs_are_put_together_and_one_named_twice_counts_once(run: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other", RESULTS)
    assert json.loads(told(run, other, "--json"))["episodes"] == 8
    assert json.loads(told(run, run, "--json"))["episodes"] == 4


def test_a_run_that_goes_on_is_reported_as_far_as_it_is(tmp_path: Path) -> None:
    live = write_run(tmp_path / "live", RESULTS, finished=False)
    with (live / "index.jsonl").open("ab") as file:
        file.write(b'{"task": "core/half-a-li')
    assert f"not finished: {live}" in told(live).replace("\n", "")
    found = json.loads(told(live, "--json"))
    assert (found["finished"], found["episodes"]) == (False, 4)


# What is wrong is said with what to do about it.


def refused(*folders: Path) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_runs(folders)
    assert caught.value.remedy
    return caught.value


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    assert str(tmp_path / "nowhere") in refused(tmp_path / "nowhere").message


def test_a_run_without_results(tmp_path: Path) -> None:
    empty = write_run(tmp_path / "empty", [], finished=False)
    assert "no result" in refused(empty).message


def test_a_run_without_results_beside_one_with_some(run: Path, tmp_path: Path) -> None:
    empty = write_run(tmp_path / "empty", [], finished=False)
    assert [read.results for read in read_runs([run, empty])[1]] == [4, 0]


def test_a_damaged_line_is_named(run: Path) -> None:
    index = run / "index.jsonl"
    lines = index.read_bytes().splitlines(keepends=True)
    index.write_bytes(lines[0] + lines[1].replace(b"oracle", b"tuned!") + b"".join(lines[2:]))
    error = refused(run)
    assert "line 2" in error.message
    assert "proctor runs verify" in error.remedy


def test_a_removed_line_is_noticed(run: Path) -> None:
    index = run / "index.jsonl"
    lines = index.read_bytes().splitlines(keepends=True)
    index.write_bytes(b"".join(lines[:1] + lines[2:]))
    assert "line 2" in refused(run).message


@pytest.mark.parametrize("args", [("--json", "--markdown"), ("--by", "colour"), ("--threshold", "0")])
def test_wrong_options(run: Path, args: tuple[str, ...]) -> None:
    assert CliRunner().invoke(report, [str(run), *args]).exit_code == 2


# Several runs.


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.chdir(tmp_path)
    tasks = [f"t{place}" for place in range(10)]
    before = write_run(tmp_path / "before", outcomes("mine", {task: [0.0] for task in tasks}))
    return before, write_run(tmp_path / "after", outcomes("mine", {task: [1.0] for task in tasks}))


def test_one_label_in_two_runs_is_compared_run_by_run(two: tuple[Path, Path]) -> None:
    found = json.loads(told(*two, "--compare", "--json"))
    assert [agent["agent"] for agent in found["agents"]] == ["after: mine", "before: mine"]
    (comparison,) = found["comparisons"]
    assert (comparison["verdict"], comparison["difference"]) == ("first is better", 1.0)
    assert (found["shared_agents"], found["pooled_agents"]) == (["mine"], [])
    assert "compared run by run: mine" in told(*two, "--compare")


def test_pooling_is_said(two: tuple[Path, Path]) -> None:
    assert "combined: mine" in told(*two)
    assert "combined: mine" in told(*two, "--markdown")
    found = json.loads(told(*two, "--json"))
    assert ([agent["episodes"] for agent in found["agents"]], found["pooled_agents"]) == ([20], ["mine"])


def test_only_a_label_that_several_runs_have_is_named_with_its_run(two: tuple[Path, Path], tmp_path: Path) -> None:
    third = write_run(tmp_path / "third", outcomes("other", {"t1": [1.0]}))
    found = json.loads(told(*two, third, "--compare", "--json"))
    assert [agent["agent"] for agent in found["agents"]] == ["after: mine", "before: mine", "other"]


def test_runs_of_one_name_are_told_apart_by_their_path(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / where / "run", RESULTS) for where in ("a,b", "c")]
    found = json.loads(told(*runs, "--compare", "--json"))
    assert len({agent["agent"] for agent in found["agents"]}) == 4


def test_the_page_about_several_runs_goes_into_none_of_them(two: tuple[Path, Path]) -> None:
    text = told(*two, "--compare")
    assert "page: reports/before+after/index.html" in text
    assert Path("reports/before+after/index.html").is_file()
    assert not any((run / "report").exists() for run in two)


def test_the_page_names_its_methods(two: tuple[Path, Path]) -> None:
    told(*two, "--compare")
    text = Path("reports/before+after/index.html").read_text()
    for word in ("Wilson", "effective number", "Agresti and Min", "sign-flip", "Active is", "medians"):
        assert word in text
