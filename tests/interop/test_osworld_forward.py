"""Ports of this machine that lead to a computer's: what comes and goes is handed on, and nothing else happens."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from proctor.errors import ComputerError, HostError
from proctor.interop.osworld.forward import PortForward


class Inside:
    """What listens on a computer: answers each line in capitals."""

    def __init__(self) -> None:
        self.dialled: list[int] = []

    def dial(self, port: int) -> socket.socket:
        self.dialled.append(port)
        outside, inside = socket.socketpair()
        threading.Thread(target=self._answer, args=(inside,), daemon=True).start()
        return outside

    def _answer(self, line: socket.socket) -> None:
        with line, line.makefile("rwb") as file:
            for each in file:
                file.write(each.upper())
                file.flush()


@pytest.fixture
def inside() -> Inside:
    return Inside()


@pytest.fixture
def forward(inside: Inside) -> Iterator[PortForward]:
    made = PortForward("127.0.0.1", 0, inside.dial)
    yield made
    made.close()


def ask(forward: PortForward, text: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", forward.port), timeout=20) as line:
        line.sendall(text)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(1 << 16), b""))


def test_what_is_said_comes_back(forward: PortForward, inside: Inside) -> None:
    assert ask(forward, b"tabs\n") == b"TABS\n"
    assert ask(forward, b"x" * 300_000 + b"\n") == b"X" * 300_000 + b"\n"
    assert inside.dialled == [0, 0]


def test_several_at_once(forward: PortForward) -> None:
    with socket.create_connection(("127.0.0.1", forward.port), timeout=20) as first:
        first.sendall(b"one\n")
        assert ask(forward, b"two\n") == b"TWO\n"
        assert first.recv(100) == b"ONE\n"


def test_nobody_inside_is_the_end_of_a_connection() -> None:
    def dial(port: int) -> socket.socket:
        raise ComputerError(f"nobody answers on port {port}")

    forward = PortForward("127.0.0.1", 0, dial)
    try:
        with socket.create_connection(("127.0.0.1", forward.port), timeout=20) as line:
            assert line.recv(100) == b""
    finally:
        forward.close()


def test_the_end_ends_every_connection(forward: PortForward) -> None:
    with socket.create_connection(("127.0.0.1", forward.port), timeout=20) as line:
        line.sendall(b"a\n")
        assert line.recv(100) == b"A\n"
        forward.close()
        assert line.recv(100) == b""
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", forward.port), timeout=20)


def test_a_port_that_is_taken_is_named(forward: PortForward, inside: Inside) -> None:
    with pytest.raises(HostError, match=str(forward.port)):
        PortForward("127.0.0.1", forward.port, inside.dial)
