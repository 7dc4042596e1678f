"""The computer of an exam: what is allowed, what is noted, and how stale a view was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.actions.action import CallTool, Click, Done, Press, RunCode, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Performed
from proctor.errors import AgentError, ComputerError, ComputerLost, SpecError, UnknownName
from proctor.exam.brief import allowed_actions
from proctor.exam.station import Station, check_brief
from proctor.observations.observation import Want
from proctor.records import Brief


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as computer:
        yield computer


def brief(computer: FakeComputer, *actions: str, steps: int = 10) -> Brief:
    kinds = actions or allowed_actions(computer)
    return Brief(instruction="x", actions=kinds, size=computer.size, max_steps=steps)


def test_what_was_done_already_counts_and_is_not_done_again(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer), Want())
    before = station.look().screenshot
    done = Performed(action=Type(text="by hand"))
    station.note(done)
    seen = station.look()
    assert (station.steps, station.acted, seen.steps) == (1, True, 1)
    assert computer.history == [done]
    assert before is not None and seen.screenshot is not None
    assert seen.screenshot.tobytes() == before.tobytes()


def test_a_tool_outside_does_not_touch_the_computer(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer), Want())
    station.note(Performed(action=CallTool(tool="x")))
    assert (station.steps, station.acted) == (1, False)


def test_what_is_impossible_leaves_everything_as_it_was(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer), Want())
    with pytest.raises(AgentError, match="1280x720"):
        station.perform(Click(x=9999, y=1))
    assert (station.steps, station.acted) == (0, False)


def test_what_the_computer_does_not_take_is_told(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer), Want())
    computer.fail_next("pointer_move", ComputerError("no room for another process"))
    performed, trouble = station.perform(Click(x=1, y=1))
    assert performed is None and "no room" in trouble
    assert (station.steps, station.acted) == (1, True)


def test_a_lost_computer_is_raised(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer), Want())
    computer.fail_next("settle")
    with pytest.raises(ComputerLost):
        station.perform(Press(keys="a"))


def test_a_view_that_no_longer_holds_is_measured(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer), Want())
    station.look()
    assert station.stale() == 0.0
    computer.launch(["mousepad"])
    assert 0 < station.stale() <= 1


def test_only_what_the_brief_allows(computer: FakeComputer) -> None:
    station = Station(computer, brief(computer, "press", "done"), Want())
    station.allow(Press(keys="a"))
    station.allow(Done())
    with pytest.raises(AgentError, match="not allowed"):
        station.allow(RunCode(code="1"))


def test_what_could_only_fail_later_is_refused_at_once(computer: FakeComputer) -> None:
    with pytest.raises(UnknownName):
        check_brief(computer, brief(computer, "clik"), Want())
    with pytest.raises(SpecError, match="no code interpreter"):
        check_brief(computer, brief(computer, "run_code"), Want())
    with pytest.raises(SpecError, match="max_steps"):
        check_brief(computer, brief(computer, steps=0), Want())
    with pytest.raises(SpecError, match="desktop"):
        check_brief(computer, Brief(instruction="x", actions=("done",), size=(1, 1), max_steps=1), Want())
