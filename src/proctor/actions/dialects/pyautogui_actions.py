"""PyAutoGUI's functions, each of which becomes an action."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial

from proctor.actions import action as act
from proctor.actions.action import Action, Given
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.program import Program
from proctor.actions.dialects.reply import DEFAULT_QUESTION
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import (
    MAX_ACTIONS,
    button,
    check_keys,
    chord,
    element_space,
    find_element,
    number,
    raw_form,
    sequence,
    text,
    texts,
    too_many,
    whole,
)
from proctor.actions.dialects.values import Function, MarkNumber, Meter, Module, Point, Size
from proctor.actions.keys import MAX_CHORDS
from proctor.errors import AgentError

SEPARATE_SEC = 0.5
"""Clicks this far apart are not a double click."""
SETTINGS = frozenset({"FAILSAFE", "PAUSE", "MINIMUM_DURATION", "MINIMUM_SLEEP", "DARWIN_CATCH_UP_TIME"})
_TWEENS = ("linear", "easeInQuad", "easeOutQuad", "easeInOutQuad", "easeInCubic", "easeOutCubic", "easeInOutCubic")
_CAN_HOLD = (act.Click, act.Drag, act.Scroll)

Raw = tuple[float, float]

_button = button
"""By another name, since an argument of theirs has this one."""


class ActionCollector:
    """Gathers the actions of one program."""

    def __init__(self, frame: Frame, space: Space) -> None:
        self.actions: list[Action] = []
        self._frame = frame
        self._space = space
        self._pointer = frame.pointer
        self._moved_at = -1
        self._program: Program | None = None

    def run(self, source: str) -> None:
        """Interpret a program; raises AgentError naming the line and what is wrong with it."""
        meter = Meter()
        functions = self._functions()
        clock = Module("time", {"sleep": functions["sleep"]})
        pyautogui = Module(
            "pyautogui", functions | dict.fromkeys(_TWEENS) | dict.fromkeys(SETTINGS, 0), ignored=SETTINGS
        )
        marks = {f"tag_{mark}": self._mark(mark) for mark in self._frame.marks}
        modules = {"pyautogui": pyautogui, "time": clock, **self._modules()}
        names = {**functions, **self._words(), **marks, **modules}
        self._program = Program(source, names, modules, meter, element=partial(find_element, self._frame))
        self._program.run()

    def _functions(self) -> dict[str, Function]:
        table: dict[str, Callable[..., object]] = {
            "moveTo": self._move_to, "move": self._move_by, "moveRel": self._move_by,
            "click": self._click, "leftClick": self._clicker(1, "left"), "rightClick": self._clicker(1, "right"),
            "middleClick": self._clicker(1, "middle"), "doubleClick": self._clicker(2), "tripleClick": self._clicker(3),
            "mouseDown": self._mouse(act.MouseDown), "mouseUp": self._mouse(act.MouseUp),
            "dragTo": self._drag_to, "drag": self._drag_by, "dragRel": self._drag_by,
            "scroll": self._scroll, "vscroll": self._scroll, "hscroll": self._hscroll,
            "write": self._write, "typewrite": self._write, "press": self._press, "hotkey": self._hotkey,
            "keyDown": self._key_down, "keyUp": self._key_up, "hold": self._hold, "sleep": self._sleep,
            "position": self._position, "size": lambda: Size(*self._space.size),
        }  # fmt: skip
        return {name: Function(name, call) for name, call in table.items()}

    def _modules(self) -> dict[str, Module]:
        """Return what else a program of a kindred dialect may speak to, by name."""
        return {}

    def _words(self) -> dict[str, Function]:
        """Return the signals: OSWorld's, and functions for those that carry a text."""
        table: dict[str, Callable[..., object]] = {
            "WAIT": lambda: self._emit(act.Wait),
            "DONE": lambda: self._emit(act.Done),
            "FAIL": lambda reason="": self._emit(act.Fail, reason=reason),
            "CALL_USER": lambda question=DEFAULT_QUESTION: self._emit(act.AskUser, question=question),
            "wait_for_change": lambda seconds=30.0: self._emit(act.WaitForChange, seconds=number(seconds, "seconds")),
            "done": lambda: self._emit(act.Done),
            "fail": lambda reason="": self._emit(act.Fail, reason=reason),
            "answer": lambda answer: self._emit(act.Answer, text=text(answer, "answer")),
            "ask_user": lambda question=DEFAULT_QUESTION: self._emit(act.AskUser, question=question),
        }
        return {name: Function(name, call) for name, call in table.items()}

    # The pointer

    def _move_to(
        self, x: object = None, y: object = None, duration: float = 0, tween: object = None, **_: object
    ) -> None:
        if (raw := self._raw(x, y)) is not None:
            self._emit(act.Move, at=raw)
            self._moved_at = self._statement()

    def _move_by(self, x: object = 0, y: object = 0, duration: float = 0, tween: object = None, **_: object) -> None:
        self._move_to(*self._beside(x, y))

    def _click(
        self,
        x: object = None,
        y: object = None,
        clicks: object = 1,
        interval: object = 0,
        button: object = "left",
        **_: object,
    ) -> None:
        self._clicks(self._raw(x, y), whole(clicks, "clicks"), number(interval, "interval"), button)

    def _clicker(self, count: int, which: str | None = None) -> Callable[..., None]:
        """Return what clicks so often; with the button that a call names, unless it is this one."""

        def click(
            x: object = None, y: object = None, interval: object = 0.0, button: object = "left", **_: object
        ) -> None:
            self._clicks(self._raw(x, y), count, 0.0, which or button)

        return click

    def _clicks(self, raw: Raw | None, clicks: int, interval: float, named: object) -> None:
        which = button(named)
        if 1 <= clicks <= 3 and (clicks == 1 or interval < SEPARATE_SEC):
            self._emit(act.Click, at=raw, button=which, count=clicks)
            return
        if clicks < 1 and raw is not None:
            self._emit(act.Move, at=raw)
        for _ in range(clicks):
            self._emit(act.Click, at=raw, button=which)

    def _mouse(self, kind: type[Action]) -> Callable[..., None]:
        def hold_or_release(x: object = None, y: object = None, button: object = "left", **_: object) -> None:
            if (raw := self._raw(x, y)) is not None:
                self._emit(act.Move, at=raw)
            self._emit(kind, button=_button(button))

        return hold_or_release

    def _drag_to(
        self, x: object = None, y: object = None, duration: float = 0, tween: object = None, button: object = "left",
        **_: object,
    ) -> None:  # fmt: skip
        raw = self._raw(x, y)
        if raw is None:
            raise AgentError("dragTo needs a place to drag to", remedy="give its x and y")
        self._drag(raw, button)

    def _drag_by(
        self, x: object = 0, y: object = 0, duration: float = 0, tween: object = None, button: object = "left",
        **_: object,
    ) -> None:  # fmt: skip
        self._drag(self._beside(x, y), button)

    def _drag(self, raw: Raw, named: object) -> None:
        """Drag from the pointer; a move in the statement before is the beginning of the same gesture."""
        place, space = self._place(raw)
        path, points, source = [place], [(float(raw[0]), float(raw[1]))], self._here()
        before = self.actions[-1] if self.actions else None
        if isinstance(before, act.Move) and before.given and self._moved_at == self._statement() - 1:
            self.actions.pop()
            path.insert(0, (before.x, before.y))
            points = [*before.given.points, *points]
            source = f"{before.given.text}\n{source}"
        self._append(act.Drag(path=tuple(path), button=button(named), given=raw_form(source, points, space)))
        self._pointer = place

    def _scroll(self, clicks: object = 0, x: object = None, y: object = None, **_: object) -> None:
        self._emit(act.Scroll, at=self._raw(x, y), dy=-whole(clicks, "clicks"))

    def _hscroll(self, clicks: object = 0, x: object = None, y: object = None, **_: object) -> None:
        self._emit(act.Scroll, at=self._raw(x, y), dx=whole(clicks, "clicks"))

    def _position(self) -> Point:
        if self._pointer is None:
            raise AgentError("the position of the pointer is not known", remedy="give the place itself")
        return Point(*self._space.raw(*self._pointer))

    # The keyboard

    def _write(self, message: object = "", interval: float = 0, **_: object) -> None:
        if not isinstance(message, list | tuple):
            self._emit(act.Type, text=text(message, "message"))
            return
        typed = ""
        for key in texts(message, "message"):
            if len(key) <= 1:
                typed += key
                continue
            if typed:
                self._emit(act.Type, text=typed)
                typed = ""
            self._emit(act.Press, keys=key)
        if typed:
            self._emit(act.Type, text=typed)

    def _press(self, keys: object, presses: object = 1, interval: float = 0, **_: object) -> None:
        times = whole(presses, "presses")
        names = texts(keys, "keys")
        if times * len(names) > MAX_ACTIONS * MAX_CHORDS:
            raise too_many()
        pressed = names * max(times, 0)
        for start in range(0, len(pressed), MAX_CHORDS):
            self._emit(act.Press, keys=sequence(pressed[start : start + MAX_CHORDS]))

    def _hotkey(self, *keys: object, **_: object) -> None:
        names = [name for key in keys for name in texts(key, "hotkey")]
        self._emit(act.Press, keys=chord(names))

    def _key_down(self, key: object, **_: object) -> None:
        self._emit(act.KeyDown, key=text(key, "key"))

    def _key_up(self, key: object, **_: object) -> None:
        self._emit(act.KeyUp, key=text(key, "key"))

    def _hold(self, keys: object, **_: object) -> HeldKeys:
        return HeldKeys(self, texts(keys, "hold"), raw_form(self._here()))

    def _sleep(self, seconds: object = 1.0) -> None:
        self._emit(act.Wait, seconds=number(seconds, "seconds"))

    # Places

    def _raw(self, x: object, y: object) -> Raw | None:
        """Return the raw place of two arguments, the first of which may be a pair; None for neither."""
        if isinstance(x, str) and not x.replace(".", "").isdigit():
            raise AgentError("looking for a picture on the screen is not supported", remedy="give x and y as numbers")
        if isinstance(x, list | tuple) and len(x) == 2:
            x, y = x
        if x is None and y is None:
            return None
        if x is None or y is None:
            here = self._position()
            x, y = (here.x if x is None else x), (here.y if y is None else y)
        return number(x, "x"), number(y, "y")

    def _beside(self, x: object, y: object) -> Raw:
        offset = self._raw(x if x is not None else 0, y if y is not None else 0) or (0.0, 0.0)
        here = self._position()
        return here.x + offset[0], here.y + offset[1]

    def _mark(self, mark: int) -> Point:
        x, y = self._space.raw(*self._frame.marks[mark])
        return Point(MarkNumber(x, mark), MarkNumber(y, mark))

    def _place(self, raw: Raw) -> tuple[Raw, str]:
        """Return a raw place on the desktop, and the space that it was given in."""
        x, y = raw
        if isinstance(x, MarkNumber) and isinstance(y, MarkNumber) and x.mark == y.mark:
            return self._frame.marks[x.mark], element_space(x.mark)
        return self._space.place(x, y), self._space.name

    # What comes of it

    def _emit(self, kind: Callable[..., Action], *, at: Raw | None = None, **values: object) -> None:
        source = raw_form(self._here())
        if at is not None:
            self._pointer, space = self._place(at)
            values["x"], values["y"] = self._pointer
            source = raw_form(self._here(), [(float(at[0]), float(at[1]))], space)
        self._append(kind(**values, given=source))

    def _append(self, action: Action) -> None:
        if len(self.actions) >= MAX_ACTIONS:
            raise too_many()
        self.actions.append(check_keys(action))

    def _here(self) -> str:
        return self._program.here() if self._program else ""

    def _statement(self) -> int:
        return self._program.statement if self._program else 0


class HeldKeys:
    """Keys held during a block: of clicks, drags and turns of the wheel they become modifiers."""

    def __init__(self, collector: ActionCollector, keys: Sequence[str], source: Given) -> None:
        self._collector = collector
        self._keys = tuple(keys)
        self._source = source
        self._start = 0

    def enter(self) -> None:
        """Begin to hold."""
        self._start = len(self._collector.actions)

    def leave(self) -> None:
        """Let go."""
        inner = self._collector.actions[self._start :]
        holding = [action for action in inner if isinstance(action, _CAN_HOLD)]
        if inner and len(holding) == len(inner):
            self._collector.actions[self._start :] = [self._add_keys(action) for action in holding]
            return
        down = [act.KeyDown(key=key, given=self._source) for key in self._keys]
        up = [act.KeyUp(key=key, given=self._source) for key in reversed(self._keys)]
        self._collector.actions[self._start :] = [*down, *inner, *up]

    def _add_keys(self, action: act.Click | act.Drag | act.Scroll) -> Action:
        return check_keys(dataclasses.replace(action, modifiers=(*self._keys, *action.modifiers)))
