"""Rest: when the screen has come to rest after an action, and a way to tell for computers that have no better one."""

from __future__ import annotations

from typing import Protocol

from PIL import ImageChops

from proctor.actions.action import Action
from proctor.computers.parts.clock import Clock
from proctor.computers.parts.screen import Screen
from proctor.computers.settle import Settling
from proctor.observations.box import Box

LOOK_AGAIN_SEC = 0.1
"""How long two pictures must be the same for a screen to count as still."""
CAREFUL_SEC = 0.5


class Rest(Protocol):
    """Knows what is going on inside; every computer has one, if only the plain one below."""

    def about_to(self, action: Action) -> None:
        """Hear that an action begins; what happens from here on is its consequence."""

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        """Wait until the screen is still; return False when it still moves at the end of the patience."""

    def wait_activity(self, timeout_sec: float) -> None:
        """Block until something on the computer may have changed, or the time is up."""

    def drawings(self) -> object:
        """Return something that is another whenever anything was drawn; None where that is not known."""

    def restless(self) -> list[Box]:
        """Return the places on the screen that change by themselves, such as a panel's clock."""


class PlainRest:
    """Looks at the screen again and again; needs nothing but pictures."""

    def __init__(self, screen: Screen, clock: Clock) -> None:
        self._screen = screen
        self._clock = clock

    def about_to(self, action: Action) -> None:
        """Take no notice."""

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        """Wait until two pictures in a row are the same."""
        if not isinstance(policy, str):
            self._clock.pass_time(policy)
        ends = self._clock.now() + timeout_sec
        pause = CAREFUL_SEC if policy == "careful" else LOOK_AGAIN_SEC
        before = self._screen.screenshot(cursor=False)
        while True:
            self._clock.pass_time(pause)
            now = self._screen.screenshot(cursor=False)
            if now.size == before.size and ImageChops.difference(now, before).getbbox() is None:
                return True
            if self._clock.now() >= ends:
                return False
            before = now

    def wait_activity(self, timeout_sec: float) -> None:
        """Wait the whole time, because nothing announces itself."""
        self._clock.pass_time(timeout_sec)

    def drawings(self) -> object:
        """Return nothing: only pictures tell."""

    def restless(self) -> list[Box]:
        """Know of no such place."""
        return []
