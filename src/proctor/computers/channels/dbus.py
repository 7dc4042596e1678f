"""A small synchronous D-Bus client over a connected Unix socket, made for asking many questions at once."""

from __future__ import annotations

import select
import socket
import struct
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from dbus_fast import Message, MessageType

from proctor.computers.channels.dbus_wire import HEADER_BYTES, Call, marshal, unmarshal
from proctor.errors import ComputerError, ComputerLost

BUS = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"
TOO_LARGE = "org.freedesktop.DBus.Error.LimitsExceeded"
NO_REPLY = "org.freedesktop.DBus.Error.NoReply"
TIMED_OUT = (NO_REPLY, "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut")

MAX_MESSAGE_BYTES = 32 << 20
"""The largest message that is read; of larger ones only the header is."""
SPEC_MESSAGE_BYTES = 128 << 20
"""The largest message D-Bus allows; a peer that announces more talks nonsense."""
MAX_FLYING = 120
MAX_PER_NAME = 24
"""How many calls may await their answers over a bus, in all and from one destination; by default a bus allows 128."""
MAX_DRAIN_BYTES = 4 << 20
"""How much `drain_signals` reads at most, so that a flood of signals cannot hold it."""
_MAX_HEADER_BYTES = 1 << 16
_AUTH_LINE_BYTES = 4096
_CHUNK_BYTES = 1 << 18
_FLUSH_BYTES = 1 << 13


