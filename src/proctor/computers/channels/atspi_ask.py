"""Questions to applications over AT-SPI, in waves: every call of a wave is sent before the first answer is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Self

from proctor.computers.channels.atspi_nodes import (
    MAX_NODES,
    NULL_PATH,
    ROOT_PATH,
    Application,
    Item,
    Ref,
    incomplete,
    make_item,
)
from proctor.computers.channels.dbus import NO_REPLY, Call, DBus, DBusError, Reply, value_of, variant_of
from proctor.errors import ComputerError, ComputerLost

PREFIX = "org.a11y.atspi"
ACCESSIBLE = f"{PREFIX}.Accessible"
COMPONENT = f"{PREFIX}.Component"
PROPERTIES = "org.freedesktop.DBus.Properties"
SCREEN = 0
"""AT-SPI's coordinates counted from the corner of the screen."""

MAX_CHILDREN = 2_000
"""How many children of one node are asked for one by one."""
MANY_CALLS = 200
"""From this many questions on, a connection of its own to the application is worth making."""
SILENCE = DBusError(NO_REPLY, "the application fell silent")
PROBE_SEC = 0.2
"""How long an application that was silent the last time gets to show that it is back."""


class Asker:
    """Asks waves of questions and stops asking an application that fell silent, so that it delays a read only once."""

    def __init__(
        self,
        bus: DBus,
        *,
        deadline: float,
        patience_sec: float,
        doubtful: Collection[str] = (),
        dial: Callable[[str], DBus] | None = None,
    ) -> None:
        """Make an asker.

        Args:
            bus: the AT-SPI bus.
            deadline: when to stop altogether, on the monotonic clock.
            patience_sec: how long one wave may take.
            doubtful: bus names of applications that were silent the last time; they must answer a probe first.
            dial: connects to an application's own socket, given its D-Bus address; without it all goes over the bus.
        """
        self.silent: set[str] = set()
        self.out_of_time = False
        self._bus = bus
        self._deadline = deadline
        self._dial = dial
        self._lines: dict[str, DBus | None] = {}
        self._patience_sec = min(PROBE_SEC, patience_sec)
        self.ask([get(Ref(name, ROOT_PATH), ACCESSIBLE, "Name") for name in sorted(doubtful)])
        self._patience_sec = patience_sec

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for line in self._lines.values():
            if line:
                line.close()

    def ask(self, calls: Sequence[Call]) -> list[Reply]:
        """Return the replies in the order of the calls; a silent application's are errors."""
        groups: dict[str, list[Call]] = {}
        for call in calls:
            groups.setdefault(call.destination, []).append(call)
        lines = {name: self._line(name, len(group)) for name, group in groups.items()}
        deadline = min(self._deadline, time.monotonic() + self._patience_sec)
        sent = {name: self._send(name, lines[name], group) for name, group in groups.items()}
        replies = {name: iter(self._gather(lines[name], serials, deadline)) for name, serials in sent.items()}
        result = [next(replies[call.destination], SILENCE) for call in calls]
        unanswered = {
            call.destination
            for call, reply in zip(calls, result, strict=True)
            if isinstance(reply, DBusError) and reply.silent
        }
        if time.monotonic() >= self._deadline:
            self.out_of_time = self.out_of_time or bool(unanswered - self.silent)
        else:
            self.silent |= unanswered
        return result

    def _line(self, name: str, calls: int) -> DBus | None:
        """Return an application's own socket when there is much to ask and it offers one; None is the bus."""
        if name not in self._lines and calls >= MANY_CALLS and self._dial and name not in self.silent:
            self._lines[name] = None
            (reply,) = self.ask([Call(name, ROOT_PATH, f"{PREFIX}.Application", "GetApplicationBusAddress")])
            if address := value_of(reply, "s"):
                with suppress(ComputerError, OSError):  # the bus reaches it as well
                    self._lines[name] = self._dial(address)
        return self._lines.get(name)

    def _send(self, name: str, line: DBus | None, calls: Sequence[Call]) -> list[int]:
        if name in self.silent:
            return []
        if line is None:
            return self._bus.send(calls)
        with suppress(ComputerLost):
            return line.send(calls)
        return []

    def _gather(self, line: DBus | None, serials: Sequence[int], deadline: float) -> list[Reply]:
        if line is None:
            answers = self._bus.gather(serials, deadline)
            return [answers[serial] for serial in serials]
        with suppress(ComputerLost):  # one application is gone, not the computer
            answers = line.gather(serials, deadline)
            return [answers[serial] for serial in serials]
        return []


def get(ref: Ref, interface: str, name: str) -> Call:
    """Return the call that gets one property."""
    return Call(ref.bus, ref.path, PROPERTIES, "Get", "ss", (interface, name))


