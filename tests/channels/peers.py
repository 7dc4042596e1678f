"""The other end of a D-Bus connection for tests: a bus whose answers are a function of the call."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast._private.unmarshaller import Unmarshaller

Answer = Callable[[Message], "tuple[str, list[Any]] | str | None"]
"""Signature and values of the reply, the name of an error, or None for silence."""


def frames(sock: socket.socket, pending: bytes = b"") -> Iterator[Message]:
    """Yield the messages that arrive, until the other end closes."""
    buffer = pending
    while True:
        while len(buffer) >= 16:
            body, fields = int.from_bytes(buffer[4:8], "little"), int.from_bytes(buffer[12:16], "little")
            length = 16 + (fields + 7) // 8 * 8 + body
            if len(buffer) < length:
                break
            message = Unmarshaller(io.BytesIO(buffer[:length])).unmarshall()  # type: ignore[arg-type]
            assert message is not None
            yield message
            buffer = buffer[length:]
        try:
            data = sock.recv(1 << 16)
        except OSError:
            return
        if not data:
            return
        buffer += data


def greet(sock: socket.socket) -> bytes:
    """Accept whoever comes; return what they sent after the greeting."""
    seen = b""
    while b"\r\n" not in seen:
        seen += sock.recv(4096)
    sock.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
    while b"BEGIN\r\n" not in seen:
        seen += sock.recv(4096)
    return seen.partition(b"BEGIN\r\n")[2]


def reply_to(call: Message, signature: str = "", body: list[Any] | None = None, error: str = "") -> bytes:
    """Return the bytes of a reply."""
    return bytes(
        Message(
            message_type=MessageType.ERROR if error else MessageType.METHOD_RETURN,
            reply_serial=call.serial,
            error_name=error or None,
            signature=signature,
            body=body or [],
            serial=1,
        )._marshall(False)
    )


def signal(path: str, interface: str, member: str, signature: str, body: list[Any], sender: str = "") -> bytes:
    """Return the bytes of a signal."""
    message = Message.new_signal(path, interface, member, signature, body)
    message.serial = 1
    data = bytes(message._marshall(False))
    if not sender:
        return data
    # dbus-fast leaves the sender to the bus, so the field is put in front of the others by hand.
    name = sender.encode()
    field = b"\x07\x01s\0" + len(name).to_bytes(4, "little") + name + b"\0"
    field += bytes(-len(field) % 8)
    length = int.from_bytes(data[12:16], "little") + len(field)
    return data[:12] + length.to_bytes(4, "little") + field + data[16:]


def respond(sock: socket.socket, answer: Answer) -> None:
    """Be a bus: greet, say hello, then answer each call."""
    for call in frames(sock, greet(sock)):
        said = ("s", [":1.99"]) if call.member == "Hello" else answer(call)
        try:
            if isinstance(said, str):
                sock.sendall(reply_to(call, "s", ["refused"], error=said))
            elif said is not None:
                sock.sendall(reply_to(call, *said))
        except OSError:
            return


@contextmanager
def peer(talk: Callable[[socket.socket], None]) -> Iterator[socket.socket]:
    """Run the other end in a thread and give our end of the connection."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=_quietly, args=(talk, theirs))
    thread.start()
    try:
        yield ours
    finally:
        ours.close()
        with suppress(OSError):  # the peer may have closed it
            theirs.shutdown(socket.SHUT_RDWR)
        thread.join(10)
        theirs.close()
        assert not thread.is_alive()


def _quietly(talk: Callable[[socket.socket], None], sock: socket.socket) -> None:
    try:
        talk(sock)
    except OSError:
        return  # our end went away first
