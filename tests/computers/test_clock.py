"""Patience is counted in time that this machine really had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.parts.clock import MOST_TAKEN, PatientClock, taken_by_the_host


class Host:
    """A machine whose host takes processors away."""

    def __init__(self) -> None:
        self.real = 100.0
        self.taken = 7.0

    def clock(self) -> PatientClock:
        return PatientClock(real=lambda: self.real, taken=lambda: self.taken)

    def let(self, seconds: float, taken: float = 0.0) -> None:
        self.real += seconds
        self.taken += taken


def test_on_a_host_that_takes_nothing_it_is_the_real_time() -> None:
    host = Host()
    clock = host.clock()
    began = clock.now()
    host.let(12.5)
    assert clock.now() - began == pytest.approx(12.5)


def test_what_the_host_takes_does_not_count() -> None:
    host = Host()
    clock = host.clock()
    began = clock.now()
    host.let(10, taken=8)
    assert clock.now() - began == pytest.approx(2)


def test_patience_ends_whatever_the_host_does() -> None:
    host = Host()
    clock = host.clock()
    began = clock.now()
    host.let(10, taken=50)
    assert clock.now() - began == pytest.approx(10 * (1 - MOST_TAKEN))


@given(some.lists(some.tuples(some.floats(0, 5), some.floats(-1, 5))))
def test_it_never_goes_back_and_never_runs_ahead(passed: list[tuple[float, float]]) -> None:
    host = Host()
    clock = host.clock()
    began = before = clock.now()
    for seconds, taken in passed:
        host.let(seconds, taken)
        now = clock.now()
        assert before <= now <= host.real
        before = now
    total = sum(seconds for seconds, _ in passed)
    # Short stretches are counted when they have become long enough to be looked at.
    assert before - began >= (1 - MOST_TAKEN) * total - 1e-6


def test_this_machine_can_say_what_its_host_took() -> None:
    assert taken_by_the_host() >= 0.0


def test_how_patient_it_is_can_be_said() -> None:
    host = Host()
    clock = PatientClock(real=lambda: host.real, taken=lambda: host.taken, most_taken=0.5)
    began = clock.now()
    host.let(10, taken=9)
    assert clock.now() - began == pytest.approx(5)
