"""Let a person watch a sandbox over VNC: on loopback with a password, or on a Unix socket; off unless asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from proctor.computers.channels.rfb.relay import Relay
from proctor.computers.sandbox_machine.machine import DISPLAY_UID, Machine
from proctor.computers.sandbox_machine.session import RFB_SOCKET


class Watch(Relay):
    """Carries viewers' connections to the sandbox's display until closed."""

    def __init__(self, machine: Machine, *, port: int = 0, path: str | Path | None = None) -> None:
        super().__init__(partial(machine.connect, RFB_SOCKET, uid=DISPLAY_UID), port=port, path=path)
