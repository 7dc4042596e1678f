"""What a computer can do follows from its parts; the plain ones serve where a backend has no better."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from dataclasses import fields

import pytest
from PIL import Image

from proctor.actions.action import ACTIONS, Action, Click, Done, InputAction, Move, Press, Type, Wait
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.capabilities import CAPABILITIES, WORDS, Capability, Parts, absent, close_parts
from proctor.computers.computer import Computer
from proctor.computers.parts.rest import PlainRest
from proctor.computers.perform import NEEDS, needs_of
from proctor.computers.relay import RoutedComputer
from proctor.computers.settle import Settling
from proctor.computers.values import Performed
from proctor.errors import ComputerError, SpecError


class Film:
    """A screen that shows one picture after another; the last one stays."""

    size = (4, 4)

    def __init__(self, *colours: str) -> None:
        self._colours = itertools.chain(colours, itertools.repeat(colours[-1]))

    def screenshot(self, *, cursor: bool) -> Image.Image:
        return Image.new("RGB", self.size, next(self._colours))


class OwnTime:
    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def pass_time(self, seconds: float) -> None:
        self.time += seconds


# -- which there are ------------------------------------------------------------------------------------------------


def test_every_capability_is_a_part_and_has_a_word() -> None:
    assert {field.name for field in fields(Parts)} == {*CAPABILITIES, "clock", "rest"}
    assert WORDS.keys() == set(CAPABILITIES)
    assert len(set(WORDS.values())) == len(WORDS)


def test_every_kind_of_action_but_waiting_needs_a_part() -> None:
    assert NEEDS.keys() == {kind for kind, cls in ACTIONS.items() if issubclass(cls, InputAction)} - {
        "wait",
        "wait_for_change",
    }
    assert set(NEEDS.values()) <= set(CAPABILITIES)


@pytest.mark.parametrize(
    ("action", "needed"),
    [
        (Click(x=1, y=1), ("pointer",)),
        (Click(x=1, y=1, modifiers=("ctrl",)), ("pointer", "keys")),
        (Type(text="a"), ("keys",)),
        (Wait(), ()),
        (Done(), ()),
    ],
)
def test_what_an_action_needs(action: Action, needed: tuple[Capability, ...]) -> None:
    assert needs_of(action) == needed


def test_capabilities_are_the_parts_that_are_there() -> None:
    assert Parts(screen=Film("red")).capabilities == {"screen"}
    whole = FakeComputer()
    for name in whole.capabilities - {"screen"}:
        assert FakeComputer(without=(name,)).capabilities == whole.capabilities - {name}


@pytest.mark.parametrize("missing", CAPABILITIES)
def test_an_absent_part_is_named_in_words(missing: Capability) -> None:
    error = absent([missing], "some", ["screen"])
    assert error.message == f"this computer has no {WORDS[missing]}"
    assert "'some' offers: screen" in error.remedy


@pytest.mark.parametrize(
    ("without", "ask", "lacking"),
    [
        ("tree", lambda c: c.tree(), "accessibility tree"),
        ("tree", lambda c: c.element_at(1, 1), "accessibility tree"),
        ("tree", lambda c: c.terminal(), "accessibility tree"),
        ("windows", lambda c: c.active_window(), "window list"),
        ("windows", lambda c: c.launch(["mousepad"]), "window list"),
        ("shell", lambda c: c.run(["true"]), "shell"),
        ("files", lambda c: c.read_file("a"), "file access"),
        ("files", lambda c: c.remove_file("a"), "file access"),
        ("changes", lambda c: c.changes(), "record of file changes"),
        ("snapshot", lambda c: c.fork(), "snapshots"),
        ("clip", lambda c: c.clip(1), "screen clips"),
        ("pointer", lambda c: c.pointer_position(), "mouse pointer"),
        ("keys", lambda c: c.perform(Press(keys="a")), "keyboard"),
        ("code", lambda c: c.execute("1"), "code interpreter"),
        ("viewer", lambda c: c.record("a.mp4"), "live view"),
    ],
)
def test_every_way_to_ask_for_an_absent_part_says_the_same(
    without: Capability, ask: Callable[[Computer], object], lacking: str
) -> None:
    with (
        FakeComputer(without=(without,)) as computer,
        pytest.raises(SpecError, match=f"this computer has no {lacking}"),
    ):
        ask(computer)


def test_parts_of_a_closed_computer_say_so_and_absent_ones_stay_absent() -> None:
    parts = close_parts(Parts(screen=Film("red")))
    with pytest.raises(ComputerError, match="closed"):
        parts.screen.screenshot(cursor=True)
    with pytest.raises(ComputerError, match="closed"):
        parts.rest.settle("quick", timeout_sec=1)
    assert (parts.screen.size, parts.tree) == ((4, 4), None)
    assert copy.copy(close_parts(parts)).capabilities == {"screen"}


# -- plain rest -----------------------------------------------------------------------------------------------------


def test_a_screen_rests_when_two_pictures_are_the_same() -> None:
    clock = OwnTime()
    assert PlainRest(Film("red", "green", "blue"), clock).settle("quick", timeout_sec=10)
    assert clock.time == pytest.approx(0.3)


def test_a_screen_that_never_rests_is_given_up() -> None:
    clock = OwnTime()
    film = Film(*["red", "green"] * 500)
    assert not PlainRest(film, clock).settle("quick", timeout_sec=2)
    assert 2 <= clock.time < 2.2


@pytest.mark.parametrize(("policy", "seconds"), [("quick", 0.1), ("careful", 0.5), (3.0, 3.1)])
def test_policies_wait_as_long_as_they_say(policy: Settling, seconds: float) -> None:
    clock = OwnTime()
    assert PlainRest(Film("red"), clock).settle(policy, timeout_sec=10)
    assert clock.time == pytest.approx(seconds)


# -- another way for actions ----------------------------------------------------------------------------------------


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as computer:
        yield computer


def test_a_routed_computer_sees_the_same_and_acts_through_its_route(computer: FakeComputer) -> None:
    taken: list[Action] = []

    def route(action: Action) -> Performed:
        taken.append(action)
        return computer.perform(action)

    computer.write_file("notes.txt", b"hello")
    computer.launch(["mousepad", "notes.txt"])
    other = RoutedComputer(computer, route)
    assert other.tree() == computer.tree()
    assert other.facts() == computer.facts()
    other.locate(role="text").click()
    other.perform(Move(x=1, y=1))
    assert [action.kind for action in taken] == ["click", "move"]
    assert other.history is computer.history and len(computer.history) == 2
    computer.perform(Move(x=2, y=2))
    assert len(taken) == 2
    other.close()
    assert computer.read_file("notes.txt") == b"hello"
