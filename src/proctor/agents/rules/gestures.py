"""How something on a page is clicked and filled in."""

from __future__ import annotations

import re

from proctor.actions.action import Action, Click, Press, Type
from proctor.observations.tree import Node

Actions = tuple[Action, ...]


def click(node: Node, modifiers: tuple[str, ...] = ()) -> Click:
    """Return a click in the middle of something."""
    assert node.box, "what is shown has a place"
    x, y = node.box.center
    return Click(x=x, y=y, modifiers=modifiers)


def replace_text(node: Node, text: str) -> Actions:
    """Return how a text takes the place of what a field holds."""
    kind = node.attributes.get("type", "")
    if kind == "date" and (date := re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", text)):
        return (at_start(node), Type(text="".join(date.groups())))
    if kind == "time" and (time := re.fullmatch(r"(\d?\d):(\d\d) ([AP]M)", text)):
        return (at_start(node), Type(text=f"{int(time[1]):02d}{time[2]}{time[3]}"))
    return (click(node), Press(keys="ctrl+a"), Type(text=text))


def at_start(node: Node) -> Click:
    """Return a click on the first part of a field that has several, such as the month of a date."""
    assert node.box, "what is shown has a place"
    return Click(x=node.box.x + min(24, node.box.width // 2), y=node.box.center[1])
