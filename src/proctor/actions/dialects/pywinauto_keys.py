"""pywinauto's keys: `^` `+` `%` for Ctrl, Shift and Alt, `{ENTER}` for others, the rest as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from proctor.actions.dialects.translation import chord, chord_names, sequence
from proctor.actions.keys import MAX_CHORDS
from proctor.errors import AgentError

MODIFIERS = {"^": "ctrl", "+": "shift", "%": "alt"}
NAMES = {
    "VK_CONTROL": "ctrl", "VK_SHIFT": "shift", "VK_MENU": "alt", "VK_LWIN": "win", "VK_RWIN": "winright",
    "VK_CAPITAL": "capslock", "CAP_LOCK": "capslock", "BKSP": "backspace", "BS": "backspace",
}  # fmt: skip
"""Names that are neither ours nor ours in capitals."""
HELD = {"ctrl": "VK_CONTROL", "shift": "VK_SHIFT", "alt": "VK_MENU", "win": "VK_LWIN"}
SPECIAL = frozenset("^+%~(){}")

_BRACES = re.compile(r"\{(.|[^{}\s]+)(?:\s+(\d{1,3}|down|up))?\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stretch of the keyboard's work."""

    kind: Literal["text", "press", "down", "up"]
    value: str


def read(keys: str) -> list[Stroke]:
    """Return what a text in pywinauto's syntax does; raises AgentError for a key that is not known.

    Two things are forgiven, because models write plain texts: a group in brackets after no modifier, and a modifier
    with nothing after it, stand for themselves.
    """
    strokes: list[Stroke] = []
    for stroke in _strokes(keys):
        last = strokes[-1] if strokes else None
        if last and last.kind == stroke.kind == "text":
            strokes[-1] = Stroke("text", last.value + stroke.value)
        elif last and last.kind == stroke.kind == "press":
            strokes[-1] = Stroke("press", f"{last.value} {stroke.value}")
        else:
            strokes.append(stroke)
    return strokes


def _strokes(keys: str) -> Iterator[Stroke]:
    position, held = 0, []
    while position < len(keys):
        char = keys[position]
        if char in MODIFIERS and position + 1 < len(keys) and not keys[position + 1].isspace():
            held.append(MODIFIERS[char])
            position += 1
            continue
        if char == "{":
            match = _BRACES.match(keys, position)
            if match is None:
                raise AgentError(
                    f"{keys[position : position + 20]!r} is not a key",
                    remedy="write {ENTER} for a key and {{} for a brace",
                )
            yield from _strokes_of_name(match[1], match[2] or "1", held)
            position = match.end()
        elif char == "(" and held and ")" in keys[position : position + 200]:
            end = keys.index(")", position)
            for inner in keys[position + 1 : end]:
                yield Stroke("press", chord([*held, inner]))
            position = end + 1
        else:
            yield Stroke("press", chord([*held, char])) if held else _plain(char)
            position += 1
        held = []


def _plain(char: str) -> Stroke:
    return Stroke("press", "enter") if char == "~" else Stroke("text", char)


def _strokes_of_name(name: str, how: str, held: list[str]) -> Iterator[Stroke]:
    if len(name) == 1 and not held and how.isdigit():
        yield Stroke("text", name * min(int(how), MAX_CHORDS))
        return
    known = NAMES.get(name.upper()) or name.removeprefix("VK_")
    key = known.lower() if known.isupper() and len(known) > 1 else known
    if how.isdigit():
        yield Stroke("press", sequence([chord([*held, key])] * min(int(how), MAX_CHORDS)))
    else:
        yield Stroke("down" if how == "down" else "up", key)


def write_text(text: str) -> str:
    """Return a text that is typed as it stands."""
    return "".join(f"{{{char}}}" if char in SPECIAL else char for char in text)


def write_press(keys: str) -> str:
    """Return chords that follow one another."""
    return "".join(_chord(chord_names(word)) for word in keys.split(" ")) if keys.strip(" ") else keys


def write_held(key: str, how: Literal["down", "up"]) -> str:
    """Return a key that goes down or up."""
    return f"{{{HELD.get(key, key.upper() if key.islower() and len(key) > 1 else key)} {how}}}"


def _chord(names: list[str]) -> str:
    marks = {name: mark for mark, name in MODIFIERS.items()}
    before = "".join(marks.get(name, f"{{{name}}}") for name in names[:-1])
    last = names[-1]
    return before + (write_text(last) if len(last) == 1 else f"{{{last.upper() if last.islower() else last}}}")
