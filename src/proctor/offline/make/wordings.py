"""One element told in several ways: by name, place, neighbour, purpose, effect, language."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from proctor.actions.in_words import label, role_words
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.offline.make.words import instruction
from proctor.records import Hit

NAME, PLACE, NEIGHBOUR, PURPOSE, EFFECT, LANGUAGE = "name", "place", "neighbour", "purpose", "effect", "language"
WORDINGS = (NAME, PLACE, NEIGHBOUR, PURPOSE, EFFECT, LANGUAGE)
"""The ways in which an element may be spoken of."""
NEAR = 120
"""Pixels to a neighbour that people would name."""
_CLICK = {
    "en": "Click “{name}”.",
    "de": "Klicke auf „{name}“.",
    "fr": "Cliquez sur « {name} ».",
    "es": "Haz clic en «{name}».",
    "ja": "「{name}」をクリックしてください。",
}
"""How it is said in the language that the interface shows."""
_EFFECTS = {
    "menu": 'Open the menu "{name}"',
    "combo box": 'Open the list of choices of "{name}"',
    "page tab": 'Show what is on the tab "{name}"',
    "radio button": 'Choose the option "{name}"',
    "radio menu item": 'Choose the option "{name}" of the menu',
    "entry": 'Put the cursor into the text field "{name}"',
    "text": 'Put the cursor into the text field "{name}"',
    "spin button": 'Put the cursor into the number field "{name}"',
    "list item": 'Select "{name}" in the list',
    "tree item": 'Select "{name}" in the tree',
    "table cell": 'Select the cell "{name}" of the table',
    "column header": 'Sort the table by "{name}"',
    "table column header": 'Sort the table by "{name}"',
    "link": 'Follow the link "{name}"',
    "icon": 'Select the icon "{name}"',
}
"""What a click leads to, by what is clicked."""
_PURPOSES = {
    "about": "tells which version of the program this is", "align center": "puts the lines in the middle",
    "align left": "lines the text up at the left", "align right": "lines the text up at the right",
    "back": "goes to where one was before", "bold": "makes the letters thick", "copy": "puts a copy on the clipboard",
    "cut": "takes what is selected away and puts it on the clipboard", "edit": "has the commands that change things",
    "file": "has the commands for opening, keeping and printing", "find": "looks for a text",
    "find & replace": "looks for a text and puts another one in its place", "forward": "goes on to where one was later",
    "help": "explains how the program is used", "home": "leads to the folder or page where one begins",
    "insert": "has the things that can be put into the document", "italic": "makes the letters lean",
    "new": "begins an empty document", "open": "fetches something that was kept before",
    "paste": "puts in what is on the clipboard",
    "preferences": "shows what can be set in the program", "print": "puts the document on paper",
    "properties": "tells all about what is selected", "redo": "does again what was taken back",
    "reload": "loads the page again", "save": "keeps the work in its file",
    "save as": "keeps the work under a new name",
    "search": "looks for something", "select all": "marks everything there is",
    "settings": "shows what can be set in the program", "tools": "has the helpers of the program",
    "underline": "draws a line below the letters", "undo": "takes the last change back",
    "view": "has the commands for what is shown and how", "zoom in": "makes everything look larger",
    "zoom out": "makes everything look smaller",
}  # fmt: skip
"""What is meant by names that most programs share, where the interface is in English."""
_SWITCHES = frozenset({"check box", "check menu item", "toggle button", "switch"})
_THIRDS = (("top left", "top", "top right"), ("left", "middle", "right"), ("bottom left", "bottom", "bottom right"))


class ElementWords:
    """Words for the elements of one view."""

    def __init__(self, tree: Tree, size: tuple[int, int]) -> None:
        self._tree, self._size = tree, size
        self._shown = [node for node in tree.nodes if node.showing]
        self._named = Counter((node.role, label(node.name, "")) for node in self._shown)
        self._called = Counter(label(node.name, "") for node in self._shown)
        self._described = Counter(label(node.description, "") for node in self._shown)

    def of(self, node: Node, language: str) -> dict[str, str]:
        """Return every way to speak of an element that fits no other, by what the way goes by.

        The name is always one of them, for an element that shares role and name with no other; `language` is the one
        that the interface shows.
        """
        name = label(node.name, "")
        if node.box is None or not name:
            return {}
        x, y, width, height = node.box
        hit = Hit(role=node.role, name=node.name, box=(x, y, width, height), app=node.app, window=node.window)
        found = {
            NAME: instruction("click", hit),
            PLACE: self._place(node, name),
            NEIGHBOUR: self._neighbour(node),
            PURPOSE: self._purpose(node, name, language),
            EFFECT: _effect(node, name),
            # The name alone must tell what is meant.
            LANGUAGE: _CLICK.get(language, "").format(name=name) if self._called[name] == 1 else "",
        }
        return {way: words for way, words in found.items() if words}

    def _place(self, node: Node, name: str) -> str:
        """Return which of a row or column of its kind it is; else its part of the screen."""
        assert node.box is not None
        kind = role_words(node.role)
        holder = self._tree.nodes[node.parent] if node.parent is not None else None
        boxes = [each.box for each in self._siblings(node) if each.role == node.role and each.box]
        if holder is not None and self._is_unique(holder) and len(boxes) > 1:
            held = f'in the {role_words(holder.role)} "{label(holder.name, "")}"'
            for way, across in (("left", True), ("top", False)):
                if _in_line(boxes, across=across):
                    starts = sorted(box.x if across else box.y for box in boxes)
                    place = starts.index(node.box.x if across else node.box.y) + 1
                    return f"Click the {kind} that is number {place} of {len(boxes)} from the {way} {held}"
        x, y = node.box.center
        part = _THIRDS[min(3 * y // self._size[1], 2)][min(3 * x // self._size[0], 2)]
        where = "in the middle" if part == "middle" else f"at the {part}"
        return f'Click the {kind} {where} of the screen that is called "{name}"'

    def _neighbour(self, node: Node) -> str:
        """Return which named element it stands beside, with nothing of its kind between."""
        assert node.box is not None
        near = [
            (gap, side, other)
            for other in self._siblings(node)
            if other.index != node.index and other.box is not None and self._is_unique(other)
            for side, gap in _gaps(node.box, other.box).items()
            if 0 <= gap <= NEAR
        ]
        if not near:
            return ""
        gap, side, other = min(near, key=lambda found: found[0])
        assert other.box is not None
        for each in self._shown:
            alike = each.role == node.role and each.index not in (node.index, other.index) and each.box is not None
            if alike and each.box is not None and 0 <= _gaps(each.box, other.box).get(side, -1) <= gap:
                return ""
        return f'Click the {role_words(node.role)} {side} the {role_words(other.role)} "{label(other.name, "")}"'

    def _purpose(self, node: Node, name: str, language: str) -> str:
        """Return what it is for, by its description or as such names are understood."""
        said = label(node.description, "")
        if said and said != name and self._described[said] == 1:
            return f'Click what serves this purpose: "{said}"'
        known = _PURPOSES.get(name.rstrip(".…").lower(), "") if language == "en" else ""
        return f"Click the {role_words(node.role)} that {known}" if known and self._called[name] == 1 else ""

    def _siblings(self, node: Node) -> Sequence[Node]:
        if node.parent is None:
            return ()
        return [each for each in self._tree.children(self._tree.nodes[node.parent]) if each.showing]

    def _is_unique(self, node: Node) -> bool:
        name = label(node.name, "")
        return bool(name) and self._named[node.role, name] == 1


def choose_wording(found: Mapping[str, str], key: str) -> tuple[str, str]:
    """Return one of the ways and its words, drawn by lot; the same for the same key."""
    way = random.Random(f"wording/{key}").choice(list(found))
    return way, found[way]


def _effect(node: Node, name: str) -> str:
    """Return what a click leads to."""
    if node.role in _SWITCHES:
        return f'Switch "{name}" {"off" if node.states & {"checked", "pressed"} else "on"}'
    return _EFFECTS.get(node.role, "").format(name=name)


def _in_line(boxes: Sequence[Box], *, across: bool) -> bool:
    """Tell whether boxes stand in one row, or column, without any two at one place."""
    starts = [box.x if across else box.y for box in boxes]
    lows = [box.y if across else box.x for box in boxes]
    highs = [box.y + box.height if across else box.x + box.width for box in boxes]
    return len(set(starts)) == len(starts) and max(lows) < min(highs)


def _gaps(box: Box, other: Box) -> dict[str, int]:
    """Return how far a box lies on each side of another one that it stands level with."""
    found = {}
    if box.y < other.y + other.height and other.y < box.y + box.height:
        found["to the right of"], found["to the left of"] = box.x - other.x - other.width, other.x - box.x - box.width
    if box.x < other.x + other.width and other.x < box.x + box.width:
        found["below"], found["above"] = box.y - other.y - other.height, other.y - box.y - box.height
    return found
