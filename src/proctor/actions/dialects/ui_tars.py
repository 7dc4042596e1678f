"""UI-TARS: `Action: click(start_box='(x,y)')`, in pixels (1.5) or on a grid of 1000 (1.0)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from proctor.actions import action as act
from proctor.actions.action import Action, Given
from proctor.actions.dialects import prompt_words
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.reply import DEFAULT_QUESTION, special_lines
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.text_dialect import TextDialect
from proctor.actions.dialects.translation import (
    DIRECTIONS,
    MAX_ACTIONS,
    PlaceFields,
    chord,
    chord_names,
    element_space,
    find_element,
    no_word,
    raw_form,
    too_many,
)
from proctor.errors import AgentError

SCROLL_NOTCHES = 5
WAIT_SEC = 5.0
CHANGE_SEC = 30.0
CLICKS: dict[str, tuple[act.Button, int]] = {
    "click": ("left", 1), "left_single": ("left", 1), "left_double": ("left", 2), "right_single": ("right", 1),
    "double_click": ("left", 2), "right_click": ("right", 1), "middle_click": ("middle", 1),
}  # fmt: skip
NAMES = (
    *CLICKS, "long_press", "hover", "mouse_move", "drag", "select", "hotkey", "press", "keydown", "keyup", "release",
    "type", "scroll", "wait", "wait_for_change", "finished", "call_user",
)  # fmt: skip

_LABEL = re.compile(r"^[ \t]*[*_#`]*(?:next |final )?actions?[*_`]*[ \t]*[:：][*_` \t]*", re.IGNORECASE | re.MULTILINE)
_CALL = re.compile(r"^[ \t`*\-]*([A-Za-z_]+)\(|(?<=;)[ \t]*([a-z_]+)\(", re.MULTILINE)
_ARGUMENTS = "content|text|end_id|id|start_box|end_box|point|start_point|end_point|key|keys|direction|message"
_ARGUMENT = re.compile(rf"[\s,]*({_ARGUMENTS})\s*[=:]\s*")
_CLOSES = rf"(?=\s*,\s*(?:{_ARGUMENTS})\s*=|\s*\)[ \t`*.]*(?:\n|\Z|;))"
_VALUES = {
    quote: re.compile(rf"{quote}((?:\\.|[^\\])*?){closing}{_CLOSES}", re.DOTALL)
    for quote, closing in (("'", "'"), ('"', '"'), ("“", "”"), ("‘", "’"))
}
_UNQUOTED = re.compile(rf"([^'\"\n]*?){_CLOSES}")
_BOX_MARKS = re.compile(r"<\|box_(?:start|end)\|>|</?(?:point|bbox)>")
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_BOX = re.compile(rf"[\s(\[]*{_NUMBER}[\s,]+{_NUMBER}(?:[\s,]+{_NUMBER}[\s,]+{_NUMBER})?[\s)\]]*")
_ID = re.compile(r"[\s(\[#]*([0-9]{1,6})[\s)\]]*", re.ASCII)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}


class UiTars(TextDialect):
    """The actions of UI-TARS's computer prompt; coordinates are pixels of the picture."""

    name = "ui_tars"
    kinds = (
        "click", "long_press", "move", "drag", "press", "type", "scroll", "wait", "wait_for_change", "done", "fail",
        "ask_user",
    )  # fmt: skip
    hint = "write Action: and a call, such as click(start_box='(10,20)')"
    space = "image"
    several = False
    thinks = True
    endings = {"done": "finished(content='...')", "fail": "FAIL", "ask_user": "call_user(message='...')"}

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the calls for these kinds."""
        return prompt_words.join_lines(
            "Write one line that begins with Thought: and says what you see, what your last action did and what you "
            "do next, then a line that begins with Action: and one of these calls:",
            prompt_words.list_forms(kinds, FORMS),
            prompt_words.keys(kinds),
            prompt_words.places(open_space(self.space, frame), frame, kinds, "start_box='3'"),
            self.example(kinds, frame).replace("\n", "\nThought: The file is open, so I take the next step.\n", 1),
        )

    def _read_fence(self, body: str, frame: Frame) -> Reading:
        # `wait()` is a call of this dialect before it is a special word.
        return self._read_block(body, frame)

    def _read_block(self, body: str, frame: Frame) -> Reading:
        return self._read_prose(body, frame)

    def _read_prose(self, prose: str, frame: Frame) -> Reading:
        """Read what follows the labels; without any, the lines that begin with a known call."""
        label = _LABEL.search(prose)
        text = _LABEL.sub("\n", prose[label.start() :]) if label else prose
        space = open_space(self.space, frame)
        actions: list[Action] = []
        position = 0
        while call := _CALL.search(text, position):
            name = (call[1] or call[2]).lower()
            if name in NAMES:
                if label:
                    actions += special_lines(text[position : call.start()], to_the_end=False)
                values, position = _arguments(text, call.end(), name)
                actions.append(_translate(name, values, text[call.start() : position].strip(), space, frame))
            elif label:
                raise AgentError(f"unknown action {name[:40]!r}", remedy=f"choose one of: {', '.join(NAMES)}")
            else:
                position = call.end()
            if len(actions) > MAX_ACTIONS:
                raise too_many()
        thought = prose[: label.start()] if label else "" if actions else prose
        return Reading(actions=(*actions, *special_lines(text[position if actions else 0 :])), thought=thought)

    def _render(self, action: Action, frame: Frame) -> str:
        space = open_space(self.space, frame)
        match action:
            case act.Click(x=x, y=y, button=which, count=count, modifiers=()) if x is not None and y is not None:
                name = _first(CLICKS, (which, count))
                return f"{name}(start_box={_box(space, x, y)})" if name else _refuse(self.name, action)
            case act.LongPress(x=x, y=y, seconds=1.0):
                return f"long_press(start_box={_box(space, x, y)})"
            case act.Move(x=x, y=y):
                return f"hover(start_box={_box(space, x, y)})"
            case act.Drag(path=((x, y), (to_x, to_y)), button="left", modifiers=()):
                return f"drag(start_box={_box(space, x, y)}, end_box={_box(space, to_x, to_y)})"
            case act.Scroll(dx=dx, dy=dy, x=x, y=y, modifiers=()):
                at = "" if x is None or y is None else f"start_box={_box(space, x, y)}, "
                direction = _first(DIRECTIONS, (dx / SCROLL_NOTCHES, dy / SCROLL_NOTCHES))
                return f"scroll({at}direction='{direction}')" if direction else _refuse(self.name, action)
        return self._render_rest(action)

    def _render_rest(self, action: Action) -> str:
        match action:
            case act.Press(keys=keys):
                return f"hotkey(key={_quote(' '.join(chord_names(keys)))})"
            case act.Type(text=text):
                return f"type(content={_quote(text)})"
            case act.Wait(seconds=seconds) if seconds == WAIT_SEC:
                return "wait()"
            case act.WaitForChange(seconds=seconds) if seconds == CHANGE_SEC:
                return "wait_for_change()"
            case act.Done():
                return "finished()"
            case act.Fail(reason=""):
                return "FAIL"
            case act.AskUser(question=question):
                return "call_user()" if question == DEFAULT_QUESTION else f"call_user(message={_quote(question)})"
        raise no_word(self.name, action)

    def _assemble(self, pieces: Sequence[str]) -> str:
        return "Action: " + "\n\n".join(pieces)


class UiTars10(UiTars):
    """UI-TARS 1.0, whose coordinates run from 0 to 1000 whatever the picture's size."""

    name = "ui_tars_1.0"
    space = "grid 0-1000"


