"""The accessibility tree of a desktop, read over its AT-SPI bus from outside.

Role names are AT-SPI's, such as `push button`; so are state names, with single blanks, such as `multi line`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence

from proctor.computers.channels.atspi.element import ElementFinder
from proctor.computers.channels.atspi.events import Announcements
from proctor.computers.channels.atspi.link import AtspiLink, WindowLike
from proctor.computers.channels.atspi.read import TreeReader
from proctor.computers.channels.dbus.client import DBus
from proctor.observations.tree import Node, Still, Tree

FIND_SEC = 1.5
"""How long the element at a point is looked for: a few milliseconds do, but not for an application on a busy host, and
a click that is recorded without its element may be a step that the agent is not credited with."""
MAX_STUCK = 60
"""So many calls may stay unanswered before a new connection is made; a bus passes on only so many at a time."""


class AtSpi:
    """A reader of one desktop's accessibility. Belongs to one thread.

    Applications are hostile or broken at times: whatever they answer, every method ends in its time, and raises
    ComputerLost only when the bus itself is gone.
    """

    def __init__(
        self,
        session: DBus,
        connect: Callable[[str], socket.socket],
        connect_bus: Callable[[str], socket.socket] | None = None,
        *,
        uid: int,
        size: tuple[int, int],
        timeout_sec: float = 5.0,
    ) -> None:
        """Find the AT-SPI bus, connect to it and start listening.

        `connect` reaches a Unix socket of the computer as user `uid`; a path that starts with a zero byte is abstract.
        `connect_bus` does so where the bus itself must be known.
        """
        self._link = AtspiLink(session, connect, connect_bus or connect, uid=uid, size=size, timeout_sec=timeout_sec)
        self._announced = Announcements(self._link.bus)
        self._reader = TreeReader(self._link)
        self._finder = ElementFinder(self._link, self._announced)
        self._noticed = False

    def read(self, *, windows: Sequence[WindowLike] = (), timeout_sec: float = 6.0, still: Still | None = None) -> Tree:
        """Return the tree of all applications; what is hidden only where it is told, without a box.

        A window on screen that no application answers for makes the tree degraded, and windows tell where those of GTK
        4 are. A silent application gets half of the time; what is `still` since the last reading is not asked about
        again.
        """
        self._unstick()
        if windows:
            self._link.see_windows(windows, only=True)
        return self._reader.read(windows, timeout_sec, still)

    def element_at(
        self, x: float, y: float, *, window: WindowLike | None = None, timeout_sec: float = FIND_SEC
    ) -> Node | None:
        """Return the deepest element at a point, or None when there is none or no answer in time.

        It stands alone: index 0, no parent, but depth, application and window are told. Without the topmost window
        there, windows that overlap cannot be told apart.
        """
        self._notice()
        self._unstick()
        if window:
            self._link.see_windows([window], only=False)
        return self._finder.at(int(x), int(y), window=window, timeout_sec=timeout_sec, memory=self._reader.memory)

    def focused(self, *, window: WindowLike | None = None, timeout_sec: float = 0.5) -> Node | None:
        """Return the element with the keyboard focus, as announced or found in the whole tree.

        Without the `window` that keys go to, an application's word for having the focus is taken.
        """
        self._notice()
        self._unstick()
        pid = window.pid if window else 0
        node = self._finder.focused(pid=pid, timeout_sec=timeout_sec, memory=self._reader.memory)
        if node:
            return node
        tree = self._reader.read((), timeout_sec, pid=pid)
        # Whoever says where nothing was drawn means since the tree that he was given.
        self._reader.forget()
        # Several applications may claim the focus; the window that was activated last has it.
        active = self._link.name(self._announced.active)
        claims = [node for node in tree.nodes if tree.claims_focus(node) and node.app == active]
        return max(claims, key=lambda node: node.depth, default=None) or tree.focused_node()

    def menu_item(self, key: str, *, window: WindowLike, timeout_sec: float = 0.5) -> Node | None:
        """Return the item that a letter chooses from the open menu of a window's program.

        None where none is open, or none of its items has the letter.
        """
        self._notice()
        self._unstick()
        return self._finder.menu_item(key, pid=window.pid, timeout_sec=timeout_sec, memory=self._reader.memory)

    def changed(self) -> bool:
        """Tell, without waiting, whether the tree or the focus has changed since the last time this was asked."""
        self._notice()
        changed, self._noticed = self._noticed, False
        return changed

    def _unstick(self) -> None:
        """Connect again when applications that never answer have used up what the bus allows."""
        if self._link.bus.stuck >= MAX_STUCK:
            self._link.renew()
            self._announced.follow(self._link.bus)

    def _notice(self) -> None:
        self._noticed = self._announced.any_new() or self._noticed

    def fileno(self) -> int:
        """Return a descriptor that turns readable when something is announced."""
        return self._link.bus.fileno()

    def close(self) -> None:
        self._link.bus.close()


__all__ = ["AtSpi", "WindowLike"]
