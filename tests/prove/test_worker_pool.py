"""A crew does every job once, replaces workers that die or hang, and lets nothing outlive it."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal

import pytest

from proctor.errors import SpecError
from proctor.runner.worker_pool import Lost, WorkerPool

WORK = "tests.prove.machines:double"
LOOK = "tests.prove.machines:look_around"


def test_every_job_is_done_once() -> None:
    with WorkerPool(WORK, 2, patience_sec=60) as pool:
        assert sorted(pool.do(range(7))) == [(job, 2 * job) for job in range(7)]


def test_a_worker_that_dies_is_replaced_and_its_job_is_lost() -> None:
    with WorkerPool(WORK, 1, patience_sec=60) as pool:
        results = dict(pool.do([1, -1, 2, -4]))
    assert results[1] == 2
    assert results[2] == 4
    assert results[-1] == Lost("its process ended with status 7", doing="job -1 was done")
    assert results[-4] == Lost("its process ended with status 7")


def test_a_worker_that_hangs_is_replaced_and_its_job_is_lost() -> None:
    with WorkerPool(WORK, 1, patience_sec=3) as pool:
        results = dict(pool.do([-2, 5]))
    assert results == {-2: Lost("it did not end within 3 s", doing="job -2 was done"), 5: 10}


def test_a_defect_of_the_work_is_raised() -> None:
    with WorkerPool(WORK, 1, patience_sec=60) as pool, pytest.raises(ZeroDivisionError, match="a defect"):
        list(pool.do([-3]))


def test_nothing_is_left_when_the_caller_stops_listening() -> None:
    with WorkerPool(WORK, 2, patience_sec=60) as pool:
        next(pool.do(range(100)))
    assert multiprocessing.active_children() == []


def test_each_worker_has_the_environment_of_now_and_random_numbers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("one", "two"):
        monkeypatch.setenv("PROCTOR_TEST_NOW", value)
        with WorkerPool(LOOK, 2, patience_sec=60) as pool:
            told = list(pool.do(["PROCTOR_TEST_NOW", "random", "random"]))
        assert ("PROCTOR_TEST_NOW", value) in told
        one, other = (numbers for question, numbers in told if question == "random")
        assert one[0] != other[0]
        assert one[1] != other[1]


def test_what_every_episode_needs_is_there_before_the_first() -> None:
    needed = [
        "proctor.runner.run_episode", "proctor.computers.backends.sandbox.computer",
        "proctor.vocabulary.formats.spreadsheets.checks",
    ]  # fmt: skip
    with WorkerPool(LOOK, 1, patience_sec=60) as pool:
        assert dict(pool.do(needed)) == dict.fromkeys(needed, True)


def test_workers_end_with_the_process_they_are_forked_from_and_the_next_one_is_found() -> None:
    with WorkerPool(LOOK, 1, patience_sec=60) as pool:
        ((_, parent),) = pool.do(["parent"])
        os.kill(parent, signal.SIGKILL)
        select.select([os.pidfd_open(parent)], [], [])
        results = [told for _, told in pool.do(["PROCTOR_TEST_NOW", "parent"])]
    assert parent not in results
    assert all(isinstance(told, int) or (isinstance(told, Lost) and told.killed) for told in results)
    assert any(isinstance(told, int) for told in results)


def test_a_crew_of_nobody_is_refused() -> None:
    with pytest.raises(SpecError, match="0 workers"):
        WorkerPool(WORK, 0, patience_sec=1)
