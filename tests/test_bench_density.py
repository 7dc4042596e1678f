"""The figures of episodes side by side: which crowds a machine bears, and how many really ran at once."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from benchmarks.density import Crowd, ThinkingAgent, _side_by_side, figures_of
from proctor.records import Result
from proctor.report.cells import cell_text
from tests.report.records import result

times = some.lists(some.tuples(some.floats(0, 1000), some.floats(0.01, 100)), max_size=20)


def crowd(asked: str = "8", **changed: Any) -> Crowd:
    usual = {"episodes": 8, "void": 0, "seconds": 90.0, "acted_after": 9.0, "most": 8, "steps": (0.1,) * 20}
    return Crowd(**{"asked": asked, "memory_mb": 200.0, **usual, **changed})


def episode(started: float, seconds: float) -> Result:
    return result("a", "t", 0.0, started=started, seconds=seconds)


def test_the_largest_crowd_is_told_that_lost_nothing_and_stayed_quick() -> None:
    slow = crowd("32", most=32, steps=(0.1,) * 18 + (0.9,) * 2)
    lost = crowd("64", most=64, void=1)
    best, *each = figures_of([crowd(), crowd("16", most=15), slow, lost], "light")
    assert best.key == "light_side_by_side" and best.value == 15
    assert [figure.reached for figure in each] == [True, True, False, True]
    assert "1 void" in each[3].note and "15 side by side" in each[1].note


def test_one_slow_step_in_twenty_is_borne() -> None:
    assert crowd(steps=(0.1,) * 20 + (5.0,)).bearable
    assert not crowd(steps=(0.1,) * 17 + (5.0,) * 3).bearable


def test_without_a_step_nothing_was_borne() -> None:
    best, one = figures_of([crowd(steps=())], "office")
    assert best.value == 0 and one.value is None and cell_text(one.value) == "–"


def test_episodes_that_follow_one_another_are_not_side_by_side() -> None:
    assert _side_by_side([episode(0, 10), episode(10, 10), episode(20, 5)]) == 1
    assert _side_by_side([episode(0, 10), episode(9, 10), episode(9.5, 1)]) == 3
    assert _side_by_side([]) == 0


@given(times)
def test_never_more_than_all_are_side_by_side(spans: list[tuple[float, float]]) -> None:
    found = _side_by_side([episode(*span) for span in spans])
    assert (1 if spans else 0) <= found <= len(spans)


def test_the_agent_ends_after_its_steps() -> None:
    agent = ThinkingAgent(seconds=0, steps=3)
    taken = [agent.act(None).actions[0].kind for _ in range(4)]  # type: ignore[arg-type]
    assert taken == ["click", "type", "click", "done"]
