"""Hands that act and wait as little as they must: whoever uses them looks twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from PIL import Image

from proctor.actions.action import Action
from proctor.computers.capabilities import Capability, Parts
from proctor.computers.computer import Computer
from proctor.computers.perform import perform
from proctor.computers.values import CodeResult, Performed
from proctor.observations.tree import Node

REACT_SEC = 0.3
"""How long the first drawing after an action is waited for."""
QUIET_SEC = 0.06
"""Without a drawing for so long, the screen counts as calm: toolkits draw within one or two frames of 16 ms."""
MOST_SEC = 2.0


@dataclass
class QuickHands:
    """Carries out actions without looking up what they hit, and waits for drawings alone.

    Settling watches all programs as well, which takes more processor time than drawing a menu. What is seen too early
    is an old picture with its old tree; the caller settles and looks again where nothing new came up.
    """

    computer: Computer
    pace: str = "realtime"
    idle: Callable[[], None] | None = None
    parts: Parts = field(init=False)
    """Those of the computer, but for the tree."""
    history: list[Performed] = field(init=False)

    def __post_init__(self) -> None:
        self.parts = replace(self.computer.parts, tree=None)
        self.history = self.computer.history

    @property
    def size(self) -> tuple[int, int]:
        """Of the desktop."""
        return self.computer.size

    def need(self, *capabilities: Capability) -> None:
        """Refuse what is not there."""
        self.computer.need(*capabilities)

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element at a place."""
        return self.computer.element_at(x, y)

    def settle(self) -> bool:
        """Wait until the screen is quiet."""
        return self.computer.settle()

    def pass_time(self, seconds: float) -> None:
        """Let time go by."""
        self.computer.pass_time(seconds)

    def wait_activity(self, timeout_sec: float) -> None:
        """Wait until something is drawn, but not longer than that."""
        self.computer.wait_activity(timeout_sec)

    def clock(self) -> float:
        """Return the time by which it waits."""
        return self.computer.clock()

    def screenshot(self, *, cursor: bool = True) -> Image.Image:
        """Return what the screen shows."""
        return self.computer.screenshot(cursor=cursor)

    def pointer_position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        return self.computer.pointer_position()

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What can be asked of it."""
        return self.computer.capabilities

    def execute(self, code: str, *, language: str, timeout_sec: float) -> CodeResult:
        """Run code."""
        return self.computer.execute(code, language=language, timeout_sec=timeout_sec)

    def act(self, action: Action) -> None:
        """Carry out an action and wait until what it led to is drawn."""
        before = self.drawings()
        self.history.append(perform(self, action))
        self.calm(before)

    def drawings(self) -> object:
        """Return something that is another whenever anything was drawn; None where that is not known."""
        return self.computer.parts.rest.drawings()

    def calm(self, before: object, *, react_sec: float = REACT_SEC) -> None:
        """Wait until nothing more is drawn than `before`, the first drawing for so many seconds."""
        if before is None:
            self.computer.settle()
            return
        computer = self.computer
        began = last = computer.clock()
        known, drawn = before, False
        while (now := computer.clock()) - began < MOST_SEC:
            if (latest := self.drawings()) != known:
                known, last, drawn = latest, now, True
            elif now - last >= (QUIET_SEC if drawn else react_sec):
                return
            computer.wait_activity(QUIET_SEC)
