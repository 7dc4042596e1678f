"""The clipboard that a client shares with an RFB server."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from proctor.computers.channels.rfb.inflate import Inflater
from proctor.computers.channels.rfb.line import RfbLine
from proctor.computers.channels.rfb.pixels import Outside
from proctor.errors import ComputerError

MOST_BYTES = 1 << 20
"""Longer texts are passed over."""
TEXT = 1
CAPS, REQUEST, PEEK, NOTIFY, PROVIDE = (1 << bit for bit in range(24, 29))
CUT_TEXT = 6


class Clipboard:
    """What was last copied on either side."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.text = ""
        """What the server copied last."""
        self.extended = False
        """Whether the server takes any text."""
        self._ours = ""
        self._send = send

    def give(self, text: str) -> None:
        """Let programs on the server paste a text; ComputerError where the server cannot take it."""
        if len(text.encode()) > MOST_BYTES:
            raise ComputerError(f"a text of {len(text):,} characters is too long for the clipboard")
        self._ours = text
        if self.extended:
            self._say(NOTIFY | TEXT)
            return
        try:
            data = text.replace("\r\n", "\n").encode("latin-1")
        except UnicodeEncodeError as error:
            raise ComputerError(
                f"the VNC server's clipboard takes Latin-1 only, and not {text[error.start]!r}",
                remedy="type the text instead",
            ) from error
        self._send(struct.pack(">BxxxI", CUT_TEXT, len(data)) + data)

    def hear(self, line: RfbLine) -> None:
        """Read what a server says of its clipboard, after the kind of the message."""
        (length,) = struct.unpack(">xxxi", line.take(7))
        if abs(length) > MOST_BYTES:
            line.skip(abs(length))
        elif length >= 0:
            self.text = line.take(length).decode("latin-1")
        else:
            self._hear_extended(line.take(-length))

    def _hear_extended(self, data: bytes) -> None:
        if len(data) < 4:
            raise Outside("sent a clipboard message without its kind")
        (flags,) = struct.unpack_from(">I", data)
        if flags & CAPS:
            self.extended = bool(flags & TEXT)
            self._say(CAPS | REQUEST | PEEK | NOTIFY | PROVIDE | TEXT, struct.pack(">I", 0))
        elif flags & NOTIFY and flags & TEXT:
            self._say(REQUEST | TEXT)
        elif flags & REQUEST and flags & TEXT:
            text = self._ours.replace("\r\n", "\n").replace("\n", "\r\n").encode() + b"\0"
            self._say(PROVIDE | TEXT, zlib.compress(struct.pack(">I", len(text)) + text))
        elif flags & PEEK:
            self._say(NOTIFY | (TEXT if self._ours else 0))
        elif flags & PROVIDE and flags & TEXT:
            self._take_text(data[4:])

    def _take_text(self, packed: bytes) -> None:
        unpacked = Inflater().up_to(packed, 4 * MOST_BYTES)
        length = int.from_bytes(unpacked[:4])
        text = unpacked[4 : 4 + length].decode("utf-8", "replace")
        self.text = text.rstrip("\0").replace("\r\n", "\n")

    def _say(self, flags: int, data: bytes = b"") -> None:
        body = struct.pack(">I", flags) + data
        self._send(struct.pack(">Bxxxi", CUT_TEXT, -len(body)) + body)
