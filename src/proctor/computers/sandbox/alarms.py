"""Alarms that programs have set themselves: which are worth waiting for, learned from what came of earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

GRAIN_MS = 12
"""Alarms that differ by less than this are taken for the same."""
ENOUGH = 4
"""An alarm that has gone off so often without anything to see is not waited for any more."""
MOST_KNOWN = 4096
"""How many kinds are remembered: programs come and go."""

Alarm = tuple[int, int]
"""A process, and the milliseconds after which it wakes by itself."""


class Alarms:
    """What is known of the alarms of one desktop's programs.

    A toolkit sets a timer and goes to sleep: to close a dialog a quarter of a second after Enter was pressed, to look
    up what was typed, to open a submenu. No program is at work then and nothing is drawn, yet the screen is about to
    change. Other timers are housekeeping and change nothing; those are known by their length.
    """

    def __init__(self) -> None:
        self._seen: Counter[Alarm] = Counter()
        self._vain: Counter[Alarm] = Counter()

    def worth(self, alarms: Sequence[Alarm], most_ms: int) -> list[Alarm]:
        """Return the alarms to wait for, the nearest first."""
        return sorted(
            (alarm for alarm in alarms if alarm[1] <= most_ms and not self._housekeeping(alarm)),
            key=lambda alarm: alarm[1],
        )

    def learn(self, alarm: Alarm, *, seen: bool) -> None:
        """Take note whether anything was to be seen when an alarm went off."""
        known = self._seen if seen else self._vain
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[_kind(alarm)] += 1

    def _housekeeping(self, alarm: Alarm) -> bool:
        kind = _kind(alarm)
        return self._vain[kind] >= ENOUGH and not self._seen[kind]


def _kind(alarm: Alarm) -> Alarm:
    return alarm[0], round(alarm[1] / GRAIN_MS)
