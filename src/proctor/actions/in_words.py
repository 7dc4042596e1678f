"""Actions in words, as people tell what somebody did, for critics and for data made from records."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.records import Hit

MOST_NAME = 60
KINDS = (
    "click", "double click", "triple click", "right click", "middle click", "drag", "scroll", "move", "type", "press",
)  # fmt: skip
"""What people can tell apart by looking."""
_COUNTS: dict[object, str] = {1: "click", 2: "double click", 3: "triple click"}
_ROLES = {
    "push button": "button", "text": "text field", "entry": "text field", "page tab": "tab", "table cell": "cell",
    "check menu item": "menu item", "radio menu item": "menu item", "button": "button",
}  # fmt: skip


def kind_of(action: Mapping[str, object]) -> str:
    """Return an action as one of KINDS; nothing for what is none of them."""
    kind = action.get("type")
    if kind == "click":
        button = action.get("button", "left")
        if button in ("right", "middle"):
            return f"{button} click"
        return _COUNTS.get(action.get("count", 1), "") if button == "left" else ""
    return kind if isinstance(kind, str) and kind in KINDS else ""


def action_words(action: Mapping[str, object], element: Hit | None, size: tuple[int, int] | None = None) -> str:
    """Return what was done, as people and critics are told it.

    With the `size` of the desktop, a place is told as shares of it: pictures may be sent in any size.
    """
    kind = kind_of(action) or str(action.get("type", "act"))
    if kind == "type":
        return f"type {short(str(action.get('text', '')))!r}"
    if kind == "press":
        return f"press {action.get('keys', '')}"
    if element is not None and (name := label(element.name, element.text)):
        return f"{kind} {role_words(element.role)} {name!r}"
    x, y = action.get("x"), action.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        return kind
    if size is None:
        return f"{kind} at ({x:.0f}, {y:.0f})"
    return f"{kind} at {x / size[0]:.1%} of the width from the left, {y / size[1]:.1%} of the height from the top"


def role_words(role: str) -> str:
    """Return a role as people call it."""
    return _ROLES.get(role, role or "element")


def label(name: str, text: str) -> str:
    """Return by what people call an element: the first line of its name, or else of what it holds."""
    for given in (name, text):
        first = next((line.strip() for line in given.splitlines() if line.strip()), "")
        if first and any(letter.isalnum() for letter in first):
            return short(first).replace('"', "'")
    return ""


def short(text: str) -> str:
    """Return a text that fits a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_NAME else f"{line[: MOST_NAME - 3]}..."
