"""D-Bus messages as bytes: the only place that knows the inside of dbus-fast."""

from __future__ import annotations

import io
import struct
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from dbus_fast import Message, SignatureType
from dbus_fast._private.unmarshaller import Unmarshaller
from dbus_fast.signature import get_signature_tree

HEADER_BYTES = 16
"""The part of a message before its header fields."""
MAX_WALKED_BYTES = 1 << 18
"""The longest message with odd numbers in it that is looked through before it is read."""
_FIELDS = {1: "o", 2: "s", 3: "s", 4: "s", 5: "u", 6: "s", 7: "s", 8: "g", 9: "u"}
_SIZES = {"y": 1, "n": 2, "q": 2, "b": 4, "i": 4, "u": 4, "h": 4, "x": 8, "t": 8, "d": 8}


class Head(NamedTuple):
    """What the beginning of a message tells."""

    reply_serial: int
    """Which call it answers; 0 for none."""
    kind: str
    """The type of its body; of a variant alone, that of what is in it."""


class MethodCall(NamedTuple):
    """One method call."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()


def marshal(call: MethodCall, serial: int) -> bytes:
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
        if _may_turn_back(data) or _may_be_empty(data):
            _walk(data)
        message = Unmarshaller(cast(Any, io.BytesIO(data))).unmarshall()
    except Exception as error:  # a boundary: hostile bytes fail in as many ways as there are types
        raise ValueError(f"{type(error).__name__}: {error}"[:200]) from error
    if message is None:
        raise ValueError("it ends too early")
    return message


def head_of(data: bytearray) -> Head:
    """Read the header of a message that may have more to come; ValueError when it is malformed."""
    try:
        walk = _Walk(data)
        body = walk.header()
        inside = walk.signature == "v" and body < len(data)
        return Head(walk.reply_serial, walk.text(body) if inside else walk.signature)
    except Exception as error:  # a boundary, as above
        raise ValueError(f"{type(error).__name__}: {error}"[:200]) from error


def _may_turn_back(data: bytearray) -> bool:
    """Tell whether a length in a message might be so large that dbus-fast goes back by it and reads for ever.

    It counts places in 32 bits, so a length just below their end leads backwards. -1 is common among numbers; as a
    length it leads nowhere, except in an array of bytes.
    """
    if b"\xff" not in data:
        return False
    order = ">u4" if data[:1] == b"B" else "<u4"
    words = np.frombuffer(bytes(data[: len(data) // 4 * 4]), order)
    odd = words[words >= 0xFF000000]
    return bool(odd.size) and (not {"y", "v"}.isdisjoint(_signature(data)[0]) or bool(np.any(odd != 0xFFFFFFFF)))


def _may_be_empty(data: bytearray) -> bool:
    """Tell whether a variant might hold nothing, over which dbus-fast falls; no bus passes that on."""
    if b"v" not in _header(data):
        return False
    signature, body = _signature(data)
    if signature != "v" or body >= len(data):
        return "v" in signature
    return data[body] == 0 or b"v" in data[body + 1 : body + 1 + data[body]]


def _header(data: bytearray) -> bytearray:
    (fields,) = struct.unpack_from((">" if data[:1] == b"B" else "<") + "I", data, 12)
    return data[HEADER_BYTES : HEADER_BYTES + fields]


def _signature(data: bytearray) -> tuple[str, int]:
    """Return the type of a message's body and where it begins; other fields may hold such letters."""
    walk = _Walk(data)
    body = walk.header()
    return walk.signature, body


def _walk(data: bytearray) -> None:
    """Raise ValueError unless every value of a message is whole and inside it."""
    if len(data) > MAX_WALKED_BYTES:
        raise ValueError("a long message with odd numbers")
    walk = _Walk(data)
    end = walk.header()
    if struct.unpack_from(walk.order + "I", data, 4)[0]:
        for part in get_signature_tree(walk.signature).types:
            end = walk.value(part, end)


class _Walk:
    """Steps over the values of a message without making them."""

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.order = ">" if data[:1] == b"B" else "<"
        self.signature = ""
        """That of the body, once the header was walked."""
        self.reply_serial = 0

    def header(self) -> int:
        at = HEADER_BYTES
        end = at + self._number(12)
        while at < end:
            at += -at % 8
            code, kind = self.data[at], self.text(at + 1)
            if kind != _FIELDS.get(code, kind) or len(kind) != 1:
                raise ValueError("a header field of the wrong type")
            if code == 8:
                self.signature = self.text(at + 4)
            if code == 5:
                self.reply_serial = self._number(at + 4)
            at = self.value(_only(kind), at + 4)
        return end + -end % 8

    def value(self, kind: SignatureType, at: int) -> int:
        match kind.token:
            case "s" | "o":
                at += -at % 4
                at += 4 + self._number(at) + 1
            case "g":
                at += len(self.text(at)) + 2
            case "v":
                inner = self.text(at)
                at = self.value(_only(inner), at + len(inner) + 2)
            case "a":
                at = self._array(kind.children[0], at)
            case "(" | "{":
                at += -at % 8
                for child in kind.children:
                    at = self.value(child, at)
            case token:
                at += -at % _SIZES[token] + _SIZES[token]
        if at > len(self.data):
            raise ValueError("a value ends outside of its message")
        return at

    def _array(self, child: SignatureType, at: int) -> int:
        at += -at % 4
        length, at = self._number(at), at + 4
        at += -at % 8 if child.token in "xtd({" else 0
        end = at + length
        if end > len(self.data):
            raise ValueError("an array ends outside of its message")
        while at < end:
            at = self.value(child, at)
        return at

    def _number(self, at: int) -> int:
        (number,) = struct.unpack_from(self.order + "I", self.data, at)
        return int(number)

    def text(self, at: int) -> str:
        return self.data[at + 1 : at + 1 + self.data[at]].decode("ascii")


def _only(signature: str) -> SignatureType:
    (kind,) = get_signature_tree(signature).types
    return kind
