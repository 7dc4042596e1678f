"""Walking through an application to look at it: its window, its menus, its tabs and the dialogs that menus lead to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from proctor.actions.action import Click, Press
from proctor.actions.in_words import label
from proctor.computers.computer import Computer
from proctor.computers.values import Window
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.offline.harvest.safety import ITEMS, may_press
from proctor.offline.harvest.visible import visible

MOST_DIALOGS = 6
"""Dialogs that are opened in one visit."""
MOST_TABS = 8
"""Tabs of one window or dialog."""
MOST_MENUS = 16
PATIENCE = 3
"""How often it is looked whether an element is where it was, before it is given up."""

Key = tuple[str, str, Box]
"""Role, name and place: by which an element is the same on two pictures."""


@dataclass(frozen=True)
class View:
    """A picture of an application in one state, with what can be seen on it for the first time."""

    what: str
    """How it came about, such as `menu File`."""
    image: Image.Image
    tree: Tree
    targets: tuple[Node, ...]
    """In the order of the tree."""


@dataclass
class Walk:
    """Looks at one application that was just opened; the same seed goes the same way."""

    computer: Computer
    draw: random.Random
    dialogs: bool = True
    """Whether items of menus are pressed: their names must be in English for that to be safe."""
    seen: set[Key] = field(default_factory=set)

    def views(self) -> Iterator[View]:
        """Yield what there is to see; ends early when the application is no longer there."""
        first = self._look("window")
        yield first
        leading: list[tuple[Node, Node]] = []
        menus = _menus(first.tree)[:MOST_MENUS]
        for menu in menus:
            if not self._pressed(menu):
                continue
            view = self._look(f"menu {label(menu.name, '')}")
            yield view
            leading += [(menu, item) for item in _items(view.tree, menu) if may_press(item.role, item.name)]
            self._escape()
            if not self._still_there():
                return
        yield from self._tabs(first.tree, "window")
        if self.dialogs:
            self.draw.shuffle(leading)
            for menu, item in leading[:MOST_DIALOGS]:
                yield from self._dialog(menu, item)
                if not self._still_there():
                    return

    def _dialog(self, menu: Node, item: Node) -> Iterator[View]:
        """Open what an item leads to, look at it and its tabs, and close it again."""
        before = {window.id for window in self.computer.windows()}
        # The menu opens where it opened before; one look at the place is cheaper than one at the whole tree.
        if not self._pressed(menu) or not self._pressed(item):
            self._escape()
            return
        fresh = [window for window in self.computer.windows() if window.id not in before]
        if fresh:
            view = self._look(f"dialog {label(item.name, '')}")
            yield view
            yield from self._tabs(view.tree, label(item.name, ""), fresh[-1])
        for _ in range(3):
            self._escape()
            if {window.id for window in self.computer.windows()} <= before:
                return

    def _tabs(self, tree: Tree, where: str, window: Window | None = None) -> Iterator[View]:
        tabs = [
            node
            for node in tree.nodes
            if node.role == "page tab" and node.showing and (window is None or node.window == window.title)
        ]
        for tab in tabs[1 : MOST_TABS + 1]:
            if self._pressed(tab):
                yield self._look(f"tab {label(tab.name, '')} of {where}")

    def _look(self, what: str) -> View:
        computer = self.computer
        tree, windows = computer.tree(), computer.windows()
        # Without the pointer: it would lie over what was just clicked.
        image = computer.screenshot(cursor=False)
        fresh = []
        for node in visible(tree, windows, computer.size, image):
            assert node.box is not None
            key = node.role, node.name, node.box
            if key not in self.seen and self._in_front(node):
                self.seen.add(key)
                fresh.append(node)
        return View(what, image, tree, tuple(fresh))

    def _in_front(self, node: Node) -> bool:
        """Tell whether a click in the middle would hit the element itself, or a part of it."""
        assert node.box is not None
        # A busy program may not answer in time; it is asked twice.
        hit = self.computer.element_at(*node.box.center) or self.computer.element_at(*node.box.center)
        if hit is None or hit.box is None:
            return False
        if hit.role == node.role and hit.name == node.name:
            return True
        inside = hit.box.intersect(node.box) == hit.box and hit.app == node.app
        return inside and (not hit.name or hit.box.area < node.box.area)

    def _pressed(self, node: Node) -> bool:
        """Press an element, if it is still there: something else may have come up in its place."""
        assert node.box is not None
        x, y = node.box.center
        for _ in range(PATIENCE):
            hit = self.computer.element_at(x, y)
            if hit is not None and (not hit.name or (hit.name, hit.role) == (node.name, node.role)):
                self.computer.perform(Click(x=x, y=y))
                return True
            # What was closed before may still be going away, or a busy program may not have answered in time.
            self.computer.settle(timeout_sec=1.0)
        return False

    def _escape(self) -> None:
        self.computer.perform(Press(keys="Escape"))

    def _still_there(self) -> bool:
        return bool(self.computer.windows())


def _menus(tree: Tree) -> list[Node]:
    """Return the menus of menu bars, each once."""
    found: dict[Box, Node] = {}
    for node in tree.nodes:
        under_bar = node.parent is not None and tree.nodes[node.parent].role == "menu bar"
        named = node.role in ("menu", "menu item") and bool(label(node.name, ""))
        if under_bar and named and node.showing and node.box is not None and node.box.area:
            found.setdefault(node.box, node)
    return list(found.values())


def _items(tree: Tree, menu: Node) -> list[Node]:
    """Return the items of a menu that is open."""
    own = next((node for node in tree.nodes if node.role == menu.role and node.box == menu.box), None)
    if own is None:
        return []
    below = tree.descendants(own)
    return [node for node in below if node.role in ITEMS and node.showing and node.box and node.box != menu.box]
