"""The accessibility of a desktop."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from proctor.computers.channels.atspi.client import AtSpi, WindowLike
from proctor.computers.channels.dbus.client import DBus
from proctor.computers.incidents import Incidents
from proctor.computers.sandbox_machine.machine import AGENT_UID, SandboxMachine
from proctor.computers.sandbox_machine.session import BUS_PROGRAM, BUS_SOCKET
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.tree import Node, Still, Tree

READ_SEC = 6.0
"""How long the tree is read at most."""
START_SEC = 5.0
AGAIN_SEC = 1.0
"""Patience with the buses when a desktop starts, and when they are called again; not more often than that, either."""
MAX_REOPENED = 10
"""How often the buses are called again: they belong to the user, whose programs may end or replace them."""

Found = TypeVar("Found")


class Accessibility:
    """The tree of one desktop and single elements of it.

    The buses run as the agent's user, so any program inside may end them. Then the tree is empty and says why, and no
    element is found; the screen can still be seen and touched.
    """

    def __init__(self, machine: SandboxMachine, size: tuple[int, int], incidents: Incidents) -> None:
        self._machine, self._size, self._incidents = machine, size, incidents
        self._trouble = ""
        self._called = time.monotonic()
        self._reopened = 0
        self._bus = self._call_session(START_SEC)
        try:
            self._tree = self._connect(START_SEC)
        except BaseException:
            self._bus.close()
            raise

    # -- looking --------------------------------------------------------------------------------------------------

    def read(self, windows: Sequence[WindowLike], *, timeout_sec: float = READ_SEC, still: Still | None = None) -> Tree:
        """Return the tree; windows that no application answers for make it degraded."""
        tree = self._ask(lambda tree: tree.read(windows=windows, timeout_sec=timeout_sec, still=still))
        return tree if tree is not None else Tree((), (self._trouble,))

    def element_at(self, x: int, y: int, window: WindowLike | None) -> Node | None:
        """Return the element at a point of a window."""
        return self._ask(lambda tree: tree.element_at(x, y, window=window))

    def focused(self, window: WindowLike) -> Node | None:
        """Return the element that receives the keys that go to a window."""
        return self._ask(lambda tree: tree.focused(window=window))

    def menu_item(self, key: str, window: WindowLike) -> Node | None:
        """Return the item that a letter chooses from the open menu of a window's program."""
        return self._ask(lambda tree: tree.menu_item(key, window=window))

    def _ask(self, question: Callable[[AtSpi], Found]) -> Found | None:
        """Return an answer, or None when there is nobody to ask any more."""
        for _ in range(2):
            if self._trouble and not self._reopen():
                return None
            try:
                return question(self._tree)
            except ComputerError as error:
                self._lose(error)
        return None

    # -- losing and calling again -----------------------------------------------------------------------------------

    def _lose(self, error: ComputerError) -> None:
        self._trouble = error.message
        self._incidents.note("accessibility bus", error.message)

    def _reopen(self) -> bool:
        """Call the buses again, if it is time to; tell whether they answered."""
        if self._reopened >= MAX_REOPENED or time.monotonic() < self._called + AGAIN_SEC * bool(self._reopened):
            return False
        self._reopened += 1
        self._called = time.monotonic()
        self._tree.close()
        try:
            self._tree = self._connect(AGAIN_SEC)
        except ComputerError:
            # The accessibility bus is found through the session bus, which may be the one that is gone.
            if not self._renew_session():
                return False
        self._trouble = ""
        self._incidents.note("accessibility bus", "it was connected again")
        return True

    def _renew_session(self) -> bool:
        self._bus.close()
        try:
            self._bus = self._call_session(AGAIN_SEC)
            self._tree = self._connect(AGAIN_SEC)
        except ComputerError as error:
            self._trouble = error.message
            self._incidents.note("session bus", error.message)
            return False
        return True

    def _call_session(self, timeout_sec: float) -> DBus:
        try:
            sock = self._machine.connect(BUS_SOCKET, program=BUS_PROGRAM)
        except OSError as error:
            raise ComputerLost(f"the session bus cannot be reached: {error.strerror}") from error
        return DBus(sock, uid=AGENT_UID, timeout_sec=timeout_sec, name="the session bus")

    def _connect(self, timeout_sec: float) -> AtSpi:
        # The bus says which process each application is, so it must be none that a program of the agent's plays.
        bus = partial(self._machine.connect, program=BUS_PROGRAM)
        size = self._size
        return AtSpi(self._bus, self._machine.connect, bus, uid=AGENT_UID, size=size, timeout_sec=timeout_sec)

    @contextlib.contextmanager
    def unheard(self) -> Iterator[None]:
        """Let go meanwhile: applications report each key, and wait for an answer, as long as somebody is connected.

        That makes typing three times as slow; connecting again takes a few milliseconds.
        """
        self._tree.close()
        try:
            yield
        finally:
            try:
                if not self._trouble:
                    self._tree = self._connect(START_SEC)
            except ComputerError as error:  # the next question tries again
                self._lose(error)

    def close(self) -> None:
        """Close both connections."""
        self._tree.close()
        self._bus.close()
