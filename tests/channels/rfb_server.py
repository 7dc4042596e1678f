"""RFB servers for tests that say exactly what they are told to: on a Unix socket, one script for each connection."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

Script = Callable[["Peer"], None]
NO_SECURITY = b"\1\1"
SIZES = {0: 20, 3: 10, 4: 8, 5: 6}
"""Messages of a client that have one length."""


class Peer:
    """The server's end of one connection."""

    def __init__(self, conn: socket.socket) -> None:
        self.conn = conn
        self.size = (64, 48)
        self.heard: list[bytes] = []
        """Whole messages of the client."""

    def send(self, data: bytes) -> None:
        self.conn.sendall(data)

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.conn.recv(count - len(data))
            if not more:
                raise ConnectionError("the client went away")
            data += more
        return data

    def greet(self, size: tuple[int, int] = (64, 48), name: bytes = b"fake") -> None:
        """Let the client in without a password and introduce the screen."""
        self.send(b"RFB 003.008\n")
        self.take(12)
        self.send(NO_SECURITY)
        self.take(1)
        self.send(bytes(4))
        self.introduce(size, name)

    def introduce(self, size: tuple[int, int] = (64, 48), name: bytes = b"fake") -> None:
        self.size = size
        self.take(1)
        self.send(struct.pack(">HH16sI", *size, bytes(16), len(name)) + name)

    def message(self) -> bytes:
        """Return the next whole message of the client."""
        kind = self.take(1)
        if kind[0] in SIZES:
            whole = kind + self.take(SIZES[kind[0]] - 1)
        elif kind[0] == 2:
            head = self.take(3)
            whole = kind + head + self.take(4 * struct.unpack(">xH", head)[0])
        elif kind[0] == 6:
            head = self.take(7)
            whole = kind + head + self.take(abs(struct.unpack(">xxxi", head)[0]))
        else:
            assert kind[0] == 255, kind
            whole = kind + self.take(11)
        self.heard.append(whole)
        return whole

    def update(self, *rectangles: bytes) -> None:
        self.send(struct.pack(">BxH", 0, len(rectangles)) + b"".join(rectangles))

    def serve(self, paint: Callable[[], Sequence[bytes]] = lambda: ()) -> None:
        """Answer each request: one for all with black or what is given, one for a pixel with that pixel."""
        while True:
            said = self.message()
            if said[0] != 3:
                continue
            incremental, x, y, width, height = struct.unpack(">xBHHHH", said)
            if not incremental:
                self.update(raw(x, y, width, height), *paint())


def rectangle(x: int, y: int, width: int, height: int, encoding: int, data: bytes = b"") -> bytes:
    return struct.pack(">HHHHi", x, y, width, height, encoding) + data


def raw(x: int, y: int, width: int, height: int, colour: int = 0) -> bytes:
    return rectangle(x, y, width, height, 0, struct.pack("<I", colour) * (width * height))


@contextmanager
def serving(path: Path, *scripts: Script) -> Iterator[list[Peer]]:
    """Run a server; the last script is for all connections that follow. Yields those who came."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    peers: list[Peer] = []
    threads: list[threading.Thread] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                conn, _ = listener.accept()
                peer = Peer(conn)
                peers.append(peer)
                script = scripts[min(len(peers), len(scripts)) - 1]
                threads.append(threading.Thread(target=run, args=(script, peer), daemon=True))
                threads[-1].start()

    def run(script: Script, peer: Peer) -> None:
        with suppress(OSError):
            script(peer)
        peer.conn.close()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield peers
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(5)
        for peer in peers:
            with suppress(OSError):
                peer.conn.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(5)
