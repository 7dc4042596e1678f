"""The tree at hand: read when nobody does anything, and given out only where it is the tree of that screen."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from proctor.actions.action import Press
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerError
from proctor.observations.tree import Tree
from proctor.studio.record.at_hand import AtHand
from proctor.studio.record.trees import EARLIER, TreeAtHand

LONG_AGO = -1000.0


class Counting(FakeComputer):
    """A computer that counts how often its tree is read."""

    read = 0
    trouble: Exception | None = None

    def tree(self) -> Tree:
        self.read += 1
        if self.trouble is not None:
            raise self.trouble
        return super().tree()


@pytest.fixture
def computer() -> Iterator[Counting]:
    with Counting() as made:
        yield made


def at_hand(computer: Counting) -> tuple[AtHand, TreeAtHand]:
    screen = AtHand(computer)
    return screen, TreeAtHand(computer, screen)


def test_it_is_read_once_while_nothing_happens(computer: Counting) -> None:
    screen, trees = at_hand(computer)
    for _ in range(3):
        trees.look(LONG_AGO)
    assert computer.read == 1
    seen = trees.observe(screen.last, LONG_AGO)
    assert seen.tree is not None
    assert seen.degraded == ()


def test_it_is_not_read_while_keys_are_pressed(computer: Counting) -> None:
    screen, trees = at_hand(computer)
    trees.look(time.monotonic())
    assert computer.read == 0
    assert trees.observe(screen.last, 0.0).tree is None


def test_one_from_before_the_last_action_says_so(computer: Counting) -> None:
    screen, trees = at_hand(computer)
    trees.look(LONG_AGO)
    assert trees.observe(screen.last, time.monotonic()).degraded == (EARLIER,)


def test_another_screen_has_another_tree(computer: Counting) -> None:
    screen, trees = at_hand(computer)
    trees.look(LONG_AGO)
    computer.launch(["mousepad"])
    picture = screen.look(anew=True)
    assert trees.observe(picture, LONG_AGO).tree is None


def test_a_tree_that_cannot_be_read_ends_nothing(computer: Counting) -> None:
    screen, trees = at_hand(computer)
    computer.trouble = ComputerError("the bus is gone")
    trees.look(LONG_AGO)
    assert computer.read == 1
    assert trees.observe(screen.last, LONG_AGO).tree is None


def test_an_element_is_found_in_the_tree_of_a_picture_only(computer: Counting) -> None:
    computer.launch(["mousepad"])
    screen, trees = at_hand(computer)
    trees.look(LONG_AGO)
    text = next(node for node in computer.tree().nodes if node.role == "text" and node.showing)
    assert text.box is not None
    found = trees.under(text.box.center, screen.last, LONG_AGO)
    assert found is not None
    assert (found.role, found.window) == ("text", text.window)
    # Something was pressed since, or another screen is there: whatever the tree says may be gone.
    assert trees.under(text.box.center, screen.last, time.monotonic()) is None
    computer.launch(["mousepad", "Documents/another.txt"])
    assert trees.under(text.box.center, screen.look(anew=True), LONG_AGO) is None


def test_an_entry_of_a_menu_says_which_menu_it_is_in(computer: Counting) -> None:
    computer.launch(["mousepad"])
    computer.perform(Press(keys="alt+f"))
    screen, trees = at_hand(computer)
    trees.look(LONG_AGO)
    entry = next(node for node in computer.tree().nodes if node.name == "Save" and node.showing)
    assert entry.box is not None
    found = trees.under(entry.box.center, screen.last, LONG_AGO)
    assert found is not None
    assert (found.name, found.attributes["menu"]) == ("Save", "File")
