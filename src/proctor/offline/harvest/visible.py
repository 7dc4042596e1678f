"""Which elements of a tree can be seen on a picture: whole, in front, told apart by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from PIL import Image

from proctor.actions.in_words import label
from proctor.computers.values import Window
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

SMALLEST = 6
"""Pixels; what is narrower is a line and no target."""
MOST_SHARE = 0.15
"""Of the screen; what fills more is a place and no target."""
TARGETS = frozenset(
    {
        "push button", "button", "toggle button", "check box", "radio button", "menu", "menu item", "check menu item",
        "radio menu item", "page tab", "combo box", "entry", "spin button", "slider", "list item", "table cell",
        "table column header", "column header", "tree item", "link", "icon", "switch", "text",
    }
)  # fmt: skip
"""Roles that somebody may be told to click."""
_CLIPPING = frozenset(
    {
        "scroll pane", "viewport", "frame", "dialog", "window", "file chooser", "alert", "list", "list box", "table",
        "tree", "tree table", "document web", "document frame", "document text", "document spreadsheet",
        "page tab list",
    }
)  # fmt: skip
"""Roles outside of whose boxes nothing of their children is drawn."""
_FLOATING = frozenset({"menu", "popup menu", "combo box", "menu bar"})
"""Roles whose children are drawn over everything else, outside of the boxes of those above them."""
_TRANSIENT = frozenset({"window", "tool tip"})
"""Roles of what comes up above windows besides."""
SLACK = 3
"""Pixels that lists of GTK give their cells more than they have."""
SHARED = 4
"""Pixels that neighbours may have in common: borders."""
_ITEMS = frozenset({"menu item", "check menu item", "radio menu item", "menu"})


def visible(
    tree: Tree, windows: Sequence[Window], size: tuple[int, int], image: Image.Image, popups: Sequence[Box] = ()
) -> list[Node]:
    """Return the elements one can see whole and name, in tree order, each name and role once only.

    `windows` go bottom to top; `popups` are menus and tips of which the tree may say nothing.
    """
    screen = Box(0, 0, *size)
    floating, mixed = _floating_boxes(tree), _find_mixed_up(tree)
    names = Counter((node.role, label(node.name, "")) for node in tree.nodes if node.showing)
    shown = [window for window in windows if not window.minimised]
    found = []
    for node in tree.nodes:
        name = label(node.name, "")
        if not node.showing or node.box is None or node.role not in TARGETS or not name:
            continue
        if names[node.role, name] != 1 or node.index in mixed or not _fits(node.box, screen):
            continue
        if any(node.box.intersect(popup) for popup in popups) and not is_popup(tree, node):
            continue
        if (
            not _is_clipped(tree, node)
            and not _is_cut_short(tree, node)
            and not _is_covered(tree, node, shown, floating)
            and _has_content(image, node.box, size)
        ):
            found.append(node)
    return found


def is_popup(tree: Tree, node: Node) -> bool:
    """Tell whether an element belongs to something that lies above all windows, by what holds it."""
    if node.parent is not None and tree.nodes[node.parent].role == "menu bar":
        return False
    return any(above.role in _FLOATING | _TRANSIENT for above in tree.ancestors(node))


def _find_mixed_up(tree: Tree) -> set[int]:
    """Return elements that share a place with a stranger: one of the two is not drawn there."""
    nodes = [node for node in tree.nodes if node.showing and node.box and node.role in TARGETS and node.role != "text"]
    nodes = [node for node in nodes if not is_popup(tree, node)]
    boxes = np.array([node.box for node in nodes], dtype=np.int64).reshape(-1, 4)
    left, top, right, bottom = boxes[:, 0], boxes[:, 1], boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    found: set[int] = set()
    for place, node in enumerate(nodes):
        wide = np.minimum(right, right[place]) - np.maximum(left, left[place])
        high = np.minimum(bottom, bottom[place]) - np.maximum(top, top[place])
        for other in np.flatnonzero((wide > SHARED) & (high > SHARED)):
            if int(other) != place and _strangers(tree, node, nodes[int(other)]):
                found.add(node.index)
    return found


def _strangers(tree: Tree, first: Node, second: Node) -> bool:
    if first.window != second.window:
        return False
    return all(above is not second for above in tree.ancestors(first)) and all(
        above is not first for above in tree.ancestors(second)
    )


def _fits(box: Box, screen: Box) -> bool:
    whole = box.intersect(screen) == box
    return whole and min(box.width, box.height) >= SMALLEST and box.area <= MOST_SHARE * screen.area


def _is_clipped(tree: Tree, node: Node) -> bool:
    """Tell whether a part of an element lies outside of what shows it, but for the slack of GTK."""
    assert node.box is not None
    for above in tree.ancestors(node):
        if above.role in _FLOATING:
            return False
        if (
            above.role in _CLIPPING
            and above.box is not None
            and above.box.area
            and not node.box.within(above.box, SLACK)
        ):
            return True
    return False


def _is_cut_short(tree: Tree, node: Node) -> bool:
    """Tell whether an element ends where what scrolls it ends.

    An office gives a cell the box that is left of it.
    """
    assert node.box is not None
    right, bottom = node.box.x + node.box.width, node.box.y + node.box.height
    area: Box | None = None
    for above in tree.ancestors(node):
        if above.role in _FLOATING:
            return False
        if area is None and above.role in _CLIPPING and above.box is not None and above.box.area:
            area = above.box
        if above.role == "scroll pane" and area is not None:
            bars = [
                each.box for each in tree.children(above) if each.role == "scroll bar" and each.showing and each.box
            ]
            across = any(bar.width > bar.height for bar in bars)
            down = any(bar.height > bar.width for bar in bars)
            return (across and right >= area.x + area.width) or (down and bottom >= area.y + area.height)
    return False


def _floating_boxes(tree: Tree) -> dict[int, Box]:
    """Return the open menus, as boxes around their items, and the tips, by the node they belong to."""
    found: dict[int, Box] = {}
    for node in tree.nodes:
        if node.role == "tool tip" and node.showing and node.box is not None:
            found[node.index] = node.box
        if node.role not in _ITEMS or not node.showing or node.box is None or node.parent is None:
            continue
        parent = tree.nodes[node.parent]
        if parent.role == "menu bar":
            continue
        known = found.get(parent.index)
        found[parent.index] = _around(known, node.box) if known else node.box
    return found


def _around(first: Box, second: Box) -> Box:
    left, top = min(first.x, second.x), min(first.y, second.y)
    right = max(first.x + first.width, second.x + second.width)
    bottom = max(first.y + first.height, second.y + second.height)
    return Box(left, top, right - left, bottom - top)


def _is_covered(tree: Tree, node: Node, windows: Sequence[Window], floating: dict[int, Box]) -> bool:
    assert node.box is not None
    above = {each.index for each in tree.ancestors(node)}
    for owner, box in floating.items():
        # An item is covered by the menus that opened later, and a menu is not by the items in it.
        if owner not in above and owner != node.index and node.box.intersect(box):
            return True
    if above & floating.keys():
        return False
    own = [place for place, window in enumerate(windows) if window.title == node.window]
    if not own:
        # Panels and the desktop itself are in no list of windows; what is over them is in front.
        return any(window.box.intersect(node.box) for window in windows)
    return any(window.box.intersect(node.box) for window in windows[max(own) + 1 :])


def _has_content(image: Image.Image, box: Box, size: tuple[int, int]) -> bool:
    """Tell whether anything is to be seen in a box: an area of one colour shows no element."""
    across, down = image.width / size[0], image.height / size[1]
    left, top = round(box.x * across), round(box.y * down)
    right, bottom = round((box.x + box.width) * across), round((box.y + box.height) * down)
    part = image.crop((left, top, max(right, left + 1), max(bottom, top + 1))).convert("L")
    low, high = part.getextrema()
    return isinstance(low, int | float) and isinstance(high, int | float) and high - low > 8
