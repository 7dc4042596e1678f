"""The agenda of events: what is due, by what was done and what holds, in the order of the task."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

from proctor.tasks.agenda import Acted, Agenda
from proctor.tasks.call import Call
from proctor.tasks.events import Event, Undo, When
from proctor.tasks.shelves import expect, make, see

DRAFT = expect.file_exists(see.file("draft"))
SENT = expect.file_exists(see.file("sent"))
DO = (make.text_file("x", "y"),)


def event(name: str, when: When, **rest: object) -> Event:
    return Event(name=name, do=DO, when=when, **rest)  # type: ignore[arg-type]


class Play:
    """An agenda that is looked at with so many actions done and some checks that hold."""

    def __init__(self, *events: Event, failing: Collection[str] = ()) -> None:
        self.agenda, self._failing = Agenda(events), failing
        self.asked: list[Call] = []

    def look(self, actions: int = 0, *holding: Call, seconds: float = 0.0) -> list[str]:
        def holds(check: Call) -> bool:
            self.asked.append(check)
            return check in holding

        found, now = [], Acted(actions, seconds)
        for due, back in self.agenda.due(now, holds):
            found.append(f"{due.name} back" if back else due.name)
            if not back and due.name not in self._failing:
                self.agenda.note(due, now)
        return found


def test_it_comes_so_many_actions_after_its_check_held() -> None:
    play = Play(event("letter", When(check=DRAFT, actions=2)))
    assert [play.look(1), play.look(2, DRAFT), play.look(3), play.look(4)] == [[], [], [], ["letter"]]


def test_a_check_that_flickers_brings_it_once() -> None:
    play = Play(event("letter", When(check=DRAFT)))
    assert [play.look(1, DRAFT), play.look(2), play.look(3, DRAFT), play.look(4, DRAFT)] == [["letter"], [], [], []]
    assert not play.agenda.waits


def test_several_times_means_each_time_anew() -> None:
    play = Play(event("knock", When(check=DRAFT), times=2))
    looks = [play.look(n, *holding) for n, holding in enumerate([(DRAFT,), (DRAFT,), (), (DRAFT,), (), (DRAFT,)])]
    assert looks == [["knock"], [], [], ["knock"], [], []]
    play = Play(event("tick", When(actions=2), times=3))
    assert [play.look(n) for n in range(1, 9)] == [[], ["tick"], [], ["tick"], [], ["tick"], [], []]


def test_what_comes_after_another_comes_in_the_same_look_when_nothing_lies_between() -> None:
    second, first = event("second", When(after=("first",))), event("first", When(check=DRAFT))
    assert Play(second, first).look(1, DRAFT) == ["first", "second"]


def test_two_at_once_come_in_the_order_of_the_file() -> None:
    one, two = event("b", When(actions=1)), event("a", When(check=DRAFT))
    assert Play(one, two).look(1, DRAFT) == ["b", "a"]
    assert Play(two, one).look(1, DRAFT) == ["a", "b"]


def test_what_failed_has_not_happened() -> None:
    play = Play(event("first", When(actions=1)), event("second", When(after=("first",))), failing=["first"])
    assert [play.look(1), play.look(9)] == [["first"], []]


def test_it_comes_no_more_when_its_time_is_over() -> None:
    play = Play(event("letter", When(check=DRAFT), until=When(check=SENT)))
    assert [play.look(1, SENT), play.look(2, DRAFT)] == [[], []]
    assert Play(event("letter", When(check=DRAFT), until=When(check=SENT))).look(1, SENT, DRAFT) == []
    play = Play(event("tick", When(actions=1), times=9, until=When(actions=3)))
    assert [play.look(n) for n in range(1, 5)] == [["tick"], ["tick"], [], []]


def test_it_is_taken_back_when_it_is_time_counted_from_the_event() -> None:
    play = Play(event("dialog", When(check=DRAFT), undo=Undo(do=DO, when=When(actions=2))))
    assert [play.look(7, DRAFT), play.look(8), play.look(9), play.look(10)] == [["dialog"], [], ["dialog back"], []]
    play = Play(event("dialog", When(check=DRAFT), undo=Undo(do=DO, when=When(check=SENT))))
    assert [play.look(1, SENT), play.look(2, DRAFT), play.look(3), play.look(4, SENT)] == [
        [], ["dialog"], [], ["dialog back"],
    ]  # fmt: skip


def test_seconds_are_those_of_acting() -> None:
    play = Play(event("letter", When(check=DRAFT, seconds=5)))
    assert [play.look(1, DRAFT, seconds=10), play.look(1, seconds=14.9), play.look(1, seconds=15)] == [
        [], [], ["letter"],
    ]  # fmt: skip


def test_a_check_is_asked_once_in_a_look_and_only_while_it_matters() -> None:
    play = Play(
        event("a", When(check=DRAFT)), event("b", When(check=DRAFT)), event("c", When(after=("a",), check=SENT))
    )
    play.look(1)
    assert play.asked == [DRAFT]
    play.look(2, DRAFT)
    play.asked.clear()
    play.look(3)
    assert play.asked == [SENT]


@pytest.mark.parametrize("order", [lambda found: found, lambda found: list(reversed(found))])
def test_the_same_answers_give_the_same_log(order: Callable[[list[Event]], list[Event]]) -> None:
    events = order(
        [event("a", When(actions=2)), event("b", When(after=("a",), actions=1)), event("c", When(check=SENT))]
    )
    looks = [(n, (SENT,) if n == 3 else ()) for n in range(1, 6)]
    logs = [[(n, play.look(n, *holding)) for n, holding in looks] for play in (Play(*events), Play(*events))]
    assert logs[0] == logs[1]


def test_what_may_not_come_now_comes_at_a_later_look_and_keeps_nobody_else_back() -> None:
    agenda = Agenda([event("dialog", When(actions=1)), event("letter", When(actions=1))])
    looks = []
    for allowed in ((), ("letter",), ("dialog", "letter")):
        due = agenda.due(Acted(2), lambda _check: True, lambda each, allowed=allowed: each.name in allowed)
        looks.append([each.name for each, _ in due])
    assert looks == [[], ["letter"], ["dialog"]]
    assert not agenda.waits
