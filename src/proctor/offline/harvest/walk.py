"""Walking through an application: its window, menus, tabs and the dialogs that menus lead to."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from proctor.actions.action import Action, Button, Click, Press, Scroll
from proctor.actions.in_words import label
from proctor.computers.computer import Computer
from proctor.computers.parts.besides import Popups
from proctor.computers.values import Window
from proctor.observations.box import Box
from proctor.observations.tree import Node, Still, Tree
from proctor.offline.harvest.edges import whole_rows
from proctor.offline.harvest.hands import QuickHands
from proctor.offline.harvest.in_front import Surface, is_part
from proctor.offline.harvest.safety import AREAS, ITEMS, MENUS, may_press, opens_a_list
from proctor.offline.harvest.same_places import Pixels, compare_pictures
from proctor.offline.harvest.visible import is_popup, visible

MOST_DIALOGS = 6
MOST_TABS = 8
"""Tabs of one window or dialog."""
MOST_MENUS = 16
MOST_MUTE = 2
"""Menus in a row, of a bar or in menus, that have nothing to say when they are open, as those of GTK 2: the others are
left closed."""
MOST_SUBMENUS = 6
MOST_CHOICES = 4
"""Combo boxes of one window or dialog that are opened."""
SCROLLED = 12
"""Clicks of the wheel."""
MOST_SCROLLED = 3
MOST_ALIKE = 40
"""Elements of one role that are taken from one view."""
PROBE_EVERY = 12
"""One element of so many is looked up on the computer itself."""
LATE_SEC = 0.8
"""How long a drawing is waited for where nothing new is to be seen."""
PATIENCE = 3
"""How often it is looked whether an element is where it was, before it is given up."""

Key = tuple[str, str, Box | None]
"""Role, name and place: by which an element is the same on two pictures."""


@dataclass(frozen=True)
class VisitView:
    """A picture of an application in one state, with what can be seen on it for the first time."""

    what: str
    """How it came about, such as `menu File`."""
    image: Image.Image
    tree: Tree
    targets: tuple[Node, ...]


@dataclass
class Walk:
    """Looks at one application that was just opened; the same seed goes the same way."""

    computer: Computer
    draw: random.Random
    dialogs: bool = True
    """Whether items of menus are pressed: their names must be in English for that to be safe."""
    seen: set[Key] = field(default_factory=set)
    _now: Surface | None = None
    _there: bool = True
    _known: dict[bytes, Tree] = field(default_factory=dict)
    """Trees by the digests of their pictures."""
    _last: Pixels | None = None
    """The picture that was taken just before the tree was last read."""
    _places: set[tuple[str, str, str]] = field(default_factory=set)
    """Role, name and window of what was seen."""
    _scrolling: bool = False
    """Whether what was seen before may lie elsewhere now."""
    _believed: int = PROBE_EVERY
    """Elements that were taken from trees since one was last looked up."""

    def __post_init__(self) -> None:
        self._hands = QuickHands(self.computer)

    def views(self) -> Iterator[VisitView]:
        """Yield what there is to see; ends early when the application is no longer there."""
        first = self._look("window")
        yield first
        leading = yield from self._bar(first)
        yield from self._inside(first, "window")
        yield from self._tabs(first.tree, "window")
        if self.dialogs:
            self.draw.shuffle(leading)
            for menu, item in leading[:MOST_DIALOGS]:
                if not self.computer.windows():
                    return
                yield from self._dialog(menu, item)

    def _bar(self, first: VisitView) -> Generator[VisitView, None, list[tuple[Node, Node]]]:
        """Open the menus of the window; return the items that lead on, each with its menu."""
        leading: list[tuple[Node, Node]] = []
        submenus = MOST_SUBMENUS
        # Pressing another menu opens it in place of the one that is open, as a rule.
        in_place, opened = True, False
        mute = mute_below = 0
        for menu in _menus(first.tree)[:MOST_MENUS]:
            view = self._open_menu(menu)
            if view and in_place and not _items(view.tree, menu) and opened:
                in_place = False
                self._escape()
                view = self._open_menu(menu)
            if view is None:
                continue
            opened = True
            yield view
            items = _items(view.tree, menu)
            mute = 0 if items or view.targets else mute + 1
            if mute == MOST_MUTE:
                break
            usable = [item for item in items if item.role in ITEMS and item.states & {"enabled", "sensitive"}]
            leading += [(menu, item) for item in usable if may_press(item.role, item.name)]
            for below in [item for item in items if item.role in MENUS][:submenus]:
                submenus -= 1
                if deeper := self._open_menu(below):
                    yield deeper
                    mute_below = 0 if deeper.targets else mute_below + 1
                if mute_below == MOST_MUTE:
                    submenus = 0
                    break
            if not self._there:
                return []
            if not in_place:
                self._escape()
        if opened:
            self._escape()
        return leading

    def _open_menu(self, menu: Node) -> VisitView | None:
        return self._look(f"menu {label(menu.name, '')}") if self._press(menu) else None

    def _inside(self, view: VisitView, where: str, window: Window | None = None) -> Iterator[VisitView]:
        """Look at what a window shows when it is asked to, such as menus and lists of choices."""
        own = [node for node in view.tree.nodes if node.showing and (window is None or node.window == window.title)]
        for choice in [node for node in own if opens_a_list(node.role, node.name)][:MOST_CHOICES]:
            if self._has(window) and self._press(choice):
                yield self._look(f"choices of {label(choice.name, '') or 'a list'} of {where}")
                self._escape()
        areas = [node for node in own if node.role in AREAS and node.box and node.box.area]
        if window is not None or not areas:
            return
        largest = max(areas, key=lambda node: node.box.area if node.box else 0)
        if largest.box is not None and self._press(largest, "right"):
            yield self._look(f"menu of the {largest.role} of {where}")
            self._escape()
            yield from self._further_down(largest.box, where)

    def _further_down(self, area: Box, where: str) -> Iterator[VisitView]:
        x, y = area.center
        for _ in range(MOST_SCROLLED):
            self._act(Scroll(x=x, y=y, dy=SCROLLED))
            self._scrolling = True
            view = self._look(f"further down in {where}")
            self._scrolling = False
            yield view
            if not view.targets:
                return

    def _dialog(self, menu: Node, item: Node) -> Iterator[VisitView]:
        before = {window.id for window in self.computer.windows()}
        # The menu opens where it opened before; one look at the place is cheaper than one at the whole tree.
        if not self._press(menu) or not self._press(item):
            self._escape()
            return
        if not (fresh := self._new_windows(before)):
            self.computer.settle()
            fresh = self._new_windows(before)
        if fresh:
            view = self._look(f"dialog {label(item.name, '')}")
            yield view
            yield from self._inside(view, label(item.name, ""), fresh[-1])
            yield from self._tabs(view.tree, label(item.name, ""), fresh[-1])
        for _ in range(PATIENCE):
            self._escape()
            if not self._new_windows(before):
                return
            self.computer.settle()
            if not self._new_windows(before):
                return

    def _has(self, window: Window | None) -> bool:
        """Tell whether a dialog is still there: some are closed by the key that closes a list in them."""
        return window is None or any(each.id == window.id for each in self.computer.windows())

    def _new_windows(self, before: set[int]) -> list[Window]:
        return [window for window in self.computer.windows() if window.id not in before]

    def _tabs(self, tree: Tree, where: str, window: Window | None = None) -> Iterator[VisitView]:
        tabs = [
            node
            for node in tree.nodes
            if node.role == "page tab" and node.showing and (window is None or node.window == window.title)
        ]
        for tab in tabs[1 : MOST_TABS + 1]:
            if self._has(window) and self._press(tab):
                yield self._look(f"tab {label(tab.name, '')} of {where}")

    def _look(self, what: str) -> VisitView:
        """Look at what is there; once more after a longer wait, where nothing new came up."""
        view = self._look_now(what)
        if not view.targets and self._known:
            before = self._hands.drawings()
            self._hands.calm(before, react_sec=LATE_SEC)
            if before is not None and self._hands.drawings() != before:
                view = self._look_now(what)
        return view

    def _look_now(self, what: str) -> VisitView:
        computer = self.computer
        for _ in range(PATIENCE):
            before = self._hands.drawings()
            # Without the pointer: it would lie over what was just clicked.
            image = computer.screenshot(cursor=False)
            pixels = np.asarray(image)
            # Processors have instructions for this one, which makes it the cheapest.
            digest = hashlib.sha256(pixels.data).digest()
            if digest in self._known:
                return VisitView(what, image, self._known[digest], ())
            tree, windows = computer.tree(still=self._still(pixels)), computer.windows()
            popups = _popups(computer)
            # What looks the same before and after a reading was there meanwhile, whatever was drawn elsewhere.
            self._last = pixels
            still = before == self._hands.drawings()
            if still:
                break
            # The tree may speak of another picture than this one.
            self._hands.calm(before)
        self._there = bool(windows)
        seeable = visible(tree, windows, computer.size, image, popups)
        fresh = self._in_front(Surface(tree, windows), seeable, trusted=still)
        if still:
            self._known[digest] = tree
        self.seen.update(map(_key, fresh))
        return VisitView(what, image, tree, tuple(fresh))

    def _still(self, pixels: Pixels) -> Still | None:
        """Return what tells where nothing was drawn since a tree was last read, if that is known."""
        return compare_pictures(self._last, pixels, self.computer.size) if self._last is not None else None

    def _in_front(self, surface: Surface, seeable: list[Node], *, trusted: bool) -> list[Node]:
        new = [node for node in seeable if self._is_new(surface.tree, node)]
        self._places.update((node.role, node.name, node.window) for node in new)
        fresh = [node for node in self._few_of_each(new) if surface.shows(node)]
        fresh = whole_rows(surface.tree, fresh, self._is_hit_at)
        # The tree tells what a click would hit, unless something has moved or lies: some are asked for, and all of
        # them where it was wrong about one.
        count, self._believed = divmod(self._believed + len(fresh), PROBE_EVERY)
        true = trusted and all(map(self._is_hit, self.draw.sample(fresh, min(len(fresh), count))))
        self._now = surface if true and fresh else None
        return fresh if true else [node for node in fresh if self._is_hit(node)]

    def _is_new(self, tree: Tree, node: Node) -> bool:
        """Tell whether an element was not seen before, here or, unless it was scrolled, elsewhere.

        LibreOffice at times says that all of its window lies higher by the menu bar while a dialog is open.
        """
        if _key(node) in self.seen:
            return False
        may_move = self._scrolling or is_popup(tree, node)
        return may_move or (node.role, node.name, node.window) not in self._places

    def _few_of_each(self, nodes: list[Node]) -> list[Node]:
        """Return a few elements of each role, by lot: a sheet has a thousand cells, and one File menu."""
        kept: set[int] = set()
        for role in sorted({node.role for node in nodes}):
            alike = [node.index for node in nodes if node.role == role]
            kept.update(self.draw.sample(alike, min(len(alike), MOST_ALIKE)))
        self.seen.update(_key(node) for node in nodes if node.index not in kept)
        return [node for node in nodes if node.index in kept]

    def _is_hit(self, node: Node) -> bool:
        assert node.box is not None
        return self._is_hit_at(node, *node.box.center)

    def _is_hit_at(self, node: Node, x: int, y: int) -> bool:
        # A busy program may not answer in time; it is asked twice.
        hit = self.computer.element_at(x, y) or self.computer.element_at(x, y)
        return hit is not None and is_part(hit, node)

    def _press(self, node: Node, button: Button = "left") -> bool:
        """Press an element, if it is still there: something else may have come up in its place."""
        assert node.box is not None
        x, y = node.box.center
        for _ in range(PATIENCE):
            # What was read since the last action, and found true, is as good as asking again.
            hit = self._now.at(x, y) if self._now else self.computer.element_at(x, y)
            if hit is not None and _stands_for(hit, node):
                self._act(Click(x=x, y=y, button=button))
                return True
            # What was closed before may still be going away, or a busy program may not have answered in time.
            self._now = None
            self.computer.settle(timeout_sec=1.0)
        return False

    def _escape(self) -> None:
        self._act(Press(keys="Escape"))

    def _act(self, action: Action) -> None:
        self._now = None
        self._hands.act(action)


def _popups(computer: Computer) -> list[Box]:
    part = computer.parts.windows
    return part.popups() if isinstance(part, Popups) else []


def _key(node: Node) -> Key:
    return node.role, node.name, node.box


def _stands_for(hit: Node, node: Node) -> bool:
    """Tell whether what is found in the middle of an element is as good: of a list it is any row."""
    if not hit.name or (hit.name, hit.role) == (node.name, node.role):
        return True
    return node.role in AREAS and is_part(hit, node)


def _menus(tree: Tree) -> list[Node]:
    found: dict[Box, Node] = {}
    for node in tree.nodes:
        under_bar = node.parent is not None and tree.nodes[node.parent].role == "menu bar"
        named = node.role in ("menu", "menu item") and bool(label(node.name, ""))
        if under_bar and named and node.showing and node.box is not None and node.box.area:
            found.setdefault(node.box, node)
    return list(found.values())


def _items(tree: Tree, menu: Node) -> list[Node]:
    own = next((node for node in tree.nodes if node.role == menu.role and node.box == menu.box), None)
    if own is None:
        return []
    below = tree.descendants(own)
    return [node for node in below if node.role in ITEMS | MENUS and node.showing and node.box and node.box != menu.box]
