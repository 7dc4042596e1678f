"""The D-Bus client against peers that send too much, or what no bus would pass on."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from proctor.computers.channels.dbus.client import (
    MAX_MESSAGE_BYTES,
    MAX_SIGNAL_BYTES,
    MAX_SIGNALS_BYTES,
    MAX_WAITING_BYTES,
    DBus,
    DBusError,
    MethodCall,
    value_of,
)
from proctor.computers.channels.dbus.wire import unmarshal
from proctor.errors import ComputerLost
from tests.channels.peers import frames, greet, peer, reply_to, respond, signal
from tests.unhurried import now

PING = MethodCall("org.example.App", "/app", "org.example.Iface", "Ping")


def saying(*before: bytes) -> Any:
    """Return a bus that sends these bytes before each answer."""

    def talk(sock: Any) -> None:
        calls = frames(sock, greet(sock))
        sock.sendall(reply_to(next(calls), "s", [":1.1"]))
        for call in calls:
            for data in before:
                sock.sendall(data)
            sock.sendall(reply_to(call, "s", ["after"]))

    return talk


def message(signature: str, body: bytes, *, kind: int = 2, serial: int = 2) -> bytes:
    fields = b"\x05\x01u\0" + struct.pack("<I", serial)
    fields += b"\x08\x01g\0" + bytes([len(signature)]) + signature.encode() + b"\0"
    head = struct.pack("<BBBBIII", ord("l"), kind, 0, 1, len(body), 1, len(fields))
    return head + fields + bytes(-len(fields) % 8) + body


def long_path(length: int) -> bytes:
    return signal("/" + "a" * length, "org.example.Iface", "Moved", "", [])


@pytest.mark.parametrize(
    "odd",
    [
        long_path(70_000),
        long_path(3_000_000),
        signal("/a", "org.example.Iface", "Moved", "ay", [bytes(MAX_SIGNAL_BYTES)]),
        signal("/a", "org.example.Iface", "Moved", "ay", [bytes(5_000_000)]),
        message("v", b"\0" + bytes(15)),
        message("as", struct.pack("<II", 12, 0xFFFFFFFB) + bytes(8)),
        message("ay", struct.pack("<I", 0xFFFFFFFF) + b"bytes"),
        message("s", struct.pack("<I", 900) + b"short\0"),
        message("(((", bytes(8)),
        message("", b"", kind=9),
        message("s", b"\2\0\0\0hi\0", kind=1),
        message("s", b"\2\0\0\0hi\0", serial=77),
    ],
    ids=[
        "long path", "longer path", "long signal", "longer signal", "empty variant", "turned back", "minus one",
        "cut short", "no signature", "unknown kind", "a call", "unasked",
    ],
)  # fmt: skip
def test_what_is_well_framed_but_not_wanted_is_passed_over(odd: bytes) -> None:
    with peer(saying(odd)) as sock:
        bus = DBus(sock, uid=1000)
        for _ in range(3):
            assert value_of(bus.call(PING), "s") == "after"
        assert bus.drain_signals() == []


def test_signals_are_kept_by_bytes_and_the_oldest_go_first() -> None:
    large = [signal("/a", "org.example.Iface", f"N{n}", "ay", [bytes(15_000)], sender=":1.7") for n in range(200)]
    with peer(saying(*large)) as sock:
        bus = DBus(sock, uid=1000)
        bus.call(PING, timeout_sec=20)
        kept = bus.drain_signals()
    assert kept[-1].member == "N199"
    assert MAX_SIGNALS_BYTES // 2 < sum(len(each.body[0]) for each in kept) <= MAX_SIGNALS_BYTES


def test_answers_that_wait_are_kept_by_bytes() -> None:
    size = 3 << 20
    with peer(lambda sock: respond(sock, lambda call: ("s", ["x" * size]))) as sock:
        bus = DBus(sock, uid=1000)
        replies = bus.call_many([PING] * 12, timeout_sec=30)
        kept = [reply for reply in replies if value_of(reply, "s")]
        assert len(kept) == MAX_WAITING_BYTES // size
        assert all(isinstance(reply, DBusError) and not reply.silent for reply in replies if reply not in kept)
        assert value_of(bus.call(PING, timeout_sec=30), "s") == "x" * size, "room is made by asking for the answers"


@pytest.mark.parametrize(
    ("signature", "value", "kept"),
    [("s", "x" * 2_000_000, True), ("au", [7] * 500_000, False), ("s", "x" * MAX_MESSAGE_BYTES, False)],
)
def test_only_text_may_be_long(signature: str, value: Any, kept: bool) -> None:
    with peer(lambda sock: respond(sock, lambda call: (signature, [value]))) as sock:
        (reply,) = DBus(sock, uid=1000).call_many([PING], timeout_sec=30)
    assert (value_of(reply, signature) is not None) == kept


def test_what_is_not_framed_at_all_is_a_lost_computer() -> None:
    with peer(saying(b"l\2\0\7" + bytes(12))) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(ComputerLost, match="nonsense"):
            bus.call(PING)


def test_small_numbers_below_zero_are_read() -> None:
    assert unmarshal(bytearray(message("(iiii)", struct.pack("<4i", -5, -1, 3, -900)))).body == [(-5, -1, 3, -900)]
    assert unmarshal(bytearray(message("v", b"\1i\0\0" + struct.pack("<i", -7)))).body[0].value == -7
    with pytest.raises(ValueError, match="outside"):
        unmarshal(bytearray(message("as", struct.pack("<II", 12, 0xFFFFFFFB) + bytes(8))))


def test_calls_that_are_never_answered_are_counted() -> None:
    with peer(lambda sock: respond(sock, lambda call: None)) as sock:
        bus = DBus(sock, uid=1000)
        started = now()
        bus.call_many([PING] * 10, timeout_sec=0.05)
        assert bus.stuck == 10
        assert now() - started < 5
