"""The accessibility tree of a desktop, read over its AT-SPI bus from outside."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
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
    WEB_ROLES,
    WINDOW_ROLES,
    Application,
    Details,
    Placed,
    Ref,
    arrange,
    build_tree,
    make_node,
    parse_items,
    role_name,
)
from proctor.computers.channels.atspi_point import MAX_LEVELS, MENU_ROLES, deepest_at
from proctor.computers.channels.atspi_shift import NO_SHIFT, PANE_ROLE, Shift, ask_shift, shift_boxes
from proctor.computers.channels.atspi_tables import Grid, read_table
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
    "object:active-descendant-changed": ("Object", "ActiveDescendantChanged", ""),
    "window:activate": ("Window", "Activate", ""),
}
"""What applications are asked to announce: few things, since each costs them time. Applications answer
`Cache.GetItems` only once somebody listens."""

MAX_TABLES = 20
"""How many large tables of one application are read."""
TITLED_ROLES = WINDOW_ROLES | {PANE_ROLE}
DIAL_SEC = 0.5
"""Patience when connecting to an application's own socket."""
HOLDERS = WINDOW_ROLES | {"document spreadsheet", "filler", "panel", "root pane", "table", "tree table"}
"""Roles that report the focus of what is inside them."""


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
        self._connect = connect
        self._uid = uid
        self._screen = Box(0, 0, *size)
        self._memory: Memory = {}
        self._grids: dict[Ref, Grid] = {}
        self._silent: set[str] = set()
        self._names: dict[str, str] = {}
        self._pids: dict[str, int] = {}
        self._focus: Ref | None = None
        self._descendants: dict[str, Ref] = {}
        self._active = ""
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
        with self._asker(timeout_sec) as asker:
            roots, degraded = self._roots(asker)
            applications = self._bulk(asker, roots)
            degraded += complete(asker, applications)
            boxes = self._add_cells(asker, applications)
            if boxes:
                degraded += complete(asker, applications)  # a cell may hold an icon and a label
            arrangement = arrange(applications)
            details, self._memory = ask_details(asker, arrangement.placed, self._screen, self._memory, boxes)
            degraded += self._complaints(asker, applications, windows)
            self._silent = asker.silent
        return build_tree(arrangement, shift_boxes(arrangement.placed, details), degraded)

    def _asker(self, timeout_sec: float) -> Asker:
        deadline = time.monotonic() + timeout_sec
        return Asker(self._bus, deadline=deadline, patience_sec=timeout_sec / 2, doubtful=self._silent, dial=self._dial)

    def _dial(self, address: str) -> DBus:
        return DBus(
            self._connect(socket_path(address)), uid=self._uid, timeout_sec=DIAL_SEC, name="an application", peer=True
        )

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

    def _add_cells(self, asker: Asker, applications: Sequence[Application]) -> dict[Ref, Box]:
        """Add the visible cells of large tables and return where they are."""
        grids: dict[Ref, Grid] = {}
        for application in applications:
            tables = [item for item in application.items.values() if item.showing and item.virtual_children]
            for table in [item for item in tables if "Table" in item.interfaces][:MAX_TABLES]:
                if grid := read_table(asker, table, self._screen, self._grids.get(table.ref)):
                    grids[table.ref] = grid
                    application.items.update(grid.cells)
        self._grids = grids
        return {cell: box for grid in grids.values() for cell, box in grid.boxes.items()}

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
        if asker.out_of_time:
            reasons.append("the time ran out before all was read")
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
        with self._asker(timeout_sec) as asker:
            roots, _ = self._roots(asker)
            if window and window.pid:
                pids = self._processes(roots)
                roots = [ref for ref in roots if pids.get(ref.bus) == window.pid]
            menus = self._open_menus(asker, roots)
            spot = deepest_at(asker, roots, int(x), int(y), title=window.title if window else "", menus=menus)
            self._silent |= asker.silent
            if spot is None:
                return None
            trail = [above.ref for above in spot.upward()]
            return self._lone_node(asker, [*trail, *self._trail(asker, trail[-1])[1:]], spot.shift)

    def _open_menus(self, asker: Asker, roots: Sequence[Ref]) -> list[Ref]:
        """Return the menus that are open, as far as the focus tells: it goes to the menu, then to its items."""
        self.changed()
        if self._focus is None or self._focus.bus not in {ref.bus for ref in roots}:
            return []
        menus: list[Ref] = []
        for ref in self._trail(asker, self._focus):
            (role,) = asker.ask([Call(*ref, ACCESSIBLE, "GetRole")])
            if role_name(value_of(role, "u") or 0) not in MENU_ROLES:
                break
            menus.append(ref)
        return menus

    def focused(self, *, timeout_sec: float = 0.5) -> Node | None:
        """Return the element that has the keyboard focus, or None when it is unknown."""
        self.changed()
        told = [self._focus, self._descendants.get(self._focus.bus)] if self._focus else []
        with self._asker(timeout_sec) as asker:
            for ref in filter(None, told):
                trail = self._trail(asker, ref)
                node = self._lone_node(asker, trail, self._shift(asker, trail))
                if node and _holds_focus(node):
                    return node
        tree = self.read(timeout_sec=timeout_sec)
        # Several applications may claim the focus; the window that was activated last has it.
        claims = [node for node in tree.nodes if "focused" in node.states and node.app == self._names.get(self._active)]
        return max(claims, key=lambda node: node.depth, default=None) or tree.focused()

    def _lone_node(self, asker: Asker, trail: Sequence[Ref], shift: Shift) -> Node | None:
        """Ask about the first of these objects, a node followed by its ancestors."""
        root = Ref(trail[0].bus, ROOT_PATH)
        (name,) = asker.ask([get(root, ACCESSIBLE, "Name")])
        self._names[root.bus] = variant_of(name, "s") or self._names.get(root.bus, "")
        items = ask_items(asker, [(ref, NOWHERE, -1) for ref in trail])
        if not items or items[0].ref != trail[0]:
            return None
        item = items[0]
        titles = [above.name for above in items if above.role in TITLED_ROLES and above.name]
        web = any(above.role in WEB_ROLES for above in items)
        depth = len([above for above in items if above.role != "application"])
        entry = Placed(item, None, depth, self._names[root.bus], titles[0] if titles else "", web)
        details = ask_details(asker, [entry], self._screen, self._memory)[0].get(item.ref, Details())
        if details.box:
            details = replace(details, box=shift.apply(details.box))
        return make_node(entry, 0, details)

    def _shift(self, asker: Asker, trail: Sequence[Ref]) -> Shift:
        """Return how far off the places are that these objects, a node and its ancestors, are told to be at."""
        roles = asker.ask([Call(*ref, ACCESSIBLE, "GetRole") for ref in trail])
        panes = [
            ref for ref, role in zip(trail, roles, strict=True) if role_name(value_of(role, "u") or 0) == PANE_ROLE
        ]
        return ask_shift(asker, panes[0]) if panes else NO_SHIFT

    def _trail(self, asker: Asker, ref: Ref) -> list[Ref]:
        """Return an object and its ancestors up to the application, as far as they are told."""
        trail = [ref]
        while len(trail) < MAX_LEVELS:
            (reply,) = asker.ask([get(trail[-1], ACCESSIBLE, "Parent")])
            parent = Ref(*(variant_of(reply, "(so)") or NOWHERE))
            if parent.bus != ref.bus or parent.path in (ROOT_PATH, NULL_PATH) or parent in trail:
                break
            trail.append(parent)
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
            self._follow(signal)
        return bool(signals)

    def _follow(self, signal: Signal) -> None:
        match signal.member, signal.body:
            case "StateChanged", ("focused", 1, *_):
                self._focus = Ref(signal.sender, signal.path)
            case "Activate", _:
                self._active = signal.sender
            # A table keeps the focus while its cells take turns.
            case "ActiveDescendantChanged", (_, _, _, Variant(value=(str(bus), str(path))), *_) if bus == signal.sender:
                self._focus = self._descendants[bus] = Ref(bus, path)

    def fileno(self) -> int:
        """Return a descriptor that turns readable when something is announced."""
        return self._bus.fileno()

    def close(self) -> None:
        """Close the connection; closing twice has no effect."""
        self._bus.close()


def _holds_focus(node: Node) -> bool:
    """Tell whether a node has the focus itself, rather than for something inside it."""
    if node.role in MENU_ROLES:
        return bool(node.states & {"focused", "selected"})
    return "focused" in node.states and node.role not in HOLDERS


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
