"""How long to wait is said by a word or a number; alarms that never bring anything are not waited for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.sandbox_machine.alarms import ENOUGH, ENOUGH_TICKING, TICKS, Alarm, Alarms
from proctor.computers.sandbox_machine.settle import LOOP_SEC, _loop
from proctor.computers.settle import MOST_SEC, read_settling
from proctor.errors import SpecError
from proctor.observations.box import Box


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
    far, near, none = Alarm("editor", 250, 260), Alarm("panel", 40, 50), Alarm("mail", 900, 910)
    assert Alarms().worth([far, none, near], 300) == [near, far]


def test_housekeeping_is_learned_by_the_time_after_the_action() -> None:
    alarms = Alarms()
    for number in range(ENOUGH):
        assert alarms.worth([Alarm("editor", 350, 400 + number)], 450)
        alarms.learn(Alarm("editor", 350 - number, 400 + number), seen=False)
    assert not alarms.worth([Alarm("editor", 20, 405)], 450)
    others = [Alarm("editor", 20, 250), Alarm("panel", 20, 400)]
    assert alarms.worth(others, 450) == others


def test_what_once_brought_something_is_always_waited_for() -> None:
    alarms, closing = Alarms(), Alarm("editor", 240, 250)
    alarms.learn(closing, seen=True)
    for _ in range(2 * ENOUGH):
        alarms.learn(closing, seen=False)
    assert alarms.worth([closing], 300) == [closing]


def test_memory_is_bounded() -> None:
    alarms = Alarms()
    for number in range(10_000):
        alarms.learn(Alarm(f"program {number}", 50, 60), seen=False)
    assert len(alarms._vain) < 10_000


def frames(box: Box, count: int, *, since: float) -> list[tuple[float, Box]]:
    return [(since + number * LOOP_SEC / count, box) for number in range(count)]


def test_what_is_drawn_in_one_place_again_and_again_is_an_animation() -> None:
    spinner = Box(100, 100, 20, 20)
    assert _loop(frames(spinner, 60, since=10.0), 10.01 + LOOP_SEC) == spinner


@pytest.mark.parametrize(
    "drawings",
    [
        [],
        frames(Box(0, 0, 9, 9), 6, since=10.0),
        frames(Box(0, 0, 9, 9), 60, since=10.0)[20:],
        [*frames(Box(0, 0, 9, 9), 60, since=10.0), (10.0 + LOOP_SEC, Box(50, 50, 9, 9))],
    ],
    ids=["nothing", "seldom", "not for long", "elsewhere too"],
)
def test_other_drawing_is_not(drawings: list[tuple[float, Box]]) -> None:
    assert _loop(drawings, 10.01 + LOOP_SEC) is None


def test_nothing_comes_of_waiting_for_a_second_click() -> None:
    first, other = Alarm("editor", 300, 400), Alarm("editor", 200, 250)
    assert Alarms().worth([first, other], 450, clicked=True) == [other]
    assert Alarms().worth([first, other], 450) == [other, first]


def test_every_alarm_on_the_way_to_something_was_worth_it() -> None:
    alarms, chain = Alarms(), [Alarm("office", 280, 310), Alarm("office", 199, 507), Alarm("office", 100, 608)]
    for _ in range(3 * ENOUGH):
        alarms.followed([(0.0, chain[0]), (0.3, chain[1]), (0.5, chain[2])], changed=0.65)
    assert alarms.worth(chain, 550) == sorted(chain, key=lambda alarm: alarm.left_ms)
    assert alarms.patient("office")


def test_a_program_that_only_ticks_is_followed_no_longer() -> None:
    alarms = Alarms()
    for step in range(ENOUGH_TICKING):
        assert alarms.patient("clock")
        alarms.followed([(at / 10, Alarm("clock", 100, 37 * step + 100 * at)) for at in range(TICKS)], changed=0.0)
    assert not alarms.patient("clock")
    assert alarms.patient("editor")
    alarms.followed([(0.0, Alarm("clock", 100, 100))], changed=0.1)
    assert alarms.patient("clock")
