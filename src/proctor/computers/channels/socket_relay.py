"""Connections that are carried from a listener to a socket that is dialled for each."""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
from collections.abc import Callable

from proctor.errors import ProctorError

CHUNK = 65536
logger = logging.getLogger(__name__)


class SocketRelay:
    """Hands on what comes and goes until it is closed; nothing of it is looked at."""

    def __init__(
        self, listener: socket.socket, dial: Callable[[], socket.socket], *, most: int, half_open: bool, name: str
    ) -> None:
        """Begin to listen.

        Args:
            listener: Where connections come from; closed with the relay.
            dial: Returns a connection with whatever is behind; one that cannot be had ends the one that came.
            most: How many connections at once; others are ended as they come.
            half_open: Whether who has said everything may still be answered. Where not, the end of one direction is the
                end of both.
            name: What the threads are called.
        """
        self._listener, self._dial = listener, dial
        self._most, self._half_open, self._name = most, half_open, name
        self._ends: set[socket.socket] = set()
        self._threads: set[threading.Thread] = set()
        self._closed = False
        self._ear, self._bell = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End every connection and listen no more; closing twice has no effect."""
        if self._closed:
            return
        self._closed = True
        self._bell.send(b"!")
        self._thread.join()
        for end in list(self._ends):
            _shut(end, socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join()
        for end in (self._listener, self._ear, self._bell):
            end.close()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._ear, selectors.EVENT_READ)
            while not any(key.fileobj is self._ear for key, _ in selector.select()):
                caller, _ = self._listener.accept()
                if len(self._threads) >= self._most:
                    caller.close()
                    continue
                self._ends.add(caller)
                thread = threading.Thread(target=self._join, args=(caller,), name=self._name, daemon=True)
                self._threads.add(thread)
                thread.start()

    def _join(self, caller: socket.socket) -> None:
        with caller:
            try:
                self._carry(caller)
            except (ProctorError, OSError, RuntimeError) as error:
                logger.info("%s: nothing is behind it: %s", self._name, error)
        self._ends.discard(caller)
        self._threads.discard(threading.current_thread())

    def _carry(self, caller: socket.socket) -> None:
        with self._dial() as line:
            self._ends.add(line)
            if self._closed:
                _shut(caller, socket.SHUT_RDWR)  # it was closed while nobody knew of the line yet
            back = threading.Thread(target=self._copy, args=(line, caller), name=self._name, daemon=True)
            back.start()
            self._copy(caller, line)
            back.join()
            self._ends.discard(line)

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        """Hand on what comes until it ends, and say so."""
        with contextlib.suppress(OSError):  # either side may go at any time
            while data := source.recv(CHUNK):
                target.sendall(data)
        if self._half_open:
            _shut(target, socket.SHUT_WR)
        else:
            _shut(source, socket.SHUT_RDWR)
            _shut(target, socket.SHUT_RDWR)


def _shut(end: socket.socket, how: int) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(how)
