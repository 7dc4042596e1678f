"""Tables, matrices, failures and ablations say what the results say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from proctor.report import tables
from proctor.report.ablations import ablations, paraphrases
from proctor.report.cells import Cell, Dollars, Percent, ReportTable, cell_text, percent
from proctor.report.failures import active_finish, collateral, modes, stops, voids
from proctor.report.matrix import matrices
from proctor.report.statistics import Rate, success_rate
from tests.report.records import columns, outcomes, result


def cell(table: ReportTable, row: str, column: str) -> Cell:
    (found,) = [line for line in table.rows if line[0] == row]
    return found[table.head.index(column)]


def rate(value: Cell) -> Rate:
    assert isinstance(value, Rate)
    return value


def test_success_by_application_counts_a_task_under_each_of_its_applications() -> None:
    table = tables.breakdown(
        columns([result("a", "t", 1.0, apps=("vlc", "gimp")), result("a", "u", 0.0, apps=("vlc",))]), "app"
    )
    assert (rate(cell(table, "vlc", "a")).value, rate(cell(table, "gimp", "a")).value) == (0.5, 1.0)
    assert cell(table, "vlc", "tasks") == 2


def test_void_episodes_are_in_no_success() -> None:
    table = tables.breakdown(columns(outcomes("a", {"t": [1.0, None, None]}, level=2)), "level")
    one = success_rate(*map(_array, ([1], [1])))
    assert rate(cell(table, "L2", "a")) == replace(one, clean=one)


def _array(values: list[int]) -> Any:
    return columns(outcomes("a", {f"t{place}": [1.0] * value for place, value in enumerate(values)})).by_task()[0][0]


def test_a_kind_of_task_that_an_agent_never_saw_is_unknown() -> None:
    table = tables.breakdown(columns([result("a", "t", 1.0, level=1), result("b", "u", 1.0, level=2)]), "level")
    assert rate(cell(table, "L2", "a")).value is None
    assert cell_text(cell(table, "L2", "a")) == "–"


def test_distributions_are_of_scored_episodes_and_totals_of_all() -> None:
    steps = (1, 2, 3, 4, 100)
    results = [result("a", f"t{n}", None if n == 100 else 1.0, steps=n) for n in steps]
    (row,) = tables.distributions(columns(results)).rows
    assert row[2:7] == (1.75, 2.5, 3.25, 4.0, 110.0)


def test_repeats() -> None:
    table = tables.repeats(columns(outcomes("a", {"t": [1.0, 0.0], "u": [1.0, 1.0]})))
    assert table.rows == (("a", 1, 0.75, 0.75, 0.5, 2), ("a", 2, 1.0, 0.5, 0.5, 2))
    assert tables.repeats(columns(outcomes("a", {"t": [1.0]}))).rows == ()


def test_the_hardest_task_comes_first_and_one_that_was_only_void_last() -> None:
    results = outcomes("a", {"easy": [1.0], "hard": [0.0], "void": [None]}, steps=7) + outcomes("b", {"hard": [1.0]})
    rows = tables.difficulties(columns(results)).rows
    assert [row[0] for row in rows] == ["core/hard-v1", "core/easy-v1", "core/void-v1"]
    assert rows[0][1:5] == (0.5, "1 of 2", 2, 0)
    assert rows[2][1:5] == (None, "0 of 0", 0, 1)


def test_metrics_are_means_of_the_episodes_that_have_them() -> None:
    results = [result("a", "t", 1.0, metrics={"neatness": 0.5}), result("a", "u", 1.0), result("b", "t", 1.0)]
    assert tables.metrics(columns(results)).rows == (("neatness", 1, 0.5, None),)


# Endings and failures.


def test_an_active_finish_is_the_agents_own_word() -> None:
    endings = ("done", "answered", "gave_up", "step_limit", "agent_error")
    results = [result("a", f"t{place}", 0.0, stop=stop) for place, stop in enumerate(endings)]
    assert active_finish(columns([*results, result("a", "void", None), result("b", "void", None)])) == [0.6, None]


def test_stops_and_modes() -> None:
    found = columns([
        result("a", "t", 0.0, stop="step_limit", modes=("step_limit", "wrong_element")),
        result("a", "u", 1.0),
        result("a", "v", None, cause="model", error="503"),
    ])  # fmt: skip
    assert cell(stops(found), "void", "a") == pytest.approx(1 / 3)
    assert cell(modes(found), "wrong_element", "a") == 0.5
    assert voids(found).rows == (("model", "503", 1),)


def test_tries_that_were_repeated_are_told_apart_from_voids() -> None:
    found = columns([result("a", "t", None, cause="computer", error="gone"), result("a", "t", 1.0, retry=1)])
    assert voids(found).rows == (("tried again", "", 1),)


def test_collateral_is_by_severity_and_of_scored_episodes() -> None:
    found = columns([
        result("a", "t", 1.0, collateral={"minor": 3}),
        result("a", "u", 1.0),
        result("a", "v", None, collateral={"minor": 5, "major": 1}),
    ])  # fmt: skip
    assert collateral(found).rows == (("major", 0, 0.0), ("minor", 3, 0.5))


# OS-MAP's matrix.


def demand(agent: str, domain: str, scenario: str, *scores: float, level: int = 2) -> list[Any]:
    fields = {"level": level, "domain": domain, "scenario": scenario}
    return outcomes(agent, {f"{scenario}-{place}": [score] for place, score in enumerate(scores)}, **fields)


def test_the_scopes_of_the_matrix() -> None:
    results = [
        *demand("a", "Office", "Data", 1.0, 0.0),
        *demand("a", "Office", "Schedule", 1.0),
        *demand("a", "Office", "Documentation", 0.0),
        *demand("a", "Life", "Finance", 1.0),
        *demand("a", "Life", "Shopping", 0.0),
        *demand("a", "Creativity", "Digital Content Creation", 1.0),
    ]
    (matrix,) = matrices(columns(results))
    found = {scope: matrix.cells["L2", scope] for scope in ("S1", "S2", "S3")}
    assert (found["S1"].reached, found["S1"].examined, found["S1"].holds) == (4, 6, True)
    # Two of three scenarios of Office, one of two of Life, the only one of Creativity.
    assert (found["S2"].reached, found["S2"].examined, found["S2"].holds) == (2, 3, True)
    assert (found["S3"].reached, found["S3"].examined, found["S3"].holds) == (2, 6, False)


def test_four_of_six_domains_are_general() -> None:
    system = ("Personalization", "Files and Applications")
    domains = {"Office": ("Data", "Schedule"), "Life": ("Finance", "Shopping"), "System": system}
    results = demand("a", "Creativity", "Digital Content Creation", 1.0)
    for domain, scenarios in domains.items():
        for scenario in scenarios:
            results += demand("a", domain, scenario, 1.0)
    (matrix,) = matrices(columns(results))
    assert matrix.cells["L2", "S3"].holds


def test_tasks_of_another_tree_have_no_place_in_the_matrix() -> None:
    results = [
        *demand("a", "Office", "Data", 1.0),
        *demand("a", "Daily", "Chrome", 1.0),
        *demand("a", "Office", "x", 1.0),
    ]
    (matrix,) = matrices(columns(results))
    assert matrix.cells["L2", "S1"].examined == 1


def test_the_threshold_decides() -> None:
    found = columns(demand("a", "Office", "Data", 1.0, 0.0, 0.0))
    assert not matrices(found)[0].cells["L2", "S1"].holds
    assert matrices(found, 0.3)[0].cells["L2", "S1"].holds


def test_tasks_without_level_or_demand_are_in_no_matrix() -> None:
    assert matrices(columns([result("a", "t", 1.0)]))[0].cells == {}


# What one setting changes.


def agent_with(score: float, **settings: str) -> list[Any]:
    label = ",".join(["prompted", *(f"{name}={value}" for name, value in settings.items())])
    return outcomes(label, {f"t{place}": [score] for place in range(6)}, settings=settings)


def test_an_ablation_needs_agents_that_differ_in_one_setting() -> None:
    results = agent_with(0.0, model="m", history="3") + agent_with(1.0, model="m", history="10")
    (table,) = ablations(columns(results + outcomes("idle", {"t0": [0.0]})))
    assert [row[0] for row in table.rows] == ["3", "10"]
    assert cell_text(table.rows[1][2]).startswith("+100")
    assert table.rows[1][3] == pytest.approx(2 / 64)
    assert "model=m" in table.note


def test_agents_that_differ_in_two_settings_are_no_ablation() -> None:
    assert ablations(columns(agent_with(0.0, model="m", history="3") + agent_with(1.0, model="n", history="10"))) == ()


def test_a_setting_may_be_absent() -> None:
    (table,) = ablations(columns(agent_with(0.0) + agent_with(1.0, intent="yes")))
    assert [row[0] for row in table.rows] == ["(not set)", "yes"]


def test_sensitivity_is_the_deviation_over_wordings_of_a_task() -> None:
    scores = {"t": (1.0, 1.0, 0.0, 0.0), "u": (1.0, 1.0, 1.0, 1.0)}
    results = [
        result("a", task, score, paraphrase=words)
        for task, found in scores.items()
        for words, score in enumerate(found)
    ]
    (row,) = paraphrases(columns([*results, result("a", "only-one", 1.0)])).rows
    assert row[1:3] == (0.25, 2)
    assert rate(row[3]).passed == 3
    assert paraphrases(columns([result("a", "t", 1.0)])).rows == ()


# Cells.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (Percent(0.5), "50 %"), (Percent(0.999), "99.9 %"), (Percent(0.001), "0.1 %"), (1234, "1,234"),
        (0.1234, "0.123"), (1234.5, "1,234"), (Dollars(0.0123), "$0.012"), (Dollars(3), "$3.00"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_cells_are_readable(value: Cell, text: str) -> None:
    assert cell_text(value) == text


def test_only_all_is_a_hundred_per_cent() -> None:
    assert (percent(1.0), percent(0.0)) == ("100 %", "0 %")
    assert percent(0.9999) != "100 %"
