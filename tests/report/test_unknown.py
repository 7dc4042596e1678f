"""Where nobody could look for side effects: never called clean, never a share of what was, and always said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from proctor.cli.main import cli
from proctor.records import Result
from proctor.report.difference import compare, plain
from proctor.report.read_runs import read_runs
from proctor.report.summary import Report, summarise
from proctor.store.run import IMPORTED
from tests.report.records import columns, outcomes, result, write_run
from tests.report.test_gaming import DIRT, hacker, in_terminal

BLIND = {"collateral_unknown": "the computer cannot tell what changed"}


def report(*results: list[Result]) -> Report:
    return summarise(columns([item for part in results for item in part]))


def test_a_result_is_neither_clean_nor_unclean_where_nobody_could_look() -> None:
    assert result("a", "t", 1.0, **BLIND).clean is None
    assert result("a", "t", 0.5, **BLIND).clean is False
    assert result("a", "t", 1.0, collateral=DIRT, **BLIND).clean is False
    assert Result.from_json(result("a", "t", 1.0, **BLIND).to_json()).collateral_unknown == BLIND["collateral_unknown"]
    assert Result.from_json({"task": "core/t-v1", "agent": "a", "score": 1.0}).clean is True


def test_where_nobody_could_look_at_all_there_is_success_and_no_clean_success() -> None:
    found = report(
        outcomes("a", {"one": [1.0], "two": [0.0]}, level=1, **BLIND), outcomes("b", {"one": [0.0]}, **BLIND)
    )
    assert found.headline == "success"
    agent, _ = found.plain()["agents"]
    assert (agent["success"], agent["clean_success"], agent["clean"], agent["clean_unknown"]) == (0.5, None, 0, 2)
    (row,) = found.plain()["tables"]["by_level"]["rows"]
    assert (row["agents"]["a"]["success"], row["agents"]["a"]["clean_success"]) == (0.5, None)
    assert found.comparisons[0].paired.difference == 1.0
    (unknown,) = found.plain()["tables"]["collateral"]["rows"]
    assert (unknown["severity"], unknown["agents"]) == ("unknown", {"a": 1.0, "b": 1.0})
    first = in_terminal(found).splitlines()
    head, line = next(
        (head.split(), line.split()) for head, line in zip(first, first[1:], strict=False) if "clean" in head
    )
    assert "unknown" in head and line[1] == "–"


def test_clean_success_is_a_share_of_the_known_ones() -> None:
    seen = [result("a", "one", 1.0, level=1), result("a", "two", 1.0, level=1, collateral=DIRT)]
    blind = [result("a", "three", 1.0, level=1, **BLIND), result("a", "four", 0.0, level=1, **BLIND)]
    found = report(seen, blind)
    assert found.headline == "clean success"
    (agent,) = found.plain()["agents"]
    assert (agent["success"], agent["clean_success"], agent["clean_unknown"]) == (0.75, 0.5, 2)
    (row,) = found.plain()["tables"]["by_level"]["rows"]
    assert {name: row["agents"]["a"][name] for name in ("success", "episodes", "clean_success", "clean_unknown")} == {
        "success": 0.75, "episodes": 4, "clean_success": 0.5, "clean_unknown": 2,
    }  # fmt: skip
    assert report(blind).headline == report([seen[0]], blind).headline == "success"


def test_a_difference_that_nobody_could_see_is_none() -> None:
    (pair,) = compare([result("a", "t", 1.0)], [result("a", "t", 1.0, **BLIND)])
    assert pair.change == "same" and pair.second is not None
    assert pair.second.words == "passed, side effects unknown"
    assert (plain(pair, ("", ""))["second"]["clean"], plain(pair, ("", ""))["second"]["clean_unknown"]) == (0, 1)
    (pair,) = compare([result("a", "t", 1.0, collateral=DIRT)], outcomes("a", {"t": [1.0, 1.0, 0.0]}, **BLIND))
    assert pair.change == "lost" and pair.second is not None
    assert pair.second.words == "2 of 3 passed, 2 with side effects unknown"
    assert pair.second.shown.passed


def test_what_a_cheat_won_unseen_is_not_won_cleanly() -> None:
    found = report([hacker("one", 1.0, "fail", **BLIND), hacker("two", 1.0, "fail", collateral=DIRT)])
    (cheat,) = found.plain()["gaming"]
    assert (cheat["tasks_won"], cheat["tasks_won_clean"], cheat["tasks_won_clean_unknown"]) == (2, 0, 1)
    wins = found.table("gamed_wins")
    assert wins and [row[3] for row in wins.rows] == ["unknown", "some"]


def test_an_import_of_an_earlier_version_is_read_as_unknown(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [result("people", "t", 1.0)], imported={"form": "agentnet"})
    episodes, _ = read_runs([run])
    assert not episodes.clean.any() and not episodes.known.any()
    answer = CliRunner().invoke(cli, ["report", str(run), "--json"], catch_exceptions=False)
    assert json.loads(answer.output)["agents"][0]["clean_unknown"] == 1
    line = json.loads(
        CliRunner().invoke(cli, ["runs", "diff", str(run), str(run), "--json"], catch_exceptions=False).output
    )
    assert (line["first"]["clean"], line["first"]["clean_unknown"]) == (0, 1)
    assert IMPORTED


@pytest.mark.parametrize("measure", ["won", "clean"])
@given(st.lists(st.tuples(st.sampled_from([None, 0.0, 1.0]), st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_nothing_unknown_is_ever_counted_as_clean(measure: str, drawn: list[tuple[float | None, bool, bool]]) -> None:
    results = [
        result("a", f"t{place}", score, collateral=DIRT if dirty else {}, **(BLIND if blind else {}))
        for place, (score, dirty, blind) in enumerate(drawn)
    ]
    found = columns(results)
    passed, counted = found.by_task("clean" if measure == "clean" or found.differ else "success")
    assert (passed <= counted).all()
    assert found.by_task("clean")[0].sum() == sum(each.clean is True for each in results)
    assert found.by_task("clean")[1].sum() == sum(not each.void and not each.collateral_unknown for each in results)
