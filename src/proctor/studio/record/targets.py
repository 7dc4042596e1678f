"""What an action goes to: the element it hits and the program behind that, looked up before anything is pressed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from proctor.computers.computer import Computer
from proctor.computers.parts.besides import KnownWindows
from proctor.errors import ComputerError, HostError
from proctor.observations.tree import Node
from proctor.studio.record.at_hand import AtHand, ScreenPicture, same_around
from proctor.studio.record.events import PointerAt
from proctor.studio.record.paths import Place
from proctor.studio.record.trees import POPPED, TreeAtHand

RESTING_SEC = 0.05
"""A pointer that rests so long may be about to click."""
LOOKED_UP = 3
"""Pixels within which what was looked up is taken to be the same."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Target:
    """What something that is done goes to."""

    element: Node | None = None
    program: str | None = None
    """As `Performed` has it: empty for none that is known, None where nobody can tell."""


class Targets:
    """Finds what is under the pointer and what keys go to; belongs to the thread that asks the computer."""

    def __init__(self, computer: Computer, screen: AtHand, trees: TreeAtHand) -> None:
        self._computer, self._screen, self._trees = computer, screen, trees
        self._looked_up: tuple[Place, Target, ScreenPicture] | None = None
        """What was found under the pointer where it last rested, and the screen then."""

    def of_keys(self) -> Target:
        """Return what keys go to now."""
        return Target(self._element(None), self._program(None))

    def look_up(self, pointer: PointerAt | None) -> None:
        """Look up what lies under a pointer that rests, so that it is known before it is clicked."""
        if pointer is None or time.monotonic() - pointer.at < RESTING_SEC:
            return
        place = (pointer.x, pointer.y)
        known = self._looked_up
        if known is None or known[0] != place or not same_around(known[2], self._screen.last, place):
            found = self._at(place)
            # Anew, so that the pointer is drawn where it is.
            self._looked_up = (place, found, self._screen.look(anew=True))

    def of_pointer(self, place: Place, picture: ScreenPicture, touched: float) -> Target:
        """Return what is hit at a place of a picture, before which something was last touched at `touched`."""
        before = self._trees.under(place, picture, touched)
        known = self._looked_up
        near = known is not None and max(abs(place[0] - known[0][0]), abs(place[1] - known[0][1])) <= LOOKED_UP
        if known is not None and near and same_around(known[2], picture, known[0]):
            found = known[1]  # before it was touched; now something else may be there already
            # A menu is over every window, whatever is told of the place by now.
            return replace(found, element=before) if before is not None and before.role in POPPED else found
        now = self._at(place)
        if before is None or (before.role not in POPPED and same_around(picture, self._screen.look(anew=True), place)):
            return now
        # A menu that was clicked is gone, and so is a dialog: what was there the tree from before knows.
        return replace(now, element=before)

    def _at(self, place: Place) -> Target:
        return Target(self._element(place), self._program(place))

    def _element(self, place: Place | None) -> Node | None:
        tree = self._computer.parts.tree
        if tree is None:
            return None
        return _ask(tree.focused if place is None else lambda: self._computer.element_at(*place))

    def _program(self, place: Place | None) -> str | None:
        windows = self._computer.parts.windows
        if not isinstance(windows, KnownWindows):
            return None
        return _ask(windows.program_with_keys if place is None else lambda: windows.program_at(*place)) or ""


def _ask(ask: Callable[[], Found | None]) -> Found | None:
    """Return what a computer says; None where it cannot: the screen shows the rest."""
    try:
        return ask()
    except HostError:
        raise
    except (ComputerError, OSError):
        return None
