"""Questions to applications over AT-SPI, in waves."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Self

from proctor.computers.channels.atspi.nodes import ROOT_PATH, Ref, own_ref
from proctor.computers.channels.dbus.client import NO_REPLY, DBus, DBusError, MethodCall, Reply, value_of
from proctor.errors import ComputerError, ComputerLost

PREFIX = "org.a11y.atspi"
ACCESSIBLE = f"{PREFIX}.Accessible"
COMPONENT = f"{PREFIX}.Component"
PROPERTIES = "org.freedesktop.DBus.Properties"
SCREEN = 0
"""AT-SPI's coordinates counted from the corner of the screen."""

MAX_LINES = 8
MANY_CALLS = 25
"""From this many questions on, a connection of its own to the application is worth making."""
TOO_MUCH = "org.freedesktop.DBus.Error.LimitsExceeded"
SILENCE = DBusError(NO_REPLY, "the application stopped answering")
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
        """Make an asker that stops at `deadline` on the monotonic clock, and a wave after its patience.

        The `doubtful` were silent the last time and must answer a probe first. `dial` connects to an application's own
        socket by its D-Bus address; without it all goes over the bus.
        """
        self.silent: set[str] = set()
        self.out_of_time = False
        self.refused = False
        """Whether the bus itself has refused to pass calls on."""
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

    def ask(self, calls: Sequence[MethodCall]) -> list[Reply]:
        """Return replies in the order of calls; those of the silent and those too late are errors."""
        if calls and time.monotonic() >= self._deadline:
            self.out_of_time = True
            return [SILENCE] * len(calls)
        groups: dict[str, list[MethodCall]] = {}
        for call in calls:
            groups.setdefault(call.destination, []).append(call)
        for name, group in groups.items():
            if len(group) >= MANY_CALLS:
                self.dial(name)
        lines = {name: self._lines.get(name) for name in groups}
        deadline = min(self._deadline, time.monotonic() + self._patience_sec)
        sent = {name: self._send(name, lines[name], group) for name, group in groups.items()}
        replies = {name: iter(self._gather(lines[name], serials, deadline)) for name, serials in sent.items()}
        result = [next(replies[call.destination], SILENCE) for call in calls]
        unanswered = {
            call.destination
            for call, reply in zip(calls, result, strict=True)
            if isinstance(reply, DBusError) and reply.silent
        }
        self.refused = self.refused or any(isinstance(reply, DBusError) and reply.name == TOO_MUCH for reply in result)
        if time.monotonic() >= self._deadline:
            self.out_of_time = self.out_of_time or bool(unanswered - self.silent)
        else:
            self.silent |= unanswered
        return result

    def dial(self, name: str) -> None:
        """Connect to an application itself, if it offers that: no bus then stands between."""
        if name in self._lines or not self._dial or name in self.silent or len(self._lines) >= MAX_LINES:
            return
        self._lines[name] = None
        (reply,) = self.ask([MethodCall(name, ROOT_PATH, f"{PREFIX}.Application", "GetApplicationBusAddress")])
        if address := value_of(reply, "s"):
            with suppress(ComputerError, OSError):  # the bus reaches it as well
                self._lines[name] = self._dial(address)

    def _send(self, name: str, line: DBus | None, calls: Sequence[MethodCall]) -> list[int]:
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


def get(ref: Ref, interface: str, name: str) -> MethodCall:
    """Return the call that gets one property."""
    return MethodCall(ref.bus, ref.path, PROPERTIES, "Get", "ss", (interface, name))


def get_children(ref: Ref) -> MethodCall:
    """Return the call that lists the children of a node."""
    return MethodCall(ref.bus, ref.path, ACCESSIBLE, "GetChildren")


def get_extents(ref: Ref) -> MethodCall:
    """Return the call that asks where a node is."""
    return MethodCall(ref.bus, ref.path, COMPONENT, "GetExtents", "u", (SCREEN,))


def get_text(ref: Ref, end: int = -1) -> MethodCall:
    """Return the call that asks for a node's text, by default all of it."""
    return MethodCall(ref.bus, ref.path, f"{PREFIX}.Text", "GetText", "ii", (0, end))


def refs_of(reply: Reply, bus: str) -> list[Ref]:
    """Return the references in a reply that belong to the application that gave it."""
    return [ref for pair in value_of(reply, "a(so)") or () if (ref := own_ref(pair, bus))]


def batches(replies: Sequence[Reply], width: int) -> Iterator[Sequence[Reply]]:
    """Cut replies into groups of one width."""
    return (replies[start : start + width] for start in range(0, len(replies), width))
