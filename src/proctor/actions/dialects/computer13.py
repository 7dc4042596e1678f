"""OSWorld's computer_13, one JSON object per action, with OS-MAP's CALL_USER and an ANSWER."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import prompt_words
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.json_dialect import IDS, JsonDialect, element_fields, read_parameters, write_entry
from proctor.actions.dialects.loose_json import FoundObject
from proctor.actions.dialects.reply import DEFAULT_QUESTION
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.translation import (
    PlaceFields,
    button,
    chord,
    chord_names,
    no_word,
    number,
    place_fields,
    text,
    texts,
    whole,
)
from proctor.errors import AgentError

BUTTONS = ("left", "middle", "right")
CHANGE_SEC = 30.0
"""How long a change is waited for, where nothing is said."""
PARAMETERS = {
    "MOVE_TO": "x y id mark", "CLICK": "button x y id mark num_clicks", "MOUSE_DOWN": "button", "MOUSE_UP": "button",
    "RIGHT_CLICK": "x y id mark", "DOUBLE_CLICK": "x y id mark", "DRAG_TO": "x y id mark",
    "SCROLL": "dx dy x y id mark", "TYPING": "text", "PRESS": "key", "KEY_DOWN": "key", "KEY_UP": "key",
    "HOTKEY": "keys",
    "WAIT": "seconds", "WAIT_FOR_CHANGE": "seconds", "DONE": "",
    "FAIL": "reason", "CALL_USER": "message question text call_type", "ANSWER": "text",
}  # fmt: skip
"""What each type of action takes."""


_WITH_A_TEXT: dict[str, tuple[Callable[..., Action], str, str]] = {
    "TYPING": (act.Type, "text", "text"), "PRESS": (act.Press, "keys", "key"), "KEY_DOWN": (act.KeyDown, "key", "key"),
    "KEY_UP": (act.KeyUp, "key", "key"), "FAIL": (act.Fail, "reason", "reason"), "ANSWER": (act.Answer, "text", "text"),
}  # fmt: skip
"""Types of actions that hold one text: what they are here, and its name here and there."""


class Computer13(JsonDialect):
    """Actions as `{"action_type": ..., ...}`, their parameters beside it or under `parameters`."""

    name = "computer13"
    kinds = tuple(kind for kind in act.ON_A_DESKTOP if kind != "run_code")
    hint = 'write actions as JSON, such as {"action_type": "CLICK", "x": 10, "y": 20}, or DONE, FAIL or WAIT alone'
    endings = {
        "done": '{"action_type": "DONE"}',
        "fail": '{"action_type": "FAIL", "reason": "..."}',
        "answer": '{"action_type": "ANSWER", "text": "..."}',
        "ask_user": '{"action_type": "CALL_USER", "message": "..."}',
    }
    by_id = '{"action_type": "CLICK", "id": 3}'

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the forms of these kinds."""
        by_id = '`"id": 3` in place of x and y'
        return prompt_words.join_lines(
            "Write your actions as JSON in a code fence labelled json: one object, or a list of objects that are "
            "carried out in order.",
            prompt_words.list_forms(kinds, FORMS),
            prompt_words.keys(kinds),
            prompt_words.places(open_space("image", frame), frame, kinds, by_id),
            self.example(kinds, frame),
        )

    def _translate(self, entry: FoundObject, source: str, frame: Frame) -> Sequence[Action]:
        # Parameters may be nested as well as flat.
        nested = entry.get("parameters")
        flat = {name: value for name, value in entry.items() if name != "parameters"}
        kind, values = read_parameters({**flat, **(nested if isinstance(nested, dict) else {})}, PARAMETERS)
        space = open_space("image", frame)
        raw = None
        if {"x", "y"} <= values.keys():
            raw = (number(values["x"], "x"), number(values["y"], "y"))
        elif "x" in values or "y" in values:
            raise AgentError(f"{kind} has only one of x and y", remedy="give both x and y, or neither")
        at = element_fields(values, IDS, source, frame) or place_fields(source, raw, space)
        return [_pointer(kind, values, at) or _keyboard(kind, values, at["given"])]

    def data(self, action: Action, frame: Frame) -> dict[str, object]:
        """Return an action as an object; raises AgentError where there is no word for it."""
        space = open_space("image", frame)
        if getattr(action, "modifiers", ()):
            raise no_word(self.name, action)
        match action:
            case act.Move(x=x, y=y):
                return write_entry("MOVE_TO", space.raw_fields(x, y))
            case act.Click(x=x, y=y, button=which, count=count) if which in BUTTONS:
                at = space.raw_fields(x, y)
                return write_entry("CLICK", at, button=_unless(which), num_clicks=count if count > 1 else None)
            case act.MouseDown(button=which) | act.MouseUp(button=which) if which in BUTTONS:
                kind = "MOUSE_DOWN" if isinstance(action, act.MouseDown) else "MOUSE_UP"
                return write_entry(kind, button=_unless(which))
            case act.Drag(path=((x, y),), button="left"):
                return write_entry("DRAG_TO", space.raw_fields(x, y))
            case act.Scroll(dx=dx, dy=dy, x=x, y=y):
                return write_entry("SCROLL", space.raw_fields(x, y), dx=dx, dy=-dy)
        return _rest(action)


