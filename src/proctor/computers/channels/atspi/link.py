"""The connection to a desktop's AT-SPI bus and what is known of the applications on it."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol
from urllib.parse import unquote

from dbus_fast import Variant

from proctor.computers.channels.atspi.ask import ACCESSIBLE, PREFIX, PROPERTIES, Asker, batches, get, get_children
from proctor.computers.channels.atspi.nodes import ROOT_PATH, Ref, is_unique_name, own_ref
from proctor.computers.channels.atspi.shift import Corners
from proctor.computers.channels.dbus.client import BUS, BUS_PATH, DBus, MethodCall, Reply, value_of, variant_of
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.bounds import MAX_LABEL, cut
from proctor.observations.box import Box

REGISTRY = f"{PREFIX}.Registry"
MAX_APPLICATIONS = 100
MAX_TOOLKIT = 100
"""Characters of a toolkit's name and version."""
DIAL_SEC = 0.5


class WindowLike(Protocol):
    """What is of use here of a window that the window manager lists."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def pid(self) -> int:
        """Its process inside the computer; 0 when it does not say."""

    @property
    def box(self) -> Box:
        """Where it is."""


class AtspiLink:
    """A connected AT-SPI bus."""

    def __init__(
        self,
        session: DBus,
        connect: Callable[[str], socket.socket],
        connect_bus: Callable[[str], socket.socket],
        *,
        uid: int,
        size: tuple[int, int],
        timeout_sec: float,
    ) -> None:
        status = ("org.a11y.Status", "IsEnabled", Variant("b", True))
        session.call(
            MethodCall("org.a11y.Bus", "/org/a11y/bus", PROPERTIES, "Set", "ssv", status), timeout_sec=timeout_sec
        )
        where = MethodCall("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        self._address = value_of(session.call(where, timeout_sec=timeout_sec), "s") or ""
        self._timeout_sec = timeout_sec
        self._connect, self._connect_bus = connect, connect_bus
        self._uid = uid
        self.bus = self._call()
        self.too_many = 0
        """How many applications were left out the last time."""
        self.screen = Box(0, 0, *size)
        self.silent: set[str] = set()
        """Bus names of the applications that did not answer the last time."""
        self._names: dict[str, str] = {}
        self._pids: dict[str, int] = {}
        self._toolkits: dict[str, str] = {}
        self._windows: dict[int, dict[str, Box]] = {}

    def asker(self, timeout_sec: float) -> Asker:
        """Return an asker with this much time, of which one wave may take half."""
        deadline = time.monotonic() + timeout_sec
        return Asker(self.bus, deadline=deadline, patience_sec=timeout_sec / 2, doubtful=self.silent, dial=self._dial)

    def _call(self) -> DBus:
        sock = _reach(self._connect_bus, self._address)
        return DBus(sock, uid=self._uid, timeout_sec=self._timeout_sec, name="the accessibility bus")

    def renew(self) -> None:
        """Connect again, so that what was never answered counts no more; what is known stays."""
        self.bus.close()
        self.bus = self._call()

    def _dial(self, address: str) -> DBus:
        sock = _reach(self._connect, address)
        return DBus(sock, uid=self._uid, timeout_sec=DIAL_SEC, name="an application", peer=True)

    def roots(self, asker: Asker) -> list[Ref] | None:
        """Return the applications in the order of their registration; None when there is no registry."""
        (reply,) = asker.ask([get_children(Ref(REGISTRY, ROOT_PATH))])
        pairs = value_of(reply, "a(so)")
        if pairs is None:
            return None
        found = dict.fromkeys(ref for pair in pairs if is_unique_name(pair[0]) and (ref := own_ref(pair, pair[0])))
        roots = list(found)[:MAX_APPLICATIONS]
        self.too_many = len(found) - len(roots)
        present = {ref.bus for ref in roots}
        for known in (self._names, self._pids, self._toolkits):
            for bus in known.keys() - present:
                del known[bus]
        return roots

    def name(self, bus: str, reply: Reply | None = None) -> str:
        """Return an application's name, which a reply may tell again."""
        if reply is not None:
            self._names[bus] = cut(variant_of(reply, "s") or self._names.get(bus, ""), MAX_LABEL)
        return self._names.get(bus, "")

    def ask_name(self, asker: Asker, bus: str) -> str:
        """Ask for an application's name."""
        return self.name(bus, asker.ask([get(Ref(bus, ROOT_PATH), ACCESSIBLE, "Name")])[0])

    def processes(self, asker: Asker, roots: Sequence[Ref]) -> dict[str, int]:
        """Return the process of each application, by bus name."""
        new = [ref.bus for ref in roots if ref.bus not in self._pids]
        calls = [MethodCall(BUS, BUS_PATH, BUS, "GetConnectionUnixProcessID", "s", (bus,)) for bus in new]
        for bus, reply in zip(new, asker.ask(calls), strict=True):
            if pid := value_of(reply, "u"):
                self._pids[bus] = pid
        return {ref.bus: self._pids.get(ref.bus, 0) for ref in roots}

    def of_process(self, asker: Asker, roots: Sequence[Ref], pid: int) -> list[Ref]:
        """Return those of the applications that run in a process; all where it is not known, as 0."""
        pids = self.processes(asker, roots) if pid else {}
        return [ref for ref in roots if not pid or pids[ref.bus] == pid]

    def see_windows(self, windows: Iterable[WindowLike], *, only: bool) -> None:
        """Note where windows are; `only` says that there are no others."""
        if only:
            self._windows = {}
        for window in windows:
            self._windows.setdefault(window.pid, {})[window.title] = window.box

    def titles(self, bus: str) -> list[str]:
        """Return the titles of an application's windows, as far as they were seen."""
        return list(self._windows.get(self._pids.get(bus, 0), {}))

    def corners(self, asker: Asker, roots: Sequence[Ref]) -> Corners:
        """Return the windows of those applications that count places from a window's corner."""
        new = [ref for ref in roots if ref.bus not in self._toolkits]
        calls = [get(ref, f"{PREFIX}.Application", name) for ref in new for name in ("ToolkitName", "Version")]
        for ref, (toolkit, version) in zip(new, batches(asker.ask(calls), 2), strict=True):
            if ref.bus not in asker.silent:
                self._toolkits[ref.bus] = f"{variant_of(toolkit, 's')} {variant_of(version, 's')}"[:MAX_TOOLKIT]
        pids, modest = self.processes(asker, roots), self.modest()
        return Corners(
            {ref.bus: tuple(self._windows.get(pids[ref.bus], {}).items()) for ref in roots if ref.bus in modest}
        )

    def modest(self) -> set[str]:
        """Return the applications known to be of GTK 4, which call visible what others call showing."""
        return {bus for bus, toolkit in self._toolkits.items() if toolkit.startswith("GTK 4")}


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


def _reach(connect: Callable[[str], socket.socket], address: str) -> socket.socket:
    try:
        return connect(socket_path(address))
    except (OSError, ValueError) as error:  # a path may be anything
        raise ComputerLost(f"the accessibility bus cannot be reached at {address[:100]!r}: {error}") from error
