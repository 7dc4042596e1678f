"""The accessibility tree of a desktop, read over its AT-SPI bus from outside."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from typing import Protocol
from urllib.parse import unquote

from dbus_fast import Variant

from proctor.computers.channels.atspi_ask import (
    ACCESSIBLE,
    PREFIX,
    PROPERTIES,
    Asker,
    ask_items,
    batched,
    complete,
    get,
    get_children,
    refs_of,
)
from proctor.computers.channels.atspi_details import Memory, ask_details
from proctor.computers.channels.atspi_nodes import (
    NOWHERE,
    NULL_PATH,
    ROOT_PATH,
    WINDOW_ROLES,
    Application,
    Item,
    Placed,
    Ref,
    arrange,
    build_tree,
    make_node,
    parse_items,
)
from proctor.computers.channels.atspi_point import MAX_LEVELS, deepest_at
from proctor.computers.channels.atspi_tables import visible_cells
from proctor.computers.channels.dbus import BUS, BUS_PATH, Call, DBus, Signal, value_of, variant_of
from proctor.errors import ComputerError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

REGISTRY = f"{PREFIX}.Registry"
REGISTRY_ROOT = Ref(REGISTRY, ROOT_PATH)
EVENTS = {
    "object:children-changed": ("Object", "ChildrenChanged", ""),
    "object:state-changed:focused": ("Object", "StateChanged", "focused"),
    "object:state-changed:showing": ("Object", "StateChanged", "showing"),
    "window:activate": ("Window", "Activate", ""),
}
"""What applications are asked to announce: few things, since each costs them time. Applications answer
`Cache.GetItems` only once somebody listens."""


class WindowLike(Protocol):
    """What is of use here of a window that the window manager lists."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def pid(self) -> int:
        """Its process inside the computer; 0 when it does not say."""


