"""Estimates against closed forms, brute force and simulation."""

from __future__ import annotations

import itertools
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.report.statistics import (
    Counts,
    difference_interval,
    difficulty,
    flip_rate,
    holm,
    pair,
    pair_episodes,
    pass_at_k,
    pass_hat_k,
    sign_flip,
    success_rate,
    wilson,
)

ONE_TASK = st.sampled_from([(won, tried) for tried in range(1, 7) for won in range(tried + 1)])
COUNTS = st.lists(ONE_TASK, min_size=1, max_size=30)


def arrays(pairs: list[tuple[int, int]]) -> tuple[Counts, Counts]:
    won, tried = zip(*pairs, strict=True)
    return np.array(won), np.array(tried)


# Success with its interval.


@pytest.mark.parametrize(("won", "number", "low", "high"), [(0, 8, 0.0, 0.3244), (8, 10, 0.4902, 0.9433)])
def test_wilson_has_its_textbook_values(won: int, number: int, low: float, high: float) -> None:
    assert wilson(won / number, number) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("won", [0, 3, 10])
def test_one_episode_a_task_gives_wilsons_interval(won: int) -> None:
    passed = np.array([1] * won + [0] * (10 - won))
    assert success_rate(passed, np.ones(10, dtype=np.int64)).interval == pytest.approx(wilson(won / 10, 10))


def test_repeats_that_always_agree_are_worth_little_more_than_one() -> None:
    agree = success_rate(np.array([5, 0] * 10), np.full(20, 5))
    once = success_rate(np.array([1, 0] * 10), np.ones(20, dtype=np.int64))
    assert agree.interval == pytest.approx(once.interval, abs=0.01)


def test_repeats_that_are_independent_count_nearly_in_full() -> None:
    random = np.random.default_rng(3)
    rate = success_rate(random.binomial(5, 0.5, 400), np.full(400, 5))
    assert rate.value is not None
    assert rate.interval[1] - rate.interval[0] == pytest.approx(2 * 1.96 * sqrt(0.25 / 2000), rel=0.1)


def test_all_passed_repeats_are_not_taken_for_independent() -> None:
    assert success_rate(np.full(8, 10), np.full(8, 10)).interval[0] < 0.8


def test_without_episodes_nothing_is_known() -> None:
    rate = success_rate(np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))
    assert (rate.value, rate.interval, rate.tasks) == (None, (0.0, 1.0), 0)


@given(COUNTS)
def test_intervals_hold_their_estimate_and_stay_in_range(pairs: list[tuple[int, int]]) -> None:
    rate = success_rate(*arrays(pairs))
    assert rate.value is not None
    assert 0 <= rate.interval[0] <= rate.value <= rate.interval[1] <= 1


@given(COUNTS)
def test_the_order_of_tasks_does_not_matter(pairs: list[tuple[int, int]]) -> None:
    assert success_rate(*arrays(pairs)).interval == pytest.approx(success_rate(*arrays(pairs[::-1])).interval)


@given(COUNTS)
def test_passing_and_failing_are_mirror_images(pairs: list[tuple[int, int]]) -> None:
    passed, tried = arrays(pairs)
    low, high = success_rate(passed, tried).interval
    assert success_rate(tried - passed, tried).interval == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("tasks", "attempts"), [(8, 1), (8, 5), (20, 3), (60, 1), (60, 5)])
@pytest.mark.parametrize("mean", [0.5, 0.85])
@pytest.mark.parametrize("likeness", [2.0, 0.3])
def test_the_interval_covers_the_truth_as_often_as_it_says(
    tasks: int, attempts: int, mean: float, likeness: float
) -> None:
    """Tasks are drawn with different chances; a small likeness makes repeats of a task agree nearly always."""
    random = np.random.default_rng(11)
    times = 600
    chances = random.beta(mean * likeness, (1 - mean) * likeness, (times, tasks))
    passed = random.binomial(attempts, chances)
    intervals = [success_rate(row, np.full(tasks, attempts)).interval for row in passed]
    assert sum(low <= mean <= high for low, high in intervals) / times > 0.92


# Two agents.


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_the_sign_flip_test_is_the_count_of_all_flips(differences: list[int]) -> None:
    flips = itertools.product((1, -1), repeat=len(differences))
    sums = [abs(sum(sign * value for sign, value in zip(signs, differences, strict=True))) for signs in flips]
    expected = sum(value >= abs(sum(differences)) for value in sums) / len(sums)
    assert sign_flip(differences) == (pytest.approx(expected), True)


def test_drawn_flips_agree_with_counted_ones() -> None:
    random = np.random.default_rng(5)
    values = random.integers(-3, 5, 200)
    counted, exact = sign_flip(values.tolist())
    # A unit so fine that counting would take too long, and a last task that changes next to nothing.
    drawn, drawn_exact = sign_flip([*(values * 100_003).tolist(), 1])
    assert (exact, drawn_exact) == (True, False)
    assert drawn == pytest.approx(counted, abs=0.015)


def test_equal_agents_are_rarely_told_apart() -> None:
    random = np.random.default_rng(7)
    tried = np.full(30, 2)
    told = 0
    for _ in range(400):
        chances = random.beta(0.5, 0.5, 30)
        first, second = random.binomial(2, chances), random.binomial(2, chances)
        told += pair((first, tried), (second, tried)).p <= 0.05
    assert told / 400 < 0.075


