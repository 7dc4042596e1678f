"""What a viewer may say to a VNC server when it may only look: nothing that touches the desktop.

Only whole messages of known kinds go through, so the server never reads a byte in another sense than was meant here.
"""

from __future__ import annotations

from collections.abc import Callable

from proctor.errors import SpecError

VERSION = 12
NO_PASSWORD = 1
MOST = 1 << 20
"""Bytes of one message; a viewer that only looks sends far less."""

Length = Callable[[bytes], int]
"""Says how long the message that begins so is; 0 while too little of it has come."""

_LOOKING: dict[int, Length] = {
    0: lambda _: 20,  # SetPixelFormat
    2: lambda start: 4 + 4 * int.from_bytes(start[2:4]) if len(start) >= 4 else 0,  # SetEncodings
    3: lambda _: 10,  # FramebufferUpdateRequest
    150: lambda _: 10,  # EnableContinuousUpdates
    248: lambda start: 9 + start[8] if len(start) >= 9 else 0,  # ClientFence
}
_TOUCHING: dict[int, Length] = {
    4: lambda _: 8,  # KeyEvent
    5: lambda _: 6,  # PointerEvent
    6: lambda start: 8 + abs(int.from_bytes(start[4:8], signed=True)) if len(start) >= 8 else 0,  # ClientCutText
    250: lambda _: 4,  # power
    251: lambda start: 8 + 16 * start[6] if len(start) >= 8 else 0,  # SetDesktopSize
    255: lambda _: 12,  # QEMU's keys
}


class NotLooking(SpecError):
    """The viewer says what no viewer says that only looks."""


class LookingOnly:
    """Takes what a viewer sends and returns what may reach the server."""

    def __init__(self) -> None:
        self._waiting = b""
        self._greeting: list[Callable[[], bytes | None]] = [self._version, self._security, self._share]

    def let_through(self, data: bytes) -> bytes:
        """Return what may go on; raises NotLooking for what is not a message of a viewer."""
        self._waiting += data
        passed = b""
        while self._greeting:
            part = self._greeting[0]()
            if part is None:
                return passed
            passed += part
            del self._greeting[0]
        while (message := self._message()) is not None:
            passed += message
        if len(self._waiting) > MOST:
            raise NotLooking("the message is too long")
        return passed

    def _take(self, size: int) -> bytes | None:
        if len(self._waiting) < size:
            return None
        taken, self._waiting = self._waiting[:size], self._waiting[size:]
        return taken

    def _version(self) -> bytes | None:
        version = self._take(VERSION)
        if version is not None and version != b"RFB 003.008\n":
            raise NotLooking("another version of the protocol has other messages")
        return version

    def _security(self) -> bytes | None:
        chosen = self._take(1)
        if chosen is not None and chosen != bytes([NO_PASSWORD]):
            raise NotLooking("only a socket without a password is carried")
        return chosen

    def _share(self) -> bytes | None:
        # Shared whatever was asked: a viewer that wants the screen for itself would send the others away.
        return None if self._take(1) is None else b"\1"

    def _message(self) -> bytes | None:
        """Return the next whole message, empty when it is left out; None when there is no more."""
        if not self._waiting:
            return None
        kind = self._waiting[0]
        length = _LOOKING.get(kind) or _TOUCHING.get(kind)
        if length is None:
            raise NotLooking(f"message {kind} is unknown")
        size = length(self._waiting)
        message = self._take(size) if size else None
        return None if message is None else self._pass_on(kind, message)

    def _pass_on(self, kind: int, message: bytes) -> bytes:
        """Return what of a whole message goes on; who may touch the desktop overrides it."""
        return b"" if kind in _TOUCHING else message
