"""Actions as the vendors' models call them, to show that what is read is what was meant."""

from __future__ import annotations

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.translation import bare, chord_names, no_word
from proctor.models.vendors import openai
from proctor.models.vendors.anthropic import dialect as anthropic
from proctor.models.vendors.gemini import desktop
from proctor.models.vendors.gemini import dialect as gemini
from tests.actions.dialects.samples import vendor_dialect

BUTTONS = {"left": "left", "right": "right", "middle": "wheel", "back": "back", "forward": "forward"}


def write_call(name: str, action: Action, frame: Frame) -> dict[str, object]:
    """Return an action as a call; raises AgentError where the provider has no word for it."""
    data = WRITERS[name](action, frame)
    if bare(vendor_dialect(name).read_call(data, frame).actions) != bare([action]):
        raise no_word(name, action)
    return data


def write_anthropic(action: Action, frame: Frame) -> dict[str, object]:
    space = open_space("image", frame)
    held = {"text": "+".join(keys)} if (keys := getattr(action, "modifiers", ())) else {}
    match action:
        case act.Move(x=x, y=y):
            return {"action": "mouse_move", **_at(space, x, y)}
        case act.Click(x=x, y=y, button=which, count=count):
            for name, meant in anthropic.CLICKS.items():
                if meant == (which, count):
                    return {"action": name, **_at(space, x, y), **held}
        case act.Drag(path=path, button="left", modifiers=()) if len(path) <= 2:
            start = {"start_coordinate": list(space.raw(*path[0]))} if len(path) == 2 else {}
            return {"action": "left_click_drag", **start, **_at(space, *path[-1])}
        case act.Scroll(dx=dx, dy=dy, x=x, y=y) if not (dx and dy):
            direction = ("right" if dx > 0 else "left") if dx else ("up" if dy < 0 else "down")
            amount = {"scroll_direction": direction, "scroll_amount": abs(dx or dy)}
            return {"action": "scroll", **_at(space, x, y), **amount, **held}
        case act.MouseDown(button="left"):
            return {"action": "left_mouse_down"}
        case act.MouseUp(button="left"):
            return {"action": "left_mouse_up"}
        case act.Type(text=typed):
            return {"action": "type", "text": typed}
        case act.Press(keys=pressed):
            return {"action": "key", "text": pressed}
        case act.Wait(seconds=seconds):
            return {"action": "wait", "duration": seconds}
    raise no_word("anthropic", action)


def write_openai(action: Action, frame: Frame) -> dict[str, object]:
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
            far = {"scroll_x": dx * openai.PIXELS_PER_NOTCH, "scroll_y": dy * openai.PIXELS_PER_NOTCH}
            return {"type": "scroll", **_xy(space, x, y), **far, **held}
        case act.Type(text=typed):
            return {"type": "type", "text": typed}
        case act.Press(keys=pressed):
            return {"type": "keypress", "keys": chord_names(pressed)}
        case act.Wait():
            return {"type": "wait"}
    raise no_word("openai", action)


def write_gemini(action: Action, frame: Frame) -> dict[str, object]:
    space = open_space("grid 0-999", frame)
    if getattr(action, "modifiers", ()):
        raise no_word("gemini", action)
    match action:
        case act.Click(x=x, y=y, button="left", count=1) if x is not None and y is not None:
            return {"name": "click_at", "args": _xy(space, x, y)}
        case act.LongPress(x=x, y=y, seconds=1.0):
            return {"name": "long_press_at", "args": _xy(space, x, y)}
        case act.Move(x=x, y=y):
            return {"name": "hover_at", "args": _xy(space, x, y)}
        case act.Drag(path=((x, y), end), button="left"):
            to_x, to_y = space.raw(*end)
            return {
                "name": "drag_and_drop",
                "args": {**_xy(space, x, y), "destination_x": to_x, "destination_y": to_y},
            }
        case act.Scroll(dx=dx, dy=dy, x=x, y=y) if x is not None and y is not None and bool(dx) != bool(dy):
            direction = ("right" if dx > 0 else "left") if dx else ("down" if dy > 0 else "up")
            far = {"direction": direction, "magnitude": abs(dx or dy) * gemini.GRID_PER_NOTCH}
            return {"name": "scroll_at", "args": {**_xy(space, x, y), **far}}
        case act.Press(keys=keys):
            return {"name": "key_combination", "args": {"keys": keys}}
        case act.Wait(seconds=seconds) if seconds == gemini.WAIT_SEC:
            return {"name": "wait_5_seconds", "args": {}}
    if (call := _write_desktop(action, space)) is not None:
        return call
    raise no_word("gemini", action)


def _write_desktop(action: Action, space: Space) -> dict[str, object] | None:
    """Return an action as a call; None where there is no word for it."""
    match action:
        case act.Click(x=x, y=y, button=which, count=count):
            name = next((name for name, meant in desktop.CLICKS.items() if meant == (which, count)), None)
            return {"name": name, "args": _xy(space, x, y)} if name else None
        case act.Type(text=typed):
            return {"name": "type", "args": {"text": typed}}
        case act.MouseDown(button="left"):
            return {"name": "mouse_down", "args": {}}
        case act.MouseUp(button="left"):
            return {"name": "mouse_up", "args": {}}
        case act.KeyDown(key=key):
            return {"name": "key_down", "args": {"key": key}}
        case act.KeyUp(key=key):
            return {"name": "key_up", "args": {"key": key}}
        case act.Wait(seconds=seconds):
            return {"name": "wait", "args": {"seconds": seconds}}
        case act.Scroll(dx=dx, dy=dy, x=x, y=y) if bool(dx) != bool(dy):
            direction = ("right" if dx > 0 else "left") if dx else ("down" if dy > 0 else "up")
            far = {"direction": direction, "magnitude_in_pixels": abs(dx or dy) * desktop.PIXELS_PER_NOTCH}
            return {"name": "scroll", "args": {**_xy(space, x, y), **far}}
    return None


def _at(space: Space, x: float | None, y: float | None) -> dict[str, object]:
    return {} if x is None or y is None else {"coordinate": list(space.raw(x, y))}


def _xy(space: Space, x: float | None, y: float | None) -> dict[str, float]:
    if x is None or y is None:
        return {}
    raw = space.raw(x, y)
    return {"x": raw[0], "y": raw[1]}


WRITERS = {"anthropic": write_anthropic, "openai": write_openai, "gemini": write_gemini}
