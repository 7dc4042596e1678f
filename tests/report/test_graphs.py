"""Composed tasks in the report: figures side by side, by capability, by complexity, chains against graphs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.graphs.mathematics.capabilities import Capability
from proctor.graphs.mathematics.complexity import Dimension, Level
from proctor.records import Result
from proctor.report.cells import cell_text
from proctor.report.graphs import CAPABILITIES, COMPLEXITIES, FIGURES, LEVELS, abbreviation, graph_tables
from proctor.report.markdown import markdown
from proctor.report.page import page
from proctor.report.plots import bars, radar
from proctor.report.statistics import mean_of_shares, success_rate, wilson
from proctor.report.summary import Report, summarise
from tests.report.composed import composed
from tests.report.records import columns, outcomes
from tests.report.test_outputs import HOSTILE, Checked, in_terminal


def rows(report: Report, name: str) -> list[dict[str, object]]:
    table = report.table(name)
    assert table is not None
    found: list[dict[str, object]] = json.loads(json.dumps(table.plain(), allow_nan=False))["rows"]
    return found


def figure(report: Report, title: str, agent: str = "a") -> dict[str, object]:
    (row,) = [row for row in rows(report, "graphs") if row["figure"] == title]
    agents = row["agents"]
    assert isinstance(agents, dict)
    found: dict[str, object] = agents[agent]
    return found


# Means.


def test_a_mean_of_successes_is_the_success_rate() -> None:
    passed, episodes = np.array([3, 0, 2, 1]), np.array([4, 3, 2, 1])
    rate, mean = success_rate(passed, episodes), mean_of_shares(passed.astype(float), episodes, 10)
    assert (mean.value, mean.episodes, mean.tasks) == (rate.value, rate.episodes, rate.tasks)
    assert mean.interval == pytest.approx(rate.interval)


def test_a_mean_of_ones_has_the_interval_of_as_many_successes() -> None:
    mean = mean_of_shares(np.ones(8), np.ones(8, dtype=np.int64), 8)
    assert mean.interval == pytest.approx(wilson(1.0, 8))


def test_a_mean_over_nothing_is_undefined() -> None:
    mean = mean_of_shares(np.zeros(3), np.zeros(3, dtype=np.int64), 5)
    assert (mean.value, mean.interval, mean.episodes, mean.scored) == (None, (0.0, 1.0), 0, 5)
    assert cell_text(mean) == "undefined"
    assert cell_text(mean_of_shares(np.zeros(0), np.zeros(0, dtype=np.int64), 0)) == "–"


@given(some.lists(some.lists(some.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=12))
def test_a_mean_lies_within_its_interval(by_task: list[list[float]]) -> None:
    sums, episodes = np.array([sum(values) for values in by_task]), np.array([len(values) for values in by_task])
    mean = mean_of_shares(sums, episodes, int(episodes.sum()))
    assert mean.value == pytest.approx(sums.sum() / episodes.sum())
    assert 0.0 <= mean.interval[0] <= mean.value <= mean.interval[1] <= 1.0


@pytest.mark.parametrize(("a", "b"), [(2.0, 2.0), (0.3, 0.3), (8.0, 1.0)])
@pytest.mark.parametrize("tasks", [8, 60])
def test_intervals_of_means_hold_the_truth_as_often_as_they_say(a: float, b: float, tasks: int) -> None:
    random, truth, held = np.random.default_rng(tasks), a / (a + b), 0
    for _ in range(1_000):
        values = random.beta(a, b, tasks)
        low, high = mean_of_shares(values, np.ones(tasks, dtype=np.int64), tasks).interval
        held += low <= truth <= high
    assert held >= 930


def test_intervals_of_means_shrink_where_tasks_agree() -> None:
    same, other = np.full(40, 0.5), np.tile([0.0, 1.0], 20)
    one, two = (mean_of_shares(values, np.ones(40, dtype=np.int64), 40).interval for values in (same, other))
    assert one[1] - one[0] < (two[1] - two[0]) / 3


# Side by side.


def test_a_run_without_composed_tasks_has_no_such_section() -> None:
    found = summarise(columns(outcomes("a", {"t": [1.0]}, metrics={"neatness": 1.0})))
    assert not [table for table in found.tables if table.name.startswith("graph")]
    assert "Task graphs" not in page(found) + markdown(found) + in_terminal(found)


def test_figures_stand_side_by_side() -> None:
    found = summarise(columns([composed("a", "t", 1.0, 0.5), composed("a", "u", 0.5, 0.25)]))
    assert [row["figure"] for row in rows(found, "graphs")] == [
        "scored episodes", "void, left out", *FIGURES.values(), "LC undefined, left out",
    ]  # fmt: skip
    assert figure(found, "coverage rate (CR)")["mean"] == 0.75
    assert figure(found, "logical consistency (LC)")["mean"] == 0.375
    assert figure(found, "LC of what was completed")["mean"] == 1.0
    assert figure(found, "success by the result alone")["mean"] == 0.5
    assert figure(found, "action match score")["mean"] == 0.25


def test_they_are_not_told_twice() -> None:
    found = summarise(columns([composed("a", "t", 1.0, 0.5)]))
    assert [row["figure"] for row in rows(found, "metrics")] == ["instruction"]


def test_undefined_consistency_is_left_out_and_never_0() -> None:
    results = [composed("a", "t", 1.0, 0.5), composed("a", "u", 0.5), composed("b", "u", 0.5)]
    found = summarise(columns(results))
    mine, other = (figure(found, "logical consistency (LC)", agent) for agent in "ab")
    assert (mine["mean"], mine["episodes"], mine["scored"]) == (0.5, 1, 2)
    assert (other["mean"], other["episodes"], other["scored"]) == (None, 0, 1)
    for text in (in_terminal(found), markdown(found), page(found)):
        assert "n=1" in text
        assert "undefined" in text


def test_void_episodes_are_left_out_and_counted() -> None:
    found = summarise(columns([composed("a", "t", 1.0, 0.5), composed("a", "u", None), composed("b", "t", None)]))
    scored, void = rows(found, "graphs")[:2]
    assert (scored["agents"], void["agents"]) == ({"a": 1, "b": 0}, {"a": 1, "b": 1})
    assert figure(found, "coverage rate (CR)")["mean"] == 1.0
    assert figure(found, "coverage rate (CR)", "b")["mean"] is None


def test_other_tasks_of_the_run_are_no_part_of_it() -> None:
    found = summarise(columns([composed("a", "t", 0.5, 0.5), *outcomes("a", {"plain": [1.0, None]})]))
    scored, void = rows(found, "graphs")[:2]
    assert (scored["agents"], void["agents"]) == ({"a": 1}, {"a": 0})
    assert figure(found, "coverage rate (CR)")["mean"] == 0.5


# By capability, complexity and shape.


def test_the_names_are_those_of_the_graphs() -> None:
    assert set(CAPABILITIES) == set(Capability)
    assert {name: abbreviation(name) for name in CAPABILITIES} == {one.value: one.abbreviation for one in Capability}
    assert set(COMPLEXITIES) == set(Dimension)
    assert tuple(Level) == LEVELS


def test_capabilities_come_in_the_order_of_the_paper() -> None:
    names = ["zeal", "cross-domain-knowledge", "parallel-planning"]
    results = [composed("a", name, 0.5, labels={"capability": name}) for name in names]
    results += [composed("a", "none", 1.0), composed("b", "zeal", None, labels={"capability": "zeal"})]
    found = rows(summarise(columns(results)), "graph_capability_coverage")
    assert [row["capability"] for row in found] == ["parallel-planning", "cross-domain-knowledge", "zeal"]
    assert [row["tasks"] for row in found] == [1, 1, 1]


def test_capabilities_as_in_the_paper_follow_from_the_complexity_and_overlap() -> None:
    deep = {"dependency": 5.0, "hierarchy": 6.0, "branch": 1.0, "knowledge": 2.0}
    wide = {"dependency": 4.0, "hierarchy": 2.0, "branch": 6.0, "knowledge": 5.0}
    results = [
        replace(result, metrics={**result.metrics, **more})
        for result, more in (
            (composed("a", "deep", 0.5, 0.5, nodes=6), deep),
            (composed("a", "wide", 1.0, nodes=8), wide),
            (composed("b", "wide", None, nodes=8), {}),
        )
    ]
    found = summarise(columns(results), capabilities="paper")
    listed = {row["capability"]: row["tasks"] for row in rows(found, "graph_capability_coverage")}
    assert listed == {
        "parallel-planning": 1, "long-range-planning": 1, "long-sequence-reasoning": 1, "subtask-identification": 2,
        "dependency-identification": 2, "long-instruction-following": 1, "cross-domain-decision-making": 1,
        "cross-domain-knowledge": 1, "domain-specific-knowledge": 1,
    }  # fmt: skip
    assert not [table for table in summarise(columns(results)).tables if table.name == "graph_capability_coverage"]
    assert "Table 12" in markdown(found)
    undefined: object = figure(found, "LC undefined, left out")
    assert undefined == 1


def test_each_dimension_goes_from_easy_to_hard() -> None:
    results = [composed("a", f"t{nodes}", 1 / nodes, nodes=nodes) for nodes in (1, 2, 4, 5)]
    table = next(table for table in graph_tables(columns(results)) if table.name == "graph_complexity_coverage")
    assert [row[0] for row in table.rows] == list(COMPLEXITIES)
    (instruction,) = [row for row in table.rows if row[0] == "instruction"]
    assert [cell_text(cell).split(" %")[0] for cell in instruction[2:]] == ["75", "25", "20"]
    assert [cell_text(cell) for cell in table.rows[0][1:]] == ["a", "–", "–", "–"]


def test_chains_are_compared_with_graphs_of_equal_size() -> None:
    results = [composed("a", f"c{n}", 1.0, nodes=n, labels={"shape": "chain"}) for n in (3, 4)]
    results += [composed("a", f"g{n}", 0.5, nodes=n) for n in (4, 10)]
    found = rows(summarise(columns(results)), "graph_shapes")
    means = [(row["subtasks"], _mean(row["chains"]), _mean(row["graphs"])) for row in found]
    assert means == [(3, 1.0, None), (4, 1.0, 0.5), (10, None, 0.5)]


def _mean(cell: object) -> object:
    assert isinstance(cell, dict)
    return cell["mean"]


def test_a_record_from_elsewhere_may_have_figures_and_nothing_else() -> None:
    found = summarise(columns([*outcomes("a", {"t": [0.5]}, metrics={"coverage": 7.0})]))
    assert [table.name for table in found.tables if table.name.startswith("graph")] == ["graphs"]
    assert figure(found, "coverage rate (CR)")["mean"] == 1.0
    Checked(page(found))


# For people.


def examined(*agents: str) -> list[Result]:
    found = []
    for place, agent in enumerate(agents):
        for number in range(40):
            dimensions = {name: LEVELS[(number + turn) % 3] for turn, name in enumerate(COMPLEXITIES)}
            shape = "chain" if number % 4 == 0 else "graph"
            labels = {**dimensions, "capability": CAPABILITIES[number % 10], "shape": shape}
            coverage = round(min(1.0, (1 + number * (place + 3) % 7) / 7), 3)
            consistency = None if number % 5 == 0 else coverage / 2
            found.append(composed(agent, f"t{number}", coverage, consistency, nodes=2 + number % 6, labels=labels))
    return found


@pytest.mark.parametrize("agents", [("a",), ("oracle", "truncated"), tuple(f"prompted,model=long/{n}" for n in "abcd")])
def test_the_terminal_keeps_to_80_columns(agents: tuple[str, ...]) -> None:
    text = in_terminal(summarise(columns(examined(*agents))))
    assert "Task graphs: coverage rate by capability" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_the_page_draws_radars_levels_and_shapes() -> None:
    text = page(summarise(columns(examined("oracle", "idle"))))
    found = Checked(text)
    assert "<h2>Task graphs</h2>" in text
    assert found.tags.count("polygon") >= 2 * 4 + 2
    assert "Coverage rate by hierarchy" in text
    assert "Chains and graphs, idle" in text
    assert "LRP: long-range-planning" in text


def test_two_capabilities_make_no_radar() -> None:
    results = [composed("a", name, 0.5, labels={"capability": name}) for name in CAPABILITIES[:2]]
    text = page(summarise(columns(results)))
    assert "<polygon" not in text
    assert "parallel-planning" in text


def test_labels_from_elsewhere_are_escaped() -> None:
    labels = {name: HOSTILE for name in ("capability", "shape", *COMPLEXITIES)}
    results = [composed(HOSTILE, f"{HOSTILE}{number}", 0.5, labels=labels) for number in range(2)]
    results += [composed("b", name, 0.5, 0.5, labels={"capability": f"{HOSTILE}{name}"}) for name in "xyz"]
    found = summarise(columns(results))
    checked = Checked(page(found))
    assert checked.tags.count("script") == 1
    assert "\x1b" not in in_terminal(found)
    assert "<script>" not in markdown(found)


@pytest.mark.parametrize(
    "drawn",
    [
        radar("r", ["A", "B", "C"], [("one", [0.0, 0.5, 1.0]), ("two", [None, 0.5, 1.0])]),
        radar("r", ["A", "B", "C"], [("none", [None, None, None])]),
        radar("r", ["A"], [("one", [0.5])]),
        radar("r", [], []),
    ],
)
def test_radars_are_whole(drawn: str) -> None:
    assert "svg" in Checked(drawn).tags
    assert "nan" not in drawn


def test_a_radar_has_a_gap_where_nothing_is_known() -> None:
    whole, broken = (radar("r", list("ABCD"), [("x", shares)]) for shares in ([0.5] * 4, [None, 0.5, 0.5, 0.5]))
    assert (whole.count("class='line-0'"), broken.count("class='line-0'")) == (4, 2)
    assert (whole.count("area"), broken.count("area")) == (1, 0)
    assert "A unknown" in broken


def test_bars_leave_out_what_is_not_known() -> None:
    drawn = bars("b", ["x"], [("one", [None]), ("two", [0.0])])
    assert drawn.count("<rect") == 1
    assert "one: x unknown; two: x 0 %" in drawn


def test_bars_to_the_end_show_all_of_it() -> None:
    series = [("one", [0.1])]
    assert ">100 %<" not in bars("b", ["x"], series)
    assert ">100 %<" in bars("b", ["x"], series, to_end=True)
