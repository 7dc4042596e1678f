"""Unix sockets of a guest come out over its ports: by the real relay, here between two sockets in place of a port."""

from __future__ import annotations

import getpass
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.qemu.sockets import GuestSockets
from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.guest_agent import relay
from proctor.computers.channels.guest_agent.commands import AgentCommands
from proctor.errors import ComputerError

ON_A_LINE = f"""
import os, runpy, sys
space = runpy.run_path({relay.__file__!r})
line = int(sys.argv[1])
os.setgroups = lambda groups: None  # for tests without root, who are the user already
space["main"].__globals__["take"] = lambda port: line
space["main"](*sys.argv[2:])
"""


class Guest(AgentCommands):
    """Starts what a guest would start, each on the line that was called for it."""

    def __init__(self, lines: dict[str, socket.socket], running: ExitStack) -> None:
        super().__init__(lambda: pytest.fail("nobody asks the agent"), getpass.getuser())
        self.lines = lines
        self.running = running
        self.ports: list[str] = []

    def run(self, argv: Sequence[str], **_: Any) -> CommandOutput:
        *_, code, port, path, user, sign = argv
        assert code == Path(relay.__file__).read_text()
        self.ports.append(port)
        line, _address = self.lines[port].accept()
        with line:
            words = [sys.executable, "-c", ON_A_LINE, str(line.fileno()), port, path, user, sign]
            process = subprocess.Popen(words, pass_fds=[line.fileno()], stderr=subprocess.DEVNULL)
        self.running.callback(process.wait)
        self.running.callback(process.kill)
        return CommandOutput(code=0, stdout=b"", stderr=b"")


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[str]:
    """A socket of the guest that says everything twice."""
    path = str(tmp_path / "bus")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()

        def serve() -> None:
            while True:
                try:
                    there, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=_echo_twice, args=(there,), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield path
        listening.shutdown(socket.SHUT_RDWR)


def _echo_twice(there: socket.socket) -> None:
    with there:
        while data := there.recv(1 << 16):
            there.sendall(data * 2)


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[tuple[GuestSockets, Guest]]:
    with ExitStack() as running:
        lines = {}
        for name in ("line.0", "line.1"):
            listening = running.enter_context(socket.socket(socket.AF_UNIX))
            listening.bind(str(tmp_path / name))
            listening.listen()
            lines[name] = listening
        commands = Guest(lines, running)
        yield GuestSockets(commands, lambda: {name: str(tmp_path / name) for name in lines}), commands


def test_bytes_go_both_ways_and_every_call_has_a_line_of_its_own(guest: tuple[GuestSockets, Guest], bus: str) -> None:
    sockets, commands = guest
    with sockets.dial(bus) as first, sockets.dial(bus) as second:
        second.sendall(b"two")
        first.sendall(b"one\0\xff")
        assert _received(first, 10) == b"one\0\xffone\0\xff"
        assert _received(second, 6) == b"twotwo"
        with pytest.raises(OSError, match="connections to the guest are in use"):
            sockets.dial(bus)
    # What was closed is free again.
    with sockets.dial(bus) as third:
        third.sendall(b"x" * 100_000)
        assert _received(third, 200_000) == b"x" * 200_000
    assert commands.ports[:2] == ["line.0", "line.1"]


def test_a_socket_that_is_not_there_is_told(guest: tuple[GuestSockets, Guest], tmp_path: Path) -> None:
    sockets, _ = guest
    with pytest.raises(OSError, match="No such file"):
        sockets.dial(str(tmp_path / "nothing"))
    with pytest.raises(OSError, match="not the path of a socket"):
        sockets.dial("/run/\n")


def test_an_agent_that_is_gone_is_told(guest: tuple[GuestSockets, Guest], bus: str) -> None:
    sockets, commands = guest

    def gone(*_: Any, **__: Any) -> CommandOutput:
        raise ComputerError("the guest agent does not answer")

    commands.run = gone  # type: ignore[method-assign]
    with pytest.raises(OSError, match="does not answer"):
        sockets.dial(bus)


def _received(sock: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        found += sock.recv(count - len(found))
    return found