class AtSpi:
    """A reader of one desktop's accessibility. Belongs to one thread.

    Applications are hostile or broken at times: whatever they answer, every method ends in its time, and raises
    ComputerLost only when the bus itself is gone.
    """

    def __init__(
        self,
        session: DBus,
        connect: Callable[[str], socket.socket],
        *,
        uid: int,
        size: tuple[int, int],
        timeout_sec: float = 5.0,
    ) -> None:
        """Find the AT-SPI bus, connect to it and start listening.

        Args:
            session: the desktop's session bus.
            connect: connects to a Unix socket of the computer as user `uid`; the path is the computer's own, and
                starts with a zero byte for an abstract socket.
            uid: the desktop's user.
            size: width and height of the screen in pixels.
            timeout_sec: patience with the buses.
        """
        status = (f"{PREFIX.removesuffix('.atspi')}.Status", "IsEnabled", Variant("b", True))
        session.call(Call("org.a11y.Bus", "/org/a11y/bus", PROPERTIES, "Set", "ssv", status), timeout_sec=timeout_sec)
        address = value_of(session.call(Call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")), "s")
        self._bus = DBus(connect(socket_path(address or "")), uid=uid, timeout_sec=timeout_sec, name="the AT-SPI bus")
        self._screen = Box(0, 0, *size)
        self._memory: Memory = {}
        self._silent: set[str] = set()
        self._names: dict[str, str] = {}
        self._pids: dict[str, int] = {}
        self._focus: Ref | None = None
        for event, (kind, member, detail) in EVENTS.items():
            self._bus.call(
                Call(REGISTRY, f"/{PREFIX.replace('.', '/')}/registry", REGISTRY, "RegisterEvent", "s", (event,))
            )
            rule = f"type='signal',interface='{PREFIX}.Event.{kind}',member='{member}'"
            self._bus.add_match(f"{rule},arg0='{detail}'" if detail else rule)

    # -- the whole tree -------------------------------------------------------------------------------------------

    def read(self, *, windows: Sequence[WindowLike] = (), timeout_sec: float = 6.0) -> Tree:
        """Return the tree of all applications.

        Args:
            windows: top-level windows on screen; one that no application answers for makes the tree degraded.
            timeout_sec: when to return what has been read so far; an application that does not answer gets half.
        """
        asker = self._asker(timeout_sec)
        roots, degraded = self._roots(asker)
        applications = self._bulk(asker, roots)
        degraded += complete(asker, applications)
        if self._add_cells(asker, applications):
            degraded += complete(asker, applications)  # a cell may hold an icon and a label
        arrangement = arrange(applications)
        details, self._memory = ask_details(asker, arrangement.placed, self._screen, self._memory)
        degraded += self._complaints(asker, applications, windows)
        self._silent = asker.silent
        return build_tree(arrangement, details, degraded)

    def _asker(self, timeout_sec: float) -> Asker:
        deadline = time.monotonic() + timeout_sec
        return Asker(self._bus, deadline=deadline, patience_sec=timeout_sec / 2, doubtful=self._silent)

    def _roots(self, asker: Asker) -> tuple[list[Ref], list[str]]:
        """Return the applications in the order of their registration."""
        (reply,) = asker.ask([get_children(REGISTRY_ROOT)])
        pairs = value_of(reply, "a(so)")
        if pairs is None:
            return [], ["the accessibility registry did not answer"]
        roots = [Ref(*pair) for pair in pairs if pair[0] != REGISTRY and pair[1] != NULL_PATH]
        return list(dict.fromkeys(roots)), [] if roots else ["no application is accessible"]

    def _bulk(self, asker: Asker, roots: Sequence[Ref]) -> list[Application]:
        """Ask every application at once for everything it has."""
        calls = [
            call
            for ref in roots
            for call in (
                get(ref, ACCESSIBLE, "Name"),
                get_children(ref),
                Call(ref.bus, f"/{PREFIX.replace('.', '/')}/cache", f"{PREFIX}.Cache", "GetItems"),
            )
        ]
        applications = []
        for ref, (name, windows, items) in zip(roots, batched(asker.ask(calls), 3), strict=True):
            self._names[ref.bus] = variant_of(name, "s") or self._names.get(ref.bus, "")
            known = parse_items(items, ref.bus)
            applications.append(Application(ref, self._names[ref.bus], tuple(refs_of(windows, ref.bus)), known))
        return applications

    def _add_cells(self, asker: Asker, applications: Sequence[Application]) -> bool:
        items = {application.ref.bus: application.items for application in applications}
        tables = [
            item
            for application in applications
            for item in application.items.values()
            if item.showing and item.virtual_children and "Table" in item.interfaces
        ]
        cells = visible_cells(asker, tables, self._screen)
        for cell in cells:
            items[cell.ref.bus][cell.ref] = cell
        return bool(cells)

    def _complaints(
        self, asker: Asker, applications: Sequence[Application], windows: Sequence[WindowLike]
    ) -> list[str]:
        reasons = [
            f"application {application.name or application.ref.bus!r} did not answer in time"
            for application in applications
            if application.ref.bus in asker.silent
        ]
        reasons += [
            f"application {application.name!r} has windows but no nodes"
            for application in applications
            if application.ref.bus not in asker.silent and application.windows and len(application.items) < 2
        ]
        if windows:
            pids = set(self._processes([application.ref for application in applications]).values())
            reasons += [f"window {window.title!r} is not accessible" for window in windows if window.pid not in pids]
        return reasons

    # -- one element ----------------------------------------------------------------------------------------------

    def element_at(
        self, x: float, y: float, *, window: WindowLike | None = None, timeout_sec: float = 0.3
    ) -> Node | None:
        """Return the deepest element at a point, or None when there is none or no answer in time.

        Args:
            x: desktop pixels from the left.
            y: desktop pixels from the top.
            window: the topmost window at that point; without it windows that overlap cannot be told apart.
            timeout_sec: when to give up.
        """
        asker = self._asker(timeout_sec)
        roots, _ = self._roots(asker)
        if window and window.pid:
            pids = self._processes(roots)
            roots = [ref for ref in roots if pids.get(ref.bus) == window.pid]
        spot = deepest_at(asker, roots, int(x), int(y), title=window.title if window else "")
        self._silent |= asker.silent
        return self._lone_node(asker, spot.ref) if spot else None

    def focused(self, *, timeout_sec: float = 0.5) -> Node | None:
        """Return the element that has the keyboard focus, or None when it is unknown."""
        self.changed()
        asker = self._asker(timeout_sec)
        node = self._lone_node(asker, self._focus) if self._focus else None
        if node and "focused" in node.states:
            return node
        return self.read(timeout_sec=timeout_sec).focused()

    def _lone_node(self, asker: Asker, ref: Ref) -> Node | None:
        """Ask about one object and its ancestors."""
        trail = self._trail(asker, ref)
        if not trail:
            return None
        item = trail[0]
        app = self._names.get(ref.bus) or (trail[-1].name if trail[-1].role == "application" else "")
        windows = [above.name for above in trail if above.role in WINDOW_ROLES and above.name]
        entry = Placed(item, None, len(trail) - 1, app, windows[0] if windows else "", False)
        details, _ = ask_details(asker, [entry], self._screen, self._memory)
        return make_node(entry, 0, details[ref]) if ref in details else None

    def _trail(self, asker: Asker, ref: Ref) -> list[Item]:
        """Return an object and its ancestors up to the application."""
        trail: list[Item] = []
        seen: set[Ref] = set()
        while len(trail) < MAX_LEVELS and ref.bus not in asker.silent and ref not in seen and ref.path != NULL_PATH:
            seen.add(ref)
            (reply,) = asker.ask([get(ref, ACCESSIBLE, "Parent")])
            parent = Ref(*(variant_of(reply, "(so)") or NOWHERE))
            items = ask_items(asker, [(ref, parent, -1)])
            trail += items
            if not items or items[0].role == "application" or parent.bus != ref.bus:
                break
            ref = parent
        return trail

    def _processes(self, roots: Sequence[Ref]) -> dict[str, int]:
        """Return the process of each application, by bus name."""
        new = [ref.bus for ref in roots if ref.bus not in self._pids]
        calls = [Call(BUS, BUS_PATH, BUS, "GetConnectionUnixProcessID", "s", (bus,)) for bus in new]
        for bus, reply in zip(new, self._bus.call_many(calls), strict=True):
            if pid := value_of(reply, "u"):
                self._pids[bus] = pid
        return {ref.bus: self._pids.get(ref.bus, 0) for ref in roots}

    # -- events ---------------------------------------------------------------------------------------------------

    def changed(self) -> bool:
        """Tell, without waiting, whether the tree or the focus has changed since the last time this was asked."""
        signals = self._bus.drain_signals()
        for signal in signals:
            self._follow_focus(signal)
        return bool(signals)

    def _follow_focus(self, signal: Signal) -> None:
        if signal.member == "StateChanged" and signal.body[:2] == ("focused", 1):
            self._focus = Ref(signal.sender, signal.path)

    def fileno(self) -> int:
        """Return a descriptor that turns readable when something is announced."""
        return self._bus.fileno()

    def close(self) -> None:
        """Close the connection; closing twice has no effect."""
        self._bus.close()


def socket_path(address: str) -> str:
    """Return the path in a D-Bus address, with a leading zero byte for an abstract socket."""
    for option in address.split(";"):
        transport, _, rest = option.partition(":")
        values = dict(pair.split("=", 1) for pair in rest.split(",") if "=" in pair)
        if transport == "unix" and "path" in values:
            return unquote(values["path"])
        if transport == "unix" and "abstract" in values:
            return "\0" + unquote(values["abstract"])
    raise ComputerError(f"the AT-SPI bus has no Unix socket: {address[:200]!r}")
