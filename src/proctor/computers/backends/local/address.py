"""Where your display is, whether it may be touched at all, and what opens it."""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import HostError, SpecError

SOCKETS = "/tmp/.X11-unix"
FIRST_PORT = 6000
COOKIE = b"MIT-MAGIC-COOKIE-1"
MOST_AUTHORITY = 1 << 20
DIAL_SEC = 5.0

_DISPLAY = re.compile(r"(?P<host>[\w.-]*):(?P<number>[0-9]{1,4})(?:\.[0-9]+)?", re.ASCII)


@dataclass(frozen=True)
class DisplayAddress:
    """An X display, by its number on a host or the path of its socket."""

    text: str
    host: str = ""
    number: int = 0
    path: str = ""

    def dial(self) -> socket.socket:
        """Return a connected socket; raises HostError."""
        if self.host:
            places: list[tuple[int, object]] = [(socket.AF_INET, (self.host, FIRST_PORT + self.number))]
        else:
            path = self.path or f"{SOCKETS}/X{self.number}"
            places = [(socket.AF_UNIX, path), (socket.AF_UNIX, f"\0{path}")]
        reason = ""
        for family, place in places:
            sock = socket.socket(family, socket.SOCK_STREAM)
            try:
                sock.settimeout(DIAL_SEC)
                sock.connect(place)  # type: ignore[arg-type]
                return sock
            except OSError as error:
                sock.close()
                reason = reason or error.strerror or str(error)
        raise HostError(f"there is no X display at {self.text}: {reason}", remedy="give display=, such as display=:1")

    def authority(self, env: Mapping[str, str]) -> tuple[bytes, bytes]:
        """Return what opens the display, from the user's own file; nothing where there is none."""
        path = Path(env.get("XAUTHORITY") or Path.home() / ".Xauthority")
        try:
            with path.open("rb") as file:
                entries = list(_entries(file.read(MOST_AUTHORITY)))
        except (OSError, struct.error):
            return b"", b""
        return next(
            (
                (COOKIE, data)
                for number, name, data in entries
                if name == COOKIE and number in (b"", b"%d" % self.number)
            ),
            (b"", b""),
        )


def find_display(text: str, env: Mapping[str, str]) -> DisplayAddress:
    """Return the display that is named, or the user's own; SpecError for none and for Wayland's."""
    _refuse_wayland(text, env)
    written = text or env.get("DISPLAY", "")
    if not written:
        raise SpecError("there is no display here: DISPLAY is not set", remedy="give display=, such as display=:0")
    if written.startswith("/"):
        return DisplayAddress(written, path=written)
    found = _DISPLAY.fullmatch(written)
    if found is None:
        raise SpecError(f"display={written} is not a display", remedy="write :0, host:0 or the path of its socket")
    host = "" if found["host"] in ("", "unix") else found["host"]
    return DisplayAddress(written, host=host, number=int(found["number"]))


def _refuse_wayland(text: str, env: Mapping[str, str]) -> None:
    """Refuse the display of a Wayland session; another display may be named there too."""
    wayland = env.get("WAYLAND_DISPLAY") or env.get("XDG_SESSION_TYPE") == "wayland"
    if wayland and (not text or text == env.get("DISPLAY")):
        raise SpecError(
            "your session is Wayland's, which does not let programs see the screen or act for you",
            remedy="log in to an X session ('on Xorg'), use a sandbox computer, or name another by display=",
        )


def _entries(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the display's number, the kind and the data of each entry."""
    at = 0
    while at < len(data):
        at += 2  # the family of the address
        fields = []
        for _ in range(4):
            (length,) = struct.unpack_from(">H", data, at)
            fields.append(data[at + 2 : at + 2 + length])
            at += 2 + length
        yield fields[1], fields[2], fields[3]
