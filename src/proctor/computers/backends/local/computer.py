"""Your own display, for agents you trust: actions are confirmed, and one key stops them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar

from proctor.actions import action as act
from proctor.actions.keys import parse_key, parse_keys
from proctor.computers.backends.local.address import find_display
from proctor.computers.backends.local.display import LocalClock, LocalDisplay, Stopped
from proctor.computers.backends.local.options import LocalOptions
from proctor.computers.capabilities import Parts
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.parts import X11Keys, X11Pointer, X11Screen
from proctor.computers.existing_machine import ForeignComputer, not_ours
from proctor.computers.fit import Lack
from proctor.computers.options import take_options
from proctor.computers.values import Performed
from proctor.errors import AgentError, ComputerError, HostError, SpecError

AT_ONCE = 20
"""Characters that are typed before the stop key is looked for again."""
QUESTION = "Perform it? [y]es, [n]o, [a]ll from now on, [q]uit: "

Seen = TypeVar("Seen")


def ask_at_terminal(text: str) -> str:
    """Ask the person at the terminal this was started from, wherever standard input comes from."""
    with open("/dev/tty", "r+", buffering=1) as terminal:  # noqa: PTH123 - it is no file
        terminal.write(text)
        return terminal.readline()


class LocalComputer(ForeignComputer):
    """The X display that you sit at."""

    backend = "local"
    home = "your own"
    system = "the desktop of the person who started this"
    example: ClassVar[Mapping[str, Any]] = {"display": ":0", "consent": True}
    ask: ClassVar[Callable[[str], str]] = staticmethod(ask_at_terminal)
    """Shows a question and returns the line that is typed; EOFError or OSError where nobody is there."""

    Options = LocalOptions

    def __init__(self, options: LocalOptions | None = None, /, **given: object) -> None:
        """Describe your display by its options; `start` or `with` touches it first."""
        told = take_options(LocalOptions, options, given)
        self._display = find_display(told.display, os.environ)
        if not told.consent:
            raise SpecError(
                f"the computer 'local' is your own display {self._display.text}: an agent would see everything it "
                "shows, move your pointer and type into whatever has the focus, and pictures of it would be recorded",
                remedy=f"if you want that, say consent=yes; the key {told.stop} stops it at once",
            )
        self._stop = parse_key(told.stop)
        self._confirm, self._trusting = told.confirm, False
        self._held: LocalDisplay | None = None
        self._closed = False
        line = _Line(lambda: self._open)
        self._screen = X11Screen(line, (0, 0))
        clock = LocalClock(lambda: self._open)
        parts = Parts(screen=self._screen, pointer=X11Pointer(line), keys=_Keys(line), clock=clock)
        super().__init__(parts, pace=told.pace)

    @classmethod
    def lacks_here(cls) -> list[Lack]:
        """Tell whether there is a display of the kind that can be touched."""
        try:
            find_display("", os.environ).dial().close()
        except (SpecError, HostError) as error:
            return [Lack(what=error.message, remedy=error.remedy)]
        return []

    @property
    def _open(self) -> LocalDisplay:
        if self._closed:
            raise ComputerError("this computer is closed", remedy="open another one")
        if self._held is None:
            raise ComputerError("this computer has not been started", remedy="use `with`, or call its start()")
        return self._held

    def start(self) -> Self:
        """Connect to the display; SpecError where there is nobody to confirm actions."""
        if self._closed:
            raise ComputerError("this computer is closed", remedy="open another one")
        if self._held is None:
            if self._confirm and type(self).ask is ask_at_terminal:
                _see_terminal()
            self._held = LocalDisplay(self._display, self._display.authority(os.environ), self._stop)
            self._screen.size = self._held.x.size
        return self

    def close(self) -> None:
        """Let go of the display; its keyboard is as it was before."""
        held, self._held, self._closed = self._held, None, True
        if held:
            held.close()
        super().close()

    def perform(self, action: act.Action) -> Performed:
        """Carry out an action the person at the display allows, or raise Stopped, as Ctrl+C does."""
        self._open.check()
        if self._stop in _keys_of(action):
            raise AgentError(f"the key {self._stop} is reserved for stopping", remedy="do not use it")
        if self._confirm and isinstance(action, act.InputAction):
            self._ask(action)
        return super().perform(action)

    def facts(self) -> dict[str, Any]:
        return {**super().facts(), "display": self._display.text, "confirmed": self._confirm, "stop": self._stop}

    def autopsy(self) -> dict[str, Any]:
        """Tell why the display is gone; whoever sits at it, or has a shell, can have ended it."""
        lost = self._held.x.lost if self._held else ""
        return {"lost": lost, "outside": not_ours(f"the display {self._display.text}", lost)} if lost else {}

    def _ask(self, action: act.Action) -> None:
        text = f"{action!r}\n{QUESTION}"
        while not self._trusting:
            try:
                answer = type(self).ask(text)
            except OSError as error:
                raise Stopped(f"there is nobody to confirm actions: {error.strerror}") from error
            self._open.check()
            match answer.strip().lower():
                case "y" | "yes":
                    return
                case "n" | "no":
                    raise AgentError("the person at the display did not allow it", remedy="do something else")
                case "a" | "all":
                    self._trusting = True
                case "q" | "quit":
                    self._open.let_go()
                    raise Stopped("the person at the display ended it")
                case _ if not answer:
                    raise Stopped("there is nobody to confirm actions")
                case _:
                    text = QUESTION


class _Line:
    """What the parts are reached through: the display there is now."""

    def __init__(self, display: Callable[[], LocalDisplay]) -> None:
        self._display = display

    @property
    def keyboard(self) -> Keyboard:
        return self._display().keyboard

    def look(self, operation: Callable[[X11], Seen]) -> Seen:
        return self._display().look(operation)


class _Keys(X11Keys):
    """The keyboard; between a few characters the stop key is looked for."""

    def type(self, text: str) -> None:
        for start in range(0, len(text), AT_ONCE):
            super().type(text[start : start + AT_ONCE])


def _keys_of(action: act.Action) -> set[str]:
    match action:
        case act.Press(keys=keys):
            return {key for chord in parse_keys(keys) for key in chord.keys}
        case act.KeyDown(key=key) | act.KeyUp(key=key):
            return {parse_key(key)}
        case _:
            return set()


def _see_terminal() -> None:
    try:
        with open("/dev/tty", "r+b", buffering=0):  # noqa: PTH123 - it is no file
            return
    except OSError as error:
        raise SpecError(
            "each action has to be confirmed, and there is no terminal to ask in",
            remedy="start it from a terminal, or say confirm=no if you trust the agent",
        ) from error
