"""The X11 wire protocol: a connection that never waits without a deadline and believes nothing it is told."""

from __future__ import annotations

import select
import struct
import time
from collections import deque
from enum import IntEnum
from typing import NamedTuple

from proctor.computers.channels.x11.setup import parse_setup
from proctor.computers.channels.x11.wire import XWire
from proctor.errors import ComputerError

MAX_REPLY_BYTES = 1 << 20
"""Longest reply that is kept unless a request says otherwise; of longer ones only the fact is."""
MAX_PASSED_OVER = 32 << 20
"""A longer reply is not even waited for: the line is cut and opened again."""
SEQUENCE_WINDOW = 0x8000
"""Requests sent without hearing back; the wire carries 16 bits of the sequence number, so half of them is safe."""
KEYMAP_NOTIFY = 11
GENERIC_EVENT = 35
SENT = 0x80
"""Set in the code of an event that a client sent; such an event is that client's claim, whatever it says."""

ERROR_NAMES = (
    "", "BadRequest", "BadValue", "BadWindow", "BadPixmap", "BadAtom", "BadCursor", "BadFont", "BadMatch",
    "BadDrawable", "BadAccess", "BadAlloc", "BadColor", "BadGC", "BadIDChoice", "BadName", "BadLength",
    "BadImplementation",
)  # fmt: skip
BENIGN_ERRORS = frozenset({"BadWindow", "BadDrawable", "BadMatch"})
"""Errors of requests without a reply that only say that a window vanished or was unmapped in the meantime."""


class Op(IntEnum):
    """Opcodes of the core requests in use."""

    ChangeWindowAttributes = 2
    GetWindowAttributes = 3
    GetGeometry = 14
    QueryTree = 15
    InternAtom = 16
    ChangeProperty = 18
    GetProperty = 20
    SetSelectionOwner = 22
    GetSelectionOwner = 23
    SendEvent = 25
    GrabKey = 33
    UngrabKey = 34
    QueryPointer = 38
    TranslateCoordinates = 40
    GetInputFocus = 43
    GetImage = 73
    QueryExtension = 98
    ChangeKeyboardMapping = 100
    GetKeyboardMapping = 101
    ChangeKeyboardControl = 102
    GetModifierMapping = 119


class XError(ComputerError):
    """The X server refused a request."""

    def __init__(self, kind: str, request: str, resource: int = 0) -> None:
        super().__init__(f"X server answered {kind} to {request} (resource {resource:#x})")
        self.kind, self.request, self.resource = kind, request, resource


class Extension(NamedTuple):
    """Where an extension's codes begin."""

    major: int
    first_event: int
    first_error: int


class _Awaited(NamedTuple):
    request: str
    limit: int


