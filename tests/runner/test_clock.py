"""One clock for whoever is at work: agents, people and answer keys."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator

import pytest

from proctor.actions.action import Done, Press
from proctor.agents.agent import Turn
from proctor.agents.human import Human
from proctor.exam.clock import ExamClock, TimeIsUp
from proctor.observations.observation import Observation
from tests.exam.table import Table
from tests.exam.test_loop import Driving

Step = Callable[[Turn], Observation]


@pytest.fixture
def never() -> Iterator[Callable[[], None]]:
    """A wait that nothing ends but an interruption."""
    reading, writing = os.pipe()
    yield lambda: _read(reading)
    os.close(reading)
    os.close(writing)


def _read(end: int) -> None:
    os.read(end, 1)


def test_a_driver_that_waits_for_ever_runs_out_of_time(never: Callable[[], None]) -> None:
    def work(step: Step) -> None:
        step(Turn(actions=(Press(keys="a"),)))
        never()

    table = Table(seconds=0.3)
    table.drive(Driving(work))
    state = table.exam.state
    assert (state.stop, state.steps, state.crashed) == ("time_limit", 1, False)
    assert table.exam.clock.thought > 0
    assert table.notes.lines[-1]["stop"] == "time_limit"


def test_a_person_who_does_not_answer_runs_out_of_time(never: Callable[[], None]) -> None:
    def prompt(_text: str) -> str:
        never()
        return "done"

    table = Table(seconds=0.2)
    table.drive(Human(prompt))
    assert table.exam.state.stop == "time_limit"


class AnswerKey(Driving):
    """A driver that looks at the computer by itself."""

    looks_by_itself = True


def test_one_that_looks_by_itself_is_told_at_its_next_action() -> None:
    interrupted: list[BaseException] = []

    def work(step: Step) -> None:
        try:
            while not table.exam.clock.is_up:
                table.computer.tree()
        except TimeIsUp as error:
            interrupted.append(error)
        step(Turn(actions=(Press(keys="a"),)))
        raise AssertionError("the time is up")

    table = Table(seconds=0.2)
    table.drive(AnswerKey(work))
    assert (table.exam.state.stop, table.exam.state.steps, interrupted) == ("time_limit", 0, [])


def test_an_answer_key_whose_wait_fails_when_the_time_is_up_did_not_crash() -> None:
    def work(step: Step) -> None:
        while not table.exam.clock.is_up:
            table.computer.tree()
        raise ValueError("the element did not come")

    table = Table(seconds=0.1)
    table.drive(AnswerKey(work))
    assert (table.exam.state.stop, table.exam.state.crashed) == ("time_limit", False)


def test_our_own_work_is_neither_interrupted_nor_counted(never: Callable[[], None]) -> None:
    clock = ExamClock(0.15)
    with pytest.raises(TimeIsUp), clock.alarm():
        clock.take_back()
        while not clock.is_up:
            sum(range(1000))
        clock.give()
        never()
    assert clock.thought < 0.15
    assert clock.lap() == clock.thought
    assert clock.lap() == 0.0


def test_a_clock_without_end_interrupts_nobody() -> None:
    clock = ExamClock(0)
    with clock.alarm():
        assert not clock.is_up


def test_who_has_no_time_left_is_not_asked() -> None:
    clock = ExamClock(1e-9)
    while not clock.is_up:
        sum(range(10))
    with pytest.raises(TimeIsUp), clock.alarm():
        raise AssertionError("never asked")


def test_in_another_thread_nobody_is_interrupted_and_the_limit_holds_all_the_same() -> None:
    def work(step: Step) -> None:
        while not table.exam.clock.is_up:
            sum(range(1000))
        step(Turn(actions=(Done(),)))

    table = Table(seconds=0.05)
    thread = threading.Thread(target=lambda: table.drive(Driving(work)))
    thread.start()
    thread.join()
    assert table.exam.state.stop == "time_limit"
