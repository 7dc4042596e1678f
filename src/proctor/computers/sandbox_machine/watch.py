"""Let a person watch a sandbox over VNC: on loopback with a password, or on a Unix socket.

Off unless asked for.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from proctor.computers.channels.rfb.relay import ViewerRelay
from proctor.computers.sandbox_machine.machine import DISPLAY_UID, SandboxMachine
from proctor.computers.sandbox_machine.session import RFB_SOCKET


class SandboxWatch(ViewerRelay):
    """Carries viewers' connections to the sandbox's display until closed."""

    def __init__(self, machine: SandboxMachine, *, port: int = 0, path: str | Path | None = None) -> None:
        super().__init__(partial(machine.connect, RFB_SOCKET, uid=DISPLAY_UID), port=port, path=path)
