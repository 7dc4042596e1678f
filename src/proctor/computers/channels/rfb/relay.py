"""Let people watch a screen over VNC, on a loopback port or a Unix socket."""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import ComputerError, HostError, SpecError

CHUNK = 65536
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


class ViewerRelay:
    """Carries viewers' connections to a display until closed."""

    def __init__(self, dial: Callable[[], socket.socket], *, port: int = 0, path: str | Path | None = None) -> None:
        self._dial = dial
        self._path = Path(path) if path else None
        self._listener = _listen_unix(self._path) if self._path else _listen_loopback(port)
        if self._path:
            self.address = ViewerAddress(path=str(self._path))
        else:
            host, number = self._listener.getsockname()
            self.address = ViewerAddress(host=host, port=number)
        self._viewers: set[socket.socket] = set()
        self._pumps: set[threading.Thread] = set()
        self._ear, self._bell = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="proctor-watch", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._ear, selectors.EVENT_READ)
            while True:
                if any(key.fileobj is self._ear for key, _ in selector.select()):
                    return
                viewer, _ = self._listener.accept()
                try:
                    screen = self._dial()
                except (OSError, ComputerError):
                    viewer.close()  # the sandbox is going away; the viewer sees a closed connection
                    continue
                if len(self._viewers) >= 2 * MOST_VIEWERS:
                    viewer.close()
                    screen.close()
                    continue
                self._viewers |= {viewer, screen}
                for source, sink in ((viewer, screen), (screen, viewer)):
                    pump = threading.Thread(target=self._pump, args=(source, sink), name="proctor-viewer", daemon=True)
                    self._pumps.add(pump)
                    pump.start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):  # either side may go at any time; both are closed then
            while data := source.recv(CHUNK):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            self._viewers.discard(end)
        self._pumps.discard(threading.current_thread())

    def close(self) -> None:
        """Send every viewer away and stop listening; closing twice has no effect."""
        if not self._thread.is_alive():
            return
        self._bell.send(b"!")
        self._thread.join()
        for end in list(self._viewers):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for pump in list(self._pumps):
            pump.join()
        for end in (self._listener, self._ear, self._bell):
            end.close()
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
