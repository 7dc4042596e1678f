"""OpenAI's computer tool: the preview with one action a call, and the one after it with several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Look, Reading, SafetyCheck
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.tool_dialect import ToolDialect, as_text, label, record, require
from proctor.actions.dialects.translation import (
    MAX_ACTIONS,
    PlaceFields,
    button,
    chord,
    chord_names,
    hold_keys,
    no_word,
    number,
    place_fields,
    point,
    raw_form,
    text,
    texts,
    too_many,
)
from proctor.errors import AgentError

PIXELS_PER_NOTCH = 100
"""The tool scrolls by pixels; a notch of the wheel moves most applications by about this many."""
BUTTONS = {"left": "left", "right": "right", "middle": "wheel", "back": "back", "forward": "forward"}


class OpenAi(ToolDialect):
    """`computer_call` items of the Responses API."""

    name = "openai"
    versions = ("computer_use_preview", "computer")
    names = {
        "click": ("click", "double_click"), "move": ("move",), "drag": ("drag",), "scroll": ("scroll",),
        "type": ("type",), "press": ("keypress",), "wait": ("wait",),
    }  # fmt: skip

    def _declare(self, version: str, size: tuple[int, int], denied: Sequence[str]) -> dict[str, object]:
        if version == "computer":
            return {"type": "computer"}
        return {"type": version, "display_width": size[0], "display_height": size[1], "environment": "linux"}

    def _checks(self, data: Mapping[str, object]) -> tuple[SafetyCheck, ...]:
        pending = data.get("pending_safety_checks")
        return tuple(
            SafetyCheck(id=label(check.get("id")), code=label(check.get("code")), message=label(check.get("message")))
            for check in (pending[:MAX_ACTIONS] if isinstance(pending, list) else ())
            if isinstance(check, dict)
        )

    def _read(self, data: Mapping[str, object], frame: Frame) -> Reading:
        """Read a whole call or one action alone."""
        space = open_space("image", frame)
        batch = data.get("actions")
        single = data.get("action", data)
        items = batch if isinstance(batch, list) and batch else [single]
        actions: list[Action] = []
        looks: list[Look] = []
        for item in items:
            entry = record(item, "an action")
            if entry.get("type") == "screenshot":
                looks.append(Look(kind="screenshot", after=len(actions)))
            else:
                actions += _translate(entry, space)
            if len(actions) + len(looks) > MAX_ACTIONS:
                raise too_many()
        return Reading(actions=tuple(actions), looks=tuple(looks))

    def _write(self, action: Action, frame: Frame) -> dict[str, object]:
        space = open_space("image", frame)
        held = {"keys": list(keys)} if (keys := getattr(action, "modifiers", ())) else {}
        match action:
            case act.Move(x=x, y=y):
                return {"type": "move", **_xy(space, x, y)}
            case act.Click(x=x, y=y, button="left", count=2) if x is not None and y is not None:
                return {"type": "double_click", **_xy(space, x, y), **held}
            case act.Click(x=x, y=y, button=which, count=1) if x is not None and y is not None:
                return {"type": "click", "button": BUTTONS[which], **_xy(space, x, y), **held}
            case act.Drag(path=path, button="left"):
                return {"type": "drag", "path": [_xy(space, *place) for place in path], **held}
            case act.Scroll(dx=dx, dy=dy, x=x, y=y) if x is not None and y is not None:
                far = {"scroll_x": dx * PIXELS_PER_NOTCH, "scroll_y": dy * PIXELS_PER_NOTCH}
                return {"type": "scroll", **_xy(space, x, y), **far, **held}
            case act.Type(text=typed):
                return {"type": "type", "text": typed}
            case act.Press(keys=pressed):
                return {"type": "keypress", "keys": chord_names(pressed)}
            case act.Wait():
                return {"type": "wait"}
        raise no_word(self.name, action)


def _translate(entry: Mapping[str, object], space: Space) -> Iterator[Action]:
    source = as_text(entry)
    keys = tuple(texts(entry["keys"], "keys")) if entry.get("keys") else ()
    at: PlaceFields = {}
    if entry.get("type") in ("click", "double_click", "move", "scroll"):
        at = place_fields(source, (number(entry.get("x"), "x"), number(entry.get("y"), "y")), space)
    heard = at.get("given") or raw_form(source)
    match entry.get("type"):
        case "click":
            yield act.Click(**at, button=button(entry.get("button", "left")), modifiers=keys)
        case "double_click":
            yield act.Click(**at, count=2, modifiers=keys)
        case "move":
            yield from hold_keys(keys, [act.Move(**at)], raw_form(source))
        case "scroll":
            far = [_notches(entry.get(name, 0), name) for name in ("scroll_x", "scroll_y")]
            yield act.Scroll(**at, dx=far[0], dy=far[1], modifiers=keys)
        case "drag":
            yield _drag(entry, keys, source, space)
        case "keypress":
            yield act.Press(keys=chord(keys), given=heard)
        case "type":
            yield act.Type(text=text(require(entry, "text"), "text"), given=heard)
        case "wait":
            yield act.Wait(given=heard)
        case other:
            raise AgentError(f"unknown action type {str(other)[:40]!r}", remedy="use the types of the computer tool")


def _drag(entry: Mapping[str, object], keys: tuple[str, ...], source: str, space: Space) -> Action:
    path = require(entry, "path")
    if not isinstance(path, list) or not path:
        raise AgentError("the path of a drag is empty", remedy="give at least two points")
    points = [point(item, "path") for item in path]
    return act.Drag(
        path=tuple(space.place(*item) for item in points), modifiers=keys, given=raw_form(source, points, space.name)
    )


def _notches(pixels: object, what: str) -> int:
    """Return notches of the wheel, at least one for any distance."""
    far = number(pixels, what)
    return round(far / PIXELS_PER_NOTCH) or (far > 0) - (far < 0)


def _xy(space: Space, x: float, y: float) -> dict[str, float]:
    raw = space.raw(x, y)
    return {"x": raw[0], "y": raw[1]}
