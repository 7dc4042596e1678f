"""Loopback ports of this machine that lead to a computer's, such as that of a browser's debugger."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from collections.abc import Callable

from proctor.errors import ProctorError
from proctor.interop.server_socket import listen

MOST_AT_ONCE = 64
"""Connections to one port."""
logger = logging.getLogger(__name__)


class PortForward:
    """Hands on what comes and goes between clients here and a port of the computer."""

    def __init__(self, host: str, port: int, dial: Callable[[int], socket.socket]) -> None:
        """Listen; raises HostError where the port is taken. `dial` connects with a port of the computer."""
        self._listener = listen(host, port)
        self.port: int = self._listener.getsockname()[1]
        self._to, self._dial = port, dial
        self._open: set[socket.socket] = set()
        self._closed = False
        threading.Thread(target=self._accept, name=f"proctor-forward-{port}", daemon=True).start()

    def close(self) -> None:
        """Listen no more, and end every connection."""
        self._closed = True
        for each in (self._listener, *list(self._open)):
            # A thread that waits on it wakes up.
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if len(self._open) >= 2 * MOST_AT_ONCE:
                client.close()
            else:
                threading.Thread(target=self._join, args=(client,), daemon=True).start()

    def _join(self, client: socket.socket) -> None:
        with client:
            try:
                line = self._dial(self._to)
            except (ProctorError, OSError, RuntimeError) as error:
                logger.info("nothing is behind the port %s: %s", self._to, error)
                return
            with line:
                self._open |= {client, line}
                back = threading.Thread(target=_copy, args=(line, client), daemon=True)
                back.start()
                _copy(client, line)
                back.join()
                self._open -= {client, line}


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Hand on what comes until it ends, and say that it has ended."""
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
