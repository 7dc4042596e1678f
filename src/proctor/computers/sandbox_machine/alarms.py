"""Alarms that programs have set themselves."""

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
TICKS, ENOUGH_TICKING = 3, 8
"""A program that set so many alarms one after another without an effect, in so many steps in a row, just ticks."""
DOUBLE_CLICK_MS = (398, 430)
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
        self._ticking: Counter[str] = Counter()

    def worth(self, alarms: Sequence[Alarm], most_ms: int, *, clicked: bool = False) -> list[Alarm]:
        """Return the alarms to wait for, the nearest first; `clicked` tells of what went before them."""
        near = [alarm for alarm in alarms if alarm.left_ms <= most_ms and not self._is_housekeeping(alarm)]
        kept = [alarm for alarm in near if not (clicked and self._second_click(alarm))]
        return sorted(kept, key=lambda alarm: alarm.left_ms)

    def patient(self, program: str) -> bool:
        """Tell whether alarms of a program are to be followed one after another, or only the first of them."""
        return self._ticking[program] < ENOUGH_TICKING

    def followed(self, alarms: Sequence[tuple[float, Alarm]], changed: float) -> None:
        """Take note of the alarms of one wait, when each was noticed, and when something was last to be seen."""
        last = {alarm.program: alarm for _, alarm in alarms}
        for noticed, alarm in alarms:
            # One that leads to another may lead to something yet.
            if changed > noticed or alarm is last[alarm.program]:
                self.learn(alarm, seen=changed > noticed)
        for program, count in Counter(alarm.program for _, alarm in alarms).items():
            vain = all(changed <= noticed for noticed, alarm in alarms if alarm.program == program)
            if not vain:
                self._ticking[program] = 0
            elif count >= TICKS:
                self._ticking[program] += 1

    def learn(self, alarm: Alarm, *, seen: bool) -> None:
        """Take note whether anything was to be seen when an alarm went off."""
        known = self._seen if seen else self._vain
        if len(known) >= MOST_KNOWN:
            known.clear()
            self._ticking.clear()
        known[alarm.program, alarm.after_ms // GRAIN_MS] += 1

    def _second_click(self, alarm: Alarm) -> bool:
        first, last = DOUBLE_CLICK_MS
        return first <= alarm.after_ms <= last and not any(self._seen[kind] for kind in _near(alarm))

    def _is_housekeeping(self, alarm: Alarm) -> bool:
        enough = ENOUGH_SOON if alarm.after_ms <= SOON_MS else ENOUGH
        near = _near(alarm)
        return sum(self._vain[kind] for kind in near) >= enough and not any(self._seen[kind] for kind in near)


def _near(alarm: Alarm) -> list[tuple[str, int]]:
    grain = alarm.after_ms // GRAIN_MS
    return [(alarm.program, grain + aside) for aside in (-1, 0, 1)]
