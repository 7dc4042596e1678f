"""A person at a desk who makes the moves of an answer key by hand: what they see is asked of the desktop, and what they
do goes to it as pointer and key events through the studio's websocket, as a viewer sends them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from starlette.testclient import WebSocketTestSession

from proctor.actions.action import Action, Click, Drag, Press, Scroll, Type
from proctor.actions.action import Move as MoveTo
from proctor.actions.keys import parse_keys
from proctor.computers.channels.x11.keysyms import KEYSYMS, keysym_for_char
from proctor.computers.locator import Locator
from proctor.errors import NotReady
from proctor.studio.record.desk import Desk
from proctor.studio.record.events import BUTTONS, WHEEL
from proctor.studio.record.glance import LiveQuestion
from tests.studio.displayed import key, pointer

AIM_SEC = 0.25
"""How long the pointer rests before it clicks."""
RECORDED_SEC = 30.0
BITS = {name: bit for bit, name in BUTTONS.items()}


class Person:
    """Stands in for a computer where moves are made."""

    def __init__(self, desk: Desk, socket: WebSocketTestSession) -> None:
        self._desk, self._socket = desk, socket

    def __getattr__(self, name: str) -> Any:
        """Look at the desktop itself, in the thread that may."""
        found = self._ask(lambda computer: getattr(computer, name))
        if not callable(found):
            return found
        return lambda *given, **named: self._ask(lambda computer: getattr(computer, name)(*given, **named))

    def locate(self, **described: Any) -> Locator:
        return Locator(self, **described)  # type: ignore[arg-type]

    def wait_for(self, condition: Callable[[Any], Any], *, what: str = "it", timeout_sec: float = 10.0) -> Any:
        ends = time.monotonic() + timeout_sec
        while time.monotonic() < ends:
            if value := condition(self):
                return value
            pause(0.1)
        raise NotReady(f"{what} did not happen within {timeout_sec:g} s")

    def perform(self, action: Action) -> None:
        """Do something by hand, and look on until it is recorded."""
        before = len(self._desk.steps)
        match action:
            case Click():
                self._click(action)
            case Type(text=text):
                for char in text:
                    self._chord([keysym_for_char(char)])
            case Press(keys=keys):
                for chord in parse_keys(keys):
                    self._chord([_keysym(name) for name in (*chord.held, chord.key)])
            case Drag(path=path, button=button):
                self._drag(path, 1 << BITS[button])
            case Scroll():
                self._scroll(action)
            case MoveTo(x=x, y=y):
                self._socket.send_bytes(pointer(round(x), round(y)))
                pause(AIM_SEC)
                return
            case _:
                raise AssertionError(f"no hand does {action}")
        ends = time.monotonic() + RECORDED_SEC
        while len(self._desk.steps) == before:
            assert time.monotonic() < ends, f"{action} is not recorded"
            assert not self._desk.ended, self._desk.trouble
            pause(0.05)

    def _ask(self, question: Callable[[Any], Any]) -> Any:
        asked = LiveQuestion(question)
        self._desk.hand.hear(asked)
        return asked.answer(60)

    def _click(self, click: Click) -> None:
        assert click.x is not None
        assert click.y is not None
        x, y, mask = round(click.x), round(click.y), 1 << BITS[click.button]
        self._socket.send_bytes(pointer(x, y))
        pause(AIM_SEC)
        held = [_keysym(name) for name in click.modifiers]
        for keysym in held:
            self._socket.send_bytes(key(keysym, True))
        for _ in range(click.count):
            self._socket.send_bytes(pointer(x, y, mask) + pointer(x, y))
        for keysym in reversed(held):
            self._socket.send_bytes(key(keysym, False))

    def _chord(self, keysyms: Sequence[int]) -> None:
        for keysym in keysyms:
            self._socket.send_bytes(key(keysym, True))
        for keysym in reversed(keysyms):
            self._socket.send_bytes(key(keysym, False))

    def _drag(self, path: Sequence[tuple[float, float]], mask: int) -> None:
        places = [(round(x), round(y)) for x, y in path]
        self._socket.send_bytes(pointer(*places[0]))
        pause(AIM_SEC)
        self._socket.send_bytes(pointer(*places[0], mask))
        for (ax, ay), (bx, by) in zip(places, places[1:], strict=False):
            for part in range(1, 21):
                self._socket.send_bytes(pointer(ax + (bx - ax) * part // 20, ay + (by - ay) * part // 20, mask))
                pause(0.02)
        pause(AIM_SEC)
        self._socket.send_bytes(pointer(*places[-1]))

    def _scroll(self, scroll: Scroll) -> None:
        x, y = round(scroll.x or 0), round(scroll.y or 0)
        self._socket.send_bytes(pointer(x, y))
        pause(AIM_SEC)
        for bit, (dx, dy) in WHEEL.items():
            for _ in range(max(dx * scroll.dx, dy * scroll.dy, 0)):
                self._socket.send_bytes(pointer(x, y, 1 << bit) + pointer(x, y))


def pause(seconds: float) -> None:
    """Let a moment go by, as people do."""
    threading.Event().wait(seconds)


def _keysym(name: str) -> int:
    return KEYSYMS.get(name) or keysym_for_char(name)
