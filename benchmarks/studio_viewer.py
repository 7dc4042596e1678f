"""A viewer at the websocket of a desk: as little of VNC as it takes to press keys and to see that something changed."""

from __future__ import annotations

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from websockets.sync.client import connect
from websockets.typing import Origin

VERSION = b"RFB 003.008\n"
RAW, COPY = 0, 1
PATIENCE_SEC = 10.0
QUIET_SEC = 0.4
BYTES = 4
"""Of a pixel, as the server has it unless told otherwise."""


class Viewer:
    """Looks at a desk, presses keys and drags."""

    def __init__(self, address: str, origin: str, cookies: str) -> None:
        told = {"Cookie": cookies}
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(address, origin=Origin(origin), additional_headers=told, max_size=None, compression=None)
        )
        self._left = b""
        self.size = self._greet()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.close()

    def key_to_change(self, keysym: int) -> float:
        """Press a key and return the seconds until the next part of the screen has come that changed."""
        self.rest()
        began = time.perf_counter()
        for down in (1, 0):
            self._socket.send(bytes([4, down, 0, 0]) + keysym.to_bytes(4))
        self._update(PATIENCE_SEC)
        return time.perf_counter() - began

    def click(self, x: int, y: int) -> None:
        """Click somewhere."""
        for mask in (0, 1, 0):
            self._socket.send(bytes([5, mask]) + x.to_bytes(2) + y.to_bytes(2))

    def drag(self, start: tuple[int, int], seconds: float) -> None:
        """Drag to and fro from a place, as fast as a hand moves, and take in what comes meanwhile."""
        ends, step = time.monotonic() + seconds, 0
        while time.monotonic() < ends:
            x = start[0] + abs(step % 60 - 30) * 10
            self._socket.send(bytes([5, 1]) + x.to_bytes(2) + start[1].to_bytes(2))
            step += 1
            self._update(0.016)
        self._socket.send(bytes([5, 0]) + start[0].to_bytes(2) + start[1].to_bytes(2))

    def rest(self) -> None:
        """Take in what comes until nothing does for a moment."""
        while self._update(QUIET_SEC):
            pass

    def _greet(self) -> tuple[int, int]:
        assert self._take(12, PATIENCE_SEC).startswith(b"RFB")
        self._socket.send(VERSION)
        self._take(self._take(1, PATIENCE_SEC)[0], PATIENCE_SEC)
        self._socket.send(b"\1")
        self._take(4, PATIENCE_SEC)
        self._socket.send(b"\1")
        head = self._take(24, PATIENCE_SEC)
        self._take(int.from_bytes(head[20:24]), PATIENCE_SEC)
        size = (int.from_bytes(head[0:2]), int.from_bytes(head[2:4]))
        self._socket.send(bytes([2, 0, 0, 2]) + RAW.to_bytes(4) + COPY.to_bytes(4))
        self._ask(size, again=False)
        self.size = size
        self._asked = True
        return size

    def _ask(self, size: tuple[int, int], *, again: bool) -> None:
        self._socket.send(bytes([3, again, 0, 0, 0, 0]) + size[0].to_bytes(2) + size[1].to_bytes(2))

    def _update(self, patience: float) -> bool:
        """Take in one message of the server, if it comes in time; tells whether it brought a part of the screen."""
        try:
            kind = self._take(1, patience)[0]
        except TimeoutError:
            return False
        if kind == 0:
            count = int.from_bytes(self._take(3, PATIENCE_SEC)[1:])
            for _ in range(count):
                head = self._take(12, PATIENCE_SEC)
                width, height, encoding = (
                    int.from_bytes(head[4:6]),
                    int.from_bytes(head[6:8]),
                    int.from_bytes(head[8:12]),
                )
                self._take(4 if encoding == COPY else width * height * BYTES, PATIENCE_SEC)
            self._ask(self.size, again=True)
            return count > 0
        if kind == 3:
            self._take(int.from_bytes(self._take(7, PATIENCE_SEC)[3:]), PATIENCE_SEC)
        elif kind == 1:
            self._take(6 * int.from_bytes(self._take(5, PATIENCE_SEC)[3:]), PATIENCE_SEC)
        return True

    def _take(self, count: int, patience: float) -> bytes:
        """Return so many bytes; raises TimeoutError where they do not come."""
        while len(self._left) < count:
            data = self._socket.recv(timeout=patience)
            self._left += data if isinstance(data, bytes) else data.encode()
        taken, self._left = self._left[:count], self._left[count:]
        return taken
