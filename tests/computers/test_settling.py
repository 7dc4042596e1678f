"""How long to wait is said by a word or a number; alarms that never bring anything are not waited for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.sandbox.alarms import ENOUGH, Alarms
from proctor.computers.settling import MOST_SEC, read_settling
from proctor.errors import SpecError


def test_words_and_numbers_are_read() -> None:
    assert read_settling("quick") == "quick"
    assert read_settling("careful") == "careful"
    assert read_settling("0.5") == 0.5
    assert read_settling(2) == 2.0


@pytest.mark.parametrize("text", ["", "slow", "-1", "nan", "inf", "61", "1s", "quick "])
def test_anything_else_is_refused_with_what_to_give(text: str) -> None:
    with pytest.raises(SpecError, match="quick, careful, or a number of seconds"):
        read_settling(text)


@given(st.floats(0, MOST_SEC))
def test_what_was_written_is_read_back(seconds: float) -> None:
    assert read_settling(str(seconds)) == seconds


def test_near_alarms_are_worth_waiting_for_the_nearest_first() -> None:
    assert Alarms().worth([(7, 250), (9, 900), (8, 40)], 300) == [(8, 40), (7, 250)]


def test_housekeeping_is_learned_by_its_length() -> None:
    alarms = Alarms()
    for _ in range(ENOUGH):
        assert alarms.worth([(7, 50)], 300)
        alarms.learn((7, 50), seen=False)
    assert alarms.worth([(7, 50), (7, 250), (8, 50)], 300) == [(8, 50), (7, 250)]


def test_what_once_brought_something_is_always_waited_for() -> None:
    alarms = Alarms()
    alarms.learn((7, 250), seen=True)
    for _ in range(2 * ENOUGH):
        alarms.learn((7, 250), seen=False)
    assert alarms.worth([(7, 250)], 300) == [(7, 250)]


def test_memory_is_bounded() -> None:
    alarms = Alarms()
    for pid in range(10_000):
        alarms.learn((pid, 50), seen=False)
    assert len(alarms._vain) < 10_000