def _pointer(kind: str, values: dict[str, object], at: PlaceFields) -> Action | None:
    match kind:
        case "MOVE_TO" | "DRAG_TO" if "x" not in at:
            raise AgentError(f"{kind} has no place", remedy="give x and y")
        case "MOVE_TO":
            return act.Move(**at)
        case "DRAG_TO":
            return act.Drag(path=((at["x"], at["y"]),), given=at["given"])
        case "CLICK":
            count = whole(values.get("num_clicks", 1), "num_clicks")
            return act.Click(**at, button=button(values.get("button", "left")), count=count)
        case "RIGHT_CLICK":
            return act.Click(**at, button="right")
        case "DOUBLE_CLICK":
            return act.Click(**at, count=2)
        case "MOUSE_DOWN":
            return act.MouseDown(button=button(values.get("button", "left")), given=at["given"])
        case "MOUSE_UP":
            return act.MouseUp(button=button(values.get("button", "left")), given=at["given"])
        case "SCROLL":
            # OSWorld hands dy to PyAutoGUI, for which up is positive.
            return act.Scroll(**at, dx=whole(values.get("dx", 0), "dx"), dy=-whole(values.get("dy", 0), "dy"))
    return None


def _keyboard(kind: str, values: dict[str, object], source: act.Given) -> Action:
    missing = [name for name in ("text", "key", "keys") if PARAMETERS[kind] == name and name not in values]
    if missing:
        raise AgentError(f"{kind} has no {missing[0]}", remedy=f"give it as {missing[0]!r}")
    match kind:
        case "HOTKEY":
            return act.Press(keys=chord(texts(values["keys"], "keys")), given=source)
        case "WAIT":
            return act.Wait(seconds=number(values.get("seconds", 1.0), "seconds"), given=source)
        case "WAIT_FOR_CHANGE":
            return act.WaitForChange(seconds=number(values.get("seconds", CHANGE_SEC), "seconds"), given=source)
        case "DONE":
            return act.Done(given=source)
        case "CALL_USER":
            return act.AskUser(question=_question(values), given=source)
    make, ours, theirs = _WITH_A_TEXT[kind]
    said: dict[str, object] = {ours: text(values.get(theirs, ""), theirs)}
    return make(**said, given=source)


def _question(values: dict[str, object]) -> str:
    for name in ("message", "question", "text"):
        if name in values:
            return text(values[name], name)
    if "call_type" in values:
        return f"Please tell me this: {text(values['call_type'], 'call_type')}"
    return DEFAULT_QUESTION


def _rest(action: Action) -> dict[str, object]:
    match action:
        case act.Press(keys=keys) if len(names := chord_names(keys)) > 1:
            return write_entry("HOTKEY", keys=names)
        case act.Wait(seconds=seconds):
            return write_entry("WAIT", seconds=None if seconds == 1.0 else seconds)
        case act.WaitForChange(seconds=seconds):
            return write_entry("WAIT_FOR_CHANGE", seconds=None if seconds == CHANGE_SEC else seconds)
        case act.Done():
            return write_entry("DONE")
        case act.AskUser(question=question):
            return write_entry("CALL_USER", message=question)
    for kind, (make, ours, theirs) in _WITH_A_TEXT.items():
        if type(action) is make:
            said = getattr(action, ours)
            return write_entry(kind, **{theirs: said or None if make is act.Fail else said})
    raise no_word(Computer13.name, action)


def _unless(which: str) -> str | None:
    return None if which == "left" else which


FORMS = {
    "move": '{"action_type": "MOVE_TO", "x": number, "y": number}',
    "click": '{"action_type": "CLICK", "x": number, "y": number, "button": "left" | "middle" | "right", '
    '"num_clicks": 1 | 2 | 3}; button and num_clicks may be left out',
    "mouse_down": '{"action_type": "MOUSE_DOWN", "button": "left" | "middle" | "right"}',
    "mouse_up": '{"action_type": "MOUSE_UP", "button": "left" | "middle" | "right"}',
    "drag": '{"action_type": "DRAG_TO", "x": number, "y": number}, from where the pointer is',
    "scroll": '{"action_type": "SCROLL", "dx": notches, "dy": notches}; here a positive dy is up, a positive dx '
    "to the right",
    "type": '{"action_type": "TYPING", "text": text}',
    "press": '{"action_type": "PRESS", "key": "enter"} for a key, {"action_type": "HOTKEY", "keys": ["ctrl", "s"]} '
    "for a chord",
    "key_down": '{"action_type": "KEY_DOWN", "key": "shift"}',
    "key_up": '{"action_type": "KEY_UP", "key": "shift"}',
    "wait": '{"action_type": "WAIT"}',
    "wait_for_change": '{"action_type": "WAIT_FOR_CHANGE", "seconds": number}; the seconds may be left out',
    "done": '{"action_type": "DONE"}',
    "fail": '{"action_type": "FAIL", "reason": text}; the reason may be left out',
    "answer": '{"action_type": "ANSWER", "text": text}',
    "ask_user": '{"action_type": "CALL_USER", "message": text}',
}
