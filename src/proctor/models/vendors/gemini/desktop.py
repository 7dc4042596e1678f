"""The functions of Gemini's computer tool for desktops, since its third generation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import (
    PlaceFields,
    chord,
    number,
    place_fields,
    raw_form,
    scroll_direction,
    text,
    texts,
)
from proctor.models.tool_dialect import required_field

NAMES = {
    "click": ("click", "double_click", "triple_click", "right_click", "middle_click"), "move": ("move",),
    "mouse_down": ("mouse_down",), "mouse_up": ("mouse_up",), "drag": ("drag_and_drop",), "scroll": ("scroll",),
    "type": ("type",), "press": ("press_key", "hotkey"), "key_down": ("key_down",), "key_up": ("key_up",),
    "wait": ("wait",),
}  # fmt: skip
CLICKS: dict[str, tuple[act.Button, int]] = {
    "click": ("left", 1), "double_click": ("left", 2), "triple_click": ("left", 3), "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}  # fmt: skip
SCREENSHOT = "take_screenshot"
PIXELS_PER_NOTCH = 100
USUAL_PIXELS = 300
OWN = frozenset(name for names in NAMES.values() for name in names)


def translate(name: str, arguments: Mapping[str, object], source: str, space: Space) -> Iterator[Action]:
    """Yield the actions of one call; raises AgentError."""
    plain = raw_form(source)
    at = place_fields(source, _raw(arguments), space)
    if name in CLICKS:
        which, count = CLICKS[name]
        yield act.Click(**at, button=which, count=count)
    elif name == "move":
        required_field(arguments, "x")
        yield act.Move(**at)
    elif name in ("mouse_down", "mouse_up"):
        if "x" in at:
            yield act.Move(**at)
        yield act.MouseDown(given=plain) if name == "mouse_down" else act.MouseUp(given=plain)
    elif name == "scroll":
        yield _scroll(arguments, at)
    elif name == "drag_and_drop":
        ends = [pair(arguments, "start_x", "start_y"), pair(arguments, "end_x", "end_y")]
        yield act.Drag(path=tuple(space.place(*end) for end in ends), given=raw_form(source, ends, space.name))
    else:
        yield from _keyboard(name, arguments, plain)


def _keyboard(name: str, arguments: Mapping[str, object], source: act.Given) -> Iterator[Action]:
    match name:
        case "type":
            yield act.Type(text=text(required_field(arguments, "text"), "text"), given=source)
            if arguments.get("press_enter"):
                yield act.Press(keys="enter", given=source)
        case "press_key":
            yield act.Press(keys=text(required_field(arguments, "key"), "key"), given=source)
        case "hotkey":
            yield act.Press(keys=chord(texts(required_field(arguments, "keys"), "keys")), given=source)
        case "key_down":
            yield act.KeyDown(key=text(required_field(arguments, "key"), "key"), given=source)
        case "key_up":
            yield act.KeyUp(key=text(required_field(arguments, "key"), "key"), given=source)
        case "wait":
            yield act.Wait(seconds=number(arguments.get("seconds", 1), "seconds"), given=source)


def _scroll(arguments: Mapping[str, object], at: PlaceFields) -> Action:
    direction = scroll_direction(arguments.get("direction"))
    pixels = number(arguments.get("magnitude_in_pixels", USUAL_PIXELS), "magnitude_in_pixels")
    notches = max(round(pixels / PIXELS_PER_NOTCH), 1)
    return act.Scroll(**at, dx=direction[0] * notches, dy=direction[1] * notches)


def _raw(arguments: Mapping[str, object]) -> tuple[float, float] | None:
    if arguments.get("x") is None and arguments.get("y") is None:
        return None
    return pair(arguments, "x", "y")


def pair(arguments: Mapping[str, object], across: str, down: str) -> tuple[float, float]:
    """Return two fields that a call cannot do without as a place."""
    return number(required_field(arguments, across), across), number(required_field(arguments, down), down)
