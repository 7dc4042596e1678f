"""Carrying out an action: look up what it hits, send the device events, let go of everything, wait."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from proctor.actions import action as act
from proctor.actions.keys import keysym_for_char, parse_key, parse_keys
from proctor.computers.computer import Capability, CodeResult, Computer, Performed
from proctor.errors import AgentError, ComputerError, ComputerLost, HostError, SpecError
from proctor.observations.tree import Node

BUTTON_NUMBERS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}

DRAG_STRIDE = 24
"""Pixels between the points of a drag: applications start a drag only after they saw the pointer travel."""
DRAG_PAUSE_SEC = 0.008
"""Time between those points, so that applications see them one by one rather than merged."""
DROP_PAUSE_SEC = 0.05
"""Time before letting go: a drop target must have answered by then."""
DOUBLE_CLICK_SEC = 0.5
"""Presses closer together than this count as one gesture."""

TEXT_ROLES = frozenset({"text", "entry", "paragraph", "document text", "editbar"})
SURELY_WHOLE = 1000
"""Texts up to this many characters come whole from every application; longer ones may be cut in the tree."""

Known = TypeVar("Known")


def rerouted(computer: Computer, action: act.Action, route: Callable[[act.Action], Performed]) -> Performed:
    """Hand an action to a route; what that performs meanwhile is carried out."""
    computer.route = None
    try:
        return route(action)
    finally:
        computer.route = route


def perform(computer: Computer, action: act.Action) -> Performed:
    """Carry out an input action on a computer and tell what happened.

    What only goes with an action (what it hits, whether the screen came to rest, whether a text arrived) may fail on a
    computer that programs inside have put into disorder; it is then unknown, and the action counts.

    Raises:
        AgentError: The action is impossible: a place outside the desktop, an unknown key.
        ComputerError: The computer did not take the action; ComputerLost when it is gone.
        SpecError: The action is a signal to the examiner, or the computer lacks what it needs.
    """
    if not isinstance(action, act.InputAction):
        raise SpecError(
            f"{action.kind!r} is a word to the examiner, not something a computer can perform",
            remedy="end or answer the episode with it instead",
        )
    computer.need(*_needs(action))
    started = time.time()
    place = _place(computer, action)
    element = _element(computer, action, place)
    computer._about_to(action)
    result = _carry_out(computer, action, place)
    settled = _settled(computer) if computer.pace == "settle" else True
    # A text that may still be on its way proves nothing.
    typed = action.text if isinstance(action, act.Type) and computer.pace == "settle" else ""
    return Performed(
        action=action,
        element=element,
        started=started,
        ended=time.time(),
        settled=settled,
        verified=_known(lambda: _verify(computer, typed, element)),
        result=result,
    )


def _needs(action: act.Action) -> tuple[Capability, ...]:
    match action:
        case act.Click(modifiers=held) | act.Drag(modifiers=held) | act.Scroll(modifiers=held):
            return ("pointer", "keys") if held else ("pointer",)
        case act.Move() | act.MouseDown() | act.MouseUp():
            return ("pointer",)
        case act.Type() | act.Press() | act.KeyDown() | act.KeyUp():
            return ("keys",)
        case act.RunCode():
            return ("code",)
        case _:
            return ()


# -- what it hits ---------------------------------------------------------------------------------------------------


def _place(computer: Computer, action: act.Action) -> tuple[int, int] | None:
    """Return the pixel where a pointer action begins; None for actions without a place."""
    match action:
        case act.Move(x=x, y=y):
            return _pixel(computer, x, y)
        case act.Click(x=x, y=y) | act.Scroll(x=x, y=y):
            return computer._pointer_position() if x is None or y is None else _pixel(computer, x, y)
        case act.Drag(path=path):
            return computer._pointer_position() if len(path) == 1 else _pixel(computer, *path[0])
        case act.MouseDown() | act.MouseUp():
            return computer._pointer_position()
        case _:
            return None


def _pixel(computer: Computer, x: float, y: float) -> tuple[int, int]:
    width, height = computer.size
    if not (0 <= x < width and 0 <= y < height):
        raise AgentError(
            f"the place ({x:g}, {y:g}) is outside the desktop of {width}x{height} pixels",
            remedy=f"use x from 0 to {width - 1} and y from 0 to {height - 1}",
        )
    return math.floor(x), math.floor(y)


def _element(computer: Computer, action: act.Action, place: tuple[int, int] | None) -> Node | None:
    if place is not None:
        return _known(lambda: computer.element_at(*place)) if "tree" in computer.capabilities else None
    return _known(computer._focused) if _needs(action) == ("keys",) else None


def _known(ask: Callable[[], Known]) -> Known | None:
    """Return what a computer says of its elements; None where it cannot: the action will show if more is lost."""
    try:
        return ask()
    except HostError:
        raise
    except (ComputerError, OSError):
        return None


def _settled(computer: Computer) -> bool:
    try:
        return computer.settle()
    except (ComputerLost, HostError):
        raise
    except (ComputerError, OSError):
        return False


# -- device events --------------------------------------------------------------------------------------------------


def _carry_out(computer: Computer, action: act.Action, place: tuple[int, int] | None) -> CodeResult | None:
    match action:
        case act.Move() if place:
            computer._pointer_move(*place)
        case act.Click() if place:
            _click(computer, action, place)
        case act.MouseDown(button=button) | act.MouseUp(button=button):
            computer._pointer_button(BUTTON_NUMBERS[button], isinstance(action, act.MouseDown))
        case act.Drag() if place:
            _drag(computer, action, place)
        case act.Scroll() if place:
            _scroll(computer, action, place)
        case act.Type(text=text):
            _type(computer, text)
        case act.Press(keys=keys):
            _press(computer, keys)
        case act.KeyDown(key=key) | act.KeyUp(key=key):
            computer._key(parse_key(key), isinstance(action, act.KeyDown))
        case act.Wait(seconds=seconds):
            computer._pass_time(seconds)
        case act.RunCode(code=code, language=language, timeout_sec=timeout_sec):
            return computer.execute(code, language=language, timeout_sec=timeout_sec)
    return None


def _click(computer: Computer, action: act.Click, place: tuple[int, int]) -> None:
    modifiers = [parse_key(name) for name in action.modifiers]
    _stand_apart(computer, action, place)
    computer._pointer_move(*place)
    with _held_keys(computer, modifiers):
        computer._pointer_clicks(BUTTON_NUMBERS[action.button], action.count)


def _stand_apart(computer: Computer, action: act.Click, place: tuple[int, int]) -> None:
    """Keep a click from fusing with an earlier one at the same place, or from being confused by one elsewhere.

    Toolkits count presses in a row: two single clicks would become a double click, and a double click soon after a
    click elsewhere is not seen as one.
    """
    if computer.pace == "realtime" or not computer.history:
        return
    last = computer.history[-1]
    left = DOUBLE_CLICK_SEC - (time.time() - last.ended)
    pressed = isinstance(last.action, act.Click | act.Drag | act.MouseUp) and last.action.button == action.button
    if pressed and 0 < left <= DOUBLE_CLICK_SEC and (action.count > 1 or computer._pointer_position() == place):
        computer._pass_time(left)


def _drag(computer: Computer, action: act.Drag, start: tuple[int, int]) -> None:
    modifiers = [parse_key(name) for name in action.modifiers]
    stops = [start, *(_pixel(computer, x, y) for x, y in action.path)]
    computer._pointer_move(*start)
    with _held_keys(computer, modifiers), _held_button(computer, BUTTON_NUMBERS[action.button]):
        for origin, target in zip(stops, stops[1:], strict=False):
            for point in _points_between(origin, target):
                computer._pointer_move(*point)
                computer._pass_time(DRAG_PAUSE_SEC)
        computer._pass_time(DROP_PAUSE_SEC)


def _points_between(origin: tuple[int, int], target: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield evenly spaced points after `origin` up to and including `target`."""
    (x, y), (to_x, to_y) = origin, target
    # A short drag is cut finer, because thresholds are a few pixels.
    steps = max(math.ceil(math.dist(origin, target) / DRAG_STRIDE), min(4, abs(to_x - x) + abs(to_y - y)))
    for step in range(1, steps + 1):
        yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)


