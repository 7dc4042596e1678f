"""Desktops for tests: applications that answer AT-SPI calls as real ones do, or as they should not."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from dbus_fast import Message, Variant

from proctor.computers.channels.atspi.client import AtSpi
from proctor.computers.channels.atspi.nodes import NULL_PATH, ROOT_PATH, STATES
from proctor.computers.channels.dbus.client import DBus
from proctor.observations.roles import ROLES_BY_NUMBER
from tests.channels.peers import peer, respond, signal

PREFIX = "org.a11y.atspi."
SHOWN = ("showing", "visible", "enabled")
GONE = "org.freedesktop.DBus.Error.UnknownObject"
Said = tuple[str, list[Any]] | str | None


@dataclass(eq=False)
class Thing:
    """One accessible object."""

    role: str = "panel"
    name: str = ""
    children: list[Thing] = field(default_factory=list)
    box: tuple[int, int, int, int] = (0, 0, 100, 100)
    states: tuple[str, ...] = SHOWN
    text: str | None = None
    value: float | None = None
    actions: tuple[str, ...] = ()
    grid: tuple[int, int] | None = None
    """Rows and columns; the children are then its visible cells, one row after another, made on request."""
    seen: tuple[int, int] = (0, 0)
    """Rows and columns that fit into its box."""
    path: str = ""
    parent: Thing | None = None

    @property
    def interfaces(self) -> list[str]:
        present = {
            "Accessible": True, "Component": True, "Text": self.text is not None, "Value": self.value is not None,
            "Action": bool(self.actions), "Table": self.grid is not None,
        }  # fmt: skip
        return [PREFIX + name for name, has in present.items() if has]

    @property
    def bits(self) -> list[int]:
        bits = sum(1 << STATES.index(state) for state in self.states)
        return [bits & 0xFFFFFFFF, bits >> 32]


@dataclass(eq=False)
class App:
    """One application; `cache` says what it tells in bulk: all, nothing, the old form, or all but some objects."""

    name: str
    windows: list[Thing] = field(default_factory=list)
    cache: str = "all"
    left_out: tuple[Thing, ...] = ()
    hangs: bool = False
    pid: int = 0
    toolkit: str = "gtk 3.24.38"
    address: str = ""
    """Where it says it can be reached without the bus."""
    bus: str = ""
    override: Callable[[Message], Said | bool] = lambda call: False
    """Answers in place of the ordinary answer, unless it says False."""
    things: dict[str, Thing] = field(default_factory=dict)

    def adopt(self, bus: str) -> None:
        self.bus = bus
        self.things = {}
        self.root = Thing("application", self.name, self.windows, states=(), path=ROOT_PATH)
        stack = [self.root]
        while stack:
            thing = stack.pop()
            thing.path = thing.path or f"/org/a11y/atspi/accessible/{len(self.things)}"
            self.things[thing.path] = thing
            for child in thing.children:
                child.parent = thing
            stack.extend(thing.children)

    def ref(self, thing: Thing | None) -> tuple[str, str]:
        return (self.bus, thing.path) if thing else (self.bus, NULL_PATH)

    # -- answers --------------------------------------------------------------------------------------------------

    def answer(self, call: Message) -> Said:
        if self.hangs:
            return None
        overridden = self.override(call)
        if overridden is not False:
            return overridden  # type: ignore[return-value]
        if call.member == "GetItems":
            return self.items()
        if call.member == "GetApplicationBusAddress" and self.address:
            return "s", [self.address]
        thing = self.things.get(call.path or "")
        if thing is None:
            return GONE
        if call.member == "Get":
            return self.property(thing, call.body[1])
        return self.method(thing, call.member or "", call.body)

    def items(self) -> Said:
        if self.cache == "nothing":
            return "a((so)(so)(so)iiassusau)", [[]]
        rows = [self.row(thing) for thing in reversed(self.things.values()) if self.told(thing)]
        return ("a((so)(so)(so)a(so)assusau)" if self.cache == "old" else "a((so)(so)(so)iiassusau)"), [rows]

    def told(self, thing: Thing) -> bool:
        return thing not in self.left_out and not (thing.parent and thing.parent.grid)

    def row(self, thing: Thing) -> tuple[Any, ...]:
        head = (self.ref(thing), (self.bus, ROOT_PATH), self.ref(thing.parent))
        tail = (thing.interfaces, thing.name, ROLES_BY_NUMBER.index(thing.role), "", thing.bits)
        if self.cache == "old":
            return (*head, [self.ref(child) for child in thing.children], *tail)
        place = thing.parent.children.index(thing) if thing.parent else -1
        return (*head, place, -1 if thing.grid else len(thing.children), *tail)

    def property(self, thing: Thing, name: str) -> Said:
        values = {
            "Name": Variant("s", thing.name),
            "Description": Variant("s", ""),
            "ChildCount": Variant("i", 2**31 - 1 if thing.grid else len(thing.children)),
            "Parent": Variant("(so)", self.ref(thing.parent)),
            "CharacterCount": Variant("i", len(thing.text or "")),
            "NActions": Variant("i", len(thing.actions)),
            "CurrentValue": Variant("d", thing.value or 0.0),
            "MinimumValue": Variant("d", 0.0),
            "MaximumValue": Variant("d", 100.0),
            "MinimumIncrement": Variant("d", 1.0),
            "ToolkitName": Variant("s", self.toolkit.split()[0]),
            "Version": Variant("s", self.toolkit.split()[1]),
            "NRows": Variant("i", (thing.grid or (0, 0))[0]),
            "NColumns": Variant("i", (thing.grid or (0, 0))[1]),
        }
        return "v", [values[name]]

    def method(self, thing: Thing, member: str, body: list[Any]) -> Said:
        if member == "GetText":
            assert thing.text is not None
            # As LibreOffice does: an end beyond the text is refused, and refused with nothing.
            return "s", [thing.text[body[0] : body[1]] if body[1] >= 0 else thing.text]
        match member:
            case "GetChildren":
                assert thing.grid is None, "an application would hang on making 2^31 children"
                return "a(so)", [[self.ref(child) for child in thing.children]]
            case "GetRole":
                return "u", [ROLES_BY_NUMBER.index(thing.role)]
            case "GetState":
                return "au", [thing.bits]
            case "GetInterfaces":
                return "as", [thing.interfaces]
            case "GetExtents":
                return "(iiii)", [thing.box]
            case "GetName":
                return "s", [thing.actions[body[0]]]
            case "GetAttributes":
                return "a{ss}", [{"tag": "p"}]
            case "GetAccessibleAtPoint":
                hit = next((child for child in thing.children if inside(child.box, body[0], body[1])), None)
                return "(so)", [self.ref(hit)]
            case _:
                return self.table_method(thing, member, body)

    def table_method(self, thing: Thing, member: str, body: list[Any]) -> Said:
        table = thing if thing.grid else thing.parent
        if table is None or table.grid is None:
            return "org.freedesktop.DBus.Error.UnknownMethod"
        columns = table.grid[1]
        match member:
            case "GetIndexInParent":
                row, column = divmod(table.children.index(thing), table.seen[1])
                return "i", [row * columns + column]
            case "GetRowAtIndex":
                return "i", [body[0] // columns]
            case "GetColumnAtIndex":
                return "i", [body[0] % columns]
            case "GetAccessibleAt":
                row, column = body
                visible = row < table.seen[0] and column < table.seen[1]
                return "(so)", [self.ref(table.children[row * table.seen[1] + column] if visible else None)]
            case _:
                return "org.freedesktop.DBus.Error.UnknownMethod"


def inside(box: tuple[int, int, int, int], x: int, y: int) -> bool:
    return box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]


def sheet(rows: int, columns: int, *, at: tuple[int, int] = (100, 100)) -> Thing:
    """Return a spreadsheet of a billion cells of which some are in view."""
    x, y = at
    cells = [
        Thing(
            "table cell", f"{chr(65 + column)}{row + 1}", text=f"{row}:{column}",
            box=(x + 50 * column, y + 20 * row, 50, 20),
        )
        for row in range(rows)
        for column in range(columns)
    ]  # fmt: skip
    return Thing(
        "table", "Sheet", cells, box=(x, y, 50 * columns, 20 * rows), states=(*SHOWN, "manages descendants"),
        grid=(1 << 20, 1 << 10), seen=(rows, columns),
    )  # fmt: skip


class Desktop:
    """Some applications on one accessibility bus."""

    def __init__(self, *apps: App, registry: bool = True) -> None:
        self.apps = {f":1.{number}": app for number, app in enumerate(apps)}
        self.registry = registry
        self.calls: list[Message] = []
        self.direct_calls = 0
        self.bus_socket: socket.socket | None = None
        for bus, app in self.apps.items():
            app.adopt(bus)

    def answer(self, call: Message) -> Said:
        """Answer one call as the bus, the registry or an application."""
        self.calls.append(call)
        if call.member == "GetAddress":
            return "s", ["unix:path=/run/a11y%20bus,guid=00"]
        if call.member in ("Set", "AddMatch", "RegisterEvent"):
            return "", []
        if call.member == "GetConnectionUnixProcessID":
            return "u", [self.apps[call.body[0]].pid]
        if call.destination == "org.a11y.atspi.Registry":
            return ("a(so)", [[(bus, ROOT_PATH) for bus in self.apps]]) if self.registry else GONE
        app = self.apps.get(call.destination or "")
        return app.answer(call) if app else "org.freedesktop.DBus.Error.ServiceUnknown"

    def asked(self, member: str) -> int:
        """Return how often a method was called."""
        return sum(call.member == member for call in self.calls)

    def emit(
        self, app: App, thing: Thing, member: str, detail: str = "", on: int = 1, child: Thing | None = None
    ) -> None:
        """Announce something on the bus."""
        assert self.bus_socket is not None
        data = Variant("(so)", app.ref(child)) if child else Variant("i", 0)
        kind = "Window" if member == "Activate" else "Object"
        body = [detail, on, 0, data, {}]
        self.bus_socket.sendall(
            signal(thing.path, f"org.a11y.atspi.Event.{kind}", member, "siiva{sv}", body, sender=app.bus)
        )

    def direct(self, call: Message) -> Said:
        """Answer one call that came to an application's own socket."""
        self.direct_calls += 1
        return self.apps[call.destination or ""].answer(call)

    @contextmanager
    def reader(self, size: tuple[int, int] = (1920, 1080)) -> Iterator[AtSpi]:
        """Give a reader of this desktop."""
        with ExitStack() as ending:

            def talk(sock: socket.socket) -> None:
                self.bus_socket = sock
                respond(sock, self.answer)

            def connect(path: str) -> socket.socket:
                if path == "/run/a11y bus":
                    return ending.enter_context(peer(talk))
                if path == "/run/app":
                    return ending.enter_context(peer(lambda sock: respond(sock, self.direct)))
                if path == "/run/deaf":
                    return ending.enter_context(peer(lambda sock: sock.close()))
                raise FileNotFoundError(path)

            session = DBus(ending.enter_context(peer(lambda sock: respond(sock, self.answer))), uid=1000)
            reader = AtSpi(session, connect, uid=1000, size=size)
            ending.callback(reader.close)
            yield reader


__all__ = ["SHOWN", "App", "Desktop", "Thing", "sheet"]