def test_only_common_tasks_are_compared() -> None:
    first = (np.array([1, 1, 0]), np.array([1, 1, 0]))
    second = (np.array([0, 0, 1]), np.array([1, 0, 1]))
    outcome = pair(first, second)
    assert (outcome.tasks, outcome.difference, outcome.better) == (1, 1.0, 1)


def test_no_common_tasks_say_nothing() -> None:
    outcome = pair((np.array([1, 0]), np.array([1, 0])), (np.array([0, 1]), np.array([0, 1])))
    assert (outcome.tasks, outcome.difference, outcome.p) == (0, None, 1.0)


@given(st.lists(st.tuples(ONE_TASK, ONE_TASK), min_size=1, max_size=20))
def test_episodes_counted_alike_are_tasks_counted_alike_where_each_has_as_many(
    pairs: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    tried = np.full(len(pairs), 5, np.int64)
    first, second = (np.array([min(each[which][0], 5) for each in pairs], np.int64) for which in (0, 1))
    by_task, by_episode = pair((first, tried), (second, tried)), pair_episodes(first, second, tried)
    assert by_episode.difference == pytest.approx(by_task.difference)
    assert by_episode.interval == pytest.approx(by_task.interval)
    assert by_episode.p == pytest.approx(by_task.p)


@given(st.lists(st.tuples(ONE_TASK, ONE_TASK), min_size=1, max_size=20))
def test_swapping_agents_turns_the_difference_round(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    first, second = (arrays(list(side)) for side in zip(*pairs, strict=True))
    there, back = pair(first, second), pair(second, first)
    assert there.difference == pytest.approx(-(back.difference or 0.0))
    assert there.p == pytest.approx(back.p)
    assert there.interval == pytest.approx((-back.interval[1], -back.interval[0]))
    assert there.interval[0] - 1e-9 <= (there.difference or 0.0) <= there.interval[1] + 1e-9


def test_the_interval_of_a_difference_covers_it() -> None:
    random = np.random.default_rng(13)
    hits = 0
    for _ in range(1000):
        first, second = random.random(25) < 0.7, random.random(25) < 0.5
        low, high = difference_interval(first.astype(float) - second.astype(float))
        hits += low <= 0.2 <= high
    assert 0.93 < hits / 1000 < 0.985


def test_needed_tasks_reach_the_power_that_was_promised() -> None:
    """Take agents whose difference is known, ask how many tasks are needed, and see how often that many show it."""
    pattern = np.array([1.0] * 5 + [0.0] * 12 + [-1.0] * 3)
    won_a, won_b = (pattern > 0).astype(np.int64), (pattern < 0).astype(np.int64)
    ones = np.ones(20, dtype=np.int64)
    needed = pair((won_a, ones), (won_b, ones)).needed_tasks
    assert needed is not None
    random = np.random.default_rng(17)
    draws = random.choice(pattern.astype(np.int64), size=(300, needed))
    power = np.mean([sign_flip(row.tolist())[0] <= 0.05 for row in draws])
    assert 0.72 < power < 0.9


def test_more_attempts_help_only_against_the_noise_of_repeats() -> None:
    noisy = (np.array([2, 3] * 10), np.full(20, 4)), (np.array([2, 2] * 10), np.full(20, 4))
    outcome = pair(*noisy)
    assert outcome.needed_attempts is not None
    assert outcome.needed_attempts > 4
    firm = (np.array([4, 0, 4] * 4), np.full(12, 4)), (np.array([0, 4, 0] * 4), np.full(12, 4))
    assert pair(*firm).needed_attempts is None


def test_no_difference_needs_no_number() -> None:
    same = (np.array([1, 0, 1]), np.ones(3, dtype=np.int64))
    outcome = pair(same, same)
    assert (outcome.p, outcome.needed_tasks, outcome.needed_attempts) == (1.0, None, None)


def test_holms_correction() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


# Repeats and difficulty.


@given(COUNTS, st.integers(1, 4))
def test_pass_at_k_is_the_share_of_subsets(pairs: list[tuple[int, int]], k: int) -> None:
    cases = [(won, tried) for won, tried in pairs if tried >= k]
    at, hat = pass_at_k(*arrays(pairs), k), pass_hat_k(*arrays(pairs), k)
    if not cases:
        assert at is None
        assert hat is None
        return
    any_, all_ = [], []
    for won, tried in cases:
        subsets = list(itertools.combinations([True] * won + [False] * (tried - won), k))
        any_.append(sum(map(any, subsets)) / len(subsets))
        all_.append(sum(map(all, subsets)) / len(subsets))
    assert (at, hat) == (pytest.approx(np.mean(any_)), pytest.approx(np.mean(all_)))


def test_flip_rate_is_over_repeated_cases_only() -> None:
    assert flip_rate(np.array([1, 0, 2, 1]), np.array([2, 2, 2, 1])) == pytest.approx(1 / 3)
    assert flip_rate(np.array([1]), np.array([1])) is None


def test_difficulty_counts_each_agent_alike() -> None:
    passed = np.array([[10, 0, 0], [0, 0, 0]])
    tried = np.array([[10, 1, 0], [1, 1, 0]])
    assert difficulty(passed, tried).tolist() == [0.5, 1.0, pytest.approx(float("nan"), nan_ok=True)]
