"""Anthropic's tool in three versions, and its toolset; a call is a `tool_use` block or its input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Look, Reading
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.translation import (
    chord_names,
    hold_keys,
    number,
    place_fields,
    point,
    raw_form,
    scroll_direction,
    text,
    whole,
)
from proctor.errors import AgentError
from proctor.models.tool_dialect import ToolDialect, call_text, only_look, record, required_field

CLICKS: dict[str, tuple[act.Button, int]] = {
    "left_click": ("left", 1), "right_click": ("right", 1), "middle_click": ("middle", 1),
    "double_click": ("left", 2), "triple_click": ("left", 3),
}  # fmt: skip
ZOOM_SINCE = "computer_20251124"
TOOLSET = "computer_toolset_20260801"
"""The tool of the newest models, which refuse the others: its calls name the member, and have no `action`."""
MOST_REPEATS = 100


class AnthropicDialect(ToolDialect):
    """The actions of the three versions of the tool and of the toolset of 2026."""

    name = "anthropic"
    versions = ("computer_20241022", "computer_20250124", "computer_20251124", TOOLSET)
    names = {
        "click": tuple(CLICKS), "move": ("mouse_move",), "drag": ("left_click_drag",), "scroll": ("scroll",),
        "mouse_down": ("left_mouse_down",), "mouse_up": ("left_mouse_up",), "type": ("type",), "press": ("key",),
        "key_down": ("hold_key",), "wait": ("wait",),
    }  # fmt: skip

    def declare(self, version: str, size: tuple[int, int], denied: Sequence[str]) -> dict[str, object]:
        if version == TOOLSET:
            configs = {member: {"enabled": False} for member in denied}
            return {"type": version, **({"configs": configs} if configs else {})}
        zoom = {"enable_zoom": True} if version >= ZOOM_SINCE else {}
        return {
            "type": version, "name": "computer", "display_width_px": size[0], "display_height_px": size[1], **zoom,
        }  # fmt: skip

    def read(self, data: Mapping[str, object], frame: Frame) -> Reading:
        entry = _entry(data)
        space = open_space("image", frame)
        match entry.get("action"):
            case "screenshot":
                return only_look(Look(kind="screenshot"))
            case "cursor_position":
                return only_look(Look(kind="pointer"))
            case "zoom":
                return only_look(Look(kind="zoom", region=_region(required_field(entry, "region"), space)))
            case str() as name:
                return Reading(actions=tuple(_translate(name, entry, space)))
        raise AgentError(f"unknown action {str(entry.get('action'))[:40]!r}", remedy="use the tool's own actions")


def _entry(data: Mapping[str, object]) -> Mapping[str, object]:
    """Return the input of a call with its action in it; members of the toolset are named by it."""
    if "input" not in data:
        return data
    entry = record(data["input"] if data["input"] is not None else {}, "the input")
    member = data.get("name")
    is_member = data.get("toolset_name") is not None or member not in (None, "computer")
    return {"action": member, **entry} if is_member and "action" not in entry else entry


def _translate(name: str, entry: Mapping[str, object], space: Space) -> Iterator[Action]:
    source = call_text(entry)
    raw = point(entry["coordinate"], "coordinate") if entry.get("coordinate") is not None else None
    at = place_fields(source, raw, space)
    plain = raw_form(source)
    if name in CLICKS:
        which, count = CLICKS[name]
        yield act.Click(**at, button=which, count=count, modifiers=_held_keys(entry))
    elif name == "scroll":
        across, down = scroll_direction(entry.get("scroll_direction"), "scroll_direction")
        amount = whole(required_field(entry, "scroll_amount"), "scroll_amount")
        yield act.Scroll(**at, dx=across * amount, dy=down * amount, modifiers=_held_keys(entry))
    elif name == "left_click_drag":
        yield _drag(entry, raw, source, space)
    elif name in ("mouse_move", "left_mouse_down", "left_mouse_up"):
        if raw is not None or name == "mouse_move":
            required_field(entry, "coordinate")
            yield act.Move(**at)
        if name != "mouse_move":
            yield act.MouseDown(given=plain) if name == "left_mouse_down" else act.MouseUp(given=plain)
    elif name == "hold_key":
        duration = number(entry.get("duration", 1), "duration")
        keys = chord_names(text(required_field(entry, "text"), "text"))
        yield from hold_keys(keys, [act.Wait(seconds=duration, given=plain)], plain)
    else:
        times = whole(entry["repeat"], "repeat") if name == "key" and entry.get("repeat") is not None else 1
        if not 1 <= times <= MOST_REPEATS:
            raise AgentError(f"repeat is {times}", remedy=f"give a number from 1 to {MOST_REPEATS}")
        yield from [_keyboard(name, entry, plain)] * times


def _keyboard(name: str, entry: Mapping[str, object], source: act.Given) -> Action:
    match name:
        case "key":
            return act.Press(keys=text(required_field(entry, "text"), "text"), given=source)
        case "type":
            return act.Type(text=text(required_field(entry, "text"), "text"), given=source)
        case "wait":
            return act.Wait(seconds=number(entry.get("duration", 1), "duration"), given=source)
    raise AgentError(f"unknown action {name[:40]!r}", remedy="use the tool's own actions")


def _drag(entry: Mapping[str, object], end: tuple[float, float] | None, source: str, space: Space) -> Action:
    required_field(entry, "coordinate")
    starts = [point(entry["start_coordinate"], "start_coordinate")] if entry.get("start_coordinate") else []
    points = [*starts, *([end] if end else [])]
    path = tuple(space.place(*item) for item in points)
    return act.Drag(path=path, given=raw_form(source, points, space.name))


def _held_keys(entry: Mapping[str, object]) -> tuple[str, ...]:
    """Return the keys that a click or a turn of the wheel asks to be held, as `text` or as `key`."""
    keys = entry.get("text") or entry.get("key")
    return tuple(chord_names(text(keys, "text"))) if keys else ()


def _region(value: object, space: Space) -> tuple[float, float, float, float]:
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise AgentError("the region of zoom is not understood", remedy="give [left, top, right, bottom]")
    return (*space.place(*point(value[:2], "region")), *space.place(*point(value[2:], "region")))
