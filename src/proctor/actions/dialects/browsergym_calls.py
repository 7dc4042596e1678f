"""BrowserGym's functions: what each call stands for, with the names of its arguments there."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable

from proctor.actions import action as act
from proctor.actions.action import Action, Given
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.translation import (
    button,
    element_space,
    find_element,
    number,
    raw_form,
    text,
    texts,
    whole,
)
from proctor.errors import AgentError

NOTCH = 100
"""Pixels that one notch of the wheel stands for."""
_KEYS = {"control": "ctrl", "controlormeta": "ctrl", "meta": "super"}
"""Playwright's names of keys where ours differ; the others are known as they are."""
_CANNOT = {
    "upload_file": "choose the file in the dialog of the page instead",
    "mouse_upload_file": "choose the file in the dialog of the page instead",
}


class BrowserCall:
    """One call, and what it stands for."""

    def __init__(self, source: str, frame: Frame) -> None:
        self._frame = frame
        self._given = raw_form(source)
        self._name, self._arguments = _take_apart(source)

    def actions(self) -> list[Action]:
        """Return the actions; raises AgentError for what is wrong."""
        if self._name in _CANNOT:
            raise AgentError(f"{self._name} is not possible here", remedy=_CANNOT[self._name])
        function = FUNCTIONS.get(self._name)
        if function is None:
            raise AgentError(f"unknown function {self._name[:40]!r}", remedy=f"choose one of: {', '.join(FUNCTIONS)}")
        positional, named = self._arguments
        try:
            bound = inspect.signature(function).bind(self, *positional, **named)
        except TypeError as error:
            takes = ", ".join(list(inspect.signature(function).parameters)[1:])
            raise AgentError(f"{self._name}: {error}", remedy=f"it takes: {takes or 'nothing'}") from None
        return function(*bound.args, **bound.kwargs)

    @property
    def source(self) -> Given:
        """What the model wrote."""
        return self._given

    def bid(self, value: object) -> tuple[float, float]:
        """Return where the element with a bid is."""
        said = text(value, "bid").strip()
        if not (said.isascii() and said.isdigit() and len(said) < 10):
            raise AgentError(f"there is no element with the bid {said[:20]!r}", remedy="a bid is the id of an element")
        place = find_element(self._frame, int(said))
        self._given = raw_form(self._given.text, [place], element_space(int(said)))
        return place

    def at(self, x: object, y: object) -> tuple[float, float]:
        """Return a place of the picture in pixels of the desktop."""
        space, raw = open_space("image", self._frame), (number(x, "x"), number(y, "y"))
        self._given = raw_form(self._given.text, [*self._given.points, raw], space.name)
        return space.place(*raw)

    def click(
        self, place: tuple[float, float], button: object = "left", count: int = 1, modifiers: object = ()
    ) -> Action:
        """Return a click; button and modifiers are as the model wrote them."""
        held = tuple(_keys(name) for name in texts(modifiers, "modifiers")) if modifiers else ()
        x, y = place
        return act.Click(x=x, y=y, button=_button(button), count=count, modifiers=held, given=self._given)

    def move(self, place: tuple[float, float]) -> Action:
        """Return a move."""
        return act.Move(x=place[0], y=place[1], given=self._given)

    def press(self, keys: str) -> Action:
        """Return keys that are pressed."""
        return act.Press(keys=keys, given=self._given)


def _take_apart(source: str) -> tuple[str, tuple[list[object], dict[str, object]]]:
    try:
        node = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError) as error:
        raise AgentError(
            f"{source[:60]!r} is not a call", remedy="write one call per line, with text in quotes"
        ) from error
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise AgentError(f"{source[:60]!r} is not a call of a known function", remedy="write calls only")
    try:
        positional = [ast.literal_eval(argument) for argument in node.args]
        named = {str(word.arg): ast.literal_eval(word.value) for word in node.keywords if word.arg}
    except (ValueError, TypeError, SyntaxError, MemoryError) as error:
        raise AgentError(f"{node.func.id} takes plain values", remedy="write text in quotes, and numbers") from error
    if len(named) != len(node.keywords):
        raise AgentError(f"{node.func.id} takes plain values", remedy="name each argument")
    return node.func.id, (positional, named)


def _keys(value: object) -> str:
    """Return a chord as Playwright writes it, in our names."""
    said = text(value, "key")
    parts = [*said[:-2].split("+"), "plus"] if len(said) > 1 and said.endswith("++") else said.split("+")
    if len(said) == 1:
        return said
    return "+".join(_KEYS.get(part.lower(), part) for part in parts)


def _notches(pixels: object, what: str) -> int:
    """Return how many notches of the wheel a distance is; at least one, where it is any."""
    exact = number(pixels, what) / NOTCH
    return int(math.copysign(max(1, round(abs(exact))), exact)) if exact else 0


# -- the functions --------------------------------------------------------------------------------------------------


