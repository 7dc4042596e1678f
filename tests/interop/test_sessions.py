"""Sessions: one thread a computer, one call at a time, and computers that come back however a client leaves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from proctor.actions.action import Done, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import AgentError, EpisodeVoid, NotReady, SpecError
from proctor.interop.sessions import Sessions
from tests.interop.rooms import SOLUTION, Held, venue
from tests.prove.machines import shopping


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    Held.made = []
    yield
    for computer in Held.made:
        computer.go_on.set()


def test_an_episode_from_any_thread_is_held_in_one() -> None:
    sessions = Sessions(venue(), 1)
    session = sessions.open()
    session.reset(shopping())
    with ThreadPoolExecutor(4) as others:
        for action in SOLUTION:
            others.submit(session.step, action).result()
        stepped = others.submit(session.step, Done()).result()
    sessions.close()
    assert stepped.score == 1.0
    (computer,) = Held.made
    assert len(computer.threads) == 1 and threading.get_ident() not in computer.threads


def test_the_order_of_calls() -> None:
    sessions = Sessions(venue(), 1)
    session = sessions.open()
    with pytest.raises(SpecError, match="reset"):
        session.step(Done())
    session.reset(shopping())
    assert session.step(AgentError("unknown tool")).messages == ("unknown tool",)
    session.step(Done())
    with pytest.raises(SpecError, match="reset"):
        session.step(Done())
    session.close()
    session.close()
    with pytest.raises(SpecError, match="closed"):
        session.reset(shopping())


def test_the_computer_goes_with_the_end_of_the_episode() -> None:
    sessions = Sessions(venue(), 1, patience_sec=30)
    first, second = sessions.open(), sessions.open()
    first.reset(shopping())
    first.step(Done())
    second.reset(shopping())  # waits until the one of the first is closed
    assert [computer.started for computer in Held.made] == [False, True]
    sessions.close()
    assert (sessions.in_use, Held.made[1].started) == (0, False)


def test_a_new_episode_has_a_fresh_computer() -> None:
    sessions = Sessions(venue(), 1)
    session = sessions.open()
    session.reset(shopping())
    session.reset(shopping())
    assert [computer.started for computer in Held.made] == [False, True]
    sessions.close()


def test_there_are_so_many_computers_and_no_more() -> None:
    sessions = Sessions(venue(), 1, patience_sec=0)
    sessions.open().reset(shopping())
    with pytest.raises(NotReady, match="all 1 computers"):
        sessions.open().reset(shopping())
    sessions.close()
    assert sessions.in_use == 0


def test_two_actions_at_once_are_refused_and_one_is_done() -> None:
    sessions = Sessions(venue(), 1)
    session = sessions.open()
    session.reset(shopping())
    (computer,) = Held.made
    computer.go_on.clear()
    with ThreadPoolExecutor(1) as other:
        first = other.submit(session.step, Type(text="x"))
        assert computer.acting.wait(30)
        with pytest.raises(SpecError, match="under way"):
            session.step(Type(text="y"))
        computer.go_on.set()
        assert not first.result().done
    sessions.close()


def test_one_that_leaves_in_the_middle_of_an_action_leaves_nothing_behind() -> None:
    sessions = Sessions(venue(), 1)
    session = sessions.open()
    session.reset(shopping())
    (computer,) = Held.made
    computer.go_on.clear()
    with ThreadPoolExecutor(1) as other:
        under_way = other.submit(session.step, Type(text="x"))
        assert computer.acting.wait(30)
        session.close()  # returns at once
        assert computer.started
        computer.go_on.set()
        under_way.result()
    session.join()
    assert (computer.started, sessions.in_use, len(computer.threads)) == (False, 0, 1)


def test_a_void_gives_the_computer_back() -> None:
    sessions = Sessions(venue(), 1, patience_sec=30)
    session = sessions.open()
    session.reset(shopping())
    Held.made[0].found = {"outside": "killed by an operator"}
    Held.made[0].fail_next("settle")
    with pytest.raises(EpisodeVoid):
        session.step(Type(text="x"))
    session.reset(shopping())
    assert session.step(Done()).done
    sessions.close()
    assert sessions.in_use == 0


def test_a_computer_that_does_not_start_gives_its_place_back() -> None:
    broken = iter([True, False])

    def factory() -> FakeComputer:
        computer = FakeComputer()
        if next(broken):
            computer.fail_next("start")
        return computer

    sessions = Sessions(venue(factory), 1, patience_sec=0)
    session = sessions.open()
    with pytest.raises(EpisodeVoid):
        session.reset(shopping())
    session.reset(shopping())
    sessions.close()


def test_a_session_that_was_never_used_costs_no_thread() -> None:
    before = threading.active_count()
    sessions = Sessions(venue(), 1)
    for _ in range(20):
        sessions.open().close()
    assert threading.active_count() == before


def test_no_computers_are_refused() -> None:
    with pytest.raises(SpecError, match="1 or more"):
        Sessions(venue(), 0)
