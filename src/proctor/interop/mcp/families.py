"""The two families of tool names: those of Harbor's cookbook, and those of cua's computer server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proctor.actions import action as act
from proctor.actions.dialects.space import Space
from proctor.interop.mcp import commands
from proctor.interop.mcp import pieces as do
from proctor.interop.mcp.arguments import Param
from proctor.interop.mcp.tool import Asked, DeskTool
from proctor.observations.outline_text import HOW_TO_READ

_DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}
PIXELS_A_NOTCH = 120
"""Of cua's scroll amounts that are larger than any number of notches one turns at once."""
MOST_NOTCHES = 60

_HELD = Param("duration", "number", "Seconds, at most 60.", 0.5, bounds=(0, 60))
_SECONDS = Param("seconds", "number", "At most 60.", 1.0, bounds=(0, 60))
_LONGEST = Param("seconds", "number", "How long at most.", 30.0, bounds=(0, 600))
_PLACE = (
    do.optional(do.X, "Pixels from the left; by default, where the pointer is."),
    do.optional(do.Y, "Pixels from the top."),
    do.ELEMENT,
    do.BUTTON,
)


def _see(prefix: str, tree: str, windows: str, zoom: str) -> list[DeskTool]:
    """Return the looks that both families have, by their names in one."""
    return [
        DeskTool(
            name=prefix + "screenshot", group="see", needs=("screen",), ask=do.shows("screenshot"),
            what="Take a screenshot. Coordinates of all other tools are pixels of this picture.",
        ),
        DeskTool(
            name=tree, group="see", needs=("tree",), ask=do.lists, params=(do.FORM,),
            what="List the elements on the screen, by window. Tools that take a point also take the id of an element. "
            f"{HOW_TO_READ}",
        ),
        DeskTool(
            name=windows, group="see", needs=("windows",), ask=do.shows("windows"),
            what="List the windows from bottom to top: title, application, box, which is active.",
        ),
        DeskTool(
            name=zoom, group="see", needs=("screen",), ask=do.zooms, params=do.REGION,
            what="Show a region of the screen enlarged, to read small details.",
        ),
    ]  # fmt: skip


def _mouse(name: str, what: str, ask: do.Ask, *params: Param) -> DeskTool:
    return DeskTool(name=name, group="input", what=what, params=params, needs=("pointer",), ask=ask)


def _keys(name: str, what: str, ask: do.Ask, *params: Param) -> DeskTool:
    return DeskTool(name=name, group="input", what=what, params=params, needs=("keys",), ask=ask)


def harbor() -> list[DeskTool]:
    """Return the tools by the names of Harbor's cookbook, which are also Anthropic's words."""
    direction = Param("direction", "string", "Direction to scroll in.", choices=tuple(_DIRECTIONS))
    clicks = Param("clicks", "integer", "How many notches of the wheel.", 3)
    place = do.PLACE
    return [
        *_see("", "get_accessibility_tree", "list_windows", "zoom"),
        DeskTool(
            name="cursor_position", group="see", needs=("pointer",), ask=do.shows("pointer"),
            what="Get the position of the mouse pointer.",
        ),
        _mouse("mouse_move", "Move the mouse pointer.", do.moves, *place),
        _mouse("left_click", "Click the left button.", do.clicks("Left clicked", "left"), *place),
        _mouse("right_click", "Click the right button.", do.clicks("Right clicked", "right"), *place),
        _mouse("middle_click", "Click the middle button.", do.clicks("Middle clicked", "middle"), *place),
        _mouse("double_click", "Double-click.", do.clicks("Double clicked", "left", 2), *place),
        _mouse("triple_click", "Triple-click, to select a line, say.", do.clicks("Triple clicked", "left", 3), *place),
        _mouse("left_click_drag", "Drag with the left button held.", do.drags, *do.DRAG),
        _mouse("scroll", "Turn the mouse wheel at a point.", _turns, *place, direction, clicks),
        _keys("type_text", "Type a text exactly as given.", do.types, do.TEXT),
        _keys("press_key", "Press a key or key combination.", do.presses, do.KEY),
        _keys("hold_key", "Hold a key down for some time.", do.holds, do.KEY, _HELD),
        DeskTool(
            name="wait", group="input", params=(_SECONDS,), ask=do.waits,
            what="Wait, for example while something loads.",
        ),
        DeskTool(
            name="wait_for_change", group="input", params=(_LONGEST,), needs=("screen",), ask=do.waits_for_change,
            what="Wait until something new is on the screen, for example a message or the result of a long task.",
        ),
        *commands.tools(""),
    ]  # fmt: skip


