"""The X11 wire protocol: a connection that never waits without a deadline and believes nothing it is told."""

from __future__ import annotations

import select
import socket
import struct
import time
from collections import deque
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, NoReturn

from proctor.errors import ComputerError, ComputerLost

MAX_REPLY_BYTES = 1 << 20
"""Longest reply that is accepted unless a request says otherwise."""
SEQUENCE_WINDOW = 0x8000
"""Requests sent without hearing back; the wire carries 16 bits of the sequence number, so half of them is safe."""
RECEIVE_BYTES = 1 << 18
KEYMAP_NOTIFY = 11
GENERIC_EVENT = 35
REMEDY = "start a fresh computer; this one's screen is gone"

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Screen:
    """What the server says about itself when a client connects."""

    root: int
    width: int
    height: int
    true_colour: bool
    """Whether pixels are 32-bit little-endian words of the form 0x00RRGGBB."""
    min_keycode: int
    max_keycode: int
    id_base: int
    id_mask: int


class Extension(NamedTuple):
    """Where an extension's codes begin."""

    major: int
    first_event: int
    first_error: int


class _Awaited(NamedTuple):
    request: str
    limit: int


class Connection:
    """One client of an X server, over a connected socket; requests are buffered, replies matched by sequence.

    It belongs to one thread. A server that dies, stays silent or talks nonsense raises ComputerLost, and so does every
    later call. Errors of requests without a reply arrive late: those in BENIGN_ERRORS are dropped, others are raised
    by the next `sync`.
    """

    def __init__(self, sock: socket.socket, *, timeout_sec: float = 10.0) -> None:
        self._sock = sock
        self._timeout_sec = timeout_sec
        self._inbox = bytearray()
        self._outbox = bytearray()
        self._sent = 0
        self._seen = 0
        self._awaited: dict[int, _Awaited] = {}
        self._answers: dict[int, bytes | XError] = {}
        self._late_errors: deque[XError] = deque(maxlen=32)
        self._names: dict[int, str] = {op.value: op.name for op in Op}
        self._lost = ""
        self._ids = 0
        sock.setblocking(False)
        self.screen = self._set_up()

    def fileno(self) -> int:
        """Return the socket's descriptor, for a selector; what was already read does not make it readable again."""
        return self._sock.fileno()

    def close(self) -> None:
        """Close the connection; closing twice has no effect."""
        self._lost = self._lost or "the connection was closed"
        self._sock.close()

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
        deadline = time.monotonic() + self._timeout_sec
        if number not in self._answers:
            self.flush()
        while number not in self._answers:
            if not self._receive(deadline):
                self._give_up(f"the X server did not answer {self._awaited[number].request} in {self._timeout_sec:g} s")
        answer = self._answers.pop(number)
        if isinstance(answer, XError):
            raise answer
        return answer

    def call(self, major: int, detail: int = 0, body: bytes = b"", *, limit: int = MAX_REPLY_BYTES) -> bytes:
        """Send a request and return its reply."""
        return self.reply(self.ask(major, detail, body, limit=limit))

    def send_descriptor(self, major: int, detail: int, body: bytes, descriptor: int) -> None:
        """Send a request that carries a file descriptor."""
        self.flush()
        data = encode(major, detail, body)
        self._wait_ready(select.POLLOUT, time.monotonic() + self._timeout_sec)
        try:
            # The descriptor travels with the first byte, so a short write needs no second one.
            sent = socket.send_fds(self._sock, [data], [descriptor])
        except OSError as error:
            self._give_up(f"the X server went away: {error.strerror}")
        self._sent += 1
        self._outbox += data[sent:]

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

    # -- the wire ---------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything queued, reading meanwhile so that neither side blocks the other."""
        self._check_alive()
        deadline = time.monotonic() + self._timeout_sec
        pending = memoryview(self._outbox)
        self._outbox = bytearray()
        while pending:
            try:
                pending = pending[self._sock.send(pending) :]
            except BlockingIOError:
                ready = self._wait_ready(select.POLLOUT | select.POLLIN, deadline)
                if not ready:
                    self._give_up(f"the X server took no input for {self._timeout_sec:g} s")
                if ready & ~select.POLLOUT:
                    self._absorb()
            except OSError as error:
                self._give_up(f"the X server went away: {error.strerror}")

    def pump(self, timeout_sec: float = 0.0) -> bool:
        """Send what is queued, then read what has come or comes within the time; tell whether anything did."""
        self.flush()
        return self._receive(time.monotonic() + timeout_sec)

    def _on_event(self, code: int, packet: bytes) -> None:
        """Take note of an event; subclasses say which matter."""

    def _check_alive(self) -> None:
        if self._lost:
            raise ComputerLost(self._lost, remedy=REMEDY)

    def _give_up(self, why: str) -> NoReturn:
        self._lost = self._lost or why
        self._sock.close()
        raise ComputerLost(self._lost, remedy=REMEDY)

    def _wait_ready(self, events: int, deadline: float) -> int:
        poller = select.poll()
        poller.register(self._sock, events)
        ready = poller.poll(max(0.0, deadline - time.monotonic()) * 1000)
        return ready[0][1] if ready else 0

    def _receive(self, deadline: float) -> bool:
        self._check_alive()
        if not self._wait_ready(select.POLLIN, deadline):
            return False
        self._absorb()
        return True

    def _read(self) -> bytes:
        try:
            data = self._sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            self._give_up(f"the X server went away: {error.strerror}")
        if not data:
            self._give_up("the X server closed the connection")
        return data

    def _absorb(self) -> None:
        self._inbox += self._read()
        start = 0
        while len(self._inbox) - start >= 32:
            size = self._packet_size(start)
            if len(self._inbox) - start < size:
                break
            self._sort(bytes(memoryview(self._inbox)[start : start + size]))
            start += size
        del self._inbox[:start]

    def _full_sequence(self, low: int) -> int:
        full = self._seen & ~0xFFFF | low
        return full if full >= self._seen else full + 0x10000

    def _packet_size(self, start: int) -> int:
        code, low, words = struct.unpack_from("<BxHI", self._inbox, start)
        if code & 0x7F == GENERIC_EVENT:
            self._give_up("the X server sent an event of a kind that was never asked for")
        if code != 1:
            return 32
        awaited = self._awaited.get(self._full_sequence(low))
        if awaited is None:
            self._give_up("the X server sent a reply that nobody asked for")
        if words * 4 > awaited.limit:
            self._give_up(f"the X server answered {awaited.request} with {words * 4} bytes")
        return 32 + 4 * int(words)

    def _sort(self, packet: bytes) -> None:
        code, detail, low = struct.unpack_from("<BBH", packet)
        if code & 0x7F == KEYMAP_NOTIFY:
            return  # the one event without a sequence number
        number = self._full_sequence(low)
        if number > self._sent:
            self._give_up("the X server answered a request that was never sent")
        self._seen = number
        if code > 1:
            self._on_event(code & 0x7F, packet)
            return
        awaited = self._awaited.pop(number, None)
        if code == 1:
            self._answers[number] = packet
            return
        error = self._error(detail, packet)
        if awaited:
            self._answers[number] = error
        elif error.kind not in BENIGN_ERRORS:
            self._late_errors.append(error)

    def _error(self, code: int, packet: bytes) -> XError:
        resource, minor, major = struct.unpack_from("<IHB", packet, 4)
        kind = ERROR_NAMES[code] if 0 < code < len(ERROR_NAMES) else f"extension error {code}"
        return XError(kind, self._request_name(major, minor), resource)

    def _request_name(self, major: int, minor: int) -> str:
        name = self._names.get(major, f"request {major}")
        return f"{name} {minor}" if major >= 128 else name

    # -- setting up -------------------------------------------------------------------------------------------------

    def _set_up(self) -> Screen:
        self._outbox += struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0)
        self.flush()
        deadline = time.monotonic() + self._timeout_sec
        self._fill(8, deadline)
        status, reason_bytes, words = struct.unpack_from("<BB4xH", self._inbox)
        size = 8 + words * 4
        self._fill(size, deadline)
        packet = bytes(self._inbox[:size])
        del self._inbox[:size]
        if status != 1:
            reason = packet[8 : 8 + reason_bytes].decode("latin-1").strip()
            self._give_up(f"the X server refused the connection: {reason or f'status {status}'}")
        try:
            return parse_setup(packet)
        except struct.error:
            self._give_up("the X server introduced itself with garbage")

    def _fill(self, size: int, deadline: float) -> None:
        while len(self._inbox) < size:
            if not self._wait_ready(select.POLLIN, deadline):
                self._give_up(f"the X server did not accept the connection in {self._timeout_sec:g} s")
            self._inbox += self._read()


