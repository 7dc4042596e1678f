"""What both families of tool names are made of: places, clicks, keys and looks as actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import chord, chord_names, hold_keys, raw_form
from proctor.actions.keys import parse_key, parse_keys
from proctor.errors import AgentError
from proctor.interop.elements import TREE_FORMS, WHAT_ELEMENT, TreeForm
from proctor.interop.mcp.arguments import Param
from proctor.interop.mcp.tool import Asked, Shown

Ask = Callable[[Mapping[str, object], Space], Asked]


def optional(param: Param, what: str) -> Param:
    """Return an argument that may be left out."""
    return Param(param.name, param.kind, what, None, param.choices)


X = Param("x", "integer", "Pixels from the left edge of the screenshot.")
Y = Param("y", "integer", "Pixels from the top edge of the screenshot.")
ELEMENT = Param("element", "integer", WHAT_ELEMENT, None)
PLACE = (optional(X, X.what), optional(Y, Y.what), ELEMENT)
FORM = Param("form", "string", "outline: with ids and states; osworld: the table of that paper.", "outline", TREE_FORMS)
REGION = (
    Param("x1", "integer", "Left edge of the region, in pixels of the screenshot."),
    Param("y1", "integer", "Its top edge."),
    Param("x2", "integer", "Its right edge."),
    Param("y2", "integer", "Its bottom edge."),
)
DRAG = (
    Param("start_x", "integer", "Where to press, from the left."),
    Param("start_y", "integer", "Where to press, from the top."),
    Param("end_x", "integer", "Where to let go, from the left."),
    Param("end_y", "integer", "Where to let go, from the top."),
)
BUTTON = Param("button", "string", "Which mouse button.", "left", ("left", "right", "middle"))
TEXT = Param("text", "string", "What to type; a newline is the Return key, a tab the Tab key.")
KEY = Param("key", "string", "A key or key combination, such as Return, ctrl+c or alt+F4.")


def source(arguments: Mapping[str, Any], points: tuple[tuple[float, float], ...] = (), space: str = "") -> act.Given:
    """Return what the client wrote, as each action of a call keeps it."""
    return raw_form(json.dumps({name: value for name, value in arguments.items() if value is not None}), points, space)


def at(arguments: Mapping[str, Any], space: Space) -> dict[str, Any]:
    """Return the fields `x`, `y` and `given` of an action at the place that a call names."""
    raw = (arguments["x"], arguments["y"])
    if None in raw:
        raise AgentError("no point is given", remedy="give x and y, or element with an id from the list of elements")
    x, y = inside(*raw, space)
    return {"x": x, "y": y, "given": source(arguments, (raw,), space.name)}


def inside(x: float, y: float, space: Space) -> tuple[float, float]:
    """Return a place on the desktop; raises AgentError, in the client's pixels, for one outside."""
    if not space.contains(x, y):
        raise space.outside(x, y, "screenshot")
    return space.place(x, y)


def shows(shown: Shown) -> Ask:
    """Return what asks to be shown something."""
    return lambda _arguments, _space: Asked(shown=shown)


def zooms(arguments: Mapping[str, Any], space: Space) -> Asked:
    """Ask for a part of the screen, enlarged."""
    left, top = space.place(arguments["x1"], arguments["y1"])
    right, bottom = space.place(arguments["x2"], arguments["y2"])
    if not (left < right and top < bottom):
        raise AgentError("the region is empty; x1 must be left of x2 and y1 above y2")
    if right <= 0 or bottom <= 0 or left >= space.desktop[0] or top >= space.desktop[1]:
        raise AgentError(f"the region lies outside the screen, which is {space.size[0]:g}x{space.size[1]:g}")
    return Asked(shown="zoom", region=(left, top, right, bottom))


