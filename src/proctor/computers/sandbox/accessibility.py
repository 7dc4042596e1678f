"""The accessibility of a desktop: connected while somebody may ask, let go of while much is typed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from proctor.computers.channels.atspi import AtSpi, WindowLike
from proctor.computers.channels.dbus import DBus
from proctor.computers.sandbox.machine import AGENT_UID, Machine
from proctor.computers.sandbox.session import BUS_SOCKET
from proctor.errors import ComputerLost
from proctor.observations.tree import Node, Tree


class Accessibility:
    """The tree of one desktop and single elements of it."""

    def __init__(self, machine: Machine, size: tuple[int, int]) -> None:
        self._machine, self._size = machine, size
        self._bus = DBus(machine.connect(BUS_SOCKET), uid=AGENT_UID)
        try:
            self._tree = self._connect()
        except BaseException:
            self._bus.close()
            raise

    def _connect(self) -> AtSpi:
        return AtSpi(self._bus, self._machine.connect, uid=AGENT_UID, size=self._size)

    def read(self, windows: Sequence[WindowLike]) -> Tree:
        """Return the tree; windows that no application answers for make it degraded."""
        return self._tree.read(windows=windows)

    def element_at(self, x: int, y: int, window: WindowLike | None) -> Node | None:
        """Return the element at a point of a window."""
        # Programs may end their own buses: the desktop can still be operated, only not tell what an action hits.
        with contextlib.suppress(ComputerLost):
            return self._tree.element_at(x, y, window=window)
        return None

    def focused(self) -> Node | None:
        """Return the element that receives keys."""
        with contextlib.suppress(ComputerLost):
            return self._tree.focused()
        return None

    @contextlib.contextmanager
    def unheard(self) -> Iterator[None]:
        """Let go meanwhile: applications report each key, and wait for an answer, as long as somebody is connected.

        That makes typing three times as slow; connecting again takes a few milliseconds.
        """
        self._tree.close()
        try:
            yield
        finally:
            with contextlib.suppress(ComputerLost):  # the next question finds out, and says so
                self._tree = self._connect()

    def close(self) -> None:
        """Close both connections."""
        self._tree.close()
        self._bus.close()
