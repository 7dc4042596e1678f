"""Where an RFB server listens, as people write it."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import SpecError

FIRST_PORT = 5900
"""The port of display 0."""
MOST_DISPLAY = 99
"""Numbers up to this are displays; larger ones are ports."""

_HOST = r"(?:\[(?P<v6>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^:\[\]/\s]*))"
_WRITTEN = re.compile(_HOST + r"(?:(?P<colons>::?)(?P<number>[0-9]{1,5}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """Where to connect."""

    host: str = ""
    port: int = 0
    path: str = ""
    """A Unix socket; host and port are empty then."""

    def __str__(self) -> str:
        if self.path:
            return self.path
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def nearby(self) -> bool:
        """Whether the server is on this machine, so that bytes cost less than the work of packing them."""
        return bool(self.path) or self.host in ("localhost", "::1") or self.host.startswith("127.")

    def dial(self, timeout_sec: float) -> socket.socket:
        """Return a connected socket; raises OSError."""
        if not self.path:
            dialled = socket.create_connection((self.host, self.port), timeout=timeout_sec)
            # Keys are small and must not wait for more of them; a peer that is gone is found out.
            dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            dialled.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            return dialled
        near = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            near.settimeout(timeout_sec)
            near.connect(self.path)
        except BaseException:
            near.close()
            raise
        return near


def parse_address(text: str) -> Address:
    """Return what an address means; raises SpecError that says how to write one."""
    if not isinstance(text, str) or not text.strip():
        raise _wrong(text)
    text = text.strip()
    plain = text.removeprefix("unix:")
    if plain != text or "/" in text:
        if "\0" in plain or not plain:
            raise _wrong(text)
        return Address(path=str(Path(plain).expanduser()))
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise _wrong(text)
    number = int(found["number"] or 0)
    port = number if found["colons"] == "::" or number > MOST_DISPLAY else FIRST_PORT + number
    if not 0 < port < 65536:
        raise _wrong(text)
    return Address(host=found["v6"] or found["host"] or "localhost", port=port)


def _wrong(text: object) -> SpecError:
    return SpecError(
        f"{text!r} is not the address of a VNC server",
        remedy="write host:port such as 127.0.0.1:5901, host:display such as lab:1, or the path of a Unix socket",
    )
