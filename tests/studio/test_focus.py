"""The focus at hand: a key goes to what had the focus before it, or to nothing that is known."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from proctor.actions.action import Press
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.observations.box import Box
from proctor.observations.tree import Node
from proctor.studio.record.at_hand import AtHand
from proctor.studio.record.focus import FocusAtHand
from proctor.studio.record.targets import Aim, AimFinder
from proctor.studio.record.trees import TreeAtHand

EARLY = 0.0


def field(window: str, name: str = "Text", text: str = "") -> Node:
    return Node(index=0, parent=None, depth=0, role="text", name=name, text=text, window=window, box=Box(0, 0, 9, 9))


class Focus:
    """What has the focus, as a test says it."""

    def __init__(self, window: str) -> None:
        self.target = Aim(field(window), f"/usr/bin/{window}")
        self.at_hand = FocusAtHand(lambda: self.target)

    def goes_to(self, window: str, text: str = "") -> None:
        self.target = Aim(field(window, text=text), f"/usr/bin/{window}")

    def before(self, at: float, moved: float, *, kept: bool = False) -> tuple[str, str | None]:
        found = self.at_hand.before(at, moved, kept=kept)
        return found.element.window if found.element else "", found.program


def test_a_key_goes_to_what_had_the_focus_when_it_was_pressed() -> None:
    focus = Focus("editor")
    focus.at_hand.look(EARLY)
    focus.goes_to("dialog")
    assert focus.before(time.monotonic(), EARLY) == ("editor", "/usr/bin/editor")


def test_a_key_that_came_too_soon_does_not_go_to_the_window_that_it_opened() -> None:
    focus = Focus("editor")
    focus.at_hand.look(EARLY)
    moved = time.monotonic()
    focus.goes_to("dialog")
    assert focus.before(time.monotonic(), moved) == ("", None)


def test_the_first_key_of_all_goes_to_nothing_that_is_not_known() -> None:
    focus = Focus("dialog")
    assert focus.before(time.monotonic(), EARLY) == ("", None)


def test_what_has_the_focus_before_and_after_a_key_had_it_when_it_was_pressed() -> None:
    focus = Focus("editor")
    focus.at_hand.look(EARLY)
    moved = time.monotonic()
    focus.goes_to("editor", text="typed later")
    found = focus.at_hand.before(time.monotonic(), moved, kept=False)
    assert found.element
    assert (found.element.window, found.element.text) == ("editor", "")
    assert found.program == "/usr/bin/editor"


def test_a_letter_goes_to_what_has_the_focus_now() -> None:
    focus = Focus("editor")
    focus.at_hand.look(EARLY)
    moved = time.monotonic()
    focus.goes_to("dialog", text="typed")
    assert focus.before(time.monotonic(), moved, kept=True) == ("dialog", "/usr/bin/dialog")


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as made:
        yield made


def test_a_click_that_closed_a_window_hit_what_was_in_it(computer: FakeComputer) -> None:
    computer.launch(["mousepad"])
    screen = AtHand(computer)
    trees = TreeAtHand(computer, screen)
    targets = AimFinder(computer, screen, trees)
    trees.look(-1000.0)
    (window,) = computer.windows()
    element = next(node for node in computer.tree().nodes if node.window == window.title and node.box and node.showing)
    assert element.box
    place = (element.box.x + 1, element.box.y + 1)
    picture, touched = screen.look(anew=True), time.monotonic()
    computer.perform(Press(keys="ctrl+w"))
    assert computer.windows() == []
    found = targets.of_pointer(place, picture, touched, time.monotonic()).element
    assert found
    assert found.window == window.title


def test_a_window_that_was_gone_before_the_click_is_not_what_it_hit(computer: FakeComputer) -> None:
    computer.launch(["mousepad"])
    screen = AtHand(computer)
    trees = TreeAtHand(computer, screen)
    targets = AimFinder(computer, screen, trees)
    trees.look(-1000.0)
    (window,) = computer.windows()
    place = (window.box.x + window.box.width // 2, window.box.y + window.box.height // 2)
    computer.perform(Press(keys="ctrl+w"))
    found = targets.of_pointer(place, screen.look(anew=True), time.monotonic(), time.monotonic()).element
    assert found is None or found.window != window.title
