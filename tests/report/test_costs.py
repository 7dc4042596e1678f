"""What episodes took of their machine, as the report has it."""

from __future__ import annotations

import pytest

from proctor.report.cells import Percent
from proctor.report.costs import HEAD, costs
from tests.report.records import columns, result

FIRST = {"inside_seconds": 3.0, "outside_seconds": 1.0, "inside_mb": 100.0, "outside_mb": 70.0, "record_mb": 1.0}
SECOND = {"inside_seconds": 5.0, "outside_seconds": 3.0, "inside_mb": 300.0, "record_mb": 3.0}


def test_costs_are_of_episodes_that_were_scored_and_counted() -> None:
    episodes = columns(
        [
            result("a", "t", 1.0, steps=2, costs=FIRST),
            result("a", "u", 0.0, steps=4, costs=SECOND),
            result("a", "v", None, steps=9, costs=FIRST | {"inside_seconds": 1000.0}),
            result("a", "w", 1.0, steps=50),
            result("b", "t", 1.0, steps=2, costs={"outside_seconds": 1.0}),
        ]
    )
    table = costs(episodes)
    assert table.head == HEAD
    ((agent, number, each, share, step, inside, outside, recorded, hourly),) = table.rows
    assert (agent, number, each, step) == ("a", 2, 6.0, 2.0)
    assert isinstance(share, Percent)
    assert share == pytest.approx(1 / 3)
    assert (inside, outside, recorded, hourly) == (200.0, 70.0, 2.0, 600.0)


def test_without_figures_there_is_no_line() -> None:
    assert costs(columns([result("a", "t", 1.0)])).rows == ()


def test_an_episode_without_a_step_has_no_costs_of_a_step() -> None:
    (row,) = costs(columns([result("a", "t", 0.0, costs=FIRST)])).rows
    assert row[HEAD.index("per step")] is None
