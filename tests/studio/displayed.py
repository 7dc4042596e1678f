"""A fake computer with a display that a VNC viewer can touch, for tests of those who carry one to a browser."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.backends.fake.world import FakeWorld
from proctor.computers.capabilities import Parts
from proctor.computers.channels.x11.keysyms import keysym_for_char
from proctor.studio.record.events import BUTTONS, WHEEL
from proctor.studio.record.keysyms import MODIFIERS, name_of

VERSION = b"RFB 003.008\n"
GREETING = VERSION + b"\1\1"
ENCODINGS = bytes([2, 0, 0, 3]) + b"".join(number.to_bytes(4, signed=True) for number in (0, -258, -239))
UPDATE = bytes([3, 1]) + bytes(8)
opened: list[Displayed] = []
"""Every one that was started, the newest last."""


class Display:
    """The display of one computer: it takes what viewers do there, and shows them nothing but that it heard."""

    def __init__(self, parts: Parts, path: Path) -> None:
        self.address = str(path)
        self.encodings: list[int] = []
        self._parts = parts
        self._viewers: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.address)
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()
        for viewer in self._viewers:
            viewer.close()

    def break_off(self) -> None:
        """End as a display does that crashed."""
        for viewer in self._viewers:
            viewer.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while True:
            try:
                viewer, _ = self._listener.accept()
            except OSError:
                return
            self._viewers.append(viewer)
            threading.Thread(target=self._talk, args=(viewer,), daemon=True).start()

    def _talk(self, viewer: socket.socket) -> None:
        stream = viewer.makefile("rb")
        try:
            viewer.sendall(VERSION)
            stream.read(len(GREETING))
            mask = 0
            while kind := stream.read(1):
                match kind[0]:
                    case 2:
                        count = int.from_bytes(stream.read(3)[1:])
                        self.encodings = [int.from_bytes(stream.read(4), signed=True) for _ in range(count)]
                    case 3:
                        stream.read(9)
                        viewer.sendall(b"heard")
                    case 4:
                        self._key(stream.read(7))
                    case 5:
                        mask = self._pointer(stream.read(5), mask)
        except OSError:
            return

    def _key(self, message: bytes) -> None:
        number = int.from_bytes(message[3:7])
        name = MODIFIERS.get(number) or name_of(number)
        assert self._parts.keys
        self._parts.keys.key({"plus": "+"}.get(name, name), message[0] != 0)

    def _pointer(self, message: bytes, before: int) -> int:
        mask, x, y = message[0], int.from_bytes(message[1:3]), int.from_bytes(message[3:5])
        assert self._parts.pointer
        self._parts.pointer.move(x, y)
        for bit, button in BUTTONS.items():
            if (mask ^ before) & 1 << bit:
                self._parts.pointer.button(button, bool(mask & 1 << bit))  # type: ignore[arg-type]
        for bit, (dx, dy) in WHEEL.items():
            if mask & ~before & 1 << bit:
                self._parts.pointer.scroll(dx, dy)
        return mask


class _Viewer:
    def __init__(self, computer: Displayed) -> None:
        self._computer = computer

    def watch(self, *, port: int, path: str | Path | None) -> Display:
        assert path is not None
        self._computer.display = Display(self._computer.parts, Path(path))
        return self._computer.display

    def record(self, path: str | Path, *, fps: float) -> Any:
        raise NotImplementedError


class Displayed(FakeComputer):
    """A fake computer whose screen can be watched and touched."""

    display: Display | None = None

    def _parts(self, world: FakeWorld) -> Parts:
        return replace(super()._parts(world), viewer=_Viewer(self))

    def start(self) -> Displayed:
        opened.append(self)
        return super().start()


def key(keysym: int, down: bool) -> bytes:
    return bytes([4, down, 0, 0]) + keysym.to_bytes(4)


def typing(text: str) -> bytes:
    """Return what a viewer sends when somebody types a text."""
    return b"".join(key(keysym_for_char(char), down) for char in text for down in (True, False))


def chord(*keysyms: int) -> bytes:
    """Return what a viewer sends for a shortcut."""
    downs = b"".join(key(number, True) for number in keysyms)
    return downs + b"".join(key(number, False) for number in reversed(keysyms))


def pointer(x: int, y: int, mask: int = 0) -> bytes:
    return bytes([5, mask]) + x.to_bytes(2) + y.to_bytes(2)


def click(x: int, y: int) -> bytes:
    return pointer(x, y) + pointer(x, y, 1) + pointer(x, y)
