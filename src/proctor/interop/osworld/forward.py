"""Loopback ports of this machine that lead to a computer's, such as that of a browser's debugger."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial

from proctor.computers.channels.socket_relay import SocketRelay
from proctor.interop.server_socket import listen

MOST_AT_ONCE = 64
"""Connections to one port."""


class PortForward(SocketRelay):
    """Hands on what comes and goes between clients here and a port of the computer."""

    def __init__(self, host: str, port: int, dial: Callable[[int], socket.socket]) -> None:
        """Listen; raises HostError where the port is taken. `dial` connects with a port of the computer."""
        listener = listen(host, port)
        self.port: int = listener.getsockname()[1]
        name = f"proctor-forward-{port}"
        super().__init__(listener, partial(dial, port), most=MOST_AT_ONCE, half_open=True, name=name)
