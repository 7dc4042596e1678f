"""AndroidWorld's actions for touch screens, one JSON object each."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import prompt_words
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.json_dialect import (
    IDS,
    THOUGHTS,
    JsonDialect,
    element_fields,
    read_parameters,
    write_entry,
)
from proctor.actions.dialects.loose_json import FoundObject
from proctor.actions.dialects.space import open_space, sample_place
from proctor.actions.dialects.translation import PlaceFields, no_word, number, place_fields, text
from proctor.errors import AgentError

PARAMETERS = {
    "click": "x y index id", "double_tap": "x y index id", "long_press": "x y index id",
    "scroll": "direction x y index id", "swipe": "direction x y index id",
    "input_text": "text x y index id clear_text", "keyboard_enter": "",
    "navigate_home": "", "navigate_back": "", "press_keyboard": "keycode", "open_app": "app_name", "wait": "",
    "wait_for_change": "seconds",
    "answer": "text", "status": "goal_status text",
}  # fmt: skip
"""What each type of action takes."""
DIRECTIONS = ("up", "down", "left", "right")
BACK, HOME = "browserback", "browserhome"
"""The buttons of a phone, by the names that keyboards have for them."""
SWIPE_SEC = 0.5
CHANGE_SEC = 30.0
"""How long a change is waited for, where nothing is said."""
NEAR = 0.25
"""Part of the screen over which a single element is scrolled."""


class AndroidWorld(JsonDialect):
    """Actions as `{"action_type": ..., ...}`; an `index` is the id of an element."""

    name = "android_world"
    kinds = (
        "tap", "long_press", "swipe", "open_app", "type", "press", "wait", "wait_for_change", "done", "fail", "answer",
    )  # fmt: skip
    hint = 'write actions as JSON, such as {"action_type": "click", "x": 10, "y": 20}'
    endings = {
        "done": '{"action_type": "status", "goal_status": "complete"}',
        "fail": '{"action_type": "status", "goal_status": "infeasible"}',
        "answer": '{"action_type": "answer", "text": "..."}',
    }
    by_id = '{"action_type": "click", "index": 3}'

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the forms of these kinds."""
        return prompt_words.join_lines(
            "Write your actions as JSON in a code fence labelled json: one object, or a list of objects that are "
            "carried out in order.",
            prompt_words.list_forms(kinds, FORMS),
            prompt_words.places(open_space("image", frame), frame, kinds, '`"index": 3` in place of x and y'),
            self.example(kinds, frame),
        )

    def example(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return a reply with one allowed action."""
        if "tap" in kinds and prompt_words.has_ids(frame):
            return f"For example:\n{self._assemble([self.by_id])}"
        across, down = sample_place(frame)
        samples: tuple[Action, ...] = (act.Tap(x=across, y=down), act.Type(text="hello"), act.Wait(), act.Done())
        shown = next((action for action in samples if action.kind in kinds), None)
        return f"For example:\n{self._assemble([self._render(shown, frame)])}" if shown else ""

    def _translate(self, entry: FoundObject, source: str, frame: Frame) -> Sequence[Action]:
        kind, values = read_parameters(entry, PARAMETERS, (*THOUGHTS, "reason"))
        at = _place(values, source, frame)
        match kind:
            case "click" | "double_tap" | "long_press":
                if "x" not in at:
                    raise AgentError(f"{kind} has no place", remedy="give x and y, or the index of an element")
                if kind == "long_press":
                    return [act.LongPress(**at)]
                return [act.Tap(**at, count=2 if kind == "double_tap" else 1)]
            case "scroll" | "swipe":
                return [_swipe(kind, values, at, frame)]
            case "input_text":
                return _type_text(values, at)
        return [_rest(kind, values, at["given"])]

    def data(self, action: Action, frame: Frame) -> dict[str, object]:
        """Return an action as an object; raises AgentError where there is no word for it."""
        space = open_space("image", frame)
        match action:
            case act.Tap(x=x, y=y, count=count) if count < 3:
                return write_entry("double_tap" if count == 2 else "click", space.raw_fields(x, y))
            case act.LongPress(x=x, y=y, seconds=1.0):
                return write_entry("long_press", space.raw_fields(x, y))
            case act.Swipe(path=path, seconds=seconds):
                for kind, direction in ((kind, way) for kind in ("scroll", "swipe") for way in DIRECTIONS):
                    if (path, seconds) == _way(kind, direction, frame):
                        return write_entry(kind, direction=direction)
        return self._rest(action)

    def _rest(self, action: Action) -> dict[str, object]:
        match action:
            case act.OpenApp(name=name):
                return write_entry("open_app", app_name=name)
            case act.Type(text=written):
                return write_entry("input_text", text=written)
            case act.Press(keys=keys) if keys in _BUTTONS:
                return write_entry(_BUTTONS[keys])
            case act.Press(keys=keys) if keys.startswith("KEYCODE_"):
                return write_entry("press_keyboard", keycode=keys)
            case act.Wait(seconds=1.0):
                return write_entry("wait")
            case act.WaitForChange(seconds=seconds):
                return write_entry("wait_for_change", seconds=None if seconds == CHANGE_SEC else seconds)
            case act.Answer(text=written):
                return write_entry("answer", text=written)
            case act.Done():
                return write_entry("status", goal_status="complete")
            case act.Fail(reason=reason):
                return write_entry("status", goal_status="infeasible", text=reason or None)
        raise no_word(self.name, action)


_BUTTONS = {"enter": "keyboard_enter", BACK: "navigate_back", HOME: "navigate_home"}


def _place(values: dict[str, object], source: str, frame: Frame) -> PlaceFields:
    """Return the fields of an action's place, from x and y or from the id of an element."""
    here = {"x", "y"} & values.keys()
    if "index" in values and here:
        raise AgentError("both an index and a place are given", remedy="give one of them")
    if len(here) == 1:
        raise AgentError("only one of x and y is given", remedy="give both x and y")
    if at := element_fields(values, ("index", *IDS), source, frame):
        return at
    raw = (number(values["x"], "x"), number(values["y"], "y")) if here else None
    return place_fields(source, raw, open_space("image", frame))


def _swipe(kind: str, values: dict[str, object], at: PlaceFields, frame: Frame) -> Action:
    direction = text(values.get("direction", ""), "direction").strip().lower()
    if direction not in DIRECTIONS:
        raise AgentError(
            f"{kind} has the direction {direction[:20]!r}", remedy=f"choose one of: {', '.join(DIRECTIONS)}"
        )
    path, seconds = _way(kind, direction, frame, at.get("x"), at.get("y"))
    return act.Swipe(path=path, seconds=seconds, given=at["given"])


def _way(
    kind: str, direction: str, frame: Frame, x: float | None = None, y: float | None = None
) -> tuple[tuple[tuple[float, float], ...], float]:
    """Return where a finger goes, and for how long.

    To scroll down is to push what is shown upwards, from the middle to the edge, or from the element that is named. A
    swipe goes all the way; AndroidWorld names it by where the finger goes when that is up or down, and by what
    comes into view when it is left or right.
    """
    right, bottom = frame.desktop[0] - 1.0, frame.desktop[1] - 1.0
    middle = (frame.desktop[0] // 2 * 1.0, frame.desktop[1] // 2 * 1.0)
    if kind == "swipe":
        ends = {
            "down": ((middle[0], 0.0), (middle[0], bottom)), "up": ((middle[0], bottom), (middle[0], 0.0)),
            "left": ((0.0, middle[1]), (right, middle[1])), "right": ((right, middle[1]), (0.0, middle[1])),
        }  # fmt: skip
        return ends[direction], SWIPE_SEC
    across, down = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}[direction]
    start, reach = (middle, 1.0) if x is None or y is None else ((x, y), NEAR)
    end = (
        min(max(start[0] + across * reach * (right + 1), 0.0), right),
        min(max(start[1] + down * reach * (bottom + 1), 0.0), bottom),
    )
    return (start, end), act.Swipe(path=(start, end)).seconds


def _type_text(values: dict[str, object], at: PlaceFields) -> list[Action]:
    """Return what typing comes to: into a named field, with Enter, or into what has the focus."""
    if "text" not in values:
        raise AgentError("input_text has no text", remedy="give it as 'text'")
    source, clear = at["given"], values.get("clear_text") in (True, "true", "True", 1)
    actions: list[Action] = [act.Tap(**at)] if "x" in at else []
    if clear:
        actions += [act.Press(keys="ctrl+a", given=source), act.Press(keys="delete", given=source)]
    actions.append(act.Type(text=text(values["text"], "text"), given=source))
    return [*actions, act.Press(keys="enter", given=source)] if "x" in at else actions


def _rest(kind: str, values: dict[str, object], source: act.Given) -> Action:
    needed = [name for name in ("app_name", "keycode", "goal_status") if name in PARAMETERS[kind]]
    missing = [name for name in needed if name not in values]
    if missing or kind == "answer" and "text" not in values:
        name = missing[0] if missing else "text"
        raise AgentError(f"{kind} has no {name}", remedy=f"give it as {name!r}")
    match kind:
        case "keyboard_enter":
            return act.Press(keys="enter", given=source)
        case "navigate_back" | "navigate_home":
            return act.Press(keys=BACK if kind == "navigate_back" else HOME, given=source)
        case "press_keyboard":
            return act.Press(keys=text(values["keycode"], "keycode"), given=source)
        case "open_app":
            return act.OpenApp(name=text(values["app_name"], "app_name"), given=source)
        case "wait":
            return act.Wait(given=source)
        case "wait_for_change":
            return act.WaitForChange(seconds=number(values.get("seconds", CHANGE_SEC), "seconds"), given=source)
        case "answer":
            return act.Answer(text=text(values["text"], "text"), given=source)
    status = text(values["goal_status"], "goal_status").strip().lower()
    if status in ("complete", "completed", "success", "successful"):
        return act.Done(given=source)
    if status in ("infeasible", "impossible"):
        return act.Fail(reason=text(values.get("text", ""), "text"), given=source)
    raise AgentError(f"goal_status is {status[:40]!r}", remedy="it must be complete or infeasible")


FORMS = {
    "tap": '{"action_type": "click", "x": number, "y": number}, and "double_tap" for two taps in a row',
    "long_press": '{"action_type": "long_press", "x": number, "y": number}',
    "swipe": '{"action_type": "scroll", "direction": "up" | "down" | "left" | "right"} shows what lies there; with x '
    'and y, of one element; {"action_type": "swipe", "direction": ...} goes over the whole screen',
    "open_app": '{"action_type": "open_app", "app_name": text}',
    "type": '{"action_type": "input_text", "text": text, "x": number, "y": number} types into a field and presses '
    'Enter; without a place, only the text, into what has the focus; "clear_text": true empties the field first',
    "press": '{"action_type": "navigate_back"}, {"action_type": "navigate_home"}, {"action_type": "keyboard_enter"}, '
    '{"action_type": "press_keyboard", "keycode": "KEYCODE_TAB"}',
    "wait": '{"action_type": "wait"}',
    "wait_for_change": '{"action_type": "wait_for_change", "seconds": number}; the seconds may be left out',
    "done": '{"action_type": "status", "goal_status": "complete"}',
    "fail": '{"action_type": "status", "goal_status": "infeasible", "text": text}; the text may be left out',
    "answer": '{"action_type": "answer", "text": text}',
}
