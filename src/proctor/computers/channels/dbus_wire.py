"""D-Bus messages as bytes: the only place that knows the inside of dbus-fast."""

from __future__ import annotations

import io
import struct
from functools import lru_cache
from typing import Any, NamedTuple, cast

from dbus_fast import Message
from dbus_fast._private.unmarshaller import Unmarshaller

HEADER_BYTES = 16
"""The part of a message before its header fields."""


class Call(NamedTuple):
    """One method call."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()


def marshal(call: Call, serial: int) -> bytes:
    """Write one method call. Thousands differ only in path and serial, so all the rest is kept ready."""
    # Arrays and variants cannot be dictionary keys.
    constant_part = _constant_part.__wrapped__ if set("av") & set(call.signature) else _constant_part
    fields, body = constant_part(call.destination, call.interface, call.member, call.signature, call.body)
    path = call.path.encode()
    # The path is the last header field: code 1, type `o`, length, text, zero; then zeros up to the body's alignment.
    length = len(fields) + 8 + len(path) + 1
    return b"".join(
        (
            struct.pack("<4sIII", b"l\1\0\1", len(body), serial, length),
            fields,
            struct.pack("<4sI", b"\1\1o\0", len(path)),
            path,
            bytes(1 + -length % 8),
            body,
        )
    )


@lru_cache(maxsize=4096)
def _constant_part(
    destination: str, interface: str, member: str, signature: str, body: tuple[Any, ...]
) -> tuple[bytes, bytes]:
    """Return the header fields of a call without its path, padded to the next field, and its body."""
    message = Message(
        destination=destination,
        path="/",
        interface=interface,
        member=member,
        signature=signature,
        body=list(body),
        serial=1,
    )
    data = bytes(message._marshall(False))
    (body_length,) = struct.unpack_from("<I", data, 4)
    return data[HEADER_BYTES + 16 : len(data) - body_length], data[len(data) - body_length :]


def unmarshal(data: bytearray) -> Message:
    """Read one whole message; ValueError when it is malformed."""
    try:
        message = Unmarshaller(cast(Any, io.BytesIO(data))).unmarshall()
    except Exception as error:  # a boundary: hostile bytes fail in as many ways as there are types
        raise ValueError(f"{type(error).__name__}: {error}"[:200]) from error
    if message is None:
        raise ValueError("it ends too early")
    return message
