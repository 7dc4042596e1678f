"""Screen, pointer and keyboard of a machine behind an RFB server."""

from __future__ import annotations

from PIL import Image

from proctor.actions.action import Button
from proctor.computers.channels.rfb import keys
from proctor.computers.channels.rfb.client import Rfb
from proctor.computers.channels.rfb.keys import Guest
from proctor.computers.channels.rfb.link import RfbLink
from proctor.computers.parts.clock import Clock
from proctor.errors import AgentError

BUTTONS: dict[Button, int] = {"left": 0x01, "middle": 0x02, "right": 0x04, "back": 0x80}
WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT = 0x08, 0x10, 0x20, 0x40
CLICK_PAUSE_SEC = 0.06
"""Between the clicks of one gesture: time for a window manager to take the pointer, and no desktop counts it as two."""
WHEEL_PAUSE_SEC = 0.01
TYPED_AT_ONCE = 200
"""Characters sent before waiting for the server."""


class VncScreen:
    """The picture that a server sends; its size is the server's, and may change."""

    def __init__(self, link: RfbLink) -> None:
        self._link = link

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, as last heard; nothing before the start."""
        return self._link.size

    def screenshot(self, *, cursor: bool) -> Image.Image:
        """Return the desktop as it is now; the pointer is drawn where the server sends its picture apart."""
        return self._link.look(lambda client: _screenshot(client, cursor))


def _screenshot(client: Rfb, cursor: bool) -> Image.Image:
    client.refresh()
    return client.screenshot(cursor=cursor)


class VncPointer:
    """The pointer: each message says where it is and which buttons are down."""

    def __init__(self, link: RfbLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock

    def move(self, x: int, y: int) -> None:
        self._link.hands.at = (x, y)
        self._link.look(Rfb.point)

    def position(self) -> tuple[int, int]:
        """Return the pixel it was put at, or is said to be at; the middle while nobody knows."""
        self._link.look(Rfb.drain)
        width, height = self._link.client.picture.size
        return self._link.hands.at or (width // 2, height // 2)

    def button(self, button: Button, down: bool) -> None:
        if button not in BUTTONS:
            raise AgentError(f"VNC has no {button} button", remedy="use the keys that do the same, such as alt+Right")
        self._press(BUTTONS[button], down)

    def clicks(self, button: Button, count: int) -> None:
        """Click so many times, a moment apart."""
        for turn in range(count):
            if turn:
                self._clock.pass_time(CLICK_PAUSE_SEC)
            try:
                self.button(button, True)
            finally:
                self.button(button, False)

    def scroll(self, dx: int, dy: int) -> None:
        for notches, backward, forward in ((dy, WHEEL_UP, WHEEL_DOWN), (dx, WHEEL_LEFT, WHEEL_RIGHT)):
            for turn in range(abs(notches)):
                if turn:
                    self._clock.pass_time(WHEEL_PAUSE_SEC)
                try:
                    self._press(forward if notches > 0 else backward, True)
                finally:
                    self._press(forward if notches > 0 else backward, False)

    def _press(self, bit: int, down: bool) -> None:
        hands = self._link.hands
        hands.at = self.position()
        hands.buttons = hands.buttons | bit if down else hands.buttons & ~bit
        self._link.look(Rfb.point)


class VncKeys:
    """The keyboard: keys by what they mean on the machine that is behind the server."""

    def __init__(self, link: RfbLink, clock: Clock, guest: Guest, typing_ms: int | None) -> None:
        self._link = link
        self._clock = clock
        self._guest = guest
        self._typing_ms = typing_ms

    def key(self, key: str, down: bool) -> None:
        meaning, place = keys.keysym_of(key, self._guest), keys.place(key)
        self._link.look(lambda client: client.key(meaning, place, down))

    def type(self, text: str) -> None:
        """Type a text, no faster than the machine reads it."""
        strokes = keys.strokes(text)
        pause_sec = self.pause_ms() / 1000
        at_once = 1 if pause_sec else TYPED_AT_ONCE
        for start in range(0, len(strokes), at_once):
            part = [event for stroke in strokes[start : start + at_once] for event in stroke]
            self._link.look(lambda client, part=part: client.keys(part))  # type: ignore[misc]
            if pause_sec:
                self._clock.pass_time(pause_sec)
            else:
                self._link.look(Rfb.refresh)

    def pause_ms(self) -> int:
        """Return how long each character takes: virtual keyboards hold sixteen events, and lose more."""
        if self._typing_ms is not None:
            return self._typing_ms
        return 0 if self._guest == "linux" and not self._link.client.name.startswith("QEMU") else 20
