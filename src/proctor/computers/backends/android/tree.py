"""The accessibility tree of an Android device, asked of its own `uiautomator`."""

from __future__ import annotations

from proctor.computers.backends.android.device import TREE_SEC, AndroidDevice
from proctor.computers.backends.android.parse_tree import Unreadable, read_dump
from proctor.computers.backends.android.screen import AndroidScreen, digest
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.tree import Node, Tree
from proctor.pause import pause

DUMP = "/data/local/tmp/proctor-screen.xml"
TRIES = 3
AGAIN_SEC = 0.3


class AndroidTree:
    """Describes the screen, anew when the picture has changed, because that takes seconds."""

    def __init__(self, device: AndroidDevice, screen: AndroidScreen) -> None:
        self._device, self._screen = device, screen
        self._known: tuple[bytes, Tree] | None = None

    def tree(self) -> Tree:
        """Return what the applications in front show; degraded where the device could not tell."""
        before = digest(self._screen.screenshot(cursor=False))
        tree = self._dump()
        after = digest(self._screen.screenshot(cursor=False))
        self._known = (after, tree) if before == after and not tree.degraded else None
        return tree

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the smallest element that is drawn at a place."""
        return self._current().smallest_at(x, y)

    def focused(self) -> Node | None:
        return self._current().focused_node()

    def _current(self) -> Tree:
        if self._known and self._known[0] == digest(self._screen.screenshot(cursor=False)):
            return self._known[1]
        return self.tree()

    def _dump(self) -> Tree:
        reason = ""
        for turn in range(TRIES):
            if turn:
                pause(AGAIN_SEC)
            done = self._device.do(f"rm -f {DUMP}; uiautomator dump {DUMP} >&2 && cat {DUMP}", timeout_sec=TREE_SEC)
            if not done.stdout.strip():
                reason = done.said or f"uiautomator ended with status {done.code}"
                if "idle state" in reason:
                    break  # it has waited for ten seconds already
                continue
            try:
                return read_dump(done.stdout[max(done.stdout.find(b"<"), 0) :], self._screen.size)
            except Unreadable as problem:
                reason = f"what uiautomator wrote cannot be read: {problem}"
        return Tree((), (f"the device did not describe its screen: {reason}",))


def remove_dump(device: AndroidDevice) -> None:
    """Leave no description behind."""
    try:
        device.do(f"rm -f {DUMP}")
    except ComputerLost:
        raise
    except ComputerError as error:
        raise ComputerLost(error.message, remedy=error.remedy) from error
