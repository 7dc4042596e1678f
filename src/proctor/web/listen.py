"""Opening the port of a server of pages."""

from __future__ import annotations

import socket

from proctor.errors import HostError


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; 0 is any free port. Raises HostError when it is not possible."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise HostError(f"cannot listen on {host} port {port}: {error}", remedy="choose another --port") from error


def host_text(host: str) -> str:
    """Return a host as it stands in an address."""
    return f"[{host}]" if ":" in host else host