class DBusError(ComputerError):
    """A D-Bus call was answered with an error, or not at all; `name` is the error's D-Bus name."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message[:500]}")
        self.name = name

    @property
    def silent(self) -> bool:
        """Whether no answer came, as opposed to a refusal."""
        return self.name in TIMED_OUT


class Signal(NamedTuple):
    """One signal as it arrived."""

    sender: str
    path: str
    interface: str
    member: str
    body: tuple[Any, ...]


class Answer(NamedTuple):
    """The values of a reply; structures are tuples, arrays lists, dictionaries dicts, variants `dbus_fast.Variant`."""

    signature: str
    values: tuple[Any, ...]


Reply = Answer | DBusError


def value_of(reply: Reply, signature: str) -> Any:
    """Return the only value of a reply, or None when it is an error or of any other type than `signature`.

    The types inside are then as the signature says, whoever sent it.
    """
    return reply.values[0] if isinstance(reply, Answer) and reply.signature == signature else None


def variant_of(reply: Reply, signature: str) -> Any:
    """Return what is in the variant that is the only value of a reply, or None when it is not of this type."""
    variant = value_of(reply, "v")
    return variant.value if variant is not None and variant.signature == signature else None


class DBus:
    """One connection to a bus. Belongs to one thread; takes ownership of the socket."""

    def __init__(
        self,
        sock: socket.socket,
        *,
        uid: int,
        timeout_sec: float = 5.0,
        max_signals: int = 1000,
        name: str = "D-Bus",
        peer: bool = False,
    ) -> None:
        """Authenticate as `uid` and say hello.

        Args:
            sock: a stream socket whose peer credentials, taken when it was connected, are those of `uid`.
            uid: the user to authenticate as.
            timeout_sec: patience with the bus itself and, unless told otherwise, with each call.
            max_signals: how many signals are kept between two drains; older ones are dropped.
            name: what to call this bus in errors.
            peer: the other end is a single application, not a bus: there is nobody to say hello to.

        Raises:
            ComputerLost: the bus is gone, silent, talks nonsense or refuses the user.
        """
        self.name = name
        self.timeout_sec = timeout_sec
        self._sock = sock
        self._sock.setblocking(False)
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self._skip = 0
        self._serial = 0
        self._peer = peer
        self._queues: dict[str, deque[tuple[int, Call]]] = {}
        self._flying: dict[int, str] = {}
        self._load: Counter[str] = Counter()
        self._awaited: set[int] = set()
        self._replies: dict[int, Reply] = {}
        self._signals: deque[Signal] = deque(maxlen=max_signals)
        try:
            self._authenticate(uid, time.monotonic() + timeout_sec)
            if not peer:
                self.call(Call(BUS, BUS_PATH, BUS, "Hello"))
        except BaseException:
            self.close()
            raise

    # -- asking ---------------------------------------------------------------------------------------------------

    def call(self, call: Call, *, timeout_sec: float | None = None) -> Answer:
        """Make one call and return its answer.

        Raises:
            DBusError: the answer was an error, or an application did not answer in time.
            ComputerLost: the connection broke, or the bus itself did not answer.
        """
        (reply,) = self.call_many([call], timeout_sec=timeout_sec)
        if not isinstance(reply, DBusError):
            return reply
        if reply.silent and call.destination == BUS:
            raise ComputerLost(f"{self.name} does not answer {call.member}")
        raise reply

    def call_many(self, calls: Sequence[Call], *, timeout_sec: float | None = None) -> list[Reply]:
        """Send every call before reading the first reply; return the replies in the order of the calls.

        A call that was refused or not answered in time stands in the list as its DBusError.
        """
        deadline = time.monotonic() + (self.timeout_sec if timeout_sec is None else timeout_sec)
        serials = self.send(calls)
        replies = self.gather(serials, deadline)
        return [replies[serial] for serial in serials]

    def send(self, calls: Iterable[Call]) -> list[int]:
        """Start calls and return their serials, to be handed to `gather`."""
        serials = []
        for call in calls:
            self._serial = self._serial % 0xFFFFFFFF + 1
            self._awaited.add(self._serial)
            self._queues.setdefault(call.destination, deque()).append((self._serial, call))
            serials.append(self._serial)
        self._flush()
        if len(self._outgoing) > MAX_MESSAGE_BYTES:
            raise self._lost("has stopped reading")
        return serials

    def gather(self, serials: Iterable[int], deadline: float) -> dict[int, Reply]:
        """Return the replies to these serials, waiting for them until `deadline` on the monotonic clock.

        Replies that come later are dropped.
        """
        wanted = list(serials)
        missing = set(wanted)
        while not self._awaited.isdisjoint(missing) and self._pump(deadline):
            self._read_messages()
        self._awaited -= missing
        kept = {name: deque(call for call in queue if call[0] in self._awaited) for name, queue in self._queues.items()}
        self._queues = {name: queue for name, queue in kept.items() if queue}
        silence = DBusError(NO_REPLY, "no answer in time")
        return {serial: self._replies.pop(serial, silence) for serial in wanted}

    # -- listening ------------------------------------------------------------------------------------------------

    def add_match(self, rule: str) -> None:
        """Ask the bus for the signals that match a rule."""
        self.call(Call(BUS, BUS_PATH, BUS, "AddMatch", "s", (rule,)))

    def fileno(self) -> int:
        """Return the socket's descriptor; it turns readable when something arrives."""
        return self._sock.fileno()

    def drain_signals(self) -> list[Signal]:
        """Return the signals that came since the last drain, without waiting."""
        read = 0
        while read < MAX_DRAIN_BYTES and (got := self._receive()):
            read += got
        self._read_messages()
        signals = list(self._signals)
        self._signals.clear()
        return signals

    def close(self) -> None:
        """Close the connection; closing twice has no effect."""
        self._sock.close()

    # -- the wire -------------------------------------------------------------------------------------------------

    def _authenticate(self, uid: int, deadline: float) -> None:
        self._outgoing += b"\0AUTH EXTERNAL " + str(uid).encode().hex().encode() + b"\r\n"
        while b"\r\n" not in self._incoming:
            if len(self._incoming) > _AUTH_LINE_BYTES:
                raise self._lost("sent no D-Bus greeting")
            if not self._pump(deadline):
                raise self._lost("does not answer the greeting")
        line, _, rest = bytes(self._incoming).partition(b"\r\n")
        if not line.startswith(b"OK"):
            raise self._lost(f"refuses user {uid} ({line[:80].decode(errors='replace')})")
        self._incoming = bytearray(rest)
        self._outgoing += b"BEGIN\r\n"

    def _pump(self, deadline: float) -> bool:
        """Send what is left to send and receive something; False when the time is up."""
        poll = select.poll()
        while (left := deadline - time.monotonic()) > 0:
            self._flush()
            poll.register(self._sock, select.POLLIN | (select.POLLOUT if self._outgoing else 0))
            if any(event & ~select.POLLOUT for _, event in poll.poll(left * 1000)) and self._receive():
                return True
        return False

    def _feed(self) -> bool:
        """Write queued calls, as many as may be under way at once: a bus refuses those beyond some number.

        What a destination never answered stays under way, so a silent one cannot use up what the others need.
        """
        for name, queue in self._queues.items():
            while queue and (self._peer or (self._load[name] < MAX_PER_NAME and len(self._flying) < MAX_FLYING)):
                serial, call = queue.popleft()
                self._outgoing += marshal(call, serial)
                self._flying[serial] = name
                self._load[name] += 1
                if len(self._outgoing) > _FLUSH_BYTES:  # the peer starts on the first calls while the last are written
                    return True
        return bool(self._outgoing)

    def _landed(self, serial: int) -> None:
        name = self._flying.pop(serial, None)
        if name is not None:
            self._load[name] -= 1

    def _flush(self) -> None:
        """Send as much as can be sent without waiting."""
        try:
            while self._outgoing or self._feed():
                with memoryview(self._outgoing) as view:
                    sent = self._sock.send(view[:_CHUNK_BYTES])
                del self._outgoing[:sent]
        except BlockingIOError:
            return
        except OSError as error:
            raise self._lost(f"is gone ({error})") from error

    def _receive(self) -> int:
        """Append what has arrived to the buffer and return its length; 0 when nothing has."""
        try:
            data = self._sock.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._lost(f"is gone ({error})") from error
        if not data:
            raise self._lost("closed the connection")
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        self._incoming += data[skipped:] if skipped else data
        return len(data)

    def _read_messages(self) -> None:
        """Take every complete message out of the buffer; of one too large, only the header."""
        start = 0
        while sizes := self._next_sizes(start):
            header, body = sizes
            oversized = header + body > MAX_MESSAGE_BYTES
            if start + header + (0 if oversized else body) > len(self._incoming):
                break
            if oversized:
                self._refuse(self._incoming[start : start + header])
                self._skip = max(start + header + body - len(self._incoming), 0)
            else:
                self._take(self._unmarshal(self._incoming[start : start + header + body]))
            start += header + body
        del self._incoming[:start]

    def _next_sizes(self, start: int) -> tuple[int, int] | None:
        """Return the lengths of header and body of the message that starts here; None when it is too early to say."""
        if len(self._incoming) - start < HEADER_BYTES:
            return None
        order = "<" if self._incoming[start] == ord("l") else ">"
        body, _, fields = struct.unpack_from(f"{order}III", self._incoming, start + 4)
        if fields > _MAX_HEADER_BYTES or body > SPEC_MESSAGE_BYTES:
            raise self._lost(f"announced a message of {fields} and {body} bytes")
        return HEADER_BYTES + (fields + 7) // 8 * 8, body

    def _unmarshal(self, data: bytearray) -> Message:
        try:
            return unmarshal(data)
        except ValueError as error:
            raise self._lost(f"sent a message that cannot be read ({error})") from error

    def _refuse(self, header: bytearray) -> None:
        """Answer an awaited call with an error instead of the oversized reply that came."""
        header[4:8] = bytes(4)  # as if it had no body
        serial = self._unmarshal(header).reply_serial
        self._landed(serial)
        if serial in self._awaited:
            self._awaited.discard(serial)
            self._replies[serial] = DBusError(TOO_LARGE, f"the answer is larger than {MAX_MESSAGE_BYTES} bytes")

    def _take(self, message: Message) -> None:
        serial = message.reply_serial
        self._landed(serial)
        if message.message_type is MessageType.SIGNAL:
            self._signals.append(
                Signal(
                    message.sender or "", message.path or "", message.interface or "", message.member or "",
                    tuple(message.body),
                )
            )  # fmt: skip
        elif serial in self._awaited:
            self._awaited.discard(serial)
            if message.message_type is MessageType.ERROR:
                text = message.body[0] if message.body and isinstance(message.body[0], str) else ""
                self._replies[serial] = DBusError(str(message.error_name), text)
            else:
                self._replies[serial] = Answer(message.signature, tuple(message.body))

    def _lost(self, what: str) -> ComputerLost:
        return ComputerLost(f"{self.name} {what}", remedy="the computer must be replaced")


__all__ = [
    "BUS", "BUS_PATH", "NO_REPLY", "Answer", "Call", "DBus", "DBusError", "Reply", "Signal", "value_of", "variant_of",
]  # fmt: skip
