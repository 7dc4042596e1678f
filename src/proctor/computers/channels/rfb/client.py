"""A client of an RFB server: the screen kept up to date, the pointer, the keys, the clipboard."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import Image

from proctor.computers.channels.rfb import cursors
from proctor.computers.channels.rfb import encodings as rfb
from proctor.computers.channels.rfb.clipboard import Clipboard
from proctor.computers.channels.rfb.cursors import CursorPicture
from proctor.computers.channels.rfb.line import RfbLine
from proctor.computers.channels.rfb.pixels import Outside, RfbPicture, from_words
from proctor.computers.channels.rfb.security import Trust, agree
from proctor.computers.channels.rfb.tight import Tight
from proctor.computers.channels.rfb.zrle import Zrle
from proctor.observations.box import Box

LONGEST_NAME = 4096
MOST_RECTANGLES = 65535
PIXELS = struct.pack(">BxxxBBBBHHHBBBxxx", rfb.SET_PIXEL_FORMAT, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)
"""Four bytes each: blue, green, red and one unused."""
CURSORS = {
    rfb.CURSOR: cursors.rich,
    rfb.CURSOR_TWO_COLOURED: cursors.two_coloured,
    rfb.CURSOR_TRANSLUCENT: cursors.translucent,
}


@dataclass
class RfbHands:
    """Where the pointer is and what is held down; outlives a connection."""

    at: tuple[int, int] | None = None
    """Where the pointer was put or the server says it is; None while nobody knows."""
    buttons: int = 0
    """Bits of the mask that each message about the pointer carries."""
    keys: dict[bytes, bytes] = field(default_factory=dict)
    """The message that pressed each key, by the one that will release it."""


class Rfb:
    """One connection to a server. It belongs to one thread.

    The picture is as the server last sent it: `refresh` asks for what is there now, `drain` takes in what has come.
    A server that dies raises Cut; one that stays silent or talks nonsense, ComputerLost.
    """

    def __init__(
        self,
        line: RfbLine,
        *,
        trust: Trust,
        host: str,
        encodings: tuple[int, ...],
        hands: RfbHands,
        note: Callable[[str], None] = lambda what: None,
    ) -> None:
        """Introduce a client to a server over a connected line; raises SpecError where it is not let in."""
        self.line = line
        self.picture = RfbPicture()
        self.cursor: CursorPicture | None = None
        self.clipboard = Clipboard(line.send)
        self.name = ""
        self.extended_keys = False
        """Whether keys can be named by their place on the keyboard too."""
        self.hands = hands
        self._note = note
        self._corner = 0  # how often the first pixel was painted
        self._whole = 0  # how many pixels were painted
        self._asked = False
        self._pointed = False
        self._painters = {rfb.TIGHT: Tight().paint, rfb.ZRLE: Zrle().paint}
        self._said = {*encodings}
        self.security = agree(line, trust, host)
        line.send(b"\1")  # others may look on
        width, height, name_bytes = struct.unpack(">HH16xI", line.take(24))
        if name_bytes > LONGEST_NAME:
            line.nonsense(f"has a name of {name_bytes} bytes")
        self.name = _words(line.take(name_bytes))
        self.picture.resize(width, height)
        line.send(PIXELS + struct.pack(f">BxH{len(encodings)}i", rfb.SET_ENCODINGS, len(encodings), *encodings))
        self._ask(incremental=False)

    def close(self) -> None:
        self.line.close()

    # -- see ----------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Return when the picture is what the server shows now, and what was sent before has been taken note of.

        A server answers a request for changes when there are some, and one for a pixel whatever it shows. Both together
        are answered at once, with everything that has changed.
        """
        self.drain()
        before = self._corner
        width, height = self.picture.size
        self.line.send(_request(Box(0, 0, width, height), True) + _request(Box(0, 0, 1, 1), False))
        self._asked = True
        while self._corner == before:
            self._hear()

    def see_anew(self) -> None:
        """Have the whole screen sent, and return when it has come."""
        self.drain()
        before = self._whole
        self._ask(incremental=False)
        while self._whole < before + self.picture.pixels.size:
            self._hear()

    def drain(self) -> None:
        """Take in what has come, without waiting."""
        while self.line.ready():
            self._hear()
        if not self._asked:
            self._ask(incremental=True)

    def wait(self, timeout_sec: float) -> bool:
        """Wait until something comes, and take it in; tell whether it did before the time was up."""
        came = self.line.ready(timeout_sec)
        self.drain()
        return came

    def screenshot(self, *, cursor: bool) -> Image.Image:
        """Return the picture as it is known."""
        image = self.picture.image()
        if cursor and self.cursor and self.hands.at:
            x, y = self.hands.at
            hot_x, hot_y = self.cursor.hot
            image.paste(self.cursor.image, (x - hot_x, y - hot_y), self.cursor.image)
        return image

    def _ask(self, *, incremental: bool) -> None:
        self._asked = True
        self.line.send(_request(Box(0, 0, *self.picture.size), incremental))

    # -- touch --------------------------------------------------------------------------------------------------------

    def point(self) -> None:
        """Say where the pointer is and which of its buttons are down, as the hands have it."""
        x, y = self.hands.at or (0, 0)
        if not self._pointed and not self.hands.buttons:
            # Xvnc paints the pointer into the screen for whoever has not moved it, and there was no move where it is.
            self.line.send(struct.pack(">BBHH", rfb.POINTER, 0, x - 1 if x else 1, y))
        self._pointed = True
        self.line.send(struct.pack(">BBHH", rfb.POINTER, self.hands.buttons, x, y))

    def key(self, keysym: int, scancode: int, down: bool) -> None:
        """Press or release a key, by its place on the keyboard too (0: not known) where the server takes that."""
        press, release = (self._key_message(keysym, scancode, way) for way in (True, False))
        if down:
            self.hands.keys[release] = press
        else:
            self.hands.keys.pop(release, None)
        self.line.send(press if down else release)

    def keys(self, keysyms: list[tuple[int, bool]]) -> None:
        """Press and release keys by what they mean, all at once; none of them is left down."""
        self.line.send(b"".join(_plain_key(keysym, down) for keysym, down in keysyms))

    def hold_again(self) -> None:
        """Put the hands where they were, on a new connection."""
        if self.hands.at:
            self.point()
        self.line.send(b"".join(self.hands.keys.values()))

    def _key_message(self, keysym: int, scancode: int, down: bool) -> bytes:
        if scancode and self.extended_keys:
            return struct.pack(">BBHII", rfb.QEMU_MESSAGE, 0, down, keysym, scancode)
        return _plain_key(keysym, down)

    # -- what comes in ------------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        kind = self.line.byte()
        try:
            if kind == rfb.UPDATE:
                self._update()
            elif kind == rfb.CUT_TEXT:
                self.clipboard.hear(self.line)
            elif kind == rfb.COLOUR_MAP:
                self.line.skip(6 * struct.unpack(">xHH", self.line.take(5))[1])
            elif kind != rfb.BELL:
                self.line.nonsense(f"sent a message of the unknown kind {kind}")
        except Outside as error:
            self.line.nonsense(str(error))

    def _update(self) -> None:
        (count,) = struct.unpack(">xH", self.line.take(3))
        self._asked = False
        size = self.picture.size
        for number in range(count):
            if not self._rectangle():
                break
            if number >= MOST_RECTANGLES:
                raise Outside("sent an update without an end")
        if self.picture.size != size:
            self._note(f"the screen was made {self.picture.size[0]}x{self.picture.size[1]}")
            # A new size says nothing of what is shown.
            self._ask(incremental=False)
        elif not self._asked:
            self._ask(incremental=True)

    def _rectangle(self) -> bool:
        """Read one rectangle and paint it; return False when it was the last."""
        x, y, width, height, encoding = struct.unpack(">HHHHi", self.line.take(12))
        if encoding == rfb.LAST_RECT:
            return False
        if encoding not in self._said and encoding != rfb.RAW:
            raise Outside(f"sent the encoding {encoding}, which was not requested")
        box = Box(x, y, width, height)
        if encoding in (rfb.RAW, rfb.COPY_RECT) or encoding in self._painters:
            self.picture.check(box)
            self._paint(encoding, box)
            self._whole += box.area
            if (x, y) == (0, 0):
                self._corner += 1
        else:
            self._pseudo(encoding, box)
        return True

    def _paint(self, encoding: int, box: Box) -> None:
        if encoding == rfb.COPY_RECT:
            self.picture.copy(box, *struct.unpack(">HH", self.line.take(4)))
        elif encoding in self._painters:
            if box.area:
                self._painters[encoding](self.line, self.picture, box)
        else:
            # By rows, so that a large screen is not held twice.
            rows = max(1, (1 << 22) // max(box.width, 1))
            for top in range(0, box.height, rows):
                part = Box(box.x, box.y + top, box.width, min(rows, box.height - top))
                self.picture.paint(part, from_words(self.line.take(4 * part.width * part.height), part))

    def _pseudo(self, encoding: int, box: Box) -> None:
        """Take note of what is sent as a rectangle and is none."""
        if encoding in CURSORS:
            self.cursor = CURSORS[encoding](self.line, (box.x, box.y), (box.width, box.height))
        elif encoding in (rfb.POINTER_AT, rfb.POINTER_AT_TOO):
            self.hands.at = (box.x, box.y)
        elif encoding == rfb.DESKTOP_SIZE:
            self._resize(box)
        elif encoding == rfb.DESKTOP_SIZE_EXTENDED:
            self.line.skip(3 + 16 * self.line.byte())
            if box.y == 0:  # otherwise it refuses what somebody asked for
                self._resize(box)
        elif encoding == rfb.DESKTOP_NAME:
            length = int.from_bytes(self.line.take(4))
            if length > LONGEST_NAME:
                raise Outside(f"has a name of {length} bytes")
            self.name = _words(self.line.take(length))
        elif encoding == rfb.QEMU_KEYS:
            self.extended_keys = True
        elif encoding != rfb.CLIPBOARD_EXTENDED:
            raise Outside(f"sent the encoding {encoding} in a rectangle")

    def _resize(self, box: Box) -> None:
        if (box.width, box.height) != self.picture.size:
            self.picture.resize(box.width, box.height)


def _request(box: Box, incremental: bool) -> bytes:
    return struct.pack(">BBHHHH", rfb.UPDATE_REQUEST, incremental, *box)


def _plain_key(keysym: int, down: bool) -> bytes:
    return struct.pack(">BBxxI", rfb.KEY, down, keysym)


def _words(data: bytes) -> str:
    return "".join(char if char.isprintable() else " " for char in data.decode("utf-8", "replace")).strip()[:200]
