"""Conditions while an agent is at work: what they say of a computer that is slow, or that fails."""

from __future__ import annotations

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerError
from proctor.tasks.condition import conditions_on
from proctor.tasks.probe_context import Ending
from proctor.tasks.shelves import expect, see

THERE = expect.file_exists(see.file("notes.txt"))


@pytest.fixture
def computer() -> FakeComputer:
    made = FakeComputer().start()
    made.write_file("notes.txt", b"hello\n")
    return made


def test_what_holds_is_seen(computer: FakeComputer) -> None:
    assert conditions_on(computer, Ending())(THERE)
    assert not conditions_on(computer, Ending())(expect.file_exists(see.file("nothing.txt")))


def test_a_look_that_is_too_slow_says_no_and_is_nobodys_trouble(
    computer: FakeComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proctor.tasks.condition.LOOK_SEC", 0.0)
    troubles: list[Exception] = []
    assert not conditions_on(computer, Ending(), troubles.append)(THERE)
    assert not conditions_on(computer, Ending())(THERE)
    assert troubles == []


def test_a_computer_that_fails_is_trouble(computer: FakeComputer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ComputerError("it does not answer")

    monkeypatch.setattr("proctor.tasks.probe_context.ProbeContext.info", fail)
    troubles: list[Exception] = []
    assert not conditions_on(computer, Ending(), troubles.append)(THERE)
    assert [str(each) for each in troubles] == ["it does not answer"]
    with pytest.raises(ComputerError, match="does not answer"):
        conditions_on(computer, Ending())(THERE)
