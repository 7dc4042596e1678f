"""Unix sockets of a guest, led here over virtio ports by a small relay that its agent starts."""

from __future__ import annotations

import contextlib
import errno
import secrets
import socket
from collections.abc import Callable
from importlib import resources

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.guest_agent.commands import AgentCommands
from proctor.errors import ComputerError

START_SEC = 60.0
"""How long a relay may take to start; an emulated processor starts Python in seconds."""
LONGEST_WORD = 500

_START = 'exec setsid python3 -I -S -c "$1" "$2" "$3" "$4" "$5" < /dev/null > /dev/null 2>&1 &'


class GuestSockets:
    """Scripts and Unix sockets of a guest with an agent."""

    name = "the guest"

    def __init__(self, commands: AgentCommands, ports: Callable[[], dict[str, str]]) -> None:
        """Describe it; `ports` returns where the running machine's end, by their names inside."""
        self._commands = commands
        self._ports = ports
        self._used: dict[str, socket.socket] = {}

    def shell(self, script: str, *, timeout_sec: float, most: int) -> CommandOutput:
        """Run a script as the guest's user."""
        return self._commands.shell(script, timeout_sec=timeout_sec, most=most)

    def dial(self, path: str) -> socket.socket:
        """Connect to a Unix socket of the guest as its user; raises OSError."""
        if not path.isprintable() and not path[1:].isprintable():
            raise OSError(errno.EINVAL, "this is not the path of a socket", path)
        # A socket that was closed has no descriptor any more.
        free = {port: at for port, at in self._ports().items() if not self._is_used(at)}
        if not free:
            raise OSError(errno.EMFILE, "all connections to the guest are in use", path)
        port, at = next(iter(free.items()))
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.settimeout(START_SEC)
            sock.connect(at)
            self._start(port, path, sign := f"proctor-{secrets.token_hex(8)}")
            _await(sock, sign, path)
        except BaseException:
            sock.close()
            raise
        self._used[at] = sock
        return sock

    def _is_used(self, at: str) -> bool:
        return at in self._used and self._used[at].fileno() >= 0

    def _start(self, port: str, path: str, sign: str) -> None:
        code = resources.files("proctor.computers.channels.guest_agent").joinpath("relay.py").read_text("utf-8")
        # An abstract socket's name begins with a sign that no argument can hold.
        where = f"@{path[1:]}" if path.startswith("\0") else path
        argv = ["sh", "-c", _START, "sh", code, port, where, self._commands.user, sign]
        try:
            self._commands.run(argv, user="", timeout_sec=START_SEC)
        except ComputerError as error:
            raise OSError(errno.ECONNREFUSED, error.message, path) from error

    def close(self) -> None:
        """Let go of every line."""
        for sock in self._used.values():
            with contextlib.suppress(OSError):
                sock.close()
        self._used.clear()


def _await(sock: socket.socket, sign: str, path: str) -> None:
    """Read what a relay says of itself; whatever an older one had left unsaid comes before its sign."""
    said = b""
    while not (said.endswith(b"\n") and sign.encode() in said):
        try:
            byte = sock.recv(1)
        except TimeoutError as error:
            raise OSError(errno.ETIMEDOUT, "no relay started in the guest: does it have python3?", path) from error
        if not byte:
            raise OSError(errno.ECONNRESET, "the connection to the guest was closed", path)
        said = (said + byte)[-LONGEST_WORD:]
    words = said.decode(errors="replace").rpartition(sign)[2].strip()
    if words != "ok":
        raise OSError(errno.ECONNREFUSED, words, path)
