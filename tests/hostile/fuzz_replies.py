"""`python -m tests.hostile.fuzz_replies [COUNT] [KIND ...]`: wrong answers to every question the harness asks inside.

The kinds are x11, dbus and atspi. Each case has a number from which it can be made again. Every one must end in a value
or a ProctorError, in its time.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import json
import random
import resource
import socket
import struct
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

from dbus_fast import Message, Variant

from proctor.computers.channels.atspi.client import AtSpi
from proctor.computers.channels.dbus.client import DBus, DBusError, MethodCall, MethodReply
from proctor.computers.channels.x11 import windows as x11_windows
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.errors import ProctorError
from proctor.observations.table import to_table
from proctor.observations.xml import from_xml, to_xml
from proctor.store.plain import tree_data
from tests.channels.desktops import App, Desktop, Thing, sheet
from tests.channels.fake_x import APP, FakeX, fake_x
from tests.channels.peers import reply_to, signal

PATIENCE_SEC = 0.05
"""How long the fuzzed peers are waited for."""
MOST_SEC = 10.0
"""No case may take longer, not even on a busy machine."""
MAX_GROWTH_MB = 200
ODD_NUMBERS = (0, 1, 2, 3, 4, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFB, 0xFFFFFFFF)


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Return a message with something wrong in it."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        if not changed:
            break
        place = rng.randrange(len(changed))
        match rng.randrange(7):
            case 0:
                changed[place] ^= 1 << rng.randrange(8)
            case 1:
                changed[place] = rng.choice((0, 1, 0x7F, 0x80, 0xFF))
            case 2:
                place = place // 4 * 4
                changed[place : place + 4] = struct.pack(rng.choice("<>") + "I", rng.choice(ODD_NUMBERS))
            case 3:
                del changed[place:]
            case 4:
                del changed[place : place + rng.randrange(1, 40)]
            case 5:
                changed[place:place] = rng.randbytes(rng.randrange(1, 60))
            case 6:
                changed += rng.randbytes(rng.randrange(1, 100))
    return bytes(changed)


class Fuzzer:
    """Asks one kind of peer questions and spoils the answers."""

    def __init__(self) -> None:
        self.ends: Counter[str] = Counter()
        self._stack = ExitStack()

    def case(self, rng: random.Random) -> None:
        """Ask something; any exception that is not a ProctorError is a finding."""
        raise NotImplementedError

    def run(self, number: int) -> str:
        """Make one case and return what was wrong about how it ended, if anything."""
        rng = random.Random(number)
        started = time.monotonic()
        try:
            self.case(rng)
            self.ends["value"] += 1
        except ProctorError as error:
            self.ends[type(error).__name__] += 1
        except Exception:
            return traceback.format_exc()
        taken = time.monotonic() - started
        return f"it took {taken:.1f} s" if taken > MOST_SEC else ""

    def close(self) -> None:
        """Let go of the peer."""
        self._stack.close()


class SpoiledX(FakeX):
    """A display whose answers go wrong at times."""

    rng: random.Random | None = None
    rate = 0.0

    def _answer(self, major: int, detail: int, body: bytes) -> bytes:
        try:
            said = super()._answer(major, detail, body)
        except (struct.error, IndexError, KeyError, ValueError):
            return b""  # it was asked something odd, after an odd answer
        if self.rng is None or self.rng.random() >= self.rate:
            return said
        odd = self.event(self.rng.randrange(2, 256), self.rng.randbytes(28), detail=self.rng.randrange(256))
        match self.rng.randrange(6):
            case 0:
                return odd + said
            case 1:
                return self.error(self.rng.randrange(256), self.rng.randrange(256), self.rng.randrange(256))
            case 2:
                return said + said
            case _:
                return mutated(self.rng, said)


class X11Fuzzer(Fuzzer):
    """The display."""

    def __init__(self) -> None:
        super().__init__()
        self._x: X11 | None = None

    def case(self, rng: random.Random) -> None:
        x, server, keyboard = self._connect()
        server.rng, server.rate = rng, rng.choice((0.02, 0.2, 1.0))
        questions: list[Callable[[], object]] = [
            x.screenshot, x.windows, x.popups, x.pointer, x.cursor, x.drain, x.sync, x.nudge, x.grab,
            lambda: x.ping(APP, timeout_sec=PATIENCE_SEC), lambda: x.wait(0.001), lambda: x11_windows.focus_path(x),
            lambda: x11_windows.active_window(x), lambda: x.atoms(f"_ODD_{rng.randrange(9)}"),
            lambda: keyboard.type("aé漢"), lambda: keyboard.key(0x61, True), keyboard.release_all,
        ]  # fmt: skip
        try:
            with x.within(1.0):
                rng.choice(questions)()
        finally:
            server.rng = None
            if x._lost or rng.random() < 0.02:
                self._x = None
                self._stack.close()

    def _connect(self) -> tuple[X11, SpoiledX, Keyboard]:
        if self._x is None:
            server, sock = self._stack.enter_context(fake_x(make=SpoiledX))
            assert isinstance(server, SpoiledX)
            self._x = X11(sock, timeout_sec=20.0)
            self._kept = self._x, server, Keyboard(self._x, patience_sec=PATIENCE_SEC)
            self._x._timeout_sec = PATIENCE_SEC
        return self._kept


class DBusFuzzer(Fuzzer):
    """A bus, or an application that is asked directly."""

    BODIES: tuple[tuple[str, list[Any]], ...] = (
        ("s", ["a name"]), ("", []), ("i", [-5]), ("u", [7]), ("as", [["a", "b", "c"]]), ("au", [[1, 2]]), ("d", [0.5]),
        ("(iiii)", [(-1, 2, 30, 40)]), ("v", [Variant("s", "x")]), ("v", [Variant("i", -7)]), ("a{ss}", [{"k": "v"}]),
        ("a(so)", [[(":1.1", "/a"), (":1.1", "/b")]]), ("v", [Variant("(so)", (":1.1", "/"))]), ("ay", [b"bytes"]),
        ("a((so)(so)(so)iiassusau)", [[(*[(":1.1", "/a")] * 3, -1, 2, ["x"], "n", 3, "", [1])]]),
    )  # fmt: skip

    def case(self, rng: random.Random) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(b"OK 0123\r\n")
            bus = DBus(ours, uid=1000, peer=True, timeout_sec=PATIENCE_SEC)
            calls = [MethodCall(":1.1", "/a", "a.b", "Get", "ss", ("a", "b")) for _ in range(rng.randrange(1, 5))]
            serials = bus.send(calls)
            theirs.setblocking(False)
            theirs.send(b"".join(self._said(rng, serial) for serial in serials))
            replies = bus.gather(serials, time.monotonic() + 0.01)
            assert all(isinstance(replies[serial], MethodReply | DBusError) for serial in serials)
            bus.drain_signals()

    def _said(self, rng: random.Random, serial: int) -> bytes:
        call = Message(destination=":1.1", path="/a", interface="a.b", member="Get", serial=serial)
        signature, body = rng.choice(self.BODIES)
        data = reply_to(call, signature, body)
        if rng.random() < 0.2:
            data = signal("/a", "a.b", "C", signature, body, sender=":1.1")
        if rng.random() < 0.1:
            data = reply_to(call, "s", ["no"], error="a.b.C")
        return mutated(rng, data) if rng.random() < 0.7 else data


class SpoiledApp(App):
    """An application that was asked something odd, after an odd answer."""

    def answer(self, call: Message) -> Any:
        try:
            return super().answer(call)
        except (AssertionError, IndexError, KeyError, TypeError, ValueError):
            return "org.freedesktop.DBus.Error.Failed"


class AtSpiFuzzer(Fuzzer):
    """Applications that answer with anything."""

    def __init__(self) -> None:
        super().__init__()
        self._rng = random.Random(0)
        self._rate = 0.0
        self._apps = [
            SpoiledApp("editor", [self._window()], cache=cache, override=self._spoiled, pid=number)
            for number, cache in enumerate(("all", "nothing", "old"), 1)
        ]
        self._reader: AtSpi | None = None

    def _window(self) -> Thing:
        parts = [Thing("push button", "Save", actions=("click",)), Thing("text", text="words")]
        menu = Thing("menu bar", "", [Thing("menu", "File", [Thing("menu item", "Open")])])
        parts += [menu, Thing("slider", value=5), sheet(4, 3), Thing("root pane", "p"), Thing("list", "l", [])]
        return Thing("frame", "w", parts)

    def case(self, rng: random.Random) -> None:
        if self._reader is None:
            self._rate = 0.0
            self._desktop = Desktop(*self._apps)
            self._reader = self._stack.enter_context(self._desktop.reader())
        reader = self._reader
        self._rng, self._rate = rng, rng.choice((0.01, 0.1, 0.5))
        try:
            match rng.randrange(4):
                case 0:
                    reader.element_at(rng.randrange(2000), rng.randrange(2000), timeout_sec=0.05)
                case 1:
                    app = rng.choice(self._apps)
                    told = (app, rng.choice(list(app.things.values())), "StateChanged", "focused")
                    # Apart, because it waits for room on a line that only this thread reads.
                    announcing = threading.Thread(target=self._announce, args=told, daemon=True)
                    announcing.start()
                    announcing.join(0.01)
                    reader.focused(timeout_sec=0.05)
                case 2:
                    reader.changed()
                case _:
                    self._encode(reader)
        except ProctorError:
            self._reader = None
            self._stack.close()
            raise

    def _announce(self, *told: Any) -> None:
        with suppress(OSError):  # the line was closed meanwhile
            self._desktop.emit(*told)

    def _encode(self, reader: AtSpi) -> None:
        tree = reader.read(timeout_sec=0.2)
        for index, node in enumerate(tree.nodes):
            assert node.index == index and (node.parent is None or node.parent < index)
        assert len(from_xml(to_xml(tree)).nodes) <= len(tree.nodes)
        to_table(tree)
        json.dumps(tree_data(tree))

    def _spoiled(self, call: Message) -> Any:
        rng = self._rng
        if rng.random() >= self._rate:
            return False
        return rng.choice(list(self._odd(rng, call)))

    def _odd(self, rng: random.Random, call: Message) -> Iterator[Any]:
        path = call.path or "/"
        number = rng.choice((-(2**31), -5, -1, 0, 1, 7, 2**31 - 1))
        yield None
        yield "org.freedesktop.DBus.Error.Failed"
        yield "", []
        yield "s", [rng.choice(("", "x", "\x00"[:0], "a" * 300_000, "…" * 9_000, "\u202e<&>\"'\t\n\x1b[31m"))]
        yield "v", [Variant("s", "n" * rng.choice((0, 5, 5_000, 200_000)))]
        yield "v", [Variant("i", number)]
        yield "v", [Variant("d", rng.choice((float("nan"), float("inf"), -1e308, 0.0)))]
        yield "v", [Variant("(so)", (rng.choice(self._apps).bus, path))]
        yield "i", [number]
        yield "u", [number % 2**32]
        yield "au", [[rng.randrange(2**32) for _ in range(rng.choice((0, 1, 2, 3, 500)))]]
        yield "as", [["i" * rng.choice((1, 3_000))] * rng.choice((0, 1, 300))]
        yield "(iiii)", [tuple(rng.choice((number, 3, 400)) for _ in range(4))]
        yield "(so)", [(rng.choice((":1.0", "", "x" * 300, ":1.1")), path)]
        yield (
            "a(so)",
            [[(rng.choice(self._apps).bus, f"{path.rstrip('/')}/n{n}") for n in range(rng.choice((1, 3, 60)))]],
        )
        below = [f"{path.rstrip('/')}/n{n}" for n in range(rng.choice((1, 3, 60)))]
        yield "a(so)", [[(rng.choice(self._apps).bus, each) for each in below]]
        yield "a(so)", [[(app.bus, path) for app in self._apps]]
        yield "a{ss}", [{"k" * n: "v" * 900 for n in range(1, rng.choice((2, 90)))}]
        yield "a{sv}", [{"x": Variant("av", [Variant("s", "y")])}]


FUZZERS: dict[str, type[Fuzzer]] = {"x11": X11Fuzzer, "dbus": DBusFuzzer, "atspi": AtSpiFuzzer}


def memory_mb() -> int:
    """Return the most memory this process has ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def fuzz(kind: str, count: int, *, start: int = 0) -> tuple[Counter[str], list[str]]:
    """Make some cases of a kind; return how they ended and what was found."""
    fuzzer = FUZZERS[kind]()
    found: list[str] = []
    before = memory_mb()
    try:
        for number in range(start, start + count):
            if trouble := fuzzer.run(number):
                found.append(f"{kind} case {number}: {trouble}")
                fuzzer.close()
                fuzzer = FUZZERS[kind]()
    finally:
        fuzzer.close()
    if (grown := memory_mb() - before) > MAX_GROWTH_MB:
        found.append(f"{kind}: memory grew by {grown} MB")
    return fuzzer.ends, found


def main() -> int:
    """Fuzz as the command line says; the exit status tells whether anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.fuzz_replies", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=10_000)
    parser.add_argument("kinds", nargs="*", choices=[*FUZZERS, []], default=[])
    parser.add_argument("--start", type=int, default=0, help="number of the first case")
    given = parser.parse_args()
    trouble: list[str] = []
    for kind in given.kinds or FUZZERS:
        started = time.monotonic()
        ends, found = fuzz(kind, given.count, start=given.start)
        told = ", ".join(f"{name} {number}" for name, number in ends.most_common())
        print(f"{kind}: {given.count} cases in {time.monotonic() - started:.0f} s: {told}; found {len(found)}")
        trouble += found
    for each in trouble[:20]:
        print(each, file=sys.stderr)
    return bool(trouble)


if __name__ == "__main__":
    raise SystemExit(main())
