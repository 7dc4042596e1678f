"""What an action goes to: the element and its program, looked up before a key is pressed."""

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
class Aim:
    """What something that is done goes to."""

    element: Node | None = None
    program: str | None = None
    """As `Performed` has it: empty for none that is known, None where nobody can tell."""


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What was found at a place, when, and the screen then."""

    place: Place
    target: Aim
    began: float
    ended: float
    picture: ScreenPicture

    def is_near(self, place: Place) -> bool:
        return max(abs(place[0] - self.place[0]), abs(place[1] - self.place[1])) <= LOOKED_UP


class AimFinder:
    """Finds what is under the pointer and what keys go to; for the thread of the computer."""

    def __init__(self, computer: Computer, screen: AtHand, trees: TreeAtHand) -> None:
        self._computer, self._screen, self._trees = computer, screen, trees
        self._looked_up: _LookedUp | None = None
        """What was found under the pointer where it last rested."""

    def of_keys(self) -> Aim:
        """Return what keys go to now."""
        return Aim(self._element(None), self._program(None))

    def look_up(self, pointer: PointerAt | None) -> None:
        """Look up what lies under a pointer that rests, so that it is known before it is clicked."""
        began = time.monotonic()
        if pointer is None or began - pointer.at < RESTING_SEC:
            return
        place, known = (pointer.x, pointer.y), self._looked_up
        if known is None or known.place != place or not same_around(known.picture, self._screen.last, place):
            found, ended = self._at(place), time.monotonic()
            # Anew, so that the pointer is drawn where it is.
            self._looked_up = _LookedUp(place, found, began, ended, self._screen.look(anew=True))

    def of_pointer(self, place: Place, picture: ScreenPicture, touched: float, at: float) -> Aim:
        """Return what a pointer hits at a place of a picture, last touched at `touched`."""
        before, known = self._trees.under(place, picture, touched), self._looked_up
        if known is not None and known.is_near(place):
            # Buttons light up under the pointer, which changes the screen and not what is there.
            untouched = touched <= known.began and known.ended <= at
            if untouched or same_around(known.picture, picture, known.place):
                # A menu is over every window, whatever is told of the place by now.
                popped = before is not None and before.role in POPPED
                return replace(known.target, element=before) if popped else known.target
        now, before = self._at(place), before or self._in_closed_window(place, picture)
        if before is None or (before.role not in POPPED and same_around(picture, self._screen.look(anew=True), place)):
            return now
        # A menu that was clicked is gone, and so is a dialog: what was there the tree from before knows.
        return replace(now, element=before)

    def _in_closed_window(self, place: Place, picture: ScreenPicture) -> Node | None:
        return _ask(lambda: self._trees.in_closed_window(place, picture))

    def _at(self, place: Place) -> Aim:
        return Aim(self._element(place), self._program(place))

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
