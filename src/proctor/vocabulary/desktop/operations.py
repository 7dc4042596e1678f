"""How a history of actions is read: one stream of clicks, drags, wheel turns and keystrokes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from proctor.actions.keys import Chord, char_of_key, key_for_char, parse_key, parse_keys
from proctor.tasks.words import Sought, matches

SHIFT = "shift"
BACKSPACE = "backspace"
_SAME = {"shiftright": SHIFT, "ctrlright": "ctrl", "altright": "alt", "superr": "super", "kpenter": "enter"}
"""Keys that exist twice on a keyboard, and the one that stands for both."""
_MODIFIERS = frozenset({SHIFT, "ctrl", "alt", "super", "altgr"})
_CONTROLS = {"enter": "\n", "tab": "\t"}
ACTIVATING = frozenset({"enter", "space", " "})
MENU_ITEMS = frozenset({"check menu item", "menu", "menu item", "radio menu item"})
"""Of an open menu, a letter chooses; it is recorded with the item that it stands for."""
ACTIVATED = MENU_ITEMS | {"check box", "link", "page tab", "push button", "radio button", "toggle button"}
LABEL_LENGTH = 200
"""A nameless element's text counts as its label up to this many characters; a document is not a label."""

Keys = tuple[frozenset[str], str]
"""What is held, and the key that does the work."""


