"""The focus at hand: asked between keys, so that a key is told with what had it before.

By the time a key is heard of it has reached its window, and may have opened or closed one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from proctor.observations.tree import Node
from proctor.studio.record.events import Event, KeyMoved
from proctor.studio.record.keysyms import MODIFIERS, char_of
from proctor.studio.record.targets import Aim

KEPT = 8
GAP_SEC = 0.03
"""After a key so long nobody asks: the next one often follows at once, and whoever is asked does nothing else."""
SHARE = 0.2
"""Of the time that goes into asking at most."""
RESTLESS_SEC = 3.0
"""After the last key or drawing so long it may still move, as to a window that is slow to open."""


@dataclass(frozen=True, slots=True)
class _Asked:
    began: float
    ended: float
    found: Aim


class FocusAtHand:
    """What had the focus lately; belongs to the thread that asks the computer."""

    def __init__(self, ask: Callable[[], Aim]) -> None:
        self._ask = ask
        self._asked: deque[_Asked] = deque(maxlen=KEPT)
        self._next = 0.0

    def look(self, active: float) -> None:
        """Ask what has the focus, unless that can hardly have changed since something last happened."""
        began = time.monotonic()
        last = self._asked[-1].ended if self._asked else 0.0
        if began < max(self._next, active + GAP_SEC) or last > active + RESTLESS_SEC:
            return
        found = self._ask()
        ended = time.monotonic()
        self._asked.append(_Asked(began, ended, found))
        self._next = ended + (ended - began) * (1 / SHARE - 1)

    def before(self, at: float, moved: float, *, kept: bool) -> Aim:
        """Return what had the focus at a moment.

        `moved` is when something before that may last have given it to another, `kept` says whether it has not moved
        since. Where nobody has asked in time, it is what has it now, without what it holds: that may have been typed
        just now. A key that may have moved it goes to what has it after as well as before, or to nothing that is known.
        """
        known = next((asked for asked in reversed(self._asked) if asked.ended <= at), None)
        if known is not None and known.began >= moved:
            return known.found
        now, earlier = self._ask(), known.found if known else Aim()
        element = replace(now.element, text="") if now.element else None
        if kept:
            return replace(now, element=element)
        return Aim(
            element if _is_same(earlier.element, now.element) else None,
            now.program if earlier.program == now.program else None,
        )


def _is_same(one: Node | None, other: Node | None) -> bool:
    return one is not None and other is not None and _place(one) == _place(other)


def _place(node: Node) -> tuple[object, ...]:
    return node.app, node.window, node.role, node.name, node.box


def may_refocus(event: Event, *, acted: bool, typing: bool) -> bool:
    """Tell whether something that was done may give the focus to another; most letters do not.

    `acted` says whether an action was over by it, `typing` whether a text is under way after it.
    """
    if not isinstance(event, KeyMoved):
        return True
    if event.keysym in MODIFIERS:
        return acted and not event.down  # pressed and let go by itself, it opens a menu
    return event.down and not (typing and char_of(event.keysym) not in ("\n", "\t"))
