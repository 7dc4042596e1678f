"""What every dialect needs to make actions of a model's values and be sure that nothing is lost."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from proctor.actions import action as act
from proctor.actions import fields
from proctor.actions.action import Action, Button, Given
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import Space
from proctor.actions.keys import parse_key, parse_keys
from proctor.errors import AgentError

MAX_ACTIONS = 200
"""In one reply."""
MAX_GIVEN = 10_000
"""Characters of a model's own text that are kept with each action."""
LARGEST_GIVEN = 1e300
"""Of its coordinates; NaN and what is infinite cannot be recorded."""

BUTTON_NAMES: dict[str, Button] = {
    "left": "left", "right": "right", "middle": "middle", "back": "back", "forward": "forward",
    "primary": "left", "secondary": "right", "wheel": "middle", "1": "left", "2": "middle", "3": "right",
}  # fmt: skip


DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}
"""Across and down, of what is scrolled."""


class PlaceFields(TypedDict, total=False):
    """Where an action goes and what the model wrote; without `x` and `y`, where the pointer is."""

    x: float
    y: float
    given: Given


_NEAR = 5
"""How many other elements are named where one is not there."""
_UNTOLD = re.compile("[\0\ud800-\udfff]")
_BLANK_KEYS = {"\n": "enter", "\r": "enter", "\t": "tab", " ": "space"}


def raw_form(text: str, points: Iterable[tuple[float, float]] = (), space: str = "") -> Given:
    """Return what a model wrote as it is recorded: cut, and without what no record can hold."""
    finite = tuple(point for point in points if all(abs(side) <= LARGEST_GIVEN for side in point))
    return Given(text=_UNTOLD.sub("\ufffd", text[:MAX_GIVEN]), points=finite, space=space if finite else "")


def number(value: object, what: str) -> float:
    """Return a finite number; models also write numbers as texts."""
    if isinstance(value, str) and len(value) < 40:
        try:
            value = float(value)
        except ValueError:
            raise _not(what, "a number", value) from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e12 < value < 1e12:
        raise _not(what, "a number", value)
    return value


def whole(value: object, what: str) -> int:
    """Return a whole number, rounded where it is not."""
    return round(number(value, what))


def text(value: object, what: str) -> str:
    """Return a text; numbers that a model forgot to quote are taken as they are written."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return fields.show(value)
    raise _not(what, "a text", value)


def texts(value: object, what: str) -> list[str]:
    """Return a list of texts; one text alone is a list of one."""
    items = value if isinstance(value, list | tuple) else [value]
    return [text(item, what) for item in items]


def point(value: object, what: str) -> tuple[float, float]:
    """Return a pair of numbers, from a list or from an object with x and y."""
    if isinstance(value, dict) and {"x", "y"} <= value.keys():
        value = [value["x"], value["y"]]
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise _not(what, "a pair [x, y]", value)
    return number(value[0], what), number(value[1], what)


def button(value: object) -> Button:
    """Return one of our names for a mouse button."""
    known = BUTTON_NAMES.get(str(value).lower()) if isinstance(value, str | int) else None
    if known is None:
        raise _not("button", f"one of {', '.join(act.BUTTONS)}", value)
    return known


def scroll_direction(value: object, what: str = "direction") -> tuple[int, int]:
    """Return how far across and down one notch in a direction is."""
    found = DIRECTIONS.get(str(value).lower())
    if found is None:
        raise AgentError("there is no direction to scroll", remedy=f"give {what}: up, down, left or right")
    return found


def chord(names: Sequence[str]) -> str:
    """Return keys that are held together as `ctrl+shift+t`."""
    if len(names) < 2:
        return "".join(names)
    held = ["plus" if name == "+" else _BLANK_KEYS.get(name, name) for name in names[:-1]]
    return "+".join([*held, _BLANK_KEYS.get(names[-1], names[-1])])


def sequence(chords: Sequence[str]) -> str:
    """Return chords that follow one another as `ctrl+k ctrl+s`."""
    names = {**_BLANK_KEYS, "+": "plus"}
    return " ".join(names.get(name, name) for name in chords) if len(chords) > 1 else "".join(chords)


def chord_names(keys: str) -> list[str]:
    """Return the names of one chord: the reverse of `chord`."""
    if len(keys) > 1 and keys.endswith("++"):
        return [*keys[:-2].split("+"), "+"]
    return keys.split("+") if len(keys) > 1 else [keys]


def check_keys(action: Action) -> Action:
    """Return the action if all keys it names are known; else AgentError with the nearest name."""
    match action:
        case act.Press(keys=keys):
            parse_keys(keys)
        case act.KeyDown(key=key) | act.KeyUp(key=key):
            parse_key(key)
        case act.Click(modifiers=held) | act.Drag(modifiers=held) | act.Scroll(modifiers=held):
            for key in held:
                parse_key(key)
    return action


def hold_keys(keys: Sequence[str], inner: Sequence[Action], source: Given) -> Iterator[Action]:
    """Yield actions while keys are down."""
    for key in keys:
        yield act.KeyDown(key=key, given=source)
    yield from inner
    for key in reversed(keys):
        yield act.KeyUp(key=key, given=source)


def place_fields(source: str, raw: tuple[float, float] | None, space: Space) -> PlaceFields:
    """Return the fields `x`, `y` and `given` of an action at a raw place, or where the pointer is."""
    if raw is None:
        return {"given": raw_form(source)}
    x, y = space.place(*raw)
    return {"x": x, "y": y, "given": raw_form(source, [raw], space.name)}


def find_element(frame: Frame, number: int) -> tuple[float, float]:
    """Return where the element with an id is; AgentError with the nearest where it is nowhere."""
    if number in frame.marks:
        return frame.marks[number]
    why = frame.absent.get(number)
    if not frame.marks:
        near: list[int] = []
    elif why and frame.names:
        # What is gone may be back under another id.
        alike = difflib.get_close_matches(why.partition(" is ")[0], frame.names.values(), n=_NEAR, cutoff=0.5)
        near = [each for name in alike for each, held in frame.names.items() if held == name and each in frame.marks]
    else:
        near = sorted(frame.marks, key=lambda each: abs(each - number))
    listed = ", ".join(f"{each} {frame.names.get(each, '')}".strip() for each in near[:_NEAR])
    raise AgentError(
        f"element {number} cannot be used: {why}" if why else f"there is no element {number}",
        remedy=f"the nearest: {listed}" if listed else "name one of the ids that you were shown last, or a place",
    )


def element_space(number: int) -> str:
    """Return how the place of an element is recorded that was named by its id."""
    return f"element {number}"


def bare(actions: Iterable[Action]) -> list[Action]:
    """Return actions without what the model wrote, for comparing."""
    return [dataclasses.replace(action, given=None) for action in actions]


def complaint(error: AgentError) -> str:
    """Return an error as one sentence to the model."""
    return f"{error.message}; {error.remedy}" if error.remedy else error.message


def too_many() -> AgentError:
    """Return the error for a reply that never ends."""
    return AgentError(f"more than {MAX_ACTIONS} actions in one reply", remedy="do a few, then look at the result")


def no_word(dialect: str, action: Action) -> AgentError:
    """Return the error for an action that a dialect cannot express."""
    return AgentError(
        f"{dialect} has no word for {fields.show(bare([action])[0].to_json())} ({action.kind})",
        remedy="write it in another dialect, such as plain_json, or as several actions",
    )


def _not(what: str, wanted: str, value: object) -> AgentError:
    return AgentError(f"{what} is {fields.show(value)}", remedy=f"it must be {wanted}")