class Connection(XWire):
    """One client of an X server, over a connected socket.

    Requests are buffered, replies matched by sequence. Errors of requests without a reply arrive late: those in
    BENIGN_ERRORS are dropped, others are raised by the next `sync`. A reply that is longer than was asked for is an
    XError of the kind `TooLong`.
    """

    authority: tuple[bytes, bytes] = (b"", b"")
    """Name and data of what is shown to a server that does not let everybody in."""

    def _enter(self) -> None:
        self._inbox = bytearray()
        self._skip = 0
        self._sent = 0
        self._seen = 0
        self._awaited: dict[int, _Awaited] = {}
        self._answers: dict[int, bytes | XError] = {}
        self._late_errors: deque[XError] = deque(maxlen=32)
        self._names: dict[int, str] = {op.value: op.name for op in Op}
        self._ids = 0
        self._greet()

    # -- requests ---------------------------------------------------------------------------------------------------

    def send(self, major: int, detail: int = 0, body: bytes = b"") -> None:
        """Queue a request that has no reply; `detail` is the second byte (an extension's minor opcode)."""
        self.send_raw(encode(major, detail, body), 1)

    def send_raw(self, data: bytes, count: int) -> None:
        """Queue `count` already encoded requests that have no reply."""
        if self._sent + count - self._seen > SEQUENCE_WINDOW:
            self.round_trip()
        self._outbox += data
        self._sent += count

    def ask(self, major: int, detail: int = 0, body: bytes = b"", *, limit: int = MAX_REPLY_BYTES) -> int:
        """Queue a request that has a reply and return the number to fetch it with, so that many may be under way."""
        self.send(major, detail, body)
        self._awaited[self._sent] = _Awaited(self._request_name(major, detail), limit)
        return self._sent

    def reply(self, number: int) -> bytes:
        """Return the reply to an asked request; raises XError when the server refused it."""
        began, deadline = time.monotonic(), self._deadline()
        if number not in self._answers:
            self.flush()
        while number not in self._answers:
            came = self._receive(deadline)
            # Others may keep the line busy: that something came does not mean that the answer will.
            if number not in self._answers and (not came or time.monotonic() > deadline):
                self._run_out(began, f"did not answer {self._awaited[number].request} for")
        answer = self._answers.pop(number)
        if isinstance(answer, XError):
            raise answer
        return answer

    def call(self, major: int, detail: int = 0, body: bytes = b"", *, limit: int = MAX_REPLY_BYTES) -> bytes:
        """Send a request and return its reply."""
        return self.reply(self.ask(major, detail, body, limit=limit))

    def send_descriptor(self, major: int, detail: int, body: bytes, descriptor: int) -> None:
        """Send a request that carries a file descriptor."""
        self._send_with(descriptor, encode(major, detail, body))
        self._sent += 1

    def round_trip(self) -> None:
        """Return when the server has carried out everything sent so far."""
        self._awaited[self._sent + 1] = _Awaited(Op.GetInputFocus.name, 0)
        self._outbox += encode(Op.GetInputFocus, 0, b"")
        self._sent += 1
        self.reply(self._sent)

    def sync(self) -> None:
        """Make a round trip and raise the first late error, if there was one."""
        self.round_trip()
        if self._late_errors:
            error = self._late_errors.popleft()
            self._late_errors.clear()
            raise error

    def extension(self, name: str) -> Extension | None:
        """Return an extension's codes, or None where the server lacks it."""
        label = name.encode("ascii")
        reply = self.call(Op.QueryExtension, 0, struct.pack("<HH", len(label), 0) + label)
        present, major, first_event, first_error = struct.unpack_from("<BBBB", reply, 8)
        if not present:
            return None
        self._names[major] = name
        return Extension(major, first_event, first_error)

    def new_id(self) -> int:
        """Return a resource id nobody uses."""
        mask = self.screen.id_mask
        self._ids += mask & -mask
        return self.screen.id_base | (self._ids & mask)

    # -- what comes in ------------------------------------------------------------------------------------------------

    def _on_event(self, code: int, packet: bytes, *, sent: bool) -> None:
        """Note an event, of the server's making unless `sent`; subclasses say which matter."""

    def _on_late_error(self, error: XError) -> None:
        self._late_errors.append(error)

    def _take(self, data: bytes) -> None:
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        self._inbox += data[skipped:] if skipped else data
        start = 0
        while len(self._inbox) - start >= 32:
            size, limit = self._measure(start)
            if size > limit:
                self._pass_over(bytes(self._inbox[start : start + 32]), size)
                self._skip = max(start + size - len(self._inbox), 0)
            elif len(self._inbox) - start < size:
                break
            else:
                self._sort(bytes(memoryview(self._inbox)[start : start + size]))
            start += size
        del self._inbox[:start]

    def _full_sequence(self, low: int) -> int:
        full = self._seen & ~0xFFFF | low
        return full if full >= self._seen else full + 0x10000

    def _measure(self, start: int) -> tuple[int, int]:
        """Return how long a packet is and how long it may be to be kept."""
        code, low, words = struct.unpack_from("<BxHI", self._inbox, start)
        if code == GENERIC_EVENT:
            return 32 + 4 * int(words), 0  # of a kind that was never asked for
        if code != 1:
            return 32, 32
        awaited = self._awaited.get(self._full_sequence(low))
        if awaited is None:
            self._give_up("the display sent an unexpected reply")
        return 32 + 4 * int(words), 32 + awaited.limit

    def _pass_over(self, head: bytes, size: int) -> None:
        code, low = struct.unpack_from("<BxH", head)
        if code != 1:
            return
        self._seen = self._full_sequence(low)
        request = self._awaited.pop(self._seen).request
        self._answers[self._seen] = XError(f"TooLong ({size} bytes)", request)
        if size > MAX_PASSED_OVER:
            # A server sends hundreds of megabytes so slowly that nobody would be served for minutes.
            self._on_flood(request)
            self._hang_up(f"the display answered {request} with {size} bytes")

    def _on_flood(self, request: str) -> None:
        """Note a request whose answer was so long that the line was cut; subclasses ask it no more."""

    def _sort(self, packet: bytes) -> None:
        code, detail, low = struct.unpack_from("<BBH", packet)
        if code & ~SENT == KEYMAP_NOTIFY:
            return  # the one event without a sequence number
        number = self._full_sequence(low)
        if number > self._sent:
            self._give_up("the display answered a request that was never sent")
        self._seen = number
        if code > 1:
            self._on_event(code & ~SENT, packet, sent=bool(code & SENT))
            return
        awaited = self._awaited.pop(number, None)
        if code == 1:
            self._answers[number] = packet
            return
        error = self._error(detail, packet)
        if awaited:
            self._answers[number] = error
        elif error.kind not in BENIGN_ERRORS:
            self._on_late_error(error)

    def _error(self, code: int, packet: bytes) -> XError:
        resource, minor, major = struct.unpack_from("<IHB", packet, 4)
        kind = ERROR_NAMES[code] if 0 < code < len(ERROR_NAMES) else f"extension error {code}"
        return XError(kind, self._request_name(major, minor), resource)

    def _request_name(self, major: int, minor: int) -> str:
        name = self._names.get(major, f"request {major}")
        return f"{name} {minor}" if major >= 128 else name

    # -- setting up -------------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        name, data = self.authority
        self._outbox += struct.pack("<BxHHHHxx", ord("l"), 11, 0, len(name), len(data))
        self._outbox += b"".join(part.ljust(-(-len(part) // 4) * 4, b"\0") for part in (name, data))
        self.flush()
        deadline = self._deadline()
        self._fill(8, deadline)
        status, reason_bytes, words = struct.unpack_from("<BB4xH", self._inbox)
        size = 8 + words * 4
        self._fill(size, deadline)
        packet = bytes(self._inbox[:size])
        del self._inbox[:size]
        if status != 1:
            reason = packet[8 : 8 + reason_bytes].decode("latin-1").strip()
            self._give_up(f"the display refused the connection: {reason or f'status {status}'}")
        try:
            self.screen = parse_setup(packet)
        except struct.error:
            self._give_up("the display introduced itself with garbage")

    def _fill(self, size: int, deadline: float) -> None:
        while len(self._inbox) < size:
            if not self._wait_ready(select.POLLIN, deadline) or time.monotonic() > deadline:
                self._give_up(f"the display did not accept the connection in {self._timeout_sec:g} s")
            self._inbox += self._read()


def encode(major: int, detail: int, body: bytes) -> bytes:
    """Return a request in wire form, padded to whole words."""
    words = 1 + (len(body) + 3) // 4
    return struct.pack("<BBH", major, detail, words) + body.ljust(words * 4 - 4, b"\0")