FORMS = {
    "click": "click(start_box='(x,y)'), left_double(start_box='(x,y)') or right_single(start_box='(x,y)')",
    "long_press": "long_press(start_box='(x,y)')",
    "move": "hover(start_box='(x,y)')",
    "drag": "drag(start_box='(x,y)', end_box='(x,y)')",
    "press": "hotkey(key='ctrl c'), names separated by spaces for a key combination",
    "type": "type(content='text'), with \\' \\\" and \\n written as in Python",
    "scroll": "scroll(start_box='(x,y)', direction='down' | 'up' | 'right' | 'left')",
    "wait": "wait(), for five seconds",
    "wait_for_change": "wait_for_change(), for thirty seconds at most",
    "done": "finished(content='what was done')",
    "fail": "FAIL in place of a call",
    "ask_user": "call_user(message='question')",
}


def _arguments(text: str, position: int, name: str) -> tuple[dict[str, str], int]:
    """Return the arguments of a call whose bracket is open, and where the text goes on.

    A quote closes only where an argument can end, because models leave apostrophes inside texts as they are.
    """
    values: dict[str, str] = {}
    while argument := _ARGUMENT.match(text, position):
        quote = text[argument.end() : argument.end() + 1]
        value = _VALUES.get(quote, _UNQUOTED).match(text, argument.end())
        if value is None or _swallows_a_call(value[1]):
            raise AgentError(f"{argument[1]} of {name} is not closed", remedy="write it in quotes, then close the call")
        values[argument[1]] = re.sub(r"\\(.)", _unescape, value[1], flags=re.DOTALL) if quote in _VALUES else value[1]
        position = value.end()
    end = re.compile(r"\s*\)").match(text, position)
    if end is None:
        raise AgentError(f"the arguments of {name} cannot be parsed", remedy=UiTars.hint)
    return values, end.end()


