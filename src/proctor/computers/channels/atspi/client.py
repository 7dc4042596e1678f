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
        *,
        uid: int,
        size: tuple[int, int],
        timeout_sec: float = 5.0,
    ) -> None:
        """Find the AT-SPI bus, connect to it and start listening.

        Args:
            session: the desktop's session bus.
            connect: connects to a Unix socket of the computer as user `uid`; the path is the computer's own, and
                starts with a zero byte for an abstract socket.
            uid: the desktop's user.
            size: width and height of the screen in pixels.
            timeout_sec: patience with the buses.
        """
        self._link = AtspiLink(session, connect, uid=uid, size=size, timeout_sec=timeout_sec)
        self._announced = Announcements(self._link.bus)
        self._reader = TreeReader(self._link)
        self._finder = ElementFinder(self._link, self._announced)
        self._noticed = False

    def read(self, *, windows: Sequence[WindowLike] = (), timeout_sec: float = 6.0, still: Still | None = None) -> Tree:
        """Return the tree of all applications.

        What is hidden is in it only where an application tells it in bulk, and has no box.

        Args:
            windows: top-level windows on screen; one that no application answers for makes the tree degraded. They
                also tell where the windows of GTK 4 are, which cannot say themselves.
            timeout_sec: when to return what has been read so far; an application that does not answer gets half.
            still: tells where nothing was drawn since the last reading; what lies there is not asked about again.
        """
        self._unstick()
        if windows:
            self._link.see_windows(windows, only=True)
        return self._reader.read(windows, timeout_sec, still)

    def element_at(
        self, x: float, y: float, *, window: WindowLike | None = None, timeout_sec: float = FIND_SEC
    ) -> Node | None:
        """Return the deepest element at a point, or None when there is none or no answer in time.

        The node stands alone: its index is 0 and it has no parent, but depth, application and window are told.

        Args:
            x: desktop pixels from the left.
            y: desktop pixels from the top.
            window: the topmost window at that point; without it windows that overlap cannot be told apart.
            timeout_sec: when to give up.
        """
        self._notice()
        self._unstick()
        if window:
            self._link.see_windows([window], only=False)
        return self._finder.at(int(x), int(y), window=window, timeout_sec=timeout_sec, memory=self._reader.memory)

    def focused(self, *, window: WindowLike | None = None, timeout_sec: float = 0.5) -> Node | None:
        """Return the element that has the keyboard focus, or None when it is unknown.

        Announcements tell in a few milliseconds; failing that, the whole tree is searched, for as long again.

        Args:
            window: the window that keys go to; without it, an application's word for having the focus is taken.
            timeout_sec: when to give up.
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
        claims = [node for node in tree.nodes if "focused" in node.states and node.app == active]
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
        """Close the connection; closing twice has no effect."""
        self._link.bus.close()


__all__ = ["AtSpi", "WindowLike"]