def cua() -> list[DeskTool]:
    """Return the tools by the names of cua's computer server."""
    amounts = (
        Param("scroll_x", "integer", "Notches to the right; negative to the left.", 0),
        Param("scroll_y", "integer", "Notches down; negative up.", 0),
    )
    keys = Param("keys", "strings", "Keys to press together, such as ['ctrl', 'c'].")
    duration = Param("duration", "number", "Has no effect: a drag takes as long as applications need.", 0.5)
    place = do.PLACE
    return [
        *_see("computer_", "computer_get_accessibility_tree", "computer_list_windows", "computer_zoom"),
        DeskTool(
            name="computer_get_screen_size", group="see", needs=("screen",), ask=do.shows("size"),
            what="Get the width and height of the screenshot in pixels.",
        ),
        DeskTool(
            name="computer_get_cursor_position", group="see", needs=("pointer",), ask=do.shows("pointer"),
            what="Get the position of the mouse pointer.",
        ),
        DeskTool(
            name="computer_get_desktop_state", group="see", needs=("screen", "windows"), ask=do.shows("state"),
            what="Show the screen, its size and the windows together.",
        ),
        _mouse("computer_click", "Click.", do.clicks("Clicked"), *place, do.BUTTON),
        _mouse("computer_double_click", "Double-click.", do.clicks("Double clicked", "left", 2), *place),
        _mouse("computer_move", "Move the mouse pointer.", do.moves, *place),
        _mouse("computer_drag", "Drag with a button held.", do.drags, *do.DRAG, do.BUTTON, duration),
        _mouse("computer_scroll", "Turn the mouse wheel at a point.", _rolls, *place, *amounts),
        _mouse("computer_mouse_down", "Press and hold a mouse button.", do.button(act.MouseDown, "Pressed"), *_PLACE),
        _mouse("computer_mouse_up", "Release a mouse button.", do.button(act.MouseUp, "Released"), *_PLACE),
        _keys("computer_type", "Type a text exactly as given.", do.types, do.TEXT),
        _keys("computer_press_key", "Press a key.", do.presses, do.KEY),
        _keys("computer_hotkey", "Press keys together.", do.presses_together, keys),
        _keys("computer_key_down", "Press a key and hold it.", do.key(act.KeyDown, "Pressed"), do.KEY),
        _keys("computer_key_up", "Release a key.", do.key(act.KeyUp, "Released"), do.KEY),
        *commands.tools("computer_"),
    ]  # fmt: skip


FAMILIES: Mapping[str, Callable[[], list[DeskTool]]] = {"harbor": harbor, "cua": cua}


def _turns(arguments: Mapping[str, Any], space: Space) -> Asked:
    across, down = _DIRECTIONS[arguments["direction"]]
    clicks: int = arguments["clicks"]
    action = act.Scroll(**do.at(arguments, space), dx=across * clicks, dy=down * clicks)
    return Asked(actions=(action,), said=f"Scrolled {arguments['direction']} by {clicks}")


def _rolls(arguments: Mapping[str, Any], space: Space) -> Asked:
    dx, dy = (_notches(arguments[name]) for name in ("scroll_x", "scroll_y"))
    action = act.Scroll(**do.at(arguments, space), dx=dx, dy=dy)
    return Asked(actions=(action,), said=f"Scrolled by ({dx}, {dy})")


def _notches(amount: int) -> int:
    """Return notches of the wheel; clients that think in pixels give hundreds."""
    if abs(amount) <= MOST_NOTCHES:
        return amount
    notches = max(round(abs(amount) / PIXELS_A_NOTCH), 1)
    return notches if amount > 0 else -notches
