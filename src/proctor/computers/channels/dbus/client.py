"""A small synchronous D-Bus client over a connected Unix socket, made for asking many questions at once."""

from __future__ import annotations

import select
import socket
import struct
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence

from dbus_fast import Message, MessageType

from proctor.computers.channels.dbus.values import NO_REPLY, DBusError, MethodReply, Reply, Signal, value_of, variant_of
from proctor.computers.channels.dbus.wire import HEADER_BYTES, MethodCall, head_of, marshal, unmarshal
from proctor.errors import ComputerLost

BUS = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"
TOO_LARGE = "org.freedesktop.DBus.Error.LimitsExceeded"

MAX_MESSAGE_BYTES = 8 << 20
"""The largest answer that is read; of larger ones only the header is."""
MAX_PLAIN_BYTES = 1 << 20
"""The largest answer that is neither text nor a list of everything: its parts take many times their bytes."""
MAX_WAITING_BYTES = 16 << 20
"""How many bytes of answers are kept until they are asked for; later ones are errors."""
MAX_SIGNAL_BYTES = 16 << 10
"""The largest signal that is read; larger ones are passed over."""
MAX_SIGNALS_BYTES = 1 << 20
"""How many bytes of signals are kept between two drains; the oldest go first."""
SPEC_MESSAGE_BYTES = 128 << 20
SPEC_HEADER_BYTES = 64 << 20
"""The largest message and header D-Bus allows; a peer that announces more talks nonsense."""
MAX_FLYING = 120
MAX_PER_NAME = 24
"""How many calls may await their answers over a bus, in all and from one destination; by default a bus allows 128."""
MAX_DRAIN_BYTES = 1 << 20
"""How much `drain_signals` reads at most, so that a flood of signals cannot hold it."""
_MAX_HEADER_BYTES = 1 << 13
_SMALL_BYTES = 1 << 15
"""Up to this size an answer is simply read."""
_PEEK_BYTES = 300
"""How much of a body tells what is in a variant."""
_BULK = ("s", "a((")
"""Types that may be long: text, and the list of everything in an application."""
_WANTED = (MessageType.METHOD_RETURN.value, MessageType.ERROR.value, MessageType.SIGNAL.value)
_AUTH_LINE_BYTES = 4096
_CHUNK_BYTES = 1 << 18
_FLUSH_BYTES = 1 << 13


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
        """Authenticate as `uid`, whose socket's peer credentials these must be, and say hello.

        `timeout_sec` is the patience with the bus and each call, `max_signals` are kept between two drains, the oldest
        dropped, and `peer` means a single application at the other end, which takes no hello. Raises ComputerLost for a
        bus that is gone, silent or refuses the user.
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
        self._queues: dict[str, deque[tuple[int, MethodCall]]] = {}
        self._flying: dict[int, str] = {}
        self._load: Counter[str] = Counter()
        self._awaited: set[int] = set()
        self._replies: dict[int, Reply] = {}
        self._waiting_bytes = 0
        self._max_signals = max_signals
        self._signals: deque[tuple[Signal, int]] = deque()
        self._signal_bytes = 0
        self.passed_over = 0
        """How many messages were too large or too odd to be read."""
        try:
            self._authenticate(uid, time.monotonic() + timeout_sec)
            if not peer:
                self.call(MethodCall(BUS, BUS_PATH, BUS, "Hello"))
        except BaseException:
            self.close()
            raise

    # -- asking ---------------------------------------------------------------------------------------------------

    def call(self, call: MethodCall, *, timeout_sec: float | None = None) -> MethodReply:
        """Make one call and return its answer.

        Raises DBusError for an error or a silent application, ComputerLost when the bus itself is silent or gone.
        """
        (reply,) = self.call_many([call], timeout_sec=timeout_sec)
        if not isinstance(reply, DBusError):
            return reply
        if reply.silent and call.destination == BUS:
            raise ComputerLost(f"{self.name} does not answer {call.member}")
        raise reply

    def call_many(self, calls: Sequence[MethodCall], *, timeout_sec: float | None = None) -> list[Reply]:
        """Send all calls at once; return the replies, or DBusErrors, in the order of the calls."""
        deadline = time.monotonic() + (self.timeout_sec if timeout_sec is None else timeout_sec)
        serials = self.send(calls)
        replies = self.gather(serials, deadline)
        return [replies[serial] for serial in serials]

    def send(self, calls: Iterable[MethodCall]) -> list[int]:
        """Start calls and return their serials, to be handed to `gather`."""
        serials = []
        for call in calls:
            self._serial = self._serial % 0xFFFFFFFF + 1
            self._awaited.add(self._serial)
            self._queues.setdefault(call.destination, deque()).append((self._serial, call))
            serials.append(self._serial)
        self._flush()
        if len(self._outgoing) > MAX_MESSAGE_BYTES:
            raise self._loss("has stopped reading")
        return serials

    def gather(self, serials: Iterable[int], deadline: float) -> dict[int, Reply]:
        """Return the replies to these serials by `deadline` on the monotonic clock; later ones drop."""
        wanted = list(serials)
        missing = set(wanted)
        while not self._awaited.isdisjoint(missing) and self._pump(deadline):
            self._read_messages()
        self._awaited -= missing
        kept = {name: deque(call for call in queue if call[0] in self._awaited) for name, queue in self._queues.items()}
        self._queues = {name: queue for name, queue in kept.items() if queue}
        silence = DBusError(NO_REPLY, "no answer in time")
        found = {serial: self._replies.pop(serial, silence) for serial in wanted}
        if not self._replies:
            self._waiting_bytes = 0
        return found

    # -- listening ------------------------------------------------------------------------------------------------

    def fileno(self) -> int:
        """Return the socket's descriptor; it turns readable when something arrives."""
        return self._sock.fileno()

    def drain_signals(self) -> list[Signal]:
        """Return the signals that came since the last drain, without waiting."""
        read = 0
        while read < MAX_DRAIN_BYTES and (got := self._receive()):
            read += got
        self._read_messages()
        signals = [signal for signal, _ in self._signals]
        self._signals.clear()
        self._signal_bytes = 0
        return signals

    @property
    def stuck(self) -> int:
        """How many calls nobody waits for any more are still unanswered; a bus allows only so many."""
        return len(self._flying.keys() - self._awaited)

    def close(self) -> None:
        self._sock.close()

    # -- the wire -------------------------------------------------------------------------------------------------

    def _authenticate(self, uid: int, deadline: float) -> None:
        self._outgoing += b"\0AUTH EXTERNAL " + str(uid).encode().hex().encode() + b"\r\n"
        while b"\r\n" not in self._incoming:
            if len(self._incoming) > _AUTH_LINE_BYTES:
                raise self._loss("sent no D-Bus greeting")
            if not self._pump(deadline):
                raise self._loss("does not answer the greeting")
        line, _, rest = bytes(self._incoming).partition(b"\r\n")
        if not line.startswith(b"OK"):
            raise self._loss(f"refuses user {uid} ({line[:80].decode(errors='replace')})")
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
        """Write queued calls, but no more under way than a bus takes at once.

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

    def _note_reply(self, serial: int) -> None:
        name = self._flying.pop(serial, None)
        if name is not None:
            self._load[name] -= 1

    def _flush(self) -> None:
        try:
            while self._outgoing or self._feed():
                with memoryview(self._outgoing) as view:
                    sent = self._sock.send(view[:_CHUNK_BYTES])
                del self._outgoing[:sent]
        except BlockingIOError:
            return
        except OSError as error:
            raise self._loss(f"is gone ({error})") from error

    def _receive(self) -> int:
        """Append what has arrived to the buffer and return its length; 0 when nothing has."""
        try:
            data = self._sock.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise self._loss(f"is gone ({error})") from error
        if not data:
            raise self._loss("closed the connection")
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        self._incoming += data[skipped:] if skipped else data
        return len(data)

    def _read_messages(self) -> None:
        """Take every complete message out of the buffer; what is too large is let go by as it comes."""
        start = 0
        while sizes := self._next_sizes(start):
            header, body = sizes
            needed = self._worth(start, header, body)
            if start + needed > len(self._incoming):
                break
            if needed:
                self._take(self._incoming[start : start + needed])
            else:
                self.passed_over += 1
            self._skip = max(start + header + body - len(self._incoming), 0)
            start += header + body
        del self._incoming[:start]

    def _next_sizes(self, start: int) -> tuple[int, int] | None:
        """Return the lengths of header and body of the message that starts here, None when too early."""
        if len(self._incoming) - start < HEADER_BYTES:
            return None
        mark, version = self._incoming[start], self._incoming[start + 3]
        order = "<" if mark == ord("l") else ">"
        body, _, fields = struct.unpack_from(f"{order}III", self._incoming, start + 4)
        header = HEADER_BYTES + (fields + 7) // 8 * 8
        if mark not in b"lB" or version != 1 or fields > SPEC_HEADER_BYTES or header + body > SPEC_MESSAGE_BYTES:
            raise self._loss(f"sends nonsense (a message of {fields} and {body} bytes)")
        return header, body

    def _worth(self, start: int, header: int, body: int) -> int:
        """Return how much of a message must have come before it is dealt with; 0 when it is let go by."""
        kind, size = self._incoming[start + 1], header + body
        if header > _MAX_HEADER_BYTES or kind not in _WANTED:
            return 0
        if kind == MessageType.SIGNAL.value:
            return size if size <= MAX_SIGNAL_BYTES else 0
        return size if size <= _SMALL_BYTES else self._worth_large(start, header, body)

    def _worth_large(self, start: int, header: int, body: int) -> int:
        """Say the same of a large answer, after a look at its header and at the type of what is in it."""
        size, peek = header + body, header + min(body, _PEEK_BYTES)
        if start + peek > len(self._incoming):
            return peek
        try:
            head = head_of(self._incoming[start : start + peek])
        except ValueError:
            return 0
        most = MAX_MESSAGE_BYTES if head.kind.startswith(_BULK) else MAX_PLAIN_BYTES
        if head.reply_serial in self._awaited and size <= min(most, MAX_WAITING_BYTES - self._waiting_bytes):
            return size
        self._note_reply(head.reply_serial)
        self._answer(head.reply_serial, DBusError(TOO_LARGE, f"an answer of {size} bytes"), 0)
        return 0

    def _take(self, data: bytearray) -> None:
        try:
            message = unmarshal(data)
        except ValueError:  # its sender is not heard; where it ended is known all the same
            self.passed_over += 1
            return
        serial = message.reply_serial
        self._note_reply(serial)
        if message.message_type is MessageType.SIGNAL:
            self._keep_signal(message, len(data))
        elif message.message_type is MessageType.ERROR:
            text = message.body[0] if message.body and isinstance(message.body[0], str) else ""
            self._answer(serial, DBusError(str(message.error_name), text), len(data))
        else:
            self._answer(serial, MethodReply(message.signature, tuple(message.body)), len(data))

    def _answer(self, serial: int, reply: Reply, size: int) -> None:
        """Keep an answer until it is asked for; one that nobody awaits is dropped."""
        if serial not in self._awaited:
            return
        self._awaited.discard(serial)
        self._waiting_bytes += size
        full = self._waiting_bytes > MAX_WAITING_BYTES
        self._replies[serial] = DBusError(TOO_LARGE, "too many large answers at once") if full else reply

    def _keep_signal(self, message: Message, size: int) -> None:
        names = message.sender or "", message.path or "", message.interface or "", message.member or ""
        self._signals.append((Signal(*names, tuple(message.body)), size))
        self._signal_bytes += size
        while len(self._signals) > self._max_signals or self._signal_bytes > MAX_SIGNALS_BYTES:
            self._signal_bytes -= self._signals.popleft()[1]

    def _loss(self, what: str) -> ComputerLost:
        return ComputerLost(f"{self.name} {what}", remedy="the computer must be replaced")


__all__ = [
    "BUS", "BUS_PATH", "NO_REPLY", "DBus", "DBusError", "MethodCall", "MethodReply", "Reply", "Signal", "value_of",
    "variant_of",
]  # fmt: skip