def _scroll(computer: Computer, action: act.Scroll, place: tuple[int, int]) -> None:
    modifiers = [parse_key(name) for name in action.modifiers]
    computer._pointer_move(*place)
    with _held_keys(computer, modifiers):
        for notches, backward, forward in ((action.dy, 4, 5), (action.dx, 6, 7)):
            for _ in range(abs(notches)):
                with _held_button(computer, forward if notches > 0 else backward):
                    pass


def _type(computer: Computer, text: str) -> None:
    for char in sorted(set(text)):
        keysym_for_char(char)  # refuses what no key can type before half of the text is there
    computer._type(text)


def _press(computer: Computer, keys: str) -> None:
    for chord in parse_keys(keys):
        with _held_keys(computer, chord.keys):
            pass


@contextmanager
def _held_button(computer: Computer, button: int) -> Iterator[None]:
    # Released even when pressing failed half-way: a stuck button would spoil every later action.
    try:
        computer._pointer_button(button, True)
        yield
    finally:
        computer._pointer_button(button, False)


@contextmanager
def _held_key(computer: Computer, keysym: int) -> Iterator[None]:
    try:
        computer._key(keysym, True)
        yield
    finally:
        computer._key(keysym, False)


@contextmanager
def _held_keys(computer: Computer, keysyms: Sequence[int]) -> Iterator[None]:
    """Press keys in order and release them in the opposite order."""
    with ExitStack() as stack:
        for keysym in keysyms:
            stack.enter_context(_held_key(computer, keysym))
        yield


# -- did it arrive --------------------------------------------------------------------------------------------------


def _verify(computer: Computer, typed: str, before: Node | None) -> bool | None:
    """Tell whether a text element now shows what was typed into it; None where the tree cannot tell."""
    if not typed or before is None or before.role not in TEXT_ROLES:
        return None
    after = computer._focused()
    if after is None or (after.role, after.app) != (before.role, before.app):
        return None
    if after.text.count(typed) > before.text.count(typed):
        return True
    undecided = typed in after.text or len(after.text) >= SURELY_WHOLE or _moved_on(before, after, typed)
    return None if undecided else False


def _moved_on(before: Node, after: Node, typed: str) -> bool:
    """Tell whether typing took the focus elsewhere, as Tab and Return do in forms."""
    return after.name != before.name or (after.box != before.box and ("\t" in typed or "\n" in typed))
