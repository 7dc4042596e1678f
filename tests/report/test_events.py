"""What disturbances cost: points lost against the same tasks undisturbed, and recovery, wherever a report is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.report import report
from proctor.records import Result
from proctor.report.cells import Difference
from proctor.report.events import ANY, disturbances, events
from proctor.report.statistics import Rate
from tests.report.records import columns, outcomes, result, write_run

TASKS = [f"t{number}" for number in range(10)]


def undisturbed(agent: str = "ours", score: float = 1.0) -> list[Result]:
    return outcomes(agent, {task: [score] for task in TASKS})


def disturbed(kind: str, scores: list[float], agent: str = "ours", **fields: object) -> list[Result]:
    """Return one episode of each task in which a disturbance was seen, with a recovery after two actions."""
    told = {"disturbed": {kind: 1}, "recovered": {kind: 1}, "recovery": {kind: 2}, **fields}
    return [result(agent, task, score, **told) for task, score in zip(TASKS, scores, strict=True)]


def test_points_lost_are_counted_on_the_same_tasks_with_an_interval() -> None:
    scores = [1.0] * 6 + [0.0] * 4
    (row,) = disturbances(columns(undisturbed(), disturbed("dialog", scores))).rows
    kind, agent, number, success, calm, lost, back, actions = row
    assert (kind, agent, number, back, actions) == ("dialog", "ours", 10, 1.0, 2.0)
    assert isinstance(success, Rate) and isinstance(calm, Rate) and isinstance(lost, Difference)
    assert (success.value, calm.value, lost.value) == (0.6, 1.0, pytest.approx(0.4))
    assert 0 < lost.interval[0] < 0.4 < lost.interval[1] < 0.8


def test_only_tasks_that_were_also_done_undisturbed_are_compared() -> None:
    calm = outcomes("ours", {task: [1.0 if task == "t0" else 0.0] for task in ("t0", "t1")})
    (row,) = disturbances(columns(calm, disturbed("dialog", [1.0] * 10))).rows
    assert isinstance(row[4], Rate) and row[4].episodes == 2
    assert isinstance(row[5], Difference) and row[5].value == pytest.approx(-0.5)


def test_without_undisturbed_episodes_nothing_is_said_of_points() -> None:
    (row,) = disturbances(columns(disturbed("dialog", [1.0] * 10))).rows
    assert row[4:6] == (None, None)


def test_an_episode_that_ended_before_its_disturbance_is_neither() -> None:
    early = [result("ours", task, 0.0, disturbed={"dialog": 0}) for task in TASKS]
    assert disturbances(columns(undisturbed(), early)).rows == ()
    (row,) = disturbances(columns(undisturbed(), [*early[:5], *disturbed("dialog", [1.0] * 10)[5:]])).rows
    assert row[2] == 5
    assert isinstance(row[4], Rate) and row[4].value == 1.0


def test_several_kinds_have_a_row_together_and_each_agent_its_own() -> None:
    runs = [undisturbed(), undisturbed("other"), disturbed("dialog", [0.0] * 10), disturbed("window_moved", [1.0] * 10)]
    rows = disturbances(columns(*runs, disturbed("dialog", [1.0] * 10, "other"))).rows
    assert [row[:3] for row in rows] == [
        ("dialog", "other", 10), ("dialog", "ours", 10), ("window_moved", "ours", 10), (ANY, "other", 10),
        (ANY, "ours", 20),
    ]  # fmt: skip
    lost = [row[5].value for row in rows if isinstance(row[5], Difference)]
    assert lost == [0.0, 1.0, 0.0, 0.0, pytest.approx(0.5)]


def test_who_never_came_back_counts_and_has_no_actions() -> None:
    (row,) = disturbances(columns(disturbed("dialog", [0.0] * 10, recovered={}, recovery={}))).rows
    assert row[6:] == (0.0, None)


def test_void_episodes_are_left_out_of_success() -> None:
    lost = [result("ours", task, None, disturbed={"dialog": 1}) for task in TASKS]
    (row,) = disturbances(columns(undisturbed(), lost)).rows
    assert isinstance(row[3], Rate) and row[3].episodes == 0
    assert row[5] is None


def test_events_are_counted_by_what_became_of_them() -> None:
    quiet = result("ours", "t0", 1.0)
    eventful = result("ours", "t1", 1.0, events={"happened": 2, "missed": 1})
    assert [row[1:] for row in events(columns([quiet, eventful])).rows] == [(2, 2), (1, 1)]
    assert events(columns([quiet])).rows == ()


def test_it_is_on_the_terminal_on_the_page_and_in_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [
        write_run(tmp_path / "calm", undisturbed()),
        write_run(tmp_path / "storm", disturbed("dialog", [1.0] * 6 + [0.0] * 4, events={"happened": 1})),
    ]
    paths = [str(folder) for folder in runs]
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(report, paths, catch_exceptions=False).output
    assert "What disturbances cost" in said
    assert "+40 [+2, +65]" in said
    found = json.loads(CliRunner().invoke(report, [*paths, "--json"], catch_exceptions=False).output)
    (row,) = found["tables"]["disturbances"]["rows"]
    assert row["points lost"]["difference"] == pytest.approx(0.4)
    assert (row["back"], row["actions"]) == (1.0, 2.0)
    page = (tmp_path / "reports" / "calm+storm" / "index.html").read_text()
    assert "What disturbances cost" in page and "What happened meanwhile" in page
