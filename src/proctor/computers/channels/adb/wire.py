"""A connection to an adb server: requests with their length in hexadecimal, answers within a time and a size."""

from __future__ import annotations

import contextlib
import errno
import re
import socket
import time
from dataclasses import dataclass
from typing import Self

from proctor.computers.channels.command_output import said
from proctor.errors import ComputerError, ComputerLost, SpecError

DEFAULT_PORT = 5037
MOST_REQUEST = 0xFFFF
"""Bytes of one request: its length has four hexadecimal digits."""
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where an adb server listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_server(text: str) -> ServerAddress:
    """Return the address of `host:port`, `[::1]:port`, `tcp:host:port` or `host`, or SpecError."""
    found = re.fullmatch(r"(?:tcp:)?(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::(\d{1,5}))?", str(text))
    port = int(found[3] or DEFAULT_PORT) if found else 0
    if not found or not 0 < port < 65536:
        raise SpecError(f"server={text!r} is not the address of an adb server", remedy="give host:port")
    return ServerAddress(found[1] or found[2], port)


class AdbRefused(Exception):
    """The server, or the device behind it, said no; the text is its own."""


class AdbWire:
    """One connection, for one conversation; it is never used again after an error."""

    def __init__(self, address: ServerAddress, *, timeout_sec: float) -> None:
        """Call the server; raises ComputerError when nobody listens there."""
        self.address = address
        self._ends = time.monotonic() + timeout_sec
        self._patience = timeout_sec
        try:
            self._socket = socket.create_connection((address.host, address.port), timeout=timeout_sec)
        except OSError as error:
            raise nobody_there(address, error) from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._kept = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up; whatever runs on the device for this conversation is let go."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def extend(self, timeout_sec: float) -> None:
        """Start the patience anew, for the next part of the conversation."""
        self._ends, self._patience = time.monotonic() + timeout_sec, timeout_sec

    # -- bytes ----------------------------------------------------------------------------------------------------

    def send(self, data: bytes | memoryview) -> None:
        """Send bytes; raises ComputerLost when nobody takes them any more."""
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(data)
        except TimeoutError as error:
            raise self.silent() from error
        except OSError as error:
            raise self.cut(error) from error

    def read(self, count: int) -> bytes:
        """Return exactly so many bytes; raises ComputerLost when they do not come."""
        while len(self._kept) < count:
            if not (data := self._receive(max(count - len(self._kept), 1))):
                raise self.cut(None)
            self._kept += data
        taken = bytes(self._kept[:count])
        del self._kept[:count]
        return taken

    def _receive(self, most: int) -> bytes:
        try:
            self._socket.settimeout(self._left())
            return self._socket.recv(min(max(most, 4096), CHUNK))
        except TimeoutError as error:
            raise self.silent() from error
        except OSError as error:
            raise self.cut(error) from error

    def _left(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    # -- requests -------------------------------------------------------------------------------------------------

    def request(self, service: str) -> None:
        """Ask for a service and return when it is granted; raises Refused with the reason when it is not."""
        data = service.encode("utf-8", "surrogateescape")
        if len(data) > MOST_REQUEST:
            raise SpecError(
                f"a command of {len(data)} bytes is longer than adb takes ({MOST_REQUEST})",
                remedy="write it into a file on the device first",
            )
        self.send(b"%04x" % len(data) + data)
        self.granted()

    def granted(self) -> None:
        """Wait for the answer to a request."""
        status = self.read(4)
        if status == b"FAIL":
            raise AdbRefused(said(self.text()))
        if status != b"OKAY":
            raise self.garbage(status)

    def text(self) -> bytes:
        """Return a text that stands behind its length in hexadecimal."""
        length = self.read(4)
        try:
            count = int(length, 16) if re.fullmatch(rb"[0-9A-Fa-f]{4}", length) else -1
        except ValueError:
            count = -1
        if count < 0:
            raise self.garbage(length)
        return self.read(count)

    # -- what goes wrong ------------------------------------------------------------------------------------------

    def silent(self) -> ComputerLost:
        """Return the error of a server or device that does not answer."""
        return ComputerLost(
            f"adb at {self.address} has not answered within {self._patience:g} s",
            remedy="check that the device is awake (`adb shell true`), or allow more time with timeout_sec=",
        )

    def cut(self, error: OSError | None) -> ComputerLost:
        """Return the error of a connection that ended in the middle of something."""
        why = f": {error.strerror or error}" if error else ""
        return ComputerLost(
            f"adb at {self.address} closed the connection in the middle of a command{why}",
            remedy="see with `adb devices` whether the device and the adb server are still there",
        )

    def garbage(self, data: bytes) -> ComputerError:
        """Return the error of something that does not speak adb."""
        return ComputerError(
            f"what answers at {self.address} does not speak adb's protocol: {said(data)!r}",
            remedy="name the address of an adb server, which is 127.0.0.1:5037 unless it was told otherwise",
        )


def nobody_there(address: ServerAddress, error: OSError) -> ComputerError:
    """Return the error of an address at which no adb server listens."""
    refused = error.errno == errno.ECONNREFUSED
    why = "nothing listens there" if refused else str(error.strerror or error)
    return ComputerError(
        f"no adb server at {address}: {why}",
        remedy="start one with `adb start-server` (as an administrator: apt-get install adb), or give server=host:port",
    )
