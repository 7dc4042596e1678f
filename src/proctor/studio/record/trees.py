"""The accessibility tree at hand: read while nobody does anything, so that no key or click waits.

Applications answer for their trees themselves, and do nothing else meanwhile. So a tree is read when the person and
the screen rest, and belongs to a step only where the screen has hardly changed since.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from proctor.computers.computer import Computer
from proctor.computers.drift import differences
from proctor.computers.values import Window
from proctor.errors import ComputerError, HostError
from proctor.observations.box import Box
from proctor.observations.observation import Observation
from proctor.observations.tree import Node, Tree
from proctor.studio.record.at_hand import AtHand, ScreenPicture
from proctor.studio.record.paths import Place

QUIET_SEC = 0.3
"""Neither a key nor a button for so long, and the person is taken to look or to aim."""
STILL_SEC = 0.15
"""Nothing drawn for so long, and the applications are taken to be done."""
RESTLESS_SEC = 1.5
"""Where something is always drawn, such as a film, a tree is read so long after the last key or button all the same."""
SHARE = 0.1
"""Of the time that goes into trees at most: an application that answers slowly is asked less often."""
SAME = 0.002
"""The share of the screen that may differ from when a tree was read, and it is still the tree of that screen."""
HOVERED = 0.01
"""The same where nothing was pressed since: rows and buttons light up under a pointer that only goes over them."""
POPPED = frozenset({"menu item", "check menu item", "radio menu item", "menu", "tearoff menu item"})
"""Roles of what comes up over every window."""
EARLIER = "tree: it is from before the last action"


@dataclass(frozen=True, slots=True)
class ReadTree:
    """A tree and the screen it was read on."""

    tree: Tree
    picture: ScreenPicture
    ended: float
    windows: tuple[Window, ...] = ()
    """Bottom to top."""


class TreeAtHand:
    """The newest tree of a computer; belongs to the thread that asks the computer."""

    def __init__(self, computer: Computer, screen: AtHand) -> None:
        self._computer, self._screen = computer, screen
        self._read: ReadTree | None = None
        self._compared: ScreenPicture | None = None
        """The last picture that was found to be still that of the tree."""
        self._next = 0.0
        self._known: tuple[ScreenPicture | None, ScreenPicture | None, float] = (None, None, 0.0)
        """Two pictures and by how much they differ, which is asked of the same two several times."""

    def look(self, touched: float) -> None:
        """Read the tree if it may be another since it was touched, and nobody is kept waiting by it."""
        now = time.monotonic()
        if self._computer.parts.tree is None or now < max(self._next, touched + QUIET_SEC):
            return
        if now - self._screen.last.at < STILL_SEC and now - touched < RESTLESS_SEC:
            return
        if self._is_another(touched):
            self._renew()
        ended = time.monotonic()
        self._next = ended + (ended - now) * (1 / SHARE - 1)

    def observe(self, picture: ScreenPicture, touched: float) -> Observation:
        """Return a picture as an observation, with the tree if that is the picture's.

        `touched` is when the person last did something before that.
        """
        read, seen = self._read, picture.observation()
        if read is None or not self._is_of(read, picture, touched):
            return seen
        late = (EARLIER,) if read.ended < touched else ()
        return replace(seen, tree=read.tree, degraded=(*(f"tree: {reason}" for reason in read.tree.degraded), *late))

    def under(self, place: Place, picture: ScreenPicture, touched: float) -> Node | None:
        """Return the element at a place of a picture; None where the tree is another's, or it has none."""
        read = self._read
        if read is None or read.ended < touched or not self._is_of(read, picture, touched):
            return None
        return _at(read.tree, place, _top_at(read.windows, place))

    def in_closed_window(self, place: Place, picture: ScreenPicture) -> Node | None:
        """Return what was at a place in a window that is gone now: a click may have closed it."""
        read = self._read
        top = _top_at(read.windows, place) if read else None
        if read is None or top is None or any(window.id == top.id for window in self._windows()):
            return None
        return _at(read.tree, place, top) if _shows(picture, read.picture, top.box) else None

    def _is_of(self, read: ReadTree, picture: ScreenPicture, touched: float) -> bool:
        most = SAME if read.ended < touched else HOVERED
        if self._known[:2] != (read.picture, picture):
            self._known = (read.picture, picture, self._screen.share_changed(read.picture, picture))
        return self._known[2] < most

    def _is_another(self, touched: float) -> bool:
        read, picture = self._read, self._screen.last
        if read is None or read.ended < touched:
            return True
        if picture is read.picture or picture is self._compared:
            return False
        if not self._is_of(read, picture, touched):
            return True
        self._compared = picture
        return False

    def _renew(self) -> None:
        picture = self._screen.look()
        try:
            windows, tree = self._windows(), self._computer.tree()
        except HostError:
            raise
        except (ComputerError, OSError):
            tree, windows = None, ()  # the screen will show if more is lost
        self._compared = None
        if tree is not None:
            self._read = ReadTree(tree, picture, time.monotonic(), windows)

    def _windows(self) -> tuple[Window, ...]:
        return tuple(self._computer.windows()) if "windows" in self._computer.capabilities else ()


def _shows(picture: ScreenPicture, other: ScreenPicture, box: Box) -> bool:
    """Tell whether a picture shows in a box mostly what another does, as of one window."""
    corners = (box.x, box.y, box.x + box.width, box.y + box.height)
    places = differences(picture.image.crop(corners), other.image.crop(corners))
    return sum(place.pixels for place in places) < box.area / 2


def _top_at(windows: tuple[Window, ...], place: Place) -> Window | None:
    shown = (each for each in reversed(windows) if not each.minimised)
    return next((each for each in shown if each.box.contains(*place)), None)


def _at(tree: Tree, place: Place, top: Window | None) -> Node | None:
    """Return the element at a place: of a menu, or else of the window that is on top there."""
    found = [node for node in tree.nodes if node.showing and node.box and node.box.contains(*place)]
    popped = [node for node in found if node.role in POPPED]
    own = popped or [node for node in found if top is None or node.window == top.title]
    node = min(own, key=lambda node: (node.box.area if node.box else 0, -node.depth), default=None)
    return _with_menus(node, tree) if node is not None else None


def _with_menus(node: Node, tree: Tree) -> Node:
    """Return an element that says in which menus it is, as one does that was asked for by its place."""
    menus, parent = list[str](), node.parent
    while parent is not None:
        above = tree.nodes[parent]
        menus += [above.name] if above.role == "menu" and above.name else []
        parent = above.parent
    return replace(node, attributes={**node.attributes, "menu": " > ".join(reversed(menus))}) if menus else node
