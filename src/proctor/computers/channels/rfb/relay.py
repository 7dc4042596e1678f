"""Let people watch a screen over VNC, on a loopback port or a Unix socket."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.channels.socket_relay import SocketRelay
from proctor.errors import HostError, SpecError

MOST_VIEWERS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ViewerAddress:
    """Where to point a VNC viewer."""

    host: str = ""
    port: int = 0
    path: str = ""
    """Unix socket, when watched through one."""

    def __str__(self) -> str:
        return self.path or f"{self.host}::{self.port}"


def new_password() -> str:
    """Return a password; VNC uses eight characters."""
    alphabet = "abcdefghijkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(alphabet) for _ in range(8))


class ViewerRelay(SocketRelay):
    """Carries viewers' connections to a display until closed."""

    def __init__(self, dial: Callable[[], socket.socket], *, port: int = 0, path: str | Path | None = None) -> None:
        self._path = Path(path) if path else None
        listener = _listen_unix(self._path) if self._path else _listen_loopback(port)
        if self._path:
            self.address = ViewerAddress(path=str(self._path))
        else:
            host, number = listener.getsockname()
            self.address = ViewerAddress(host=host, port=number)
        # A viewer that is gone is not to keep the display's end open.
        super().__init__(listener, dial, most=MOST_VIEWERS, half_open=False, name="proctor-watch")

    def close(self) -> None:
        """Send every viewer away and stop listening; closing twice has no effect."""
        super().close()
        if self._path:
            self._path.unlink(missing_ok=True)


def _listen_loopback(port: int) -> socket.socket:
    if not 0 <= port < 65536:
        raise SpecError(f"{port} is not a port", remedy="give 1 to 65535, or 0 for any free one")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise HostError(f"loopback port {port} is not free: {error.strerror}", remedy="choose another one") from error
    listener.listen(MOST_VIEWERS)
    return listener


def _listen_unix(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)  # only the caller may connect, from the first moment on
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        reason = error.strerror or error
        raise HostError(f"no socket can be made at {path}: {reason}", remedy="choose another, short path") from error
    finally:
        os.umask(before)
    listener.listen(MOST_VIEWERS)
    return listener
