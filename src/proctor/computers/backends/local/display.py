"""Your own display as the harness holds it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TypeVar

from proctor.computers.backends.local.address import DisplayAddress
from proctor.computers.channels.x11 import windows as x11_windows
from proctor.computers.channels.x11.client import KEY_PRESS, X11
from proctor.computers.channels.x11.keyboard import ANY_MODIFIER, BORROWED_PROPERTY, LOWEST_BORROWED, Keyboard
from proctor.computers.channels.x11.keysyms import keysym
from proctor.computers.channels.x11.protocol import Op, XError
from proctor.computers.parts.clock import WallClock
from proctor.errors import HostError, SpecError

LOOK_SEC = 10.0
SLICE_SEC = 0.1
"""How often the stop key is looked for while nothing happens."""
GET_KEYBOARD_CONTROL, DELETE_PROPERTY = 103, 19
BUTTONS = range(1, 10)

Seen = TypeVar("Seen")


class Stopped(KeyboardInterrupt):
    """The person at the display pressed the stop key; like Ctrl+C, it ends everything."""


class WatchedX11(X11):
    """A display on which one key is reserved for stopping."""

    def __init__(self, display: DisplayAddress, authority: tuple[bytes, bytes], stop: str) -> None:
        self.authority = authority
        self.stopped = False
        self._stop = stop
        self._stop_codes: set[int] = set()
        super().__init__(display.dial())

    def _enter(self) -> None:
        super()._enter()
        if self.extension("XWAYLAND"):
            raise SpecError(
                "this display is a window of a Wayland session, where most of the screen cannot be seen",
                remedy="log in to an X session, or use the sandbox computer",
            )
        self._stop_codes = {code for code, row in self.layout().items() if keysym(self._stop) in row}
        for code in self._stop_codes:
            self.send(Op.GrabKey, 0, struct.pack("<IHBBB", self.root, ANY_MODIFIER, code, 1, 1))
        try:
            self.sync()
        except XError as error:
            raise HostError(
                f"another program keeps the key {self._stop} for itself", remedy="give another one by stop="
            ) from error
        if not self._stop_codes:
            raise HostError(f"this keyboard has no key {self._stop}", remedy="give another one by stop=, such as f12")

    def layout(self) -> dict[int, list[int]]:
        """Return what each key means now."""
        first, last = self.screen.min_keycode, self.screen.max_keycode
        reply = self.call(Op.GetKeyboardMapping, 0, struct.pack("<BB", first, last - first + 1))
        width = reply[1]
        symbols = struct.unpack_from(f"<{(len(reply) - 32) // 4}I", reply, 32)
        return {first + at // width: list(symbols[at : at + width]) for at in range(0, len(symbols), width)}

    def _on_event(self, code: int, packet: bytes, *, sent: bool) -> None:
        if code == KEY_PRESS and not sent and packet[1] in self._stop_codes:
            self.stopped = True
        super()._on_event(code, packet, sent=sent)


class LocalDisplay:
    """The connection to your display, from the first look to the last."""

    def __init__(self, display: DisplayAddress, authority: tuple[bytes, bytes], stop: str) -> None:
        self.x = WatchedX11(display, authority, stop)
        self._stop = stop
        self._let_go = False
        try:
            self._layout = self.x.layout()
            repeats = self.x.call(GET_KEYBOARD_CONTROL)
            self._repeat = repeats[1]
            self.keyboard = Keyboard(self.x)
        except BaseException:
            self.x.close()
            raise

    def look(self, operation: Callable[[X11], Seen]) -> Seen:
        """Do something with the display, unless the stop key was pressed."""
        self.check()
        with self.x.within(LOOK_SEC):
            return self.x.surviving(lambda: operation(self.x))

    def check(self) -> None:
        """Let go of everything and raise Stopped when the stop key was pressed."""
        self.x.pump()
        if self.x.stopped:
            self.let_go()
            raise Stopped(f"you pressed {self._stop}: nothing more is done")

    def wait(self, seconds: float) -> None:
        """Let time go by, looking for the stop key."""
        self.check()
        self.x.wait(seconds)
        self.check()

    def let_go(self) -> None:
        """Release every key and button that is held; once."""
        if self._let_go:
            return
        self._let_go = True
        self.keyboard.release_all()
        held = self.x.pointer().state
        for number in BUTTONS:
            if number > 5 or held >> (7 + number) & 1:
                self.x.button(number, False)
        self.x.sync()

    def close(self) -> None:
        """Put the keyboard back as it was, and hang up."""
        try:
            self.let_go()
            self._put_back()
        finally:
            self.x.close()

    def _put_back(self) -> None:
        (borrowed,) = self.x.atoms(BORROWED_PROPERTY)
        for code in x11_windows.property_numbers(self.x, self.x.root, BORROWED_PROPERTY):
            row = self._layout.get(code, [])
            if code >= LOWEST_BORROWED and row:
                body = struct.pack(f"<BBxx{len(row)}I", code, len(row), *row)
                self.x.send(Op.ChangeKeyboardMapping, 1, body)
        self.x.send(DELETE_PROPERTY, 0, struct.pack("<II", self.x.root, borrowed))
        self.x.send(Op.ChangeKeyboardControl, 0, struct.pack("<II", 0x80, self._repeat))
        self.x.sync()


class LocalClock(WallClock):
    """Time goes by in slices, so that the stop key is seen."""

    def __init__(self, display: Callable[[], LocalDisplay]) -> None:
        self._display = display

    def pass_time(self, seconds: float) -> None:
        ends = self.now() + seconds
        while (left := ends - self.now()) > 0:
            self._display().check()
            super().pass_time(min(left, SLICE_SEC))
