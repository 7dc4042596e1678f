"""A client of QMP: commands and their answers, events in between, refusals, and monitors that fail."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.channels.qmp.client import MOST_EVENTS, Qmp, QmpRefused
from proctor.errors import ComputerLost

GREETING = {"QMP": {"version": {"qemu": {"major": 7, "minor": 2, "micro": 22}, "package": ""}, "capabilities": []}}
Answer = Callable[[dict[str, Any], socket.socket], None]


def say(conn: socket.socket, *messages: dict[str, Any]) -> None:
    conn.sendall(b"".join(json.dumps(message).encode() + b"\r\n" for message in messages))


def well(message: dict[str, Any], conn: socket.socket) -> None:
    say(conn, {"return": message.get("arguments", {}), "id": message["id"]})


@contextmanager
def monitor(answer: Answer, greeting: bytes = json.dumps(GREETING).encode() + b"\r\n") -> Iterator[socket.socket]:
    """Have a monitor at the other end of a socket; the first command is always taken."""
    ours, theirs = socket.socketpair()

    def serve() -> None:
        first, inbox = True, b""
        with suppress(OSError):
            theirs.sendall(greeting)
            while data := theirs.recv(1 << 16):
                inbox += data
                while b"\n" in inbox:
                    line, _, inbox = inbox.partition(b"\n")
                    (well if first else answer)(json.loads(line), theirs)
                    first = False

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield ours
    finally:
        ours.close()
        thread.join(10)
        theirs.close()


def test_commands_are_answered_with_dashes_for_underscores() -> None:
    with monitor(well) as line:
        qmp = Qmp(line)
        assert qmp.version == "7.2.22"
        assert qmp.ask("blockdev-snapshot-sync", node_name="disk0") == {"node-name": "disk0"}


def test_events_and_late_answers_are_told_from_answers() -> None:
    def answer(message: dict[str, Any], conn: socket.socket) -> None:
        say(conn, *({"event": "RTC_CHANGE", "data": {"offset": number}} for number in range(MOST_EVENTS + 10)))
        say(conn, {"return": "an old one", "id": message["id"] - 1}, {"return": "mine", "id": message["id"]})

    with monitor(answer) as line:
        qmp = Qmp(line)
        assert qmp.ask("stop") == "mine"
        assert len(qmp.events) == MOST_EVENTS and qmp.events[-1]["data"]["offset"] == MOST_EVENTS + 9


def test_a_refusal_is_told_in_qemus_words_and_the_next_command_works() -> None:
    def answer(message: dict[str, Any], conn: socket.socket) -> None:
        if message["execute"] == "cont":
            say(conn, {"error": {"class": "GenericError", "desc": "Resetting is required"}, "id": message["id"]})
        else:
            well(message, conn)

    with monitor(answer) as line:
        qmp = Qmp(line)
        with pytest.raises(QmpRefused, match="refused cont: Resetting is required"):
            qmp.ask("cont")
        assert qmp.tell("info usernet") == "{'command-line': 'info usernet'}"


def test_a_command_that_is_not_answered_is_given_up() -> None:
    late = pytest.raises(ComputerLost, match=r"did not answer stop for 0\.05 s")
    with monitor(lambda message, conn: None) as line, late:
        Qmp(line).ask("stop", timeout_sec=0.05)


def test_descriptors_travel_with_a_command() -> None:
    ours, theirs = socket.socketpair()
    read, write = os.pipe()
    with ours, theirs:
        say(theirs, GREETING, {"return": {}, "id": 1}, {"return": {}, "id": 2})
        Qmp(ours).ask("getfd", fdname="memory", fd=write)
        _, handed, *_ = socket.recv_fds(theirs, 1 << 16, 1)
        handed = handed or socket.recv_fds(theirs, 1 << 16, 1)[1]
    os.close(write)
    os.write(handed[0], b"x")
    assert os.read(read, 1) == b"x"
    os.close(read)
    os.close(handed[0])


@pytest.mark.parametrize(
    ("greeting", "reason"),
    [
        (b"", "said nothing"),
        (b'{"hello": 1}\n', "not QEMU's monitor"),
        (b"SSH-2.0-OpenSSH\n", "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'"text"\n', "not a message"),
    ],
)
def test_what_is_no_monitor_is_told(greeting: bytes, reason: str) -> None:
    with monitor(well, greeting) as line, pytest.raises(ComputerLost, match=reason):
        Qmp(line, timeout_sec=0.2 if not greeting else 10)


def test_a_qemu_that_ends_is_lost() -> None:
    with monitor(lambda message, conn: conn.shutdown(socket.SHUT_RDWR)) as line:
        qmp = Qmp(line)
        for _ in range(2):
            with pytest.raises(ComputerLost, match="has ended"):
                qmp.ask("query-status")
        qmp.close()
        qmp.close()


def test_a_message_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.computers.channels.qmp.lines.LONGEST", 10_000)
    endless = pytest.raises(ComputerLost, match="more than 10000 bytes")
    with monitor(lambda message, conn: conn.sendall(b"x" * 50_000)) as line, endless:
        Qmp(line).ask("query-status")


@given(some.lists(some.binary(max_size=40), max_size=8))
def test_nothing_that_is_sent_makes_it_hang_or_fail_otherwise(pieces: list[bytes]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        say(theirs, GREETING, {"return": {}, "id": 1})
        theirs.sendall(b"\n".join(pieces) + b"\n")
        say(theirs, {"return": "mine", "id": 2})
        with suppress(ComputerLost):
            assert Qmp(ours).ask("query-status", timeout_sec=1) == "mine"
