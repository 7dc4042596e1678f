"""Carrying out an action: look up what it hits, send the device events, let go of everything, wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from proctor.actions import action as act
from proctor.actions.keys import key_for_char, parse_key, parse_keys
from proctor.computers.capabilities import Capability
from proctor.computers.gestures import touch
from proctor.computers.parts.besides import KnownWindows, MenuTree
from proctor.computers.parts.keys import Keys
from proctor.computers.parts.pointer import Pointer
from proctor.computers.performer import Performer
from proctor.computers.places import pixel, points_between
from proctor.computers.values import CodeResult, Performed
from proctor.computers.wait import let_time_pass, wait_for_change
from proctor.errors import ComputerError, ComputerLost, HostError, SpecError
from proctor.observations.tree import Node

DRAG_PAUSE_SEC = 0.008
"""Time between the points of a drag, so that applications see them one by one rather than merged."""
DROP_PAUSE_SEC = 0.05
"""Time before letting go: a drop target must have answered by then."""
DOUBLE_CLICK_SEC = 0.5
"""Presses closer together than this count as one gesture."""

TEXT_ROLES = frozenset({"text", "entry", "paragraph", "document text", "editbar"})
MENU_ROLES = frozenset({"check menu item", "menu", "menu bar", "menu item", "popup menu", "radio menu item"})
"""Where a letter chooses."""
SURELY_WHOLE = 1000
"""Texts up to this many characters come whole from every application; longer ones may be cut in the tree."""

Known = TypeVar("Known")

NEEDS: dict[str, Capability] = {
    "move": "pointer", "click": "pointer", "mouse_down": "pointer", "mouse_up": "pointer", "drag": "pointer",
    "scroll": "pointer", "type": "keys", "press": "keys", "key_down": "keys", "key_up": "keys", "run_code": "code",
    "tap": "touch", "long_press": "touch", "swipe": "touch", "pinch": "touch",
    "open_app": "apps",
}  # fmt: skip
"""The part that each kind of action needs; the others need none."""


def needs_of(action: act.Action) -> tuple[Capability, ...]:
    """Return the parts that an action needs; keys held meanwhile need a keyboard."""
    needed = NEEDS.get(action.kind)
    if needed is None:
        return ()
    return (needed, "keys") if getattr(action, "modifiers", ()) else (needed,)


def perform(computer: Performer, action: act.Action) -> Performed:
    """Carry out an input action on a computer and tell what happened.

    What only goes with an action (what it hits, whether the screen came to rest, whether a text arrived) may fail on a
    computer in disorder; it is then unknown, and the action counts. Raises AgentError for the impossible, ComputerError
    for what was not taken (ComputerLost: it is gone), SpecError for signals and for what the computer lacks.
    """
    if not isinstance(action, act.InputAction):
        raise SpecError(
            f"{action.kind!r} is a signal, not something a computer can perform",
            remedy="end or answer the episode with it instead",
        )
    computer.need(*needs_of(action))
    started = time.time()
    place = _place(computer, action)
    element, program = _element(computer, action, place), program_for(computer, action, place)
    computer.parts.rest.about_to(action)
    result = _carry_out(computer, action, place)
    settled = _settle(computer) if computer.pace == "settle" else True
    # A text that may still be on its way proves nothing.
    typed = action.text if isinstance(action, act.Type) and computer.pace == "settle" else ""
    return Performed(
        action=action,
        element=element,
        program=program,
        started=started,
        ended=time.time(),
        settled=settled,
        verified=_ask(lambda: _verify(computer, typed, element)),
        result=result,
    )


# -- what it hits ---------------------------------------------------------------------------------------------------


def _place(computer: Performer, action: act.Action) -> tuple[int, int] | None:
    """Return the pixel where a pointer action begins; None for actions without a place."""
    match action:
        case act.Move(x=x, y=y) | act.Tap(x=x, y=y) | act.LongPress(x=x, y=y) | act.Pinch(x=x, y=y):
            return pixel(computer, x, y, action.given)
        case act.Click(x=x, y=y) | act.Scroll(x=x, y=y):
            return _pointer(computer).position() if x is None or y is None else pixel(computer, x, y, action.given)
        case act.Drag(path=path):
            return _pointer(computer).position() if len(path) == 1 else pixel(computer, *path[0], action.given)
        case act.Swipe(path=path):
            return pixel(computer, *path[0], action.given)
        case act.MouseDown() | act.MouseUp():
            return _pointer(computer).position()
        case _:
            return None


def _element(computer: Performer, action: act.Action, place: tuple[int, int] | None) -> Node | None:
    if place is not None:
        return _ask(lambda: computer.element_at(*place)) if computer.parts.tree else None
    tree = computer.parts.tree
    if tree is None or needs_of(action) != ("keys",):
        return None
    focus, letter = _ask(tree.focused), _letter(action)
    if not letter or focus is None or focus.role not in MENU_ROLES or not isinstance(tree, MenuTree):
        return focus
    return _ask(lambda: tree.menu_item(letter))


def _letter(action: act.Action) -> str:
    """Return the letter that an action consists of; empty for any other."""
    text = action.text if isinstance(action, act.Type) else action.keys if isinstance(action, act.Press) else ""
    return text if len(text) == 1 and text.isalnum() else ""


def program_for(computer: Performer, action: act.Action, place: tuple[int, int] | None) -> str | None:
    """Return the program that an action goes to, empty for none; None where nobody can tell."""
    windows = computer.parts.windows
    if not isinstance(windows, KnownWindows) or not (place is not None or needs_of(action) == ("keys",)):
        return None
    return _ask(lambda: windows.program_at(*place) if place is not None else windows.program_with_keys()) or ""


def _ask(ask: Callable[[], Known]) -> Known | None:
    """Return what it says of its elements, or None: the action will show if more is lost."""
    try:
        return ask()
    except HostError:
        raise
    except (ComputerError, OSError):
        return None


def _settle(computer: Performer) -> bool:
    try:
        return computer.settle()
    except (ComputerLost, HostError):
        raise
    except (ComputerError, OSError):
        return False


def _pointer(computer: Performer) -> Pointer:
    assert computer.parts.pointer, "the needs were looked at first"
    return computer.parts.pointer


def _keys(computer: Performer) -> Keys:
    assert computer.parts.keys, "the needs were looked at first"
    return computer.parts.keys


# -- device events --------------------------------------------------------------------------------------------------


def _carry_out(computer: Performer, action: act.Action, place: tuple[int, int] | None) -> CodeResult | None:
    match action:
        case act.Move() if place:
            _pointer(computer).move(*place)
        case act.Click() if place:
            _click(computer, action, place)
        case act.MouseDown(button=button) | act.MouseUp(button=button):
            _pointer(computer).button(button, isinstance(action, act.MouseDown))
        case act.Drag() if place:
            _drag(computer, action, place)
        case act.Scroll() if place:
            _scroll(computer, action, place)
        case act.Tap() | act.LongPress() | act.Swipe() | act.Pinch() if place:
            touch(computer, action, place)
        case act.Type() | act.Press() | act.KeyDown() | act.KeyUp():
            _use_keys(computer, action)
        case act.OpenApp(name=name):
            _open_app(computer, name)
        case act.Wait(seconds=seconds):
            let_time_pass(computer, seconds)
        case act.WaitForChange(seconds=seconds):
            wait_for_change(computer, seconds)
        case act.RunCode(code=code, language=language, timeout_sec=timeout_sec):
            return computer.execute(code, language=language, timeout_sec=timeout_sec)
    return None


def _click(computer: Performer, action: act.Click, place: tuple[int, int]) -> None:
    modifiers = [parse_key(name) for name in action.modifiers]
    _stand_apart(computer, action, place)
    _pointer(computer).move(*place)
    with _held_keys(computer, modifiers):
        _pointer(computer).clicks(action.button, action.count)


def _stand_apart(computer: Performer, action: act.Click, place: tuple[int, int]) -> None:
    """Keep a click from fusing with an earlier one at the same place, or from being confused by one elsewhere.

    Toolkits count presses in a row: two single clicks would become a double click, and a double click soon after a
    click elsewhere is not seen as one.
    """
    if computer.pace == "realtime" or not computer.history:
        return
    last = computer.history[-1]
    left = DOUBLE_CLICK_SEC - (time.time() - last.ended)
    pressed = isinstance(last.action, act.Click | act.Drag | act.MouseUp) and last.action.button == action.button
    if pressed and 0 < left <= DOUBLE_CLICK_SEC and (action.count > 1 or _pointer(computer).position() == place):
        computer.pass_time(left)


def _drag(computer: Performer, action: act.Drag, start: tuple[int, int]) -> None:
    modifiers = [parse_key(name) for name in action.modifiers]
    stops = [start, *(pixel(computer, x, y, action.given) for x, y in action.path)]
    _pointer(computer).move(*start)
    with _held_keys(computer, modifiers), _held_button(computer, action.button):
        for origin, target in zip(stops, stops[1:], strict=False):
            for point in points_between(origin, target):
                _pointer(computer).move(*point)
                computer.pass_time(DRAG_PAUSE_SEC)
        computer.pass_time(DROP_PAUSE_SEC)


def _scroll(computer: Performer, action: act.Scroll, place: tuple[int, int]) -> None:
    modifiers = [parse_key(name) for name in action.modifiers]
    _pointer(computer).move(*place)
    with _held_keys(computer, modifiers):
        _pointer(computer).scroll(action.dx, action.dy)


def _use_keys(computer: Performer, action: act.Type | act.Press | act.KeyDown | act.KeyUp) -> None:
    match action:
        case act.Type(text=text):
            _type(computer, text)
        case act.Press(keys=keys):
            _press(computer, keys)
        case act.KeyDown(key=key) | act.KeyUp(key=key):
            _keys(computer).key(parse_key(key), isinstance(action, act.KeyDown))


def _open_app(computer: Performer, name: str) -> None:
    assert computer.parts.apps, "the needs were looked at first"
    computer.parts.apps.open(name)


def _type(computer: Performer, text: str) -> None:
    for char in sorted(set(text)):
        key_for_char(char)  # refuses what no key can type before half of the text is there
    _keys(computer).type(text)


def _press(computer: Performer, keys: str) -> None:
    for chord in parse_keys(keys):
        with _held_keys(computer, chord.keys):
            pass


@contextmanager
def _held_button(computer: Performer, button: act.Button) -> Iterator[None]:
    # Released even when pressing failed half-way: a stuck button would spoil every later action.
    try:
        _pointer(computer).button(button, True)
        yield
    finally:
        _pointer(computer).button(button, False)


@contextmanager
def _held_key(computer: Performer, key: str) -> Iterator[None]:
    try:
        _keys(computer).key(key, True)
        yield
    finally:
        _keys(computer).key(key, False)


@contextmanager
def _held_keys(computer: Performer, keys: Sequence[str]) -> Iterator[None]:
    with ExitStack() as stack:
        for key in keys:
            stack.enter_context(_held_key(computer, key))
        yield


# -- did it arrive --------------------------------------------------------------------------------------------------


def _verify(computer: Performer, typed: str, before: Node | None) -> bool | None:
    """Tell whether a text element now shows what was typed into it; None where the tree cannot tell."""
    if not typed or before is None or before.role not in TEXT_ROLES:
        return None
    after = computer.parts.tree.focused() if computer.parts.tree else None
    if after is None or (after.role, after.app) != (before.role, before.app):
        return None
    if after.text.count(typed) > before.text.count(typed):
        return True
    undecided = typed in after.text or len(after.text) >= SURELY_WHOLE or _moved_on(before, after, typed)
    return None if undecided else False


def _moved_on(before: Node, after: Node, typed: str) -> bool:
    """Tell whether typing took the focus elsewhere, as Tab and Return do in forms."""
    return after.name != before.name or (after.box != before.box and ("\t" in typed or "\n" in typed))
