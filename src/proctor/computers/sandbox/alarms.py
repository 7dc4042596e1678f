"""Alarms that programs have set themselves: which are worth waiting for, learned from what came of earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

GRAIN_MS = 25
"""Alarms of a program that go off at most so far apart, counted from the action, are taken for the same."""
ENOUGH = 12
"""An alarm that has gone off so often without anything to see is not waited for any more."""
SOON_MS, ENOUGH_SOON = 150, 4
"""The same for one that goes off so soon: every click and key in a program may have it."""
DOUBLE_CLICK_MS = (370, 440)
"""When after a click toolkits stop waiting for a second one: nothing comes of it. Desktops are set to 400 ms."""
MOST_KNOWN = 4096
"""How many kinds are remembered: programs come and go, and choose their names."""


class Alarm(NamedTuple):
    """A program that has reacted to an action and will wake by itself."""

    program: str
    left_ms: int
    """How long from now."""
    after_ms: int
    """How long after the action."""


class Alarms:
    """What is known of the alarms of one desktop's programs.

    A toolkit sets a timer and goes to sleep: to close a dialog a quarter of a second after Enter was pressed, to look
    up what was typed, to open a submenu. No program is at work then and nothing is drawn, yet the screen is about to
    change. Other timers change nothing, such as the one that tells a double click from two; those are known by how long
    after the action they go off.
    """

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, int]] = Counter()
        self._vain: Counter[tuple[str, int]] = Counter()

    def worth(self, alarms: Sequence[Alarm], most_ms: int, *, clicked: bool = False) -> list[Alarm]:
        """Return the alarms to wait for, the nearest first; `clicked` tells of what went before them."""
        near = [alarm for alarm in alarms if alarm.left_ms <= most_ms and not self._housekeeping(alarm)]
        first, last = DOUBLE_CLICK_MS
        kept = [alarm for alarm in near if not (clicked and first <= alarm.after_ms <= last)]
        return sorted(kept, key=lambda alarm: alarm.left_ms)

    def learn(self, alarm: Alarm, *, seen: bool) -> None:
        """Take note whether anything was to be seen when an alarm went off."""
        known = self._seen if seen else self._vain
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[alarm.program, alarm.after_ms // GRAIN_MS] += 1

    def _housekeeping(self, alarm: Alarm) -> bool:
        grain = alarm.after_ms // GRAIN_MS
        near = [(alarm.program, grain + aside) for aside in (-1, 0, 1)]
        enough = ENOUGH_SOON if alarm.after_ms <= SOON_MS else ENOUGH
        return sum(self._vain[kind] for kind in near) >= enough and not any(self._seen[kind] for kind in near)
