"""A small X server in a thread: enough of the protocol to serve the client, with an application that reads late."""

from __future__ import annotations

import mmap
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ROOT, APP = 0x100, 0x200
MAJORS = {"MIT-SHM": 130, "XTEST": 132, "XFIXES": 138, "DAMAGE": 143}
SHIFT, CAPS, CONTROL = 50, 66, 37
DAMAGE_EVENT = 91
SHIFT_L, CAPS_LOCK, CONTROL_L, RETURN, TAB, ESCAPE = 0xFFE1, 0xFFE5, 0xFFE3, 0xFF0D, 0xFF09, 0xFF1B


def us_layout() -> dict[int, list[int]]:
    """Return a plain layout: ASCII, a few editing and modifier keys, two vendor keys, the rest unused."""
    rows = {code: [0, 0, 0, 0] for code in range(8, 256)}
    plain = "1234567890-=qwertyuiop[]asdfghjkl;'`\\zxcvbnm,./ "
    shifted = '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"~|ZXCVBNM<>? '
    free = iter(code for code in range(10, 100) if code not in (SHIFT, CAPS, CONTROL))
    for low, high in zip(plain, shifted, strict=True):
        rows[next(free)] = [ord(low), ord(high)] * 2
    rows[100], rows[101], rows[102] = [RETURN, 0] * 2, [TAB, 0] * 2, [ESCAPE, 0] * 2
    rows[SHIFT], rows[CAPS], rows[CONTROL] = [SHIFT_L, 0] * 2, [CAPS_LOCK, 0] * 2, [CONTROL_L, 0] * 2
    rows[200], rows[201] = [0x1008FF59, 0] * 2, [0x1008FF14, 0] * 2
    return rows


