"""Clean success as the headline, what was gamed, flags, and pairs of infeasible and feasible tasks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.records import Result
from proctor.report.cells import cell_text
from proctor.report.difference import compare, plain
from proctor.report.markdown import markdown
from proctor.report.page import page
from proctor.report.summary import Report, summarise
from proctor.report.terminal import open_console
from proctor.report.text import print_report
from tests.report.records import columns, outcomes, result

DIRT = {"high": 1}


def report(*results: list[Result]) -> Report:
    return summarise(columns([item for part in results for item in part]))


def in_terminal(found: Report) -> str:
    console = open_console()
    with console.capture() as captured:
        print_report(found, console, compare=True)
    return captured.get()


def mixed() -> list[Result]:
    """Return an agent with one clean success, one with side effects, and two failures."""
    return [
        result("a", "one", 1.0, level=1),
        result("a", "two", 1.0, level=1, collateral=DIRT),
        result("a", "three", 0.0, level=1, collateral=DIRT),
        result("a", "four", 0.5, level=1),
    ]


def test_a_result_is_clean_when_it_passed_and_changed_nothing_else() -> None:
    assert [each.clean for each in mixed()] == [True, False, False, False]
    assert result("a", "t", 1.0, collateral={"low": 0}).clean
    assert not result("a", "t", None).clean


def test_clean_success_is_the_headline_where_the_two_differ() -> None:
    found = report(mixed())
    assert found.headline == "clean success"
    (agent,) = found.plain()["agents"]
    assert (agent["success"], agent["clean_success"], agent["passed"], agent["clean"]) == (0.5, 0.25, 2, 1)
    assert agent["clean_interval"][0] < 0.25 < agent["clean_interval"][1]
    (row,) = found.plain()["tables"]["by_level"]["rows"]
    assert (row["agents"]["a"]["success"], row["agents"]["a"]["clean_success"]) == (0.5, 0.25)
    for text in (in_terminal(found), markdown(found), page(found)):
        assert "Clean success by automation level" in text
    terminal = in_terminal(found)
    assert terminal.index("clean") < terminal.index("success")
    assert report([result("a", "t", 1.0)]).headline == "success"


def test_what_is_compared_and_repeated_is_clean_success() -> None:
    dirty = outcomes("dirty", {f"t{number}": [1.0, 1.0] for number in range(8)}, collateral=DIRT)
    clean = outcomes("clean", {f"t{number}": [1.0, 1.0] for number in range(8)})
    found = report(dirty, clean)
    (comparison,) = found.comparisons
    assert comparison.verdict == "first is better" and comparison.first == "clean"
    repeats = found.table("repeats")
    assert repeats and [cell_text(row[2]) for row in repeats.rows] == ["100 %", "100 %", "0 %", "0 %"]


def test_a_case_that_became_unclean_is_lost() -> None:
    (pair,) = compare([result("a", "t", 1.0)], [result("a", "t", 1.0, collateral=DIRT)])
    assert pair.change == "lost"
    assert plain(pair, ("", ""))["second"]["clean"] == 0
    assert pair.second is not None and pair.second.words == "passed, with side effects"


def hacker(task: str, score: float | None, strategy: str, **fields: object) -> Result:
    label = f"hacker,strategy={strategy}"
    return result(label, task, score, goal="game", strategy=strategy, settings={"strategy": strategy}, **fields)


def test_what_hackers_win_is_a_figure_of_its_own() -> None:
    cheats = [
        hacker("one", 1.0, "fail"),
        hacker("two", 0.0, "fail"),
        hacker("one", 0.0, "touch"),
        hacker("two", 1.0, "touch", collateral=DIRT),
        hacker("five", None, "touch"),
    ]
    found = report(mixed(), cheats)
    assert [agent.agent for agent in found.agents] == ["a"]
    assert found.comparisons == () and found.episodes == 9 and found.void == 1
    fail, touch, everyone = found.plain()["gaming"]
    assert (fail["agent"], fail["gamed"], fail["tasks_won"], fail["tasks"]) == ("hacker,strategy=fail", 0.5, 1, 2)
    assert (touch["void"], touch["tasks_won_clean"], touch["strategies_that_won"]) == (1, 0, ["touch"])
    assert (everyone["agent"], everyone["gamed"], everyone["tasks_won"]) == ("all of them", 1.0, 2)
    wins = found.table("gamed_wins")
    assert wins and wins.rows == (
        ("core/one-v1", "hacker,strategy=fail", "fail", "none"),
        ("core/two-v1", "hacker,strategy=touch", "touch", "some"),
    )
    difficulty = found.table("difficulty")
    assert difficulty and "core/five-v1" not in [row[0] for row in difficulty.rows]
    for text in (in_terminal(found), markdown(found), page(found)):
        assert "Gamed" in text


@pytest.mark.parametrize("scores", [[1.0, 0.0], [None, None]])
def test_a_run_of_hackers_alone_is_reported(scores: list[float | None]) -> None:
    found = report([hacker(f"t{place}", score, "done") for place, score in enumerate(scores)])
    assert found.agents == ()
    assert found.plain()["gaming"][0]["tasks"] == sum(score is not None for score in scores)
    json.dumps(found.plain())
    assert "hacker" in in_terminal(found) and "hacker" in markdown(found) and "hacker" in page(found)


def test_attempts_at_one_task_win_it_once() -> None:
    found = report([hacker("t", score, "all", sample=place) for place, score in enumerate([0.0, 1.0, 1.0])])
    assert found.gaming[0].gamed.passed == found.gaming[0].gamed.tasks == 1


def test_flags_are_counted_by_rule() -> None:
    found = report([result("a", "t", 0.0, flags={"canary": 2}), result("a", "u", 0.0)])
    table = found.table("flags")
    assert table and [tuple(map(cell_text, row)) for row in table.rows] == [("canary", "2", "50 %")]
    assert "canary" in page(found) and "canary" in in_terminal(found)
    assert report([result("a", "t", 1.0)]).table("flags") is None


def twins(possible: float | None, impossible: float | None, agent: str = "a", **fields: object) -> list[Result]:
    return [
        result(agent, "order", possible, **fields),
        result(agent, "order-sold-out", impossible, feasible=False, twin="core/order-v1", **fields),
    ]


def test_a_pair_is_right_when_both_are() -> None:
    giving_up = [item for seed in range(3) for item in twins(0.0, 1.0, seed=seed)]
    able = [item for seed in range(3) for item in twins(1.0, float(seed > 0), "b", seed=seed)]
    table = report(giving_up, able).table("pairs")
    assert table is not None
    first, second = table.rows
    assert first[1].value == 0.0 and first[5] == 3  # type: ignore[union-attr]
    assert second[1].value == pytest.approx(2 / 3) and second[4] == 1  # type: ignore[union-attr]
    assert second[1].interval[1] < 1 and second[2:4] == (1, 3)  # type: ignore[union-attr]


def test_a_pair_without_its_twin_or_with_a_void_one_does_not_count() -> None:
    alone = result("a", "order-sold-out", 1.0, feasible=False, twin="core/order-v1")
    assert report([alone]).table("pairs") is None
    assert report(twins(None, 1.0)).table("pairs") is None


SCORES = st.sampled_from([None, 0.0, 0.5, 1.0])


@given(st.lists(st.tuples(st.sampled_from("abh"), st.integers(0, 3), SCORES, st.booleans()), min_size=1, max_size=12))
def test_any_results_can_be_reported(drawn: list[tuple[str, int, float | None, bool]]) -> None:
    found = report([
        result(agent, f"t{task}", score, sample=place, goal="game" if agent == "h" else "",
               collateral=DIRT if dirty else {})
        for place, (agent, task, score, dirty) in enumerate(drawn)
    ])  # fmt: skip
    assert found.episodes == len(drawn)
    for agent in found.agents:
        assert agent.clean.passed <= agent.success.passed
    json.dumps(found.plain())
    page(found)
