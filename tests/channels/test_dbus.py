"""The D-Bus client against peers that refuse, dawdle, babble and lie."""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from dbus_fast import Message, MessageType, Variant
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.computers.channels.dbus.client import (
    BUS,
    MAX_FLYING,
    MAX_MESSAGE_BYTES,
    MAX_PER_NAME,
    DBus,
    DBusError,
    MethodCall,
    MethodReply,
    Signal,
    value_of,
    variant_of,
)
from proctor.computers.channels.dbus.wire import MAX_WALKED_BYTES, unmarshal
from proctor.errors import ComputerError, ComputerLost
from tests.channels.peers import frames, greet, peer, reply_to, respond, signal
from tests.unhurried import now

PING = MethodCall("org.example.App", "/app", "org.example.Iface", "Ping")


def echo(call: Message) -> tuple[str, list[object]]:
    return call.signature, call.body


@pytest.fixture
def bus() -> Iterator[DBus]:
    with peer(lambda sock: respond(sock, echo)) as sock:
        yield DBus(sock, uid=1000)


def ask(number: int) -> MethodCall:
    return PING._replace(signature="i", body=(number,))


def test_the_user_is_named_in_the_greeting() -> None:
    seen: list[bytes] = []

    def talk(sock: socket.socket) -> None:
        seen.append(sock.recv(4096))
        sock.sendall(b"REJECTED EXTERNAL\r\n")

    with peer(talk) as sock, pytest.raises(ComputerLost, match="refuses user 1000"):
        DBus(sock, uid=1000)
    assert seen == [b"\0AUTH EXTERNAL 31303030\r\n"]


def test_a_call_returns_what_the_peer_answers(bus: DBus) -> None:
    call = PING._replace(signature="sai", body=("naïve 漢字", [1, 2, 3]))
    assert bus.call(call) == MethodReply("sai", ("naïve 漢字", [1, 2, 3]))


def test_variants_can_be_sent(bus: DBus) -> None:
    assert variant_of(bus.call(PING._replace(signature="v", body=(Variant("b", True),))), "b") is True


def test_an_error_reply_carries_its_name() -> None:
    with peer(lambda sock: respond(sock, lambda _: "org.example.Error.No")) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(DBusError, match="refused") as caught:
            bus.call(PING)
    assert caught.value.name == "org.example.Error.No"
    assert not caught.value.silent
    assert isinstance(caught.value, ComputerError)


def test_all_calls_are_sent_before_the_first_reply_is_awaited() -> None:
    def talk(sock: socket.socket) -> None:
        calls = frames(sock, greet(sock))
        batch = [next(calls) for _ in range(500)]
        for call in reversed(batch):
            sock.sendall(reply_to(call, "i", call.body))

    with peer(talk) as sock:
        replies = DBus(sock, uid=1000, peer=True).call_many([ask(number) for number in range(500)])
    assert [value_of(reply, "i") for reply in replies] == list(range(500))


def test_over_a_bus_no_more_calls_are_under_way_than_it_allows() -> None:
    names = [f"org.example.App{number}" for number in range(8)]
    most = {"one": 0, "all": 0}

    def talk(sock: socket.socket) -> None:
        sock.sendall(reply_to(next(frames(sock, greet(sock))), "s", [":1.1"]))
        sock.settimeout(0.1)
        # Whatever comes without an answer is read before the first answer is given.
        while batch := list(frames(sock)):
            counts = Counter(call.destination for call in batch)
            most["one"], most["all"] = max(most["one"], *counts.values()), max(most["all"], len(batch))
            for call in reversed(batch):
                sock.sendall(reply_to(call, "i", call.body))

    with peer(talk) as sock:
        calls = [ask(number)._replace(destination=name) for number in range(50) for name in names]
        replies = DBus(sock, uid=1000).call_many(calls, timeout_sec=20)
    assert [value_of(reply, "i") for reply in replies] == [number for number in range(50) for _ in names]
    assert most == {"one": MAX_PER_NAME, "all": MAX_FLYING}


def test_one_that_never_answers_leaves_room_for_the_others() -> None:
    def answer(call: Message) -> tuple[str, list[object]] | None:
        return None if call.destination == "org.example.Deaf" else ("i", call.body)

    with peer(lambda sock: respond(sock, answer)) as sock:
        bus = DBus(sock, uid=1000)
        deaf = [ask(number)._replace(destination="org.example.Deaf") for number in range(300)]
        for _ in range(3):
            replies = bus.call_many([*deaf, *map(ask, range(300))], timeout_sec=0.5)
            assert all(isinstance(reply, DBusError) and reply.silent for reply in replies[:300])
            assert [value_of(reply, "i") for reply in replies[300:]] == list(range(300))