class FakeX:
    """The server's side of one connection; tests change its fields to make it lie, stall or die."""

    def __init__(
        self, sock: socket.socket, *, extensions: tuple[str, ...] = tuple(MAJORS), pingable: bool = True
    ) -> None:
        self.sock = sock
        self.extensions = extensions
        self.size = (64, 48)
        self.mute = False
        self.errors: dict[int, int] = {}
        """Opcode -> error code to answer with."""
        self.override: dict[int, Callable[[int], bytes | None]] = {}
        """Opcode -> what to send instead of the usual answer, made from the sequence number."""
        self.rows = us_layout()
        self.grabbed: set[int] = set()
        self.remaps = 0
        self.text = ""
        self.strokes: list[tuple[bool, int]] = []
        self.caps = False
        self.atoms: dict[str, int] = {}
        self.properties: dict[tuple[int, str], tuple[int, bytes]] = {}
        self.damage_resets = 0
        self.damages = 0
        self.shared_bytes: list[int] = []
        """Sizes of the segments that were attached."""
        self.detach_always = False
        self.delay_sec = 0.0
        self.repeats = True
        """Whether a key that is held down is pressed again and again."""
        self.flood = False
        """Whether to send events without end instead of answers."""
        self.known = {ROOT, APP}
        self.could_shrink: bool | None = None
        """Whether shared memory could be taken away from under the client."""
        self.sent: list[tuple[int, int]] = []
        """Every device event: its kind, and its key or button."""
        self._unread: list[tuple[bool, int]] = []
        self._down: set[int] = set()
        self._sequence = 0
        self._memory: dict[int, mmap.mmap] = {}
        self._descriptors: list[int] = []
        self._pingable = pingable
        self.set_numbers(ROOT, "_NET_ACTIVE_WINDOW", APP)
        self.set_numbers(ROOT, "_NET_CLIENT_LIST_STACKING", APP)
        self.properties[APP, "_NET_WM_NAME"] = (8, "Fake – Editor".encode())
        self.properties[APP, "WM_CLASS"] = (8, b"fake\0Fake\0")
        self.set_numbers(APP, "_NET_WM_PID", 42)
        self.set_numbers(APP, "_NET_FRAME_EXTENTS", 1, 2, 20, 3)
        if pingable:
            self.set_numbers(APP, "WM_PROTOCOLS", self.atom("_NET_WM_PING"))

    def set_numbers(self, window: int, name: str, *numbers: int) -> None:
        self.properties[window, name] = (32, struct.pack(f"<{len(numbers)}I", *numbers))

    def atom(self, name: str) -> int:
        return self.atoms.setdefault(name, 300 + len(self.atoms))

    def pixel(self, x: int, y: int) -> bytes:
        return bytes((x % 256, y % 256, (x * y) % 256, 0))

    # -- the loop ---------------------------------------------------------------------------------------------------

    def serve(self) -> None:
        buffer = self.sock.recv(12, socket.MSG_WAITALL)
        if len(buffer) < 12:
            return
        self.sock.sendall(self.setup())
        buffer = b""
        while True:
            data, descriptors, _, _ = socket.recv_fds(self.sock, 1 << 16, 4)
            if not data:
                return
            self._descriptors += descriptors
            buffer += data
            out = b""
            while len(buffer) >= 4 and len(buffer) >= (size := 4 * struct.unpack_from("<H", buffer, 2)[0]):
                self._sequence += 1
                out += self._answer(buffer[0], buffer[1], buffer[4:size])
                buffer = buffer[size:]
            threading.Event().wait(self.delay_sec)
            while self.flood:
                self.sock.sendall(self.event(19, b"") * 100)
            if out:
                self.sock.sendall(out)

    def setup(self) -> bytes:
        vendor = b"fake"
        formats = struct.pack("<BBB5x", 24, 32, 32)
        visual = struct.pack("<IBBHIII4x", 7, 4, 8, 256, 0xFF0000, 0xFF00, 0xFF)
        depth = struct.pack("<BxH4x", 24, 1) + visual
        screen = struct.pack("<IIIIIHHHHHHIBBBB", ROOT, 1, 0, 0, 0, *self.size, 1, 1, 1, 1, 7, 0, 0, 24, 1) + depth
        head = struct.pack(
            "<IIIIHHBBBBBBBB4x", 1, 0x400000, 0x1FFFFF, 256, len(vendor), 65535, 1, 1, 0, 0, 32, 32, 8, 255
        )
        body = head + vendor + formats + screen
        return struct.pack("<BxHHH", 1, 11, 0, len(body) // 4) + body

    def _answer(self, major: int, detail: int, body: bytes) -> bytes:
        if self.mute:
            return b""
        if major in self.override:
            return self.override[major](self._sequence) or b""
        if major in self.errors:
            return self.error(self.errors[major], major, detail)
        handler = getattr(self, f"_on_{major}", None)
        return handler(detail, body) if handler else b""

    def reply(self, fields: bytes, extra: bytes = b"", *, detail: int = 0) -> bytes:
        extra += bytes(-len(extra) % 4)
        return (
            struct.pack("<BBHI", 1, detail, self._sequence & 0xFFFF, len(extra) // 4) + fields.ljust(24, b"\0") + extra
        )

    def error(self, code: int, major: int, minor: int = 0) -> bytes:
        return struct.pack("<BBHIHB", 0, code, self._sequence & 0xFFFF, 0, minor, major).ljust(32, b"\0")

    def event(self, code: int, fields: bytes, *, detail: int = 0) -> bytes:
        return struct.pack("<BBH", code, detail, self._sequence & 0xFFFF) + fields.ljust(28, b"\0")

    # -- core requests, by opcode -------------------------------------------------------------------------------------

    def _on_3(self, detail: int, body: bytes) -> bytes:  # GetWindowAttributes
        return self.reply(struct.pack("<IH12xBB", 7, 1, 2, 0))

    def _on_14(self, detail: int, body: bytes) -> bytes:  # GetGeometry
        return self._known_window(14, body) or self.reply(struct.pack("<IhhHH", ROOT, 0, 0, 30, 20))

    def _on_15(self, detail: int, body: bytes) -> bytes:  # QueryTree
        (window,) = struct.unpack_from("<I", body)
        children = struct.pack("<I", APP) if window == ROOT else b""
        return self.reply(struct.pack("<IIH", ROOT, 0 if window == ROOT else ROOT, len(children) // 4), children)

    def _on_16(self, detail: int, body: bytes) -> bytes:  # InternAtom
        (length,) = struct.unpack_from("<H", body)
        return self.reply(struct.pack("<I", self.atom(body[4 : 4 + length].decode())))

    def _on_18(self, detail: int, body: bytes) -> bytes:  # ChangeProperty
        window, atom, _, width, count = struct.unpack_from("<IIIBxxxI", body)
        self.properties[window, self._name(atom)] = (width, body[20 : 20 + count * width // 8])
        return b""

    def _on_20(self, detail: int, body: bytes) -> bytes:  # GetProperty
        window, atom = struct.unpack_from("<II", body)
        if unknown := self._known_window(20, body):
            return unknown
        width, value = self.properties.get((window, self._name(atom)), (0, b""))
        rest = value[4 * struct.unpack_from("<I", body, 16)[0] :]
        value = value[: len(value) - len(rest)]
        count = len(value) // (width // 8) if width else 0
        return self.reply(struct.pack("<III", 1, len(rest), count), value, detail=width)

    def _on_25(self, detail: int, body: bytes) -> bytes:  # SendEvent
        destination, _, _, _, _, _, kind, protocol = struct.unpack_from("<IIBBHIII", body)
        if destination != APP or self._name(protocol) != "_NET_WM_PING" or not self._pingable:
            return b""
        self.read_keys()
        stamp, window = struct.unpack_from("<II", body, 24)
        return self.event(33 | 0x80, struct.pack("<IIIII", ROOT, kind, protocol, stamp, window), detail=32)

    def _on_33(self, detail: int, body: bytes) -> bytes:  # GrabKey
        return self.error(10, 33) if body[6] in self.grabbed else b""

    def _on_38(self, detail: int, body: bytes) -> bytes:  # QueryPointer
        return self.reply(struct.pack("<IIhhhhH", ROOT, 0, 3, 4, 3, 4, 2 if self.caps else 0))

    def _on_40(self, detail: int, body: bytes) -> bytes:  # TranslateCoordinates
        return self._known_window(40, body) or self.reply(struct.pack("<Ihh", 0, 5, 25))

    def _on_43(self, detail: int, body: bytes) -> bytes:  # GetInputFocus
        return self.reply(struct.pack("<I", APP))

    def _on_73(self, detail: int, body: bytes) -> bytes:  # GetImage
        return self.reply(b"", self._pixels(body), detail=24)

    def _on_98(self, detail: int, body: bytes) -> bytes:  # QueryExtension
        (length,) = struct.unpack_from("<H", body)
        name = body[4 : 4 + length].decode()
        present = name in self.extensions
        return self.reply(
            struct.pack("<BBBB", present, MAJORS.get(name, 0), DAMAGE_EVENT if name == "DAMAGE" else 0, 0)
        )

    def _on_100(self, detail: int, body: bytes) -> bytes:  # ChangeKeyboardMapping
        first, width = body[0], body[1]
        for index in range(detail):
            keysyms = struct.unpack_from(f"<{width}I", body, 4 + index * width * 4)
            self.rows[first + index] = [*_both_levels(*keysyms[:2])] * 2
        self.remaps += 1
        return self.event(34, struct.pack("<BBB", 1, first, detail))

    def _on_101(self, detail: int, body: bytes) -> bytes:  # GetKeyboardMapping
        keysyms = [keysym for code in range(body[0], body[0] + body[1]) for keysym in self.rows[code]]
        return self.reply(b"", struct.pack(f"<{len(keysyms)}I", *keysyms), detail=4)

    def _on_102(self, detail: int, body: bytes) -> bytes:  # ChangeKeyboardControl, of which only repeating is sent
        self.repeats = bool(struct.unpack("<II", body)[1])
        return b""

    def _on_119(self, detail: int, body: bytes) -> bytes:  # GetModifierMapping
        return self.reply(b"", bytes([SHIFT, CAPS, CONTROL, 0, 0, 0, 0, 0]), detail=1)

    # -- extensions -------------------------------------------------------------------------------------------------

    def _on_130(self, detail: int, body: bytes) -> bytes:  # MIT-SHM
        if detail == 0:
            return self.reply(struct.pack("<HH", 1, 2))
        if detail == 6:
            descriptor = self._descriptors.pop(0)
            self._memory[struct.unpack_from("<I", body)[0]] = mmap.mmap(descriptor, os.fstat(descriptor).st_size)
            self.shared_bytes.append(os.fstat(descriptor).st_size)
            self.could_shrink = _shrinks(descriptor)
            os.close(descriptor)
        if detail == 4:
            data = self._pixels(body)
            (segment,) = struct.unpack_from("<I", body, 20)
            if self.detach_always or segment not in self._memory:
                return self.error(128, 130, 4)
            self._memory[segment][: len(data)] = data
            return self.reply(struct.pack("<II", 7, len(data)), detail=24)
        return b""

    def _on_132(self, detail: int, body: bytes) -> bytes:  # XTEST
        kind, code = body[0], body[1]
        self.sent.append((kind, code))
        if kind in (2, 3):
            self._unread.append((kind == 2, code))
            if not self._pingable:
                self.read_keys()
            if kind == 2 and code == CAPS:
                self.caps = not self.caps
        return b""

    def _on_138(self, detail: int, body: bytes) -> bytes:  # XFIXES
        if detail == 0:
            return self.reply(struct.pack("<II", 5, 0))
        white = struct.pack("<I", 0xFFFFFFFF) * 4
        return self.reply(struct.pack("<hhHHHHI", 10, 12, 2, 2, 1, 1, 1), white)

    def _on_143(self, detail: int, body: bytes) -> bytes:  # DAMAGE
        if detail == 0:
            return self.reply(struct.pack("<II", 1, 1))
        self.damages += detail == 1
        self.damage_resets += detail == 3
        return b""

    # -- the application ----------------------------------------------------------------------------------------------

    def read_keys(self) -> None:
        """Translate waiting keys by the mapping as it is now, as a slow program does."""
        for down, code in self._unread:
            self.strokes.append((down, code))
            self._down = self._down | {code} if down else self._down - {code}
            keysym = self.rows[code][SHIFT in self._down]
            if down and code not in (SHIFT, CAPS, CONTROL):
                self.text += self._char(keysym)
        self._unread.clear()

    def _char(self, keysym: int) -> str:
        if keysym in (RETURN, TAB, ESCAPE):
            return {RETURN: "\n", TAB: "\t", ESCAPE: "\x1b"}[keysym]
        char = chr(keysym & 0xFFFFFF if keysym >= 0x01000000 else keysym)
        return char.swapcase() if self.caps and char.isascii() and char.isalpha() else char

    def _name(self, atom: int) -> str:
        return next((name for name, number in self.atoms.items() if number == atom), "")

    def detach(self) -> None:
        """Forget all shared memory, as after another client's ShmDetach."""
        self._memory.clear()

    def _known_window(self, major: int, body: bytes) -> bytes:
        return b"" if struct.unpack_from("<I", body)[0] in self.known else self.error(3, major)

    def _pixels(self, body: bytes) -> bytes:
        left, top, width, height = struct.unpack_from("<hhHH", body, 4)
        return b"".join(self.pixel(x, y) for y in range(top, top + height) for x in range(left, left + width))


@contextmanager
def fake_x(make: type[FakeX] = FakeX, **options: object) -> Iterator[tuple[FakeX, socket.socket]]:
    """Run a fake server and give it together with the client's end of the connection."""
    client, server = socket.socketpair()
    fake = make(server, **options)  # type: ignore[arg-type]
    thread = threading.Thread(target=_serve, args=[fake], daemon=True)
    thread.start()
    try:
        yield fake, client
    finally:
        client.close()
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)
        server.close()


def _both_levels(plain: int, shifted: int) -> tuple[int, int]:
    """Complete a key as the protocol says: an empty second level makes a letter an alphabetic key."""
    if shifted or not 0 < plain < 0xFF:
        return plain, shifted
    return ord(chr(plain).lower()), ord(chr(plain).upper()[0])


def _shrinks(descriptor: int) -> bool:
    try:
        os.ftruncate(descriptor, 0)
    except PermissionError:
        return False
    return True


def _serve(fake: FakeX) -> None:
    try:
        fake.serve()
    except OSError:
        return  # the client hung up