class Operation(BaseModel):
    """One operation to look for: what is done, and whatever matters about the element or the keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    do: Literal["click", "type", "press", "drag", "scroll"]
    name: Sought | None = None
    role: str | None = None
    app: Sought | None = None
    window: Sought | None = None
    menu: Sought | None = None
    """The menu that the element is in."""
    text: str | None = None
    """For `type`: what is typed; for others: the text of the element."""
    keys: str | None = None
    button: Literal["left", "middle", "right"] | None = None
    count: int | None = None

    def __str__(self) -> str:
        shown = [f"{key} {value!r}" for key, value in self.model_dump(exclude_none=True).items() if key != "do"]
        return " ".join([self.do, *shown])


@dataclass(frozen=True)
class InputEvent:
    """One thing that reached the computer."""

    do: str
    element: Mapping[str, str] | None
    action: Mapping[str, Any]
    keys: Keys | None = None
    char: str = ""
    """The character that a keystroke types; empty for others."""
    program: str | None = None
    """The program it went to; empty for none that is known, None where nobody can tell."""


def events(performed: list[dict[str, Any]]) -> list[InputEvent]:
    """Return a history as a stream of events; moving and waiting leave no trace."""
    held: set[str] = set()
    return [
        replace(event, program=entry.get("program"))
        for entry in performed
        for event in _events(entry["action"], entry["element"], held)
    ]


def find(stream: list[InputEvent], start: int, wanted: Operation) -> int | None:
    """Return the place after the first such operation at or after a place; None when there is none."""
    if wanted.do == "type":
        return _find_typed(stream, start, wanted)
    if wanted.do == "press" and wanted.keys:
        return _find_pressed(stream, start, wanted)
    sought = "key" if wanted.do == "press" else wanted.do
    places = (
        place
        for place in range(start, len(stream))
        if stream[place].do == sought or (sought == "click" and _activates(stream[place]))
    )
    return next((place + 1 for place in places if _hits(stream[place], wanted)), None)


def label(element: Mapping[str, str] | None) -> str:
    """Return what a person would call an element: its name, or its text where it has none."""
    if element is None:
        return ""
    return element["name"] or (element["text"] if len(element["text"]) <= LABEL_LENGTH else "")


def chords(keys: str) -> list[Keys]:
    """Return keys as they compare: left and right ones alike, in any order of the held ones."""
    return [_keys(chord) for chord in parse_keys(keys)]


def _events(action: Mapping[str, Any], element: Mapping[str, str] | None, held: set[str]) -> Iterator[InputEvent]:
    match action["type"]:
        case "click" | "drag" | "scroll" as do:
            yield InputEvent(do, element, action)
        case "mouse_down" | "tap":
            yield InputEvent("click", element, action)
        case "swipe":
            yield InputEvent("drag", element, action)
        case "type":
            for char in action["text"].replace("\r\n", "\n"):
                yield InputEvent("key", element, action, _keys(Chord((), key_for_char(char))), char)
        case "press":
            for keys in chords(action["keys"]):
                yield InputEvent("key", element, action, keys, _char(keys))
        case "key_down":
            key = _SAME.get(parse_key(action["key"]), parse_key(action["key"]))
            if key in _MODIFIERS:
                held.add(key)
            else:
                keys = _keys(Chord(tuple(held), key))
                yield InputEvent("key", element, action, keys, _char(keys))
        case "key_up":
            held.discard(_SAME.get(parse_key(action["key"]), parse_key(action["key"])))
        case "run_code":
            yield InputEvent("code", element, action)


def _keys(chord: Chord) -> Keys:
    held, key = {_SAME.get(name, name) for name in chord.held}, _SAME.get(chord.key, chord.key)
    if _on_a_key(key) and key != key.lower():
        held, key = held | {SHIFT}, key.lower()
    return frozenset(held), key


def _on_a_key(char: str) -> bool:
    """Tell whether a letter is one that keyboards have, in two cases on one key."""
    return len(char) == 1 and ord(char) < 0x100 and char.isalpha()


def _char(keys: Keys) -> str:
    held, key = keys
    if held - {SHIFT}:
        return ""
    if key in _CONTROLS:
        return "" if held else _CONTROLS[key]
    return key.upper() if held and _on_a_key(key) else char_of_key(key)


def _find_typed(stream: list[InputEvent], start: int, wanted: Operation) -> int | None:
    """Find a text in what was typed without anything in between."""
    # A typing error taken back does not count.
    run: list[str] = []
    text = list(wanted.text or "")
    for place in range(start, len(stream)):
        event = stream[place]
        if event.keys == (frozenset(), BACKSPACE):
            run = run[:-1]
        elif not event.char:
            run = []
        else:
            run.append(event.char)
            whole = run[-len(text) :] == text if text else True
            if whole and _fits(event.element, wanted):
                return place + 1
    return None


def _find_pressed(stream: list[InputEvent], start: int, wanted: Operation) -> int | None:
    sought = chords(wanted.keys or "")
    for place in range(start, len(stream) - len(sought) + 1):
        found = stream[place : place + len(sought)]
        if [event.keys for event in found] == sought and _fits(found[0].element, wanted):
            return place + len(sought)
    return None


def _activates(event: InputEvent) -> bool:
    """Tell whether a key does to its element what a click does."""
    if event.do != "key" or event.element is None or event.element["role"] not in ACTIVATED:
        return False
    held, key = event.keys or (frozenset(), "")
    in_menu = event.element["role"] in MENU_ITEMS and event.char.strip()
    return not held - {SHIFT} and (key in ACTIVATING or bool(in_menu))


def _hits(event: InputEvent, wanted: Operation) -> bool:
    if wanted.button and event.action.get("button", "left") != wanted.button:
        return False
    if wanted.count and event.action.get("count", 1) != wanted.count:
        return False
    return _fits(event.element, wanted) and matches(wanted.text, (event.element or {}).get("text", ""))


def _fits(element: Mapping[str, str] | None, wanted: Operation) -> bool:
    """Tell whether an element is the one meant, by its name, role, application and window."""
    if element is None:
        return wanted.name is wanted.role is wanted.app is wanted.window is wanted.menu is None
    role = wanted.role is None or wanted.role.casefold() == element["role"].casefold()
    named = matches(wanted.name, label(element))
    inside = matches(wanted.window, element["window"]) and matches(wanted.menu, element.get("menu", ""))
    return role and named and inside and matches(wanted.app, element["app"])
