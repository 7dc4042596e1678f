"""Whether a machine behind an RFB server has come to rest, by its picture alone."""

from __future__ import annotations

import time

import numpy as np

from proctor.actions.action import Action
from proctor.computers.channels.rfb.client import Rfb
from proctor.computers.channels.rfb.link import LOOK_SEC, RfbLink
from proctor.computers.channels.rfb.pixels import TILE
from proctor.computers.moving_places import RESTLESS_AFTER, Counts, no_counts, restless_places
from proctor.computers.parts.clock import Clock
from proctor.computers.settle import Settling
from proctor.observations.box import Box

FIRST_SEC = 0.25
"""How long the first sign of what an action does is waited for."""
QUIET_SEC = 0.15
"""How long nothing may move for the screen to count as still."""
CAREFUL_SEC = 0.6
CARET = (3, 64)
"""Widest and tallest change that is taken for a blinking caret."""


class PictureRest:
    """Rest is when the server paints nothing more but carets and places that always move."""

    def __init__(self, link: RfbLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._restless: list[Box] = []

    def about_to(self, action: Action) -> None:
        """Forget what has moved before."""
        self._link.look(Rfb.drain)
        self._link.client.picture.take_changes()

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        """Wait until nothing new moves; return False when it still does at the end of the patience."""
        if not isinstance(policy, str):
            self._clock.pass_time(policy)
        quiet_sec = CAREFUL_SEC if policy == "careful" else QUIET_SEC
        ends = time.monotonic() + timeout_sec
        counts = no_counts(self._link.client.picture.size, TILE)
        self._link.look(Rfb.refresh)
        moved = bool(self._moves(counts)[0])
        still_since = time.monotonic()
        while True:
            patience = quiet_sec if moved else max(quiet_sec, FIRST_SEC)
            left = min(still_since + patience, ends) - time.monotonic()
            if left > 0:
                self._link.look(lambda client, left=left: client.wait(left))  # type: ignore[misc]
            else:
                self._link.look(Rfb.refresh)
            moving, counts = self._moves(counts)
            now = time.monotonic()
            if moving:
                moved, still_since = True, now
            elif left <= 0:
                self._restless = restless_places(counts, TILE)
                return now < ends or now - still_since >= quiet_sec
            if now >= ends and moving:
                self._restless = restless_places(counts, TILE)
                return False

    def _moves(self, counts: Counts) -> tuple[bool, Counts]:
        """Tell whether something moved that does not always do so, and count what did."""
        picture = self._link.client.picture
        places = picture.take_changes()
        if counts.shape != no_counts(picture.size, TILE).shape:
            return True, no_counts(picture.size, TILE)
        moving = False
        touched = np.zeros(counts.shape, bool)
        for box in places:
            tiles = touched[box.y // TILE : (box.y + box.height - 1) // TILE + 1,
                            box.x // TILE : (box.x + box.width - 1) // TILE + 1]  # fmt: skip
            tiles[...] = True
            moving = moving or (box.width > CARET[0] or box.height > CARET[1])
        counts[touched] += 1
        return moving and bool((counts[touched] < RESTLESS_AFTER).any()), counts

    def wait_activity(self, timeout_sec: float) -> None:
        """Wait until the server sends something."""
        self._link.look(lambda client: client.wait(timeout_sec), timeout_sec=timeout_sec + LOOK_SEC)

    def drawings(self) -> int:
        """Return how often something was painted."""
        self._link.look(Rfb.drain)
        return self._link.client.picture.drawings

    def restless(self) -> list[Box]:
        """Return the places that kept moving when the rest was last waited for."""
        return self._restless
