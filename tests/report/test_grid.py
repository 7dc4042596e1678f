"""The grid of tasks by agents: what came of each, why, and where its replay is."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from proctor.report.grid import ResultGrid, short_tasks
from proctor.report.grid_page import grid_html
from proctor.report.page import page
from proctor.report.read_runs import RunRead, read_runs
from proctor.report.summary import summarise
from proctor.report.text import print_report
from proctor.report.words import overview
from proctor.store.addresses import VIEWER, episode_id, replay_path, run_id
from tests.report.records import columns, outcomes, result
from tests.web.recorded import KEY, begin_episode, begin_run, end_episode


def grid_of(*results: object, run: str = "runs/one") -> ResultGrid:
    return summarise(columns(results), [RunRead(run, len(results), True)]).grid  # type: ignore[arg-type]


def test_a_cell_says_how_a_task_ended_and_why() -> None:
    grid = grid_of(
        result("a", "t", 1.0),
        result("a", "u", 0.25, stop="step_limit"),
        result("a", "v", None, cause="model", error="model: HTTP 500: broken\n  remedy: try again"),
        result("a", "w", 0.0, stop="refused", error="the model declined: I must not."),
        result("a", "x", 0.0, stop="agent_error", error="Traceback (most recent call last):\n  x\nKeyError: 'y'"),
        result("b", "t", 1.0, collateral={"high": 1}, besides=("holiday.jpg",)),
    )
    cells = {(task.split("/")[1], agent): cell for (task, agent), cell in grid.cells.items()}
    assert {place: (cell.text, cell.outcome, cell.why) for place, cell in cells.items()} == {
        ("t-v1", "a"): ("pass", "passed", ""),
        ("u-v1", "a"): ("fail 0.25", "failed", "step limit"),
        ("v-v1", "a"): ("void", "void", "model: HTTP 500: broken"),
        ("w-v1", "a"): ("fail", "failed", "refused: I must not."),
        ("x-v1", "a"): ("fail", "failed", "agent error: KeyError: 'y'"),
        ("t-v1", "b"): ("pass", "passed", "also changed something else"),
    }


def test_attempts_share_a_cell_and_tries_are_one_episode() -> None:
    grid = grid_of(
        *outcomes("a", {"t": [1.0, 0.0, None]}),
        result("a", "u", None, cause="host", retry=0),
        result("a", "u", None, cause="host", retry=1),
        result("a", "u", 1.0, retry=2),
    )
    shared, tried = grid.cells["core/t-v1", "a"], grid.cells["core/u-v1", "a"]
    assert (shared.text, shared.outcome) == ("1/2 pass, 1 void", "failed")
    assert (tried.text, len(tried.episodes), tried.episodes[0].tries) == ("pass", 1, 3)


def test_the_reason_is_what_the_judge_missed_and_the_link_leads_to_the_replay(tmp_path: Path) -> None:
    root = tmp_path / "run"
    with begin_run(root) as record:
        writer = begin_episode(root)
        record.add(end_episode(writer, stop="step_limit"))
    found = summarise(*read_runs([root]))
    (cell,) = found.grid.cells.values()
    assert cell.why == "step limit: The file notes.txt has 3 lines, not 4."
    address = f"/replay/{run_id(root)}/{episode_id(root, writer.folder)}"
    assert cell.example.replay == address == replay_path(root, cell.example.folder)
    assert f"href='{VIEWER}{address}'" in page(found)
    assert f"href='{address}'" in page(found, base="")
    assert found.plain()["grid"][0]["agents"][KEY.agent]["why"] == cell.why


def test_the_grid_comes_before_all_figures() -> None:
    found = summarise(columns([*outcomes("a", {"t": [1.0], "u": [0.0]}), *outcomes("b", {"t": [0.0]})]))
    console = Console(file=io.StringIO(), width=80)
    print_report(found, console)
    assert isinstance(console.file, io.StringIO)
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    assert lines[:4] == ["3 episodes, none void", "task a b", "t pass fail", "u fail –"]
    html = page(found)
    assert html.index("class='grid'") < html.index("<h2>Agents</h2>")


def test_many_tasks_show_first_what_failed() -> None:
    tasks = {f"t{number:03}": [float(number != 77)] for number in range(100)}
    console = Console(file=io.StringIO(), width=80)
    print_report(summarise(columns(outcomes("a", tasks))), console)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert text.splitlines()[2].split() == ["t077", "fail"]
    assert "and 70 more tasks, each passed by every agent" in text


def test_whatever_a_record_says_is_only_shown(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>'\"\u202e"
    grid = grid_of(result(evil, f"core/{evil}", 0.0, error=evil, folder="../../etc"), run=str(tmp_path / evil[:3]))
    html = grid_html(grid, {})
    assert "<script" not in html and "\u202e" not in html
    assert "etc" not in html


@pytest.mark.parametrize(
    ("tasks", "short"),
    [
        (["core/a-v1", "core/b-v2"], ["a", "b"]),
        (["core/a-v1", "core/a-v2"], ["core/a-v1", "core/a-v2"]),
        (["core/a-v1", "mine/a-v1"], ["core/a", "mine/a"]),
        (["plain"], ["plain"]),
    ],
)
def test_tasks_are_named_as_short_as_they_stay_apart(tasks: list[str], short: list[str]) -> None:
    assert list(short_tasks(tasks).values()) == short


def test_a_model_without_a_price_costs_what_nobody_knows() -> None:
    priced, other = result("a", "t", 1.0, calls=1, cost_usd=0.5), result("b", "t", 1.0, calls=1)
    rows = overview(summarise(columns([priced, replace(other, cost_usd=None)]))).rows
    assert [row[-1] for row in rows] == [0.5, "price unknown"]