def _swallows_a_call(value: str) -> bool:
    """Tell whether a text goes on over the next call, because its own quote was never closed."""
    _, newline, rest = value.partition("\n")
    return any(call[1] in NAMES for call in _CALL.finditer(rest)) if newline else False


def _unescape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[1], match[0])


def _translate(name: str, values: dict[str, str], source: str, space: Space, frame: Frame) -> Action:
    start = values.get("start_box", values.get("point", values.get("start_point", "")))
    end = values.get("end_box", values.get("end_point", ""))
    start, end = start or values.get("id", ""), end or values.get("end_id", "")
    ids = [_ID.fullmatch(box.strip()) for box in (start, end) if box]
    points = [
        space.raw(*find_element(frame, int(found[1]))) if found else _raw(box, name)
        for found, box in zip(ids, filter(None, (start, end)), strict=True)
    ]
    places = [space.place(*point) for point in points]
    named = element_space(int(ids[0][1])) if ids and ids[0] else space.name
    heard = raw_form(source, points, named)
    at: PlaceFields = {"given": heard}
    if places:
        at["x"], at["y"] = places[0]
    match name:
        case _ if name in CLICKS:
            which, count = CLICKS[name]
            return act.Click(**at, button=which, count=count)
        case "long_press" if places:
            return act.LongPress(**at)
        case "hover" | "mouse_move" if places:
            return act.Move(**at)
        case "drag" | "select" if places:
            return act.Drag(path=tuple(places), given=heard)
        case "scroll" if values.get("direction", "").lower() in DIRECTIONS:
            across, down = DIRECTIONS[values["direction"].lower()]
            return act.Scroll(**at, dx=across * SCROLL_NOTCHES, dy=down * SCROLL_NOTCHES)
        case "long_press" | "hover" | "mouse_move" | "drag" | "select" | "scroll":
            raise AgentError(f"{name} lacks its place or direction", remedy="give start_box, end_box or direction")
    return _translate_rest(name, values, heard)


def _translate_rest(name: str, values: dict[str, str], heard: Given) -> Action:
    keys = values.get("key", values.get("keys", ""))
    content = values.get("content", values.get("text", values.get("message", "")))
    match name:
        case "hotkey":
            return act.Press(keys=chord(re.split(r"(?<=.)[ +](?=.)", keys)), given=heard)
        case "press":
            return act.Press(keys=keys, given=heard)
        case "keydown":
            return act.KeyDown(key=keys, given=heard)
        case "keyup" | "release":
            return act.KeyUp(key=keys, given=heard)
        case "type":
            return act.Type(text=content, given=heard)
        case "wait":
            return act.Wait(seconds=WAIT_SEC, given=heard)
        case "wait_for_change":
            return act.WaitForChange(seconds=CHANGE_SEC, given=heard)
        case "finished":
            return act.Done(given=heard)
    return act.AskUser(question=content or DEFAULT_QUESTION, given=heard)


def _raw(box: str, name: str) -> tuple[float, float]:
    """Return a point; of a box with four numbers, its middle."""
    match = _BOX.fullmatch(_BOX_MARKS.sub("", box))
    if match is None or any(len(side) > 20 for side in match.groups("")):
        raise AgentError(f"the place {box[:40]!r} of {name} is not understood", remedy="write it as '(x,y)'")
    left, top, right, bottom = (float(side) if side else None for side in match.groups())
    assert left is not None and top is not None
    return (left if right is None else (left + right) / 2, top if bottom is None else (top + bottom) / 2)


def _first(table: Mapping[str, object], meant: object) -> str:
    return next((name for name, meaning in table.items() if meaning == meant), "")


def _refuse(dialect: str, action: Action) -> str:
    raise no_word(dialect, action)


def _box(space: Space, x: float, y: float) -> str:
    raw = [f"{side:f}".rstrip("0").rstrip(".") if isinstance(side, float) else str(side) for side in space.raw(x, y)]
    return f"'({raw[0]},{raw[1]})'"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')
    return "'" + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + "'"
