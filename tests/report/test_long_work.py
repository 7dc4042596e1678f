"""Reports on long work: what parts earn, where agents stop, and whether every seed of a scenario is solved."""

from __future__ import annotations

from proctor.records import Result
from proctor.report import long_work
from proctor.report.cells import cell_text
from proctor.report.statistics import Mean, Rate
from tests.report.records import columns, result

NAMES = ("found", "written", "sent")


def work(agent: str, task: str, held: int, seed: int = 0, begin_after: str = "") -> Result:
    """Return the result of an agent that reached so many of three checkpoints."""
    reached = dict(zip(NAMES, [True] * held + [False] * (3 - held), strict=True))
    return result(agent, task, held / 3 if held < 3 else 1.0, seed=seed, checkpoints=reached, begin_after=begin_after)


def test_complete_and_score_are_told_apart() -> None:
    (row,) = long_work.parts(columns([work("a", "t", 3), work("a", "u", 1), result("a", "v", 1.0)])).rows
    _, episodes, complete, score, reached = row
    assert episodes == 2 and isinstance(complete, Rate) and complete.value == 0.5
    assert isinstance(score, Mean) and round(score.value or 0, 3) == 0.667
    assert cell_text(reached) == "67 %"


def test_checkpoints_stand_in_their_order_with_the_share_that_reached_them() -> None:
    table = long_work.checkpoints(columns([work("a", "t", 1), work("a", "t", 3, seed=1), work("b", "t", 0)]))
    assert [(row[1], row[2], *map(cell_text, row[3:])) for row in table.rows] == [
        (1, "found", "100 %", "0 %"),
        (2, "written", "50 %", "0 %"),
        (3, "sent", "50 %", "0 %"),
    ]


def test_void_episodes_reach_nothing_and_miss_nothing() -> None:
    table = long_work.checkpoints(columns([work("a", "t", 1), result("a", "t", None, seed=1)]))
    assert cell_text(table.rows[0][3]) == "100 %"


def test_a_task_that_was_begun_in_its_middle_is_another() -> None:
    table = long_work.checkpoints(columns([work("a", "t", 1), work("a", "t", 3, begin_after="found")]))
    assert sorted({str(row[0]) for row in table.rows}) == ["core/t-v1", "core/t-v1 after “found”"]


def test_a_scenario_is_solved_when_every_seed_is() -> None:
    results = [work("a", "t", 3), work("a", "t", 3, seed=1), work("a", "u", 3), work("a", "u", 2, seed=1)]
    (row,) = long_work.scenarios(columns([*results, work("a", "once", 3)])).rows
    _, scenarios, seeds, every, mean = row
    assert (scenarios, seeds) == (2, 2.0)
    assert isinstance(every, Rate) and (every.value, every.episodes) == (0.5, 2)
    assert isinstance(mean, Rate) and mean.value == 0.75


def test_one_failed_attempt_leaves_its_scenario_unsolved() -> None:
    results = [work("a", "t", 3), work("a", "t", 3, seed=1), result("a", "t", 0.0, seed=1, sample=1)]
    (row,) = long_work.scenarios(columns(results)).rows
    assert isinstance(row[3], Rate) and row[3].value == 0.0


def test_without_variants_nothing_is_said_of_consistency() -> None:
    assert long_work.scenarios(columns([work("a", "t", 3), work("a", "u", 3)])).rows == ()
