"""What applications announce over AT-SPI: that their trees changed, and where the focus went."""

from __future__ import annotations

from collections.abc import Container

from dbus_fast import Variant

from proctor.computers.channels.atspi.ask import PREFIX
from proctor.computers.channels.atspi.link import REGISTRY
from proctor.computers.channels.atspi.nodes import Ref
from proctor.computers.channels.dbus.client import BUS, BUS_PATH, DBus, DBusError, MethodCall, Signal

EVENTS = {
    "object:children-changed": ("Object", "ChildrenChanged", ""),
    "object:state-changed:focused": ("Object", "StateChanged", "focused"),
    "object:state-changed:showing": ("Object", "StateChanged", "showing"),
    "object:active-descendant-changed": ("Object", "ActiveDescendantChanged", ""),
    "window:activate": ("Window", "Activate", ""),
}
"""What applications are asked to announce: few things, since each costs them time. They answer `Cache.GetItems` only
once somebody listens."""
MAX_DESCENDANTS = 200
MAX_FOCUSED = 200
"""How many applications are remembered."""


class Announcements:
    """Listens to the announcements of all applications and remembers where the focus went."""

    def __init__(self, bus: DBus) -> None:
        self._focus: dict[str, Ref] = {}
        """By application, what it last said to have the focus; who said so last stands last."""
        self.descendants: dict[str, Ref] = {}
        """By application, the cell or row that was last said to be the current one."""
        self.active = ""
        """Bus name of the application whose window was activated last."""
        self.follow(bus)

    def follow(self, bus: DBus) -> None:
        """Listen on a connection from now on."""
        self._bus = bus
        calls = []
        for event, (kind, member, detail) in EVENTS.items():
            path = f"/{PREFIX.replace('.', '/')}/registry"
            calls.append(MethodCall(REGISTRY, path, REGISTRY, "RegisterEvent", "s", (event,)))
            rule = f"type='signal',interface='{PREFIX}.Event.{kind}',member='{member}'"
            rule = f"{rule},arg0='{detail}'" if detail else rule
            calls.append(MethodCall(BUS, BUS_PATH, BUS, "AddMatch", "s", (rule,)))
        for reply in bus.call_many(calls):
            if isinstance(reply, DBusError):
                raise reply

    def focus_of(self, buses: Container[str] | None = None) -> Ref | None:
        """Return what was last said to have the focus, by one of these applications; by any without them."""
        return next((ref for bus, ref in reversed(self._focus.items()) if buses is None or bus in buses), None)

    def _has_focus(self, ref: Ref) -> None:
        self._focus.pop(ref.bus, None)
        if len(self._focus) >= MAX_FOCUSED:
            del self._focus[next(iter(self._focus))]
        self._focus[ref.bus] = ref

    def any_new(self) -> bool:
        """Tell, without waiting, whether anything was announced since the last time this was asked."""
        signals = [signal for signal in self._bus.drain_signals() if signal.interface.startswith(PREFIX)]
        for signal in signals:
            self._follow(signal)
        return bool(signals)

    def _follow(self, signal: Signal) -> None:
        match signal.member, signal.body:
            case "StateChanged", ("focused", 1, *_):
                self._has_focus(Ref(signal.sender, signal.path))
            case "Activate", _:
                self.active = signal.sender
            # A table keeps the focus while its cells take turns.
            case "ActiveDescendantChanged", (_, _, _, Variant(value=(str(bus), str(path))), *_) if bus == signal.sender:
                self._has_focus(Ref(bus, path))
                if len(self.descendants) >= MAX_DESCENDANTS:
                    self.descendants.clear()
                self.descendants[bus] = Ref(bus, path)
