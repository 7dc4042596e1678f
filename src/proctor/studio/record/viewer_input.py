"""What a person's viewer says to the display, passed on at once and told to whoever records.

The viewer is kept to what can be told exactly: keys as keysyms, which mean the same whatever keyboard either side has,
and no clipboard from outside.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from proctor.studio.record.events import Event, KeyMoved, PointerAt
from proctor.web.rfb import LookingOnly

ENCODINGS, KEY, POINTER = 2, 4, 5
LEFT_OUT = frozenset({-258, -261, -309, -316, -1063131698})
"""Keys by place, lamps, power, more buttons and clipboards: the viewer is not to speak of any of them."""


class HandListener(LookingOnly):
    """Takes what a viewer sends, returns what goes to the display, and tells what it does there."""

    def __init__(self, size: tuple[int, int], tell: Callable[[Event], None]) -> None:
        """Begin with a viewer that touches nothing; a place beyond `size` is the nearest one on it."""
        super().__init__()
        self._size = size
        self._tell = tell
        self._keys: dict[int, None] = {}
        self._place = (0, 0)
        self._mask = 0
        self.paused = False
        """Whether the person only looks for now."""

    def let_go(self) -> bytes:
        """Return the messages that release everything that is held, and tell that it is released."""
        now = time.monotonic()
        sent = b""
        if self._mask:
            sent += self._pointer(PointerAt(now, *self._place, 0))
        for keysym in reversed(list(self._keys)):
            sent += self._key(KeyMoved(now, keysym, False))
        return sent

    def _pass_on(self, kind: int, message: bytes) -> bytes:
        if kind == ENCODINGS:
            return _without_own_encodings(message)
        if self.paused or kind not in (KEY, POINTER):
            return super()._pass_on(kind, message)
        now = time.monotonic()
        if kind == KEY:
            return self._key(KeyMoved(now, int.from_bytes(message[4:8]), message[1] != 0))
        x, y = int.from_bytes(message[2:4]), int.from_bytes(message[4:6])
        width, height = self._size
        return self._pointer(PointerAt(now, min(x, width - 1), min(y, height - 1), message[1]))

    def _key(self, event: KeyMoved) -> bytes:
        if event.down:
            self._keys[event.keysym] = None
        elif self._keys.pop(event.keysym, 0) == 0:
            return b""  # it went down while nothing was passed on
        self._tell(event)
        return bytes([KEY, event.down, 0, 0]) + event.keysym.to_bytes(4)

    def _pointer(self, event: PointerAt) -> bytes:
        self._place, self._mask = (event.x, event.y), event.mask
        self._tell(event)
        return bytes([POINTER, event.mask]) + event.x.to_bytes(2) + event.y.to_bytes(2)


def _without_own_encodings(message: bytes) -> bytes:
    """Return the list of encodings without those that would have the viewer speak otherwise."""
    numbers = [message[place : place + 4] for place in range(4, len(message), 4)]
    kept = [number for number in numbers if int.from_bytes(number, signed=True) not in LEFT_OUT]
    return bytes([ENCODINGS, 0]) + len(kept).to_bytes(2) + b"".join(kept)
