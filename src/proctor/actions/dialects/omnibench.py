"""OmniBench: clicks, the wheel and keys on labelled controls, and a status.

A control is named by its label, which is its id; `coords` names a place in the picture instead. Keys go
to whatever has the focus, whether or not a label stands beside them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import prompt_words, pywinauto_keys
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.json_dialect import JsonDialect, element_fields
from proctor.actions.dialects.loose_json import FoundObject
from proctor.actions.dialects.space import open_space, sample_place
from proctor.actions.dialects.translation import (
    PlaceFields,
    button,
    no_word,
    place_fields,
    point,
    raw_form,
    text,
    whole,
)
from proctor.errors import AgentError

FUNCTIONS = {"click_input": "button double coords pressed", "wheel_mouse_input": "wheel_dist coords",
             "keyboard_input": "keys"}  # fmt: skip
"""What each function takes."""
PRESSED = {"control": "ctrl", "shift": "shift", "alt": "alt"}
STROKES: dict[str, Callable[..., Action]] = {"text": act.Type, "press": act.Press, "down": act.KeyDown, "up": act.KeyUp}
FIELDS = {"text": "text", "press": "keys", "down": "key", "up": "key"}


class OmniBenchCall(TypedDict):
    """One action as OmniBench writes it."""

    Status: str
    ControlLabel: NotRequired[str]
    Function: str
    Args: dict[str, object]


class OmniBench(JsonDialect):
    """Actions as `{"Status": ..., "ControlLabel": ..., "Function": ..., "Args": {...}}`."""

    name = "omnibench"
    kinds = ("click", "move", "scroll", "type", "press", "key_down", "key_up", "done", "fail")
    hint = 'write JSON such as {"Status": "CONTINUE", "Function": "click_input", "Args": {"coords": [10, 20]}}'
    several = False
    thinks = True
    endings = {"done": '"Status": "FINISH"', "fail": '"Status": "FAIL"'}

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the forms of these kinds."""
        marked = prompt_words.has_ids(frame)
        label = "ControlLabel (the id of the element to act on, or empty), " if marked else ""
        place = 'A place without an element is given in Args as "coords": [x, y].'
        place = place if marked else 'A place is given in Args as "coords": [x, y].'
        return prompt_words.join_lines(
            "Write one JSON object in a code fence labelled json, with these fields: Thought (what you see, what your "
            "last action did and what you will do next), Status (CONTINUE while there is more to do), "
            f"{label}Function and Args. {place if prompt_words.PLACED.intersection(kinds) else ''}".rstrip(),
            "Functions and their Args:",
            prompt_words.list_forms(kinds, FORMS),
            prompt_words.places(open_space("image", frame), frame, kinds),
            self.example(kinds, frame),
        )

    def example(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return an object with one allowed action, its thought and, where elements have ids, a label."""
        marked = prompt_words.has_ids(frame)
        if "click" in kinds:
            place = {} if marked else {"coords": list(open_space("image", frame).raw(*sample_place(frame)))}
            entry = _entry("3" if marked else "", "click_input", {"button": "left", "double": False, **place})
        elif "press" in kinds:
            entry = _entry("", "keyboard_input", {"keys": "^s"})
        else:
            entry = _entry("", "", {}, status="FINISH")
        if not marked:
            del entry["ControlLabel"]
        thought = {"Thought": "The file is open, so I take the next step."}
        return f"For example:\n{self._assemble([json.dumps({**thought, **entry})])}"

    def _hint(self, frame: Frame) -> str:
        if not prompt_words.has_ids(frame):
            return self.hint
        return self.hint.replace('{"coords": [10, 20]}', "{}").replace('"Function"', '"ControlLabel": "3", "Function"')

    def _translate(self, entry: FoundObject, source: str, frame: Frame) -> Sequence[Action]:
        values = {name.lower().replace("_", ""): value for name, value in entry.items()}
        status = str(values.get("status") or "").upper()
        function = str(values.get("function") or "").strip()
        arguments = values.get("args") or {}
        actions: list[Action] = []
        if function:
            if function not in FUNCTIONS or not isinstance(arguments, dict):
                raise AgentError(f"unknown Function {function[:40]!r}", remedy=f"choose one of: {', '.join(FUNCTIONS)}")
            if unknown := [name for name in arguments if name not in FUNCTIONS[function].split()]:
                raise AgentError(f"{function} takes no {unknown[0][:40]!r}", remedy=f"Args: {FUNCTIONS[function]}")
            at = _at(values, arguments, source, frame)
            actions += _call(function, arguments, at)
        elif status not in ("FINISH", "FAIL"):
            raise AgentError("Function is empty", remedy="name a function, or set Status to FINISH")
        if status in ("FINISH", "FAIL"):
            actions.append((act.Done if status == "FINISH" else act.Fail)(given=raw_form(source)))
        return actions

    def data(self, action: Action, frame: Frame) -> OmniBenchCall:
        """Return an action as an object; raises AgentError where there is no word for it."""
        match action:
            case act.Done():
                return _entry("", "", {}, status="FINISH")
            case act.Fail(reason=""):
                return _entry("", "", {}, status="FAIL")
            case act.Move(x=x, y=y):
                label, place = _name_place(x, y, frame)
                return _entry(label, "click_input", {"button": "move", **place})
            case act.Click(x=x, y=y, button=which, count=(1 | 2) as count, modifiers=held) if (
                which in FORM_BUTTONS and set(held) <= set(PRESSED.values())
            ):
                label, place = _name_place(x, y, frame)
                ours = {name: theirs for theirs, name in PRESSED.items()}
                pressed = {"pressed": " ".join(ours[key] for key in held)} if held else {}
                return _entry(label, "click_input", {"button": which, "double": count == 2, **place, **pressed})
            case act.Scroll(dx=0, dy=dy, x=x, y=y, modifiers=()):
                label, place = _name_place(x, y, frame)
                return _entry(label, "wheel_mouse_input", {"wheel_dist": -dy, **place})
        return _entry("", "keyboard_input", {"keys": _keys(self.name, action)})


FORM_BUTTONS = ("left", "middle", "right")
FORMS = {
    "click": 'click_input {"button": "left" | "middle" | "right", "double": true | false}',
    "move": 'click_input {"button": "move"}',
    "scroll": 'wheel_mouse_input {"wheel_dist": notches}; a positive number is up',
    "type": 'keyboard_input {"keys": text}, where ^ + % ~ ( ) { } that are meant as characters stand in braces: {+}',
    "press": 'keyboard_input {"keys": "{ENTER}"} for a key; "^s" is Ctrl+S, "+" stands for Shift and "%" for Alt',
    "key_down": 'keyboard_input {"keys": "{VK_SHIFT down}"}',
    "key_up": 'keyboard_input {"keys": "{VK_SHIFT up}"}',
    "done": 'no function, and "Status": "FINISH"',
    "fail": 'no function, and "Status": "FAIL"',
}


def _at(values: Mapping[str, object], arguments: Mapping[str, object], source: str, frame: Frame) -> PlaceFields:
    """Return where to act: `coords`, a labelled control, or where the pointer is."""
    if arguments.get("coords") is not None:
        return place_fields(source, point(arguments["coords"], "coords"), open_space("image", frame))
    return element_fields(values, ("controllabel",), source, frame) or {"given": raw_form(source)}


def _call(function: str, arguments: Mapping[str, object], at: PlaceFields) -> Iterator[Action]:
    if function == "keyboard_input":
        source = raw_form(at["given"].text)
        for stroke in pywinauto_keys.read(text(arguments.get("keys"), "keys")):
            values: dict[str, object] = {FIELDS[stroke.kind]: stroke.value, "given": source}
            yield STROKES[stroke.kind](**values)
    elif function == "wheel_mouse_input":
        yield act.Scroll(**at, dy=-whole(arguments.get("wheel_dist"), "wheel_dist"))
    elif arguments.get("button") == "move":
        if "x" not in at:
            raise AgentError("click_input moves nowhere", remedy="give a ControlLabel or coords")
        yield act.Move(**at)
    else:
        double = arguments.get("double")
        count = 2 if double is True or str(double).lower() == "true" else 1
        held = tuple(PRESSED.get(key, key) for key in text(arguments.get("pressed", ""), "pressed").lower().split())
        yield act.Click(**at, button=button(arguments.get("button", "left")), count=count, modifiers=held)


def _name_place(x: float | None, y: float | None, frame: Frame) -> tuple[str, dict[str, object]]:
    """Return the label of the element at a place, or its coordinates."""
    if x is None or y is None:
        return "", {}
    for mark, place in frame.marks.items():
        if place == (x, y):
            return str(mark), {}
    return "", {"coords": list(open_space("image", frame).raw(x, y))}


def _keys(dialect: str, action: Action) -> str:
    match action:
        case act.Type(text=written):
            return pywinauto_keys.write_text(written)
        case act.Press(keys=keys):
            return pywinauto_keys.write_press(keys)
        case act.KeyDown(key=key):
            return pywinauto_keys.write_held(key, "down")
        case act.KeyUp(key=key):
            return pywinauto_keys.write_held(key, "up")
    raise no_word(dialect, action)


def _entry(label: str, function: str, arguments: dict[str, object], status: str = "CONTINUE") -> OmniBenchCall:
    return {"Status": status, "ControlLabel": label, "Function": function, "Args": arguments}