def test_a_silent_application_costs_its_time_and_no_more() -> None:
    with peer(lambda sock: respond(sock, lambda call: ("i", call.body) if call.body[0] % 2 else None)) as sock:
        bus = DBus(sock, uid=1000)
        started, really = now(), time.monotonic()
        replies = bus.call_many([ask(number) for number in range(4)], timeout_sec=0.2)
        assert now() - started < 2
        assert time.monotonic() - really >= 0.2
        assert [isinstance(reply, DBusError) and reply.silent for reply in replies] == [True, False, True, False]
        with pytest.raises(DBusError, match="no answer"):
            bus.call(ask(2), timeout_sec=0.05)
        assert bus.call(ask(3)) == MethodReply("i", (3,))


def test_a_late_reply_is_not_taken_for_another() -> None:
    def talk(sock: socket.socket) -> None:
        calls = frames(sock, greet(sock))
        sock.sendall(reply_to(next(calls), "s", [":1.1"]))
        first, second = next(calls), next(calls)
        sock.sendall(reply_to(first, "s", ["late"]) + reply_to(second, "s", ["in time"]))
        sock.recv(1)

    with peer(talk) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(DBusError):
            bus.call(PING, timeout_sec=0.05)
        assert bus.call(PING) == MethodReply("s", ("in time",))


def test_a_silent_bus_is_a_lost_computer() -> None:
    with peer(lambda sock: respond(sock, lambda _: None)) as sock:
        bus = DBus(sock, uid=1000, timeout_sec=0.1)
        with pytest.raises(ComputerLost, match="does not answer AddMatch"):
            bus.call(MethodCall(BUS, "/org/freedesktop/DBus", BUS, "AddMatch", "s", ("type='signal'",)))
        assert MethodCall(BUS, "/", BUS, "x").destination == BUS


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (b"", "does not answer the greeting"),
        (b"x" * 5000, "no D-Bus greeting"),
        (b"ERROR\r\n", "refuses user"),
    ],
)
def test_a_peer_that_is_no_bus(answer: bytes, complaint: str) -> None:
    def talk(sock: socket.socket) -> None:
        sock.recv(4096)
        sock.sendall(answer)
        sock.recv(4096)

    with peer(talk) as sock, pytest.raises(ComputerLost, match=complaint):
        DBus(sock, uid=0, timeout_sec=0.2)


def after_hello(data: bytes, *, then_close: bool = False) -> DBusTalk:
    return DBusTalk(data, then_close)


class DBusTalk:
    """A peer that says hello and then sends these bytes whatever it is asked."""

    def __init__(self, data: bytes, then_close: bool) -> None:
        self.data, self.then_close = data, then_close

    def __call__(self, sock: socket.socket) -> None:
        calls = frames(sock, greet(sock))
        sock.sendall(reply_to(next(calls), "s", [":1.1"]))
        next(calls)
        sock.sendall(self.data)
        if self.then_close:
            sock.shutdown(socket.SHUT_RDWR)
        for _ in calls:
            pass


def test_a_closed_connection_is_a_lost_computer() -> None:
    with peer(after_hello(b"", then_close=True)) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(ComputerLost):
            bus.call(PING)
        with pytest.raises(ComputerLost):
            bus.drain_signals()


def test_garbage_is_a_lost_computer() -> None:
    with peer(after_hello(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 4)) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(ComputerLost):
            bus.call(PING)


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_lose_the_computer(data: bytes) -> None:
    with peer(after_hello(b"l\x02\x01\x01" + data, then_close=True)) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(ComputerError):
            bus.call(PING, timeout_sec=2)


def test_a_message_beyond_the_specification_is_refused_at_once() -> None:
    header = b"l\x02\0\x01" + (1 << 30).to_bytes(4, "little") + bytes(8)
    with peer(after_hello(header)) as sock:
        bus = DBus(sock, uid=1000)
        with pytest.raises(ComputerLost, match="bytes"):
            bus.call(PING)


