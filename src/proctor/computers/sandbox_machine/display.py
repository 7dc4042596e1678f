"""The sandbox's display as the harness holds it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from proctor.computers.channels.x11.client import X11
from proctor.computers.incidents import Incidents
from proctor.computers.sandbox_machine.machine import SandboxMachine
from proctor.computers.sandbox_machine.session import X_SOCKET

LOOK_SEC = 10.0
"""How long one look at the display may take, however many answers it needs; a display slower than that is lost."""

Seen = TypeVar("Seen")


def look(x: X11, operation: Callable[[X11], Seen], *, timeout_sec: float = LOOK_SEC) -> Seen:
    """Do something with the display within a time, again when its connection was cut meanwhile.

    Raises ComputerLost when the time is up.
    """
    with x.within(timeout_sec):
        return x.surviving(lambda: operation(x))


def keep_open(x: X11, machine: SandboxMachine, incidents: Incidents) -> None:
    """Have a connection opened again from now on whenever a program cuts it."""
    x.reopen_by(_dial(machine), partial(incidents.note, "display"))


def connect(machine: SandboxMachine, size: tuple[int, int], incidents: Incidents) -> X11:
    """Open another connection, for a thread of its own."""
    dial = _dial(machine)
    return X11(dial(), size=size, dial=dial, note=partial(incidents.note, "display"))


def _dial(machine: SandboxMachine) -> Callable[[], socket.socket]:
    return partial(machine.connect, X_SOCKET)
