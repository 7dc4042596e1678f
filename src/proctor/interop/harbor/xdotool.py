"""The words of `xdotool` that Harbor's agents use, read as actions."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import place_fields
from proctor.errors import AgentError

MOST_REPEATS = 100
_BUTTONS = {"1": "left", "2": "middle", "3": "right", "8": "back", "9": "forward"}
_WHEEL = {"4": (0, -1), "5": (0, 1), "6": (-1, 0), "7": (1, 0)}
_ALONE = frozenset({"--clearmodifiers", "--shell", "--sync"})
_WITH_A_VALUE = frozenset({"--delay", "--repeat", "--window", "--screen"})


def actions(words: list[str], size: tuple[int, int], desktop: tuple[int, int]) -> Iterator[Action]:
    """Yield the actions of a command line, its places on a display of some size; raises AgentError."""
    display = Space(f"image {size[0]}x{size[1]}", size, desktop)
    while words:
        verb = words.pop(0)
        options = dict(_options(words))
        if verb == "type":
            yield act.Type(text=" ".join(words))
            return
        if verb == "key":
            for key in words:
                yield act.Press(keys=key)
            return
        if verb == "mousemove":
            place = _number(words), _number(words)
            yield act.Move(**place_fields(f"mousemove {place[0]:g} {place[1]:g}", place, display))
        elif verb in ("keydown", "keyup"):
            key = _next(words, verb)
            yield act.KeyDown(key=key) if verb == "keydown" else act.KeyUp(key=key)
        elif verb in ("mousedown", "mouseup"):
            button = _button(_next(words, verb))
            yield act.MouseDown(button=button) if verb == "mousedown" else act.MouseUp(button=button)  # type: ignore[arg-type]
        elif verb == "click":
            yield from _clicks(_next(words, verb), int(options.get("--repeat", "1")))
        else:
            raise AgentError(f"xdotool has no {verb[:40]!r} here", remedy="use its words for keys and the pointer")


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    while words and words[0].startswith("--"):
        option = words.pop(0)
        if option == "--":
            return
        if option in _WITH_A_VALUE:
            yield option, _next(words, option)
        elif option not in _ALONE:
            raise AgentError(f"xdotool has no option {option[:40]!r} here")


def _clicks(button: str, times: int) -> Iterator[Action]:
    if not 1 <= times <= MOST_REPEATS:
        raise AgentError(f"{times} clicks at once", remedy=f"ask for 1 to {MOST_REPEATS}")
    if button in _WHEEL:
        across, down = _WHEEL[button]
        yield act.Scroll(dx=across * times, dy=down * times)
        return
    while times > 0:
        # Up to three in a row are one gesture.
        yield act.Click(button=_button(button), count=min(times, 3))  # type: ignore[arg-type]
        times -= 3


def _button(number: str) -> str:
    if number not in _BUTTONS:
        raise AgentError(f"there is no button {number[:20]!r}")
    return _BUTTONS[number]


def _next(words: list[str], verb: str) -> str:
    if not words:
        raise AgentError(f"xdotool {verb} lacks a value")
    return words.pop(0)


def _number(words: list[str]) -> float:
    text = _next(words, "mousemove")
    try:
        return float(text)
    except ValueError as error:
        raise AgentError(f"{text[:40]!r} is no place on the screen") from error
