"""Actions as ATIF's calls: in the words of Harbor's `computer_action`, or else in our own."""

from __future__ import annotations

from proctor.actions import action as act
from proctor.actions.action import Action, from_json
from proctor.errors import AgentError

COMPUTER = "computer_action"
"""The tool that viewers of desktop trajectories know."""
UNITS_A_NOTCH = 100
"""Harbor counts the wheel in units, of which this many are one notch; positive is down and right, as here."""
_CLICKS = {("left", 2): "double_click", ("left", 3): "triple_click", ("right", 1): "right_click"}
_CLICKS |= {("middle", 1): "middle_click"}


def call_of(done: dict[str, object]) -> tuple[str, dict[str, object]]:
    """Return the function and the arguments that say what was done."""
    own = {name: value for name, value in done.items() if name not in ("type", "given")}
    kind = str(done.get("type", ""))
    try:
        said = _in_harbors_words(from_json({"type": kind, **own}))
    except AgentError:
        # A record may come from anywhere; what is no action of ours is still what was recorded.
        said = None
    if said is None:
        return kind or "unknown", own
    return COMPUTER, {name: value for name, value in said.items() if value is not None}


def _in_harbors_words(action: Action) -> dict[str, object] | None:
    match action:
        case act.Move(x=x, y=y):
            return {"type": "mouse_move", **_at(x, y)}
        case act.Click(x=x, y=y, button=button, count=count, modifiers=held):
            kind = _CLICKS.get((button, count), "click")
            named = button if kind == "click" and button != "left" else None
            return {"type": kind, **_at(x, y), "button": named, "modifier": _held_keys(held)}
        case act.MouseDown(button=button) | act.MouseUp(button=button):
            return {"type": action.kind, "button": button}
        case act.Drag(path=path, modifiers=held):
            start = _at(*path[0]) if len(path) > 1 else {}
            end = _at(*path[-1])
            return {"type": "drag", **start, "end_x": end["x"], "end_y": end["y"], "modifier": _held_keys(held)}
        case act.Scroll(x=x, y=y, dx=dx, dy=dy, modifiers=held):
            turned = {"scroll_x": dx * UNITS_A_NOTCH, "scroll_y": dy * UNITS_A_NOTCH}
            return {"type": "scroll", **_at(x, y), **turned, "modifier": _held_keys(held)}
    return _said_without_place(action)


def _said_without_place(action: Action) -> dict[str, object] | None:
    match action:
        case act.Type(text=text):
            return {"type": "type", "text": text}
        case act.Press(keys=keys):
            return {"type": "keypress", "keys": keys.split(" ") if keys.strip(" ") else [keys]}
        case act.KeyDown(key=key) | act.KeyUp(key=key):
            return {"type": action.kind, "keys": [key]}
        case act.Wait(seconds=seconds):
            return {"type": "wait", "duration": seconds}
        case act.RunCode(code=code, language="shell", timeout_sec=limit):
            return {"type": "bash", "command": code, "timeout_sec": limit}
        case act.Done():
            return {"type": "done"}
        case act.Answer(text=text):
            return {"type": "answer", "result": text}
        case act.Fail(reason=reason):
            return {"type": "terminate", "result": reason}
    return None


def _at(x: float | None, y: float | None) -> dict[str, int | None]:
    """Return a place in whole pixels, as Harbor has them."""
    return {"x": None if x is None else round(x), "y": None if y is None else round(y)}


def _held_keys(modifiers: tuple[str, ...]) -> str | None:
    return "+".join(modifiers) or None
