"""A screen that tests paint on, as a recorder sees it."""

from __future__ import annotations

import socket
import threading

import numpy as np
from PIL import Image

from proctor.computers.frames import PointerPicture
from proctor.errors import ComputerLost
from proctor.observations.box import Box

Colour = tuple[int, int, int]


class PaintedScreen:
    """Painted by the test's thread, looked at by the recorder's."""

    def __init__(self, size: tuple[int, int] = (64, 48)) -> None:
        self.size = size
        self.looks = 0
        self.closed = threading.Event()
        self._pixels = np.zeros((size[1], size[0], 4), np.uint8)
        self._damage: list[Box] = []
        self._pointer: PointerPicture | None = None
        self._lost = ""
        self._lock = threading.Lock()
        self._ours, self._theirs = socket.socketpair()

    def paint(self, box: Box, colour: Colour) -> None:
        """Fill a rectangle with a colour (red, green, blue)."""
        with self._lock:
            self._pixels[box.y : box.y + box.height, box.x : box.x + box.width, :3] = colour[::-1]
        self.touch(box)

    def touch(self, box: Box) -> None:
        """Report damage without changing a pixel."""
        with self._lock:
            self._damage.append(box)
        self._ours.send(b"!")

    def point(self, x: int, y: int, side: int = 4) -> None:
        """Put a white pointer somewhere; as on a real screen, nothing is reported."""
        self._pointer = PointerPicture(image=Image.new("RGBA", (side, side), "white"), x=x, y=y)

    def die(self) -> None:
        """Go away as a killed X server does."""
        self._lost = "the X server closed the connection"
        self._ours.send(b"!")

    def image(self) -> Image.Image:
        """Return what was painted."""
        with self._lock:
            return Image.fromarray(np.ascontiguousarray(self._pixels[:, :, 2::-1]))

    # -- as a frame source --------------------------------------------------------------------------------------------

    def fileno(self) -> int:
        return self._theirs.fileno()

    def damage(self) -> list[Box]:
        if self._lost:
            raise ComputerLost(self._lost)
        self._theirs.setblocking(False)
        try:
            self._theirs.recv(4096)
        except BlockingIOError:
            return []
        with self._lock:
            self.looks += 1
            found, self._damage = self._damage, []
            return found

    def grab(self, box: Box) -> bytes:
        with self._lock:
            return self._pixels[box.y : box.y + box.height, box.x : box.x + box.width].tobytes()

    def pointer(self) -> PointerPicture | None:
        return self._pointer

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()
        self.closed.set()