def clicks(how: str, button: act.Button | None = None, count: int = 1) -> Ask:
    """Return what clicks at the place of a call, with its button where none is given."""

    def ask(arguments: Mapping[str, Any], space: Space) -> Asked:
        which: act.Button = button or arguments["button"]
        action = act.Click(**at(arguments, space), button=which, count=count)
        return Asked(actions=(action,), said=f"{how} at ({arguments['x']}, {arguments['y']})")

    return ask


def moves(arguments: Mapping[str, Any], space: Space) -> Asked:
    """Move the pointer."""
    said = f"Moved the pointer to ({arguments['x']}, {arguments['y']})"
    return Asked(actions=(act.Move(**at(arguments, space)),), said=said)


def drags(arguments: Mapping[str, Any], space: Space) -> Asked:
    """Drag from one place to another."""
    raw = ((arguments["start_x"], arguments["start_y"]), (arguments["end_x"], arguments["end_y"]))
    path = tuple(inside(*point, space) for point in raw)
    button = arguments.get("button", "left")
    action = act.Drag(path=path, button=button, given=source(arguments, raw, space.name))
    return Asked(actions=(action,), said=f"Dragged from {raw[0]} to {raw[1]}")


def types(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Type a text."""
    text: str = arguments["text"]
    # The text itself is in the action; a second copy of it would only make records larger.
    return Asked(actions=(act.Type(text=text),), said=f"Typed {len(text):,} characters")


def presses(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Press a key or a chord; several are separated by spaces."""
    keys: str = arguments["key"]
    parse_keys(keys)
    return Asked(actions=(act.Press(keys=keys, given=source(arguments)),), said=f"Pressed {keys}")


def presses_together(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Press keys at once."""
    if not arguments["keys"]:
        raise AgentError("keys is empty; name the keys to press together, such as ['ctrl', 'c']")
    keys = chord(arguments["keys"])
    parse_keys(keys)
    return Asked(actions=(act.Press(keys=keys, given=source(arguments)),), said=f"Pressed {keys}")


def holds(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Hold keys down for a while."""
    names, seconds = chord_names(arguments["key"]), arguments["duration"]
    for name in names:
        parse_key(name)
    written = source(arguments)
    actions = tuple(hold_keys(names, [act.Wait(seconds=seconds, given=written)], written))
    return Asked(actions=actions, said=f"Held {arguments['key']} for {seconds:g} s")


def key(action: type[act.KeyDown | act.KeyUp], how: str) -> Ask:
    """Return what presses or releases one key."""

    def ask(arguments: Mapping[str, Any], _space: Space) -> Asked:
        name: str = arguments["key"]
        parse_key(name)
        return Asked(actions=(action(key=name, given=source(arguments)),), said=f"{how} {name}")

    return ask


def button(action: type[act.MouseDown | act.MouseUp], how: str) -> Ask:
    """Return what presses or releases a button, at a place where one is named."""

    def ask(arguments: Mapping[str, Any], space: Space) -> Asked:
        x, y = arguments["x"], arguments["y"]
        if (x is None) != (y is None):
            raise AgentError("only one of x and y is given; give both, or neither for the position of the pointer")
        first: tuple[Action, ...] = () if x is None else (act.Move(**at(arguments, space)),)
        which = arguments["button"]
        return Asked(actions=(*first, action(button=which, given=source(arguments))), said=f"{how} the {which} button")

    return ask


def waits(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Let time pass."""
    seconds: float = arguments["seconds"]
    return Asked(actions=(act.Wait(seconds=seconds, given=source(arguments)),), said=f"Waited {seconds:g} s")


def waits_for_change(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Let time pass until something new is on the screen."""
    seconds: float = arguments["seconds"]
    said = f"Waited until something new was on the screen, {seconds:g} s at most"
    return Asked(actions=(act.WaitForChange(seconds=seconds, given=source(arguments)),), said=said)


def lists(arguments: Mapping[str, object], _space: Space) -> Asked:
    """Ask for the elements on the screen."""
    form: TreeForm = "osworld" if arguments["form"] == "osworld" else "outline"
    return Asked(shown="tree", form=form)
