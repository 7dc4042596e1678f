"""The figures of going on from recorded episodes: which tries are timed, and what counts as gone apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from benchmarks.fork import Try, figures_of, measure
from proctor.errors import SpecError

tries = some.lists(
    some.builds(
        Try,
        task=some.just("core/one-v1"),
        light=some.booleans(),
        actions=some.integers(1, 10),
        seconds=some.floats(0.1, 60),
        apart=some.lists(some.integers(1, 10), max_size=3).map(tuple),
    )
)


def made(**changed: Any) -> Try:
    return Try(**{"task": "core/one-v1", "light": True, "actions": 10, "seconds": 2.0, **changed})


def test_only_long_enough_episodes_in_light_applications_are_timed() -> None:
    all_of_them = [made(), made(seconds=4.0), made(light=False, seconds=30.0), made(actions=3, seconds=1.0)]
    seconds, apart = figures_of(all_of_them, step=10, left_out=2)
    assert seconds.value == 3.0 and seconds.reached and "median of 2, slowest 4.0" in seconds.note
    assert apart.value == 0.0 and apart.reached and apart.note == "0 of 4; 2 left out"


def test_where_it_went_apart_is_said() -> None:
    _, apart = figures_of([made(), made(task="core/other-v1", apart=(4, 7))], step=10, left_out=0)
    assert apart.value == 50.0 and apart.reached is False
    assert apart.note == "1 of 2: core/other-v1 before action 4"


def test_without_a_try_there_is_no_figure() -> None:
    assert [figure.value for figure in figures_of([], step=10, left_out=3)] == [None, None]


@given(tries)
def test_every_try_counts_for_the_screens(all_of_them: list[Try]) -> None:
    _, apart = figures_of(all_of_them, step=10, left_out=0)
    if all_of_them:
        assert apart.value == pytest.approx(100 * sum(bool(one.apart) for one in all_of_them) / len(all_of_them))
    assert len(apart.note) < 400


def test_a_task_that_is_not_in_the_suite_is_named() -> None:
    with pytest.raises(SpecError, match="no task 'sign-the-leter'"):
        measure(suite="tour", step=3, tries=1, names=["sign-the-leter"], seed=0, say=lambda text: None)
