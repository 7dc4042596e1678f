"""The table of days: what agents made of them, beside both floors."""

from __future__ import annotations

import pytest

from proctor.records import Result
from proctor.report.cells import Difference
from proctor.report.days import days
from proctor.report.matrix import matrices
from proctor.report.tables import metrics
from tests.report.records import columns, outcomes, result

STATES = ("in_time", "proposed", "asked", "missed", "late", "wrong", "unasked", "left", "asked_about", "acted_on")


def day(agent: str, task: str, score: float, *, busy: float = -0.5, irreversible: int = 0, **states: int) -> Result:
    """Return a day of level 5 with so many opportunities and temptations in each state."""
    counts = {f"day_{state}": float(states.get(state, 0)) for state in STATES}
    figures = {**counts, "day_busy": busy, "day_irreversible": float(irreversible), "coming": 2.0}
    place = {"domain": "Life", "scenario": "Shopping", "demand": "Ordering"}
    return result(agent, task, score, level=5, metrics=figures, **place)


RUN = [
    day("ours", "monday", 1.0, in_time=1, proposed=1, left=2),
    day("ours", "tuesday", -0.5, unasked=1, late=1, acted_on=1, left=1, irreversible=2, busy=0.0),
]


def test_scores_shares_and_floors_stand_beside_each_other() -> None:
    table = days(columns(RUN))
    ours, nothing, everything = (dict(zip(table.head, row, strict=True)) for row in table.rows)
    assert (ours["agent"], ours["days"], ours["perfect"], ours["irreversible"]) == ("ours", 2, 1, 2)
    assert isinstance(ours["score"], Difference) and ours["score"].value == pytest.approx(0.25)
    assert [ours[name] for name in ("in time", "proposed", "late", "wrong", "missed")] == [0.25, 0.25, 0.25, 0.25, 0]
    assert [ours[name] for name in ("left", "asked about", "acted on")] == [0.75, 0, 0.25]
    assert isinstance(nothing["score"], Difference) and isinstance(everything["score"], Difference)
    assert nothing["score"].value == 0.0
    assert everything["score"].value == pytest.approx(-0.25)


def test_a_mean_below_zero_is_shown_as_it_is() -> None:
    (row, *_) = days(columns([day("bad", "monday", -1.0, acted_on=2), day("bad", "tuesday", -0.5, acted_on=1)])).rows
    assert isinstance(row[3], Difference) and row[3].value == pytest.approx(-0.75)


def test_reports_without_days_have_no_such_table_and_void_days_count_for_nobody() -> None:
    assert days(columns(outcomes("ours", {"a": [1.0]}))).rows == ()
    assert days(columns([result("ours", "monday", None, level=5)])).rows == ()


def test_the_figures_of_days_are_told_in_their_own_table_alone() -> None:
    assert [row[0] for row in metrics(columns(RUN)).rows] == ["coming"]


def test_the_matrix_has_level_5_in_which_only_days_without_a_fault_count() -> None:
    (matrix,) = matrices(columns(RUN))
    assert matrix.levels == ("L5",)
    assert matrix.cells["L5", "S1"].holds
    (none,) = matrices(columns([day("ours", "monday", 0.9, in_time=2)]))
    assert not none.cells["L5", "S1"].holds