def _fill(call: BrowserCall, bid: object, value: object, enable_autocomplete_menu: object = False) -> list[Action]:
    entered = text(value, "value")
    last: Action = act.Type(text=entered, given=call.source) if entered else act.Press(keys="Delete", given=call.source)
    return [call.click(call.bid(bid)), act.Press(keys="ctrl+a", given=call.source), last]


def _select_option(call: BrowserCall, bid: object, options: object) -> list[Action]:
    chosen = texts(options, "options")
    if len(chosen) != 1:
        raise AgentError("select_option chooses one option at a time", remedy="click each option instead")
    return [call.click(call.bid(bid)), act.Type(text=chosen[0], given=call.source), call.press("Return")]


def _drag_and_drop(call: BrowserCall, from_bid: object, to_bid: object) -> list[Action]:
    return [act.Drag(path=(call.bid(from_bid), call.bid(to_bid)), given=call.source)]


def _scroll_at(call: BrowserCall, x: object, y: object, dx: object, dy: object) -> list[Action]:
    across, down = call.at(x, y)
    return [act.Scroll(x=across, y=down, dx=_notches(dx, "dx"), dy=_notches(dy, "dy"), given=call.source)]


def _mouse_drag(call: BrowserCall, from_x: object, from_y: object, to_x: object, to_y: object) -> list[Action]:
    return [act.Drag(path=(call.at(from_x, from_y), call.at(to_x, to_y)), given=call.source)]


def _goto(call: BrowserCall, url: object) -> list[Action]:
    return [call.press("ctrl+l"), act.Type(text=text(url, "text"), given=call.source), call.press("Return")]


def _tab_focus(call: BrowserCall, index: object) -> list[Action]:
    place = whole(index, "index")
    if not 0 <= place <= 7:
        raise AgentError(f"tab {place} cannot be reached by a key", remedy="give an index from 0 to 7")
    return [call.press(f"ctrl+{place + 1}")]


_text = text
_button = button
"""By other names, since arguments of theirs have these."""

FUNCTIONS: dict[str, Callable[..., list[Action]]] = {
    "noop": lambda call, wait_ms=1000: [
        act.Wait(seconds=min(max(number(wait_ms, "wait_ms") / 1000, 0.0), 60.0), given=call.source)
    ],
    "wait_for_change": lambda call, seconds=30.0: [
        act.WaitForChange(seconds=number(seconds, "seconds"), given=call.source)
    ],
    "click": lambda call, bid, button="left", modifiers=(): [call.click(call.bid(bid), button, 1, modifiers)],
    "dblclick": lambda call, bid, button="left", modifiers=(): [call.click(call.bid(bid), button, 2, modifiers)],
    "hover": lambda call, bid: [call.move(call.bid(bid))],
    "focus": lambda call, bid: [call.click(call.bid(bid))],
    "fill": _fill,
    "clear": lambda call, bid: _fill(call, bid, ""),
    "select_option": _select_option,
    "press": lambda call, bid, key_comb: [call.click(call.bid(bid)), call.press(_keys(key_comb))],
    "drag_and_drop": _drag_and_drop,
    "scroll": lambda call, delta_x, delta_y: [
        act.Scroll(dx=_notches(delta_x, "delta_x"), dy=_notches(delta_y, "delta_y"), given=call.source)
    ],
    "scroll_at": _scroll_at,
    "mouse_move": lambda call, x, y: [call.move(call.at(x, y))],
    "mouse_click": lambda call, x, y, button="left": [call.click(call.at(x, y), button)],
    "mouse_dblclick": lambda call, x, y, button="left": [call.click(call.at(x, y), button, 2)],
    "mouse_down": lambda call, x, y, button="left": [
        call.move(call.at(x, y)), act.MouseDown(button=_button(button), given=call.source)
    ],
    "mouse_up": lambda call, x, y, button="left": [
        call.move(call.at(x, y)), act.MouseUp(button=_button(button), given=call.source)
    ],
    "mouse_drag_and_drop": _mouse_drag,
    "keyboard_press": lambda call, key: [call.press(_keys(key))],
    "keyboard_type": lambda call, text: [act.Type(text=_text(text, "text"), given=call.source)],
    "keyboard_insert_text": lambda call, text: [act.Type(text=_text(text, "text"), given=call.source)],
    "keyboard_down": lambda call, key: [act.KeyDown(key=_keys(key), given=call.source)],
    "keyboard_up": lambda call, key: [act.KeyUp(key=_keys(key), given=call.source)],
    "goto": _goto,
    "go_back": lambda call: [call.press("alt+Left")],
    "go_forward": lambda call: [call.press("alt+Right")],
    "new_tab": lambda call: [call.press("ctrl+t")],
    "tab_close": lambda call: [call.press("ctrl+w")],
    "tab_focus": _tab_focus,
    "send_msg_to_user": lambda call, text: [act.Answer(text=_text(text, "text"), given=call.source)],
    "report_infeasible": lambda call, reason: [act.Fail(reason=_text(reason, "text"), given=call.source)],
}  # fmt: skip