def encode(major: int, detail: int, body: bytes) -> bytes:
    """Return a request in wire form, padded to whole words."""
    words = 1 + (len(body) + 3) // 4
    return struct.pack("<BBH", major, detail, words) + body.ljust(words * 4 - 4, b"\0")


def parse_setup(packet: bytes) -> Screen:
    """Read the server's answer to a new connection; raises struct.error where it is cut short."""
    id_base, id_mask, vendor_bytes = struct.unpack_from("<4xII4xH", packet, 8)
    format_count, image_order = struct.unpack_from("<xBB", packet, 28)
    min_keycode, max_keycode = struct.unpack_from("<BB", packet, 34)
    formats = 40 + (vendor_bytes + 3) // 4 * 4
    bits = dict(struct.unpack_from("<BB", packet, formats + 8 * index) for index in range(format_count))
    screen = formats + 8 * format_count
    root, width, height, visual, depth, depth_count = struct.unpack_from("<I16xHH8xIxxBB", packet, screen)
    masks = _visual_masks(packet, screen + 40, depth_count, visual)
    plain = masks == (0xFF0000, 0xFF00, 0xFF)
    return Screen(
        root=root,
        width=width,
        height=height,
        true_colour=depth == 24 and bits.get(24) == 32 and image_order == 0 and plain,
        min_keycode=min_keycode,
        max_keycode=max_keycode,
        id_base=id_base,
        id_mask=id_mask,
    )


def _visual_masks(packet: bytes, offset: int, depth_count: int, wanted: int) -> tuple[int, int, int] | None:
    for _ in range(depth_count):
        (visual_count,) = struct.unpack_from("<xxH", packet, offset)
        offset += 8
        for _ in range(visual_count):
            visual, red, green, blue = struct.unpack_from("<I4xIII", packet, offset)
            if visual == wanted:
                return red, green, blue
            offset += 24
    return None
