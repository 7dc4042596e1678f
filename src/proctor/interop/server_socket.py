"""Sockets on which servers for other people's clients listen."""

from __future__ import annotations

import socket

from proctor.errors import HostError


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, and whose connections notice when the other machine is gone."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # The protocol is named because only then small answers are sent at once, rather than after 40 ms.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise HostError(f"cannot listen on {host!r}: {error}", remedy="choose another address with --host") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # The kernel answers for a client that is busy, and for none that is gone.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6)):
            if hasattr(socket, option):
                listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise HostError(
            f"cannot listen on {host}:{port}: {error.strerror or error}",
            remedy="choose another --port, or 0 for any, or another --host",
        ) from error
    return listener


def http_address(listener: socket.socket) -> str:
    """Return where a server is found."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
