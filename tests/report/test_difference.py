"""`proctor runs diff`: which tasks changed sides, and where both can be looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.diff import diff
from proctor.errors import SpecError
from proctor.report.difference import compare
from proctor.web.runs import Runs
from tests.report.records import outcomes, result, write_run

FIRST = outcomes("mine", {"kept": [1.0], "broke": [1.0], "fixed": [0.5], "away": [None], "gone": [1.0]})
SECOND = outcomes("mine", {"kept": [1.0], "broke": [0.0], "fixed": [1.0], "away": [1.0], "new": [0.0]})


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    return write_run(tmp_path / "my first run", FIRST), write_run(tmp_path / "second", SECOND)


def told(*args: object) -> str:
    outcome = CliRunner().invoke(diff, [str(arg) for arg in args], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def changes(*args: object) -> dict[str, Any]:
    lines = [json.loads(line) for line in told(*args, "--json").splitlines()]
    return {line["task"]: line for line in lines}


def test_each_task_says_which_way_it_went(runs: tuple[Path, Path]) -> None:
    found = {task.removeprefix("core/").removesuffix("-v1"): line["change"] for task, line in changes(*runs).items()}
    assert found == {
        "kept": "same", "broke": "lost", "fixed": "won", "away": "void", "gone": "missing", "new": "missing",
    }  # fmt: skip


def test_people_see_what_changed_and_how_to_look_at_it(runs: tuple[Path, Path]) -> None:
    text = told(*runs)
    assert "mine: 1 lost, 1 won, 1 the same, 1 void in one of the two, 2 in one of the two only" in text
    assert "core/broke-v1 seed 0  passed -> failed (done, 0)" in text
    assert "core/kept-v1" not in text
    assert "core/kept-v1" in told(*runs, "--all")
    assert f"proctor view '{runs[0]}' {runs[1]} --port 8420" in text


def test_the_links_lead_to_the_episodes_that_the_pages_know(runs: tuple[Path, Path]) -> None:
    line = changes(*runs, "--port", "9000")["core/broke-v1"]
    for run, side in zip(runs, ("first", "second"), strict=True):
        place = "http://127.0.0.1:9000/replay/"
        run_id, _, episode_id = line[side]["replay"].removeprefix(place).partition("/")
        known = Runs([run]).find(run_id)
        assert known is not None
        known.episodes.refresh()
        assert [entry.key.task for entry in known.episodes.ended_episodes() if entry.id == episode_id] == [
            "core/broke-v1"
        ]


def test_attempts_count_together_and_the_one_shown_is_typical() -> None:
    (pair,) = compare(outcomes("a", {"t": [1.0, 0.0, 1.0]}), outcomes("a", {"t": [0.0, 1.0, 0.0]}))
    assert pair.first is not None and pair.second is not None
    assert (pair.change, pair.first.words, pair.second.words) == ("lost", "2 of 3 passed", "1 of 3 passed")
    assert (pair.first.shown.passed, pair.second.shown.passed) == (True, False)
    (alike,) = compare(outcomes("a", {"t": [1.0, 0.0, 0.0]}), outcomes("a", {"t": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]}))
    assert alike.change == "same"


def test_one_agent_in_each_run_is_compared_whatever_its_label() -> None:
    (pair,) = compare(outcomes("mine,model=a/b", {"t": [1.0]}), outcomes("mine,model=a/c", {"t": [0.0]}))
    assert (pair.agents, pair.change) == (("mine,model=a/b", "mine,model=a/c"), "lost")


def test_runs_without_an_agent_in_common_are_refused_with_what_there_is() -> None:
    with pytest.raises(SpecError) as caught:
        compare([result("a", "t", 1.0), result("b", "t", 1.0)], [result("c", "t", 1.0)])
    assert "a, b" in caught.value.remedy and "c" in caught.value.remedy
    with pytest.raises(SpecError, match="'idel'"):
        compare([result("a", "t", 1.0)], [result("a", "t", 1.0)], "idel")


def test_a_task_that_was_changed_in_between_is_marked(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, [result("a", "t", score, digest=name)]) for name, score in (("x", 1), ("y", 0))]
    assert changes(*runs)["core/t-v1"]["task_changed"]
    assert "the task was changed in between" in told(*runs)