def test_an_oversized_answer_is_an_error_and_the_next_one_read() -> None:
    size = MAX_MESSAGE_BYTES + 1

    def talk(sock: socket.socket) -> None:
        calls = frames(sock, greet(sock))
        sock.sendall(reply_to(next(calls), "s", [":1.1"]))
        first, second = next(calls), next(calls)
        huge = bytearray(reply_to(first, "ay", [bytes(16)]))
        huge[4:8] = (size + 4).to_bytes(4, "little")
        huge[-20:-16] = size.to_bytes(4, "little")
        sock.sendall(huge)
        for _ in range((size - 16) // 100_001):
            sock.sendall(bytes(100_001))
        sock.sendall(bytes((size - 16) % 100_001))
        sock.sendall(reply_to(second, "s", ["after"]))
        sock.recv(1)

    with peer(talk) as sock:
        large, after = DBus(sock, uid=1000).call_many([PING, PING], timeout_sec=20)
    assert isinstance(large, DBusError)
    assert f"an answer of {size + 36} bytes" in str(large)
    assert value_of(after, "s") == "after"


def test_signals_are_kept_in_order_and_bounded() -> None:
    def talk(sock: socket.socket) -> None:
        calls = frames(sock, greet(sock))
        sock.sendall(reply_to(next(calls), "s", [":1.1"]))
        for call in calls:
            for number in range(50):
                sock.sendall(signal("/thing", "org.example.Iface", "Moved", "i", [number], sender=":1.7"))
            sock.sendall(reply_to(call))

    with peer(talk) as sock:
        bus = DBus(sock, uid=1000, max_signals=10)
        assert bus.drain_signals() == []
        bus.call(PING)
        signals = bus.drain_signals()
        assert signals == [
            Signal(":1.7", "/thing", "org.example.Iface", "Moved", (number,)) for number in range(40, 50)
        ]
        assert bus.drain_signals() == []


paths = st.from_regex(r"/[a-z]{1,9}(/[a-z0-9_]{1,9}){0,4}", fullmatch=True)
bodies = st.one_of(
    st.just(("", ())),
    st.tuples(st.just("u"), st.tuples(st.integers(0, 2**32 - 1))),
    st.tuples(st.just("ii"), st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 2)),
    st.tuples(
        st.just("ss"), st.tuples(*[st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))] * 2)
    ),
    st.tuples(st.just("as"), st.tuples(st.lists(st.text("abc")))),
)


@settings(max_examples=30)
@given(st.lists(st.tuples(paths, bodies), min_size=1, max_size=20))
def test_any_calls_arrive_as_they_were_made(wanted: list[tuple[str, tuple[str, tuple[object, ...]]]]) -> None:
    seen: list[MethodCall] = []

    def note(call: Message) -> tuple[str, list[object]]:
        destination, path, interface, member = call.destination, call.path, call.interface, call.member
        assert destination and path and interface and member
        seen.append(MethodCall(destination, path, interface, member, call.signature, tuple(call.body)))
        return "", []

    calls = [PING._replace(path=path, signature=signature, body=body) for path, (signature, body) in wanted]
    with peer(lambda sock: respond(sock, note)) as sock:
        replies = DBus(sock, uid=1000).call_many(calls)
    assert seen == calls
    assert replies == [MethodReply("", ())] * len(calls)


def test_a_value_of_another_type_is_no_value() -> None:
    assert value_of(MethodReply("s", ("text",)), "s") == "text"
    assert value_of(MethodReply("i", (5,)), "s") is None
    assert value_of(MethodReply("ss", ("a", "b")), "s") is None
    assert value_of(DBusError("org.example.Error", "x"), "s") is None
    assert variant_of(MethodReply("v", (Variant("i", 5),)), "i") == 5
    assert variant_of(MethodReply("v", (Variant("s", "5"),)), "i") is None


def test_closing_twice_has_no_effect(bus: DBus) -> None:
    bus.close()
    bus.close()
    with pytest.raises(ComputerLost):
        bus.call(PING)


def test_a_long_answer_is_read_whatever_call_it_answers() -> None:
    """Numbers in a header may look like letters of a type: the answer to call 0x76 is not a variant."""
    pairs = [[-1, -1]] * (MAX_WALKED_BYTES // 8 + 1)
    for serial in (0x75, ord("v"), ord("y")):
        message = Message(
            message_type=MessageType.METHOD_RETURN, reply_serial=serial, signature="a(ii)", body=[pairs], serial=1
        )
        (read,) = unmarshal(bytearray(message._marshall(False))).body
        assert [list(pair) for pair in read] == pairs
