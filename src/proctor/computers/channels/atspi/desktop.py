"""The accessibility tree of a Linux desktop on another machine, whose AT-SPI bus is led here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from proctor.computers.channels.atspi.buses import Shelled, find_bus
from proctor.computers.channels.atspi.client import AtSpi
from proctor.computers.channels.atspi.link import socket_path
from proctor.computers.channels.dbus.client import DBus
from proctor.computers.incidents import Incidents
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.tree import Node, Tree

READ_SEC = 8.0
FIND_SEC = 2.0
"""How long an element is looked for; each question crosses the network."""
CALL_SEC = 10.0
AGAIN_SEC = 2.0
"""Not more often than that, buses that were lost are called again."""

Found = TypeVar("Found")


class DesktopTree:
    """Elements of the desktop, as its applications tell them; buses that are lost are called again.

    Where nobody answers any more, the tree is empty and says why, and no element is found.
    """

    def __init__(
        self, machine: Shelled, size: Callable[[], tuple[int, int]], incidents: Incidents, *, display: str, guess: str
    ) -> None:
        """Describe it; `open` calls. `guess` is the display it may be where none is named."""
        self._machine, self._size, self._incidents = machine, size, incidents
        self._display, self._guess = display, guess
        self._atspi: AtSpi | None = None
        self._trouble = ""
        self._called = 0.0
        self.found = ""
        """The display whose desktop was found."""

    def open(self) -> None:
        """Find the buses and connect; raises ComputerError where there are none."""
        self.close()
        bus = find_bus(self._machine, self._display, self._guess)
        try:
            sock = self._machine.dial(socket_path(bus.address))
        except OSError as error:
            raise ComputerLost(f"the session bus cannot be reached at {bus.address[:100]!r}: {error}") from error
        session = DBus(sock, uid=bus.uid, timeout_sec=CALL_SEC, name="the session bus")
        try:
            self._atspi = AtSpi(session, self._machine.dial, uid=bus.uid, size=self._size(), timeout_sec=CALL_SEC)
        except ComputerError as error:
            raise ComputerError(
                f"the desktop has no accessibility: {error.message}",
                remedy="install at-spi2-core there and log in again, or leave tree out",
            ) from error
        finally:
            session.close()
        self._trouble, self.found = "", bus.display

    def close(self) -> None:
        if self._atspi is not None:
            self._atspi.close()
            self._atspi = None

    def tree(self) -> Tree:
        read = self._ask(lambda atspi: atspi.read(timeout_sec=READ_SEC))
        return read if read is not None else Tree((), (self._trouble,))

    def element_at(self, x: float, y: float) -> Node | None:
        return self._ask(lambda atspi: atspi.element_at(x, y, timeout_sec=FIND_SEC))

    def focused(self) -> Node | None:
        return self._ask(lambda atspi: atspi.focused(timeout_sec=FIND_SEC))

    def _ask(self, question: Callable[[AtSpi], Found]) -> Found | None:
        for _ in range(2):
            if self._atspi is None and not self._again():
                return None
            assert self._atspi is not None
            try:
                return question(self._atspi)
            except ComputerError as error:
                self._lose(error)
        return None

    def _lose(self, error: ComputerError) -> None:
        self.close()
        self._trouble = error.message
        self._incidents.note("accessibility bus", error.message)

    def _again(self) -> bool:
        now = time.monotonic()
        if now < self._called + AGAIN_SEC:
            return False
        self._called = now
        try:
            self.open()
        except ComputerError as error:
            self._trouble = error.message
            return False
        self._incidents.note("accessibility bus", "it was connected again")
        return True
