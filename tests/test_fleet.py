"""The simulation of large runs: bounded by what is possible, the same for the same seed, and nothing lost."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from benchmarks.fleet import Fleet, Policy, measure, recorded_seconds, scenarios, simulate
from proctor.errors import SpecError
from proctor.runner.plan_record import begin
from proctor.runner.schedule import carry_out
from proctor.runner.workers.local import HereWorkers
from tests.runner import jobs

CALM = Fleet(slots=5, per_node=2, episodes=10, measured=(60.0,), stragglers=0, void=0, node_hours=math.inf, driver_ms=0)
POLICIES = some.sampled_from(["queue", "slices"])


@pytest.mark.parametrize("policy", ["queue", "slices"])
def test_equal_episodes_fill_the_computers_evenly(policy: Policy) -> None:
    came = simulate(CALM, policy)
    assert (came.seconds, came.busy, came.lost, came.void) == (120.0, 1.0, 0, 0)


@settings(max_examples=60)
@given(
    some.integers(1, 40),
    some.integers(1, 8),
    some.integers(1, 120),
    some.lists(some.floats(0.5, 800), min_size=1, max_size=8),
    some.integers(0, 1000),
)
def test_a_work_queue_comes_near_the_least_time(
    slots: int, per_node: int, episodes: int, measured: list[float], seed: int
) -> None:
    fleet = replace(CALM, slots=slots, per_node=per_node, episodes=episodes, measured=tuple(measured), seed=seed)
    durations = fleet.durations()
    came = simulate(fleet)
    least = max(sum(durations) / slots, max(durations))
    # No list of jobs given to whoever is free takes longer than this.
    assert least - 1e-6 <= came.seconds <= sum(durations) / slots + max(durations) + 1e-6
    assert simulate(fleet, "slices").seconds >= least - 1e-6


@settings(max_examples=40)
@given(POLICIES, some.floats(0, 0.5), some.floats(0.02, 5), some.integers(0, 3), some.integers(0, 1000))
def test_every_episode_has_a_last_word(policy: Policy, void: float, node_hours: float, retries: int, seed: int) -> None:
    fleet = Fleet(slots=12, per_node=4, episodes=60, void=void, node_hours=node_hours, retries=retries, seed=seed)
    came = simulate(fleet, policy)
    assert 0 <= came.void <= 60
    assert 0 <= came.busy <= 1
    assert came == simulate(fleet, policy)


def test_what_is_lost_is_done_again_elsewhere() -> None:
    fleet = replace(CALM, slots=40, per_node=10, episodes=400, node_hours=0.1, back_sec=math.inf, retries=100)
    came = simulate(fleet)
    assert came.lost > 0
    assert came.void == 0
    assert came.seconds > simulate(CALM).seconds


def test_without_retries_what_is_lost_is_void() -> None:
    came = simulate(replace(CALM, void=1.0, retries=0))
    assert (came.void, came.busy) == (10, 0.0)


def test_a_driver_that_has_too_much_to_do_holds_everybody_up() -> None:
    came = simulate(replace(CALM, slots=1000, episodes=2000, measured=(1.0,), driver_ms=10))
    assert came.driver > 0.9
    assert came.seconds > 20


def test_seeds_make_a_difference_and_nothing_else_does() -> None:
    assert Fleet().durations() == Fleet(slots=7, node_hours=1).durations()
    assert Fleet().durations() != Fleet(seed=1).durations()
    assert max(Fleet().durations()) == Fleet().limit_sec


def test_the_figures_tell_each_scenario_by_both_ways() -> None:
    fleet = Fleet(slots=50, per_node=10, episodes=300, node_hours=1)
    figures = measure(fleet)
    assert len(figures) == 2 * len(scenarios(fleet))
    assert len({figure.key for figure in figures}) == len(figures)
    assert all(figure.value and figure.unit == "min" and "busy" in figure.note for figure in figures)
    calm, slices = figures[0].value, figures[1].value
    assert calm is not None
    assert slices is not None
    assert calm < slices


@pytest.mark.parametrize("name", ["slots", "per_node", "episodes"])
def test_a_fleet_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match=f"{name} is 0"):
        Fleet(**{name: 0})


def test_a_run_gives_the_durations_of_a_larger_one(tmp_path: Path) -> None:
    plan = jobs.plan("idle", tasks=3)
    with begin(plan, tmp_path / "run", images={}) as record:
        carry_out(plan, record, HereWorkers())
    seconds = recorded_seconds(tmp_path / "run")
    assert len(seconds) == 3
    assert set(replace(CALM, measured=seconds).durations()) <= set(seconds)


def test_a_run_without_results_gives_none(tmp_path: Path) -> None:
    begin(jobs.plan("idle"), tmp_path / "run", images={}).close()
    with pytest.raises(SpecError, match="no episode that was scored"):
        recorded_seconds(tmp_path / "run")
