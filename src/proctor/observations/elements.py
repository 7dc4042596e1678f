"""What one element of a tree is for somebody who works with it: kind, name, value and states."""

from __future__ import annotations

import re
from collections.abc import Iterable

from proctor.observations.bounds import CUT
from proctor.observations.tree import Node

ROLE_WORDS = {
    "push button": "button", "push button menu": "menu button", "toggle button": "toggle", "radio button": "radio",
    "page tab": "tab", "table cell": "cell", "list item": "item", "tree item": "item", "table row": "row",
    "desktop icon": "icon", "password text": "password field", "editbar": "field", "autocomplete": "field",
    "check menu item": "menu item", "radio menu item": "menu item", "tearoff menu item": "menu item",
    "table column header": "column header", "table row header": "row header", "unknown": "area", "panel": "area",
    "filler": "area", "frame": "area", "section": "area", "drawing area": "canvas", "layered pane": "area",
    "static": "text", "label": "text", "paragraph": "text", "caption": "text", "status bar": "text", "entry": "field",
    "list box": "list", "tree table": "table", "level bar": "progress bar", "tool tip": "tooltip",
    "date editor": "field",
}  # fmt: skip
"""What a role is called where AT-SPI's own word is longer, or tells more than matters."""

CONTROLS = frozenset(
    {
        "push button", "button", "menu button", "push button menu", "toggle button", "switch", "check box",
        "radio button", "combo box", "menu", "menu item", "check menu item", "radio menu item", "tearoff menu item",
        "page tab", "link", "slider", "spin button", "dial", "entry", "password text", "editbar", "autocomplete",
        "terminal", "desktop icon", "scroll bar", "date editor", "rating", "tree item", "column header",
        "table column header", "canvas", "drawing area",
    }
)  # fmt: skip
"""Roles of what is there to be used, whatever else it says of itself."""
_CHOICES = frozenset({"list item", "table cell", "table row", "icon", "row header", "table row header"})
_PASSIVE = frozenset(
    {
        "scroll pane", "viewport", "split pane", "page tab list", "root pane", "internal frame", "document web",
        "document frame", "frame", "dialog", "window", "alert", "tool bar", "menu bar", "label", "static",
        "glass pane", "directory pane", "application", "option pane", "separator", "status bar", "heading",
    }
)  # fmt: skip
"""Roles that may take the focus without being there to be used."""
_MEANT = frozenset({"click", "press", "activate", "toggle", "jump", "open", "check", "uncheck", "select", "switch"})
"""Actions that say so; toolkits give others, such as a context menu, to whatever there is."""
READ = frozenset(
    {
        "label", "static", "paragraph", "caption", "heading", "text", "status bar", "tool tip", "progress bar",
        "level bar", "image", "icon", "alert", "notification", "info bar", "table cell", "list item", "section",
        "block quote", "document text", "document frame", "comment", "footnote", "description term",
        "description value", "title bar", "timer", "log", "chart", "math", "row header", "table row header",
    }
)  # fmt: skip
"""Roles of what is there to be read, where it says something."""
CHECKED_ROLES = frozenset(
    {"check box", "radio button", "toggle button", "switch", "check menu item", "radio menu item"}
)
_NUMBERS = frozenset({"slider", "spin button", "dial", "progress bar", "level bar", "rating"})

_CLASS_NAME = re.compile(r"(?:Gtk|Adw)[A-Z]\w*")
"""What GTK 4 calls whatever has no name."""
_MARKUP = re.compile("<[^>]{1,200}>")
_MAX_NAME = 300
_MAX_TIP = 100
_MAX_VALUE = 4_000
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_VISIBLE = {"\n": "\\n", "\t": "\\t"}
# What embeds an object, has no width, or turns the direction of whatever follows it on the line.
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc\ufff9-\ufffb]")


def plain(text: str, most: int = _MAX_VALUE) -> str:
    """Return a text on one line that nothing in it can leave or turn around."""
    cut = text[: 2 * most]
    said = _BREAKS.sub(lambda found: _VISIBLE.get(found[0], " "), _UNSEEN.sub("", cut).strip())
    return said if len(said) <= most and len(cut) == len(text) else said[:most] + CUT


def quote(text: str) -> str:
    """Return a text in quotation marks."""
    return '"' + text.replace('"', '\\"') + '"'


def role_word(node: Node) -> str:
    """Return what an element's role is called."""
    if node.role == "text":
        return "field" if "editable" in node.states else "text"
    return ROLE_WORDS.get(node.role, node.role if len(node.role) < 40 else "area")


def own_name(node: Node) -> str:
    """Return what an element is called by itself; empty where it does not say."""
    name = plain(node.name, _MAX_NAME)
    if name and not _CLASS_NAME.fullmatch(name):
        return _once(name)
    # Of a tooltip, the first line.
    return plain(_MARKUP.sub(" ", node.description[:_MAX_NAME].strip()).partition("\n")[0], _MAX_TIP)


def _once(name: str) -> str:
    """Return a name once: GTK 4 calls a button by its label's source and by its label."""
    half = len(name) // 2
    for place in (half, half + 1):
        if name[place : place + 1] == " " and name[:place].replace("_", "") == name[place + 1 :]:
            return name[place + 1 :]
    return name


def value_of(node: Node, name: str) -> str:
    """Return what an element holds, where that is not its name."""
    if node.role == "scroll bar":
        value = node.value
        span = value.maximum - value.minimum if value else 0.0
        return f"{max(0.0, min((value.current - value.minimum) / span, 1.0)):.0%}" if value and span > 0 else ""
    if node.role in _NUMBERS and node.value is not None:
        value = node.value
        if node.role == "spin button":
            return f"{value.current:.10g}"
        ends = f" of {value.minimum:g} to {value.maximum:g}" if value.maximum > value.minimum else ""
        return f"{value.current:g}{ends}"
    said = plain(node.text)
    return "" if said == name else said


def is_disabled(node: Node) -> bool:
    """Tell whether it takes no input; GTK 4 and LibreOffice say one of two states only."""
    return node.states.isdisjoint({"enabled", "sensitive"})


def is_usable(node: Node, *, leaf: bool) -> bool:
    """Tell whether a pointer or a key can act on an element; a `leaf` holds nothing usable."""
    states = node.states
    if node.role in CONTROLS or "editable" in states:
        return True
    if node.role in _CHOICES and not states.isdisjoint({"selectable", "focusable"}):
        return True
    if node.role in _PASSIVE:
        return False
    if not leaf:
        return "focusable" in states and not _MEANT.isdisjoint(node.actions)
    return "focusable" in states or (not _MEANT.isdisjoint(node.actions) and node.role not in ("image", "text"))


def state_words(node: Node, merged: Iterable[frozenset[str]] = ()) -> tuple[str, ...]:
    """Return the states that matter, in one order; `merged` are those of parts without a line."""
    states = node.states.union(*merged)
    found: list[str] = [state for state in ("focused", "selected") if state in states]
    if node.role in CHECKED_ROLES or "checkable" in states or "toggle" in node.actions:
        on = not states.isdisjoint({"checked", "pressed"})
        found.append("mixed" if "indeterminate" in states else "checked" if on else "unchecked")
    if not states.isdisjoint({"expandable", "expanded"}):
        found.append("expanded" if "expanded" in states else "collapsed")
    if is_disabled(node):
        found.append("disabled")
    if "editable" in states and "read only" not in states and node.role != "table cell":
        found.append("editable")
    names = {"required": "required", "invalid entry": "invalid", "busy": "busy"}
    return (*found, *(word for state, word in names.items() if state in states))