def get_children(ref: Ref) -> Call:
    """Return the call that lists the children of a node."""
    return Call(ref.bus, ref.path, ACCESSIBLE, "GetChildren")


def get_extents(ref: Ref) -> Call:
    """Return the call that asks where a node is."""
    return Call(ref.bus, ref.path, COMPONENT, "GetExtents", "u", (SCREEN,))


def refs_of(reply: Reply, bus: str) -> list[Ref]:
    """Return the references in a reply that belong to the application that gave it."""
    return [Ref(owner, path) for owner, path in value_of(reply, "a(so)") or () if owner == bus and path != NULL_PATH]


def item_calls(ref: Ref) -> tuple[Call, ...]:
    """Return the calls whose replies `item_from` makes an item of."""
    return (
        Call(ref.bus, ref.path, ACCESSIBLE, "GetInterfaces"),
        Call(ref.bus, ref.path, ACCESSIBLE, "GetRole"),
        Call(ref.bus, ref.path, ACCESSIBLE, "GetState"),
        get(ref, ACCESSIBLE, "Name"),
        get(ref, ACCESSIBLE, "Description"),
        get(ref, ACCESSIBLE, "ChildCount"),
    )


def item_from(replies: Sequence[Reply], ref: Ref, parent: Ref, place: int = -1) -> Item:
    """Make an item of the replies to `item_calls`; what was not answered is left at its default."""
    interfaces, role, states, name, description, count = replies
    child_count = variant_of(count, "i")
    return make_item(
        ref,
        parent,
        place,
        -1 if child_count is None else child_count,
        value_of(interfaces, "as") or (),
        variant_of(name, "s") or "",
        value_of(role, "u") or 0,
        variant_of(description, "s") or "",
        value_of(states, "au") or (),
    )


def ask_items(asker: Asker, wanted: Sequence[tuple[Ref, Ref, int]]) -> list[Item]:
    """Ask everything about objects given as reference, parent and place; those that do not exist are left out."""
    calls = [item_calls(ref) for ref, _, _ in wanted]
    replies = asker.ask([call for group in calls for call in group])
    width = len(calls[0]) if calls else 1
    groups = batched(replies, width)
    return [
        item_from(group, *place)
        for place, group in zip(wanted, groups, strict=True)
        if value_of(group[2], "au") is not None
    ]


def batched(replies: Sequence[Reply], width: int) -> Iterator[Sequence[Reply]]:
    """Cut replies into groups of one width."""
    return (replies[start : start + width] for start in range(0, len(replies), width))


def complete(asker: Asker, applications: Iterable[Application]) -> list[str]:
    """Walk breadth first to what the applications left out of their bulk answers; return why anything is missing.

    Only nodes that are drawn are entered: what is hidden costs as much to ask and cannot be seen or clicked.
    """
    owners = {application.ref.bus: application for application in applications}
    degraded: list[str] = []
    wanted = [
        (window, application.ref, place)
        for application in owners.values()
        for place, window in enumerate(application.windows)
        if window not in application.items
    ]
    partial = [item for application in owners.values() for item in incomplete(application.items)]
    asked: set[Ref] = set()
    budget = MAX_NODES
    while wanted or partial:
        budget -= len(wanted)
        if budget < 0:
            degraded.append("the walk ended early: too many nodes")
            break
        new = ask_items(asker, wanted)
        for item in new:
            owners[item.ref.bus].items[item.ref] = item
        partial += [item for item in new if item.showing and item.child_count and not item.virtual_children]
        entered = [item for item in partial if item.ref not in asked and item.child_count <= MAX_CHILDREN]
        degraded += [
            f"{item.role} {item.name!r} has {item.child_count} children"
            for item in partial
            if item.child_count > MAX_CHILDREN
        ]
        asked.update(item.ref for item in entered)
        wanted = _adopt(asker, owners, entered)
        partial = []
    return degraded


def _adopt(asker: Asker, owners: dict[str, Application], entered: Sequence[Item]) -> list[tuple[Ref, Ref, int]]:
    """List the children of nodes; known orphans get their parent, the unknown ones are returned to be asked about."""
    unknown: dict[Ref, tuple[Ref, Ref, int]] = {}
    replies = asker.ask([get_children(item.ref) for item in entered])
    for item, reply in zip(entered, replies, strict=True):
        application = owners[item.ref.bus]
        items = application.items
        for place, ref in enumerate(refs_of(reply, item.ref.bus)[:MAX_CHILDREN]):
            child = items.get(ref)
            if child is None:
                unknown.setdefault(ref, (ref, item.ref, place))
            elif child.parent != application.ref and child.parent not in items:
                items[ref] = child._replace(parent=item.ref, place=place)
    return list(unknown.values())
