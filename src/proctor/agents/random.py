"""The agent that draws lots: what blind luck is worth on a task."""

from __future__ import annotations

import random
from collections.abc import Callable

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.agents.agent import Turn
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

WEIGHTS = {"click": 50, "tap": 50, "swipe": 8, "type": 15, "press": 15, "scroll": 8, "drag": 4, "move": 4, "wait": 2}
"""How often each kind is drawn, roughly as people use them; every other kind counts 1."""

_WORDS = ("hello", "report", "2024", "notes.txt", "yes", "total")
_BUTTONS: tuple[act.Button, ...] = ("left", "left", "left", "right")
_KEYS = ("Return", "Tab", "Escape", "Down", "Up", "ctrl+s", "ctrl+a", "ctrl+c", "ctrl+v", "BackSpace", "alt+F4")


class Random:
    """Takes random plausible actions among those allowed; the same seed takes the same ones."""

    want = Want(screenshot=False)

    def start(self, brief: Brief) -> None:
        """Begin the sequence of lots that belongs to the brief's seed."""
        self._brief = brief
        self._lots = random.Random(brief.seed)

    def act(self, observation: Observation) -> Turn:
        """Draw one action."""
        kinds = self._brief.actions
        (kind,) = self._lots.choices(kinds, [WEIGHTS.get(kind, 1) for kind in kinds]) if kinds else ("done",)
        return Turn(actions=(self._action(kind),))

    def _action(self, kind: str) -> Action:
        lots = self._lots
        x, y = self._place()
        word, key = lots.choice(_WORDS), lots.choice(_KEYS)
        makers: dict[str, Callable[[], Action]] = {
            "move": lambda: act.Move(x=x, y=y),
            "click": lambda: act.Click(x=x, y=y, button=lots.choice(_BUTTONS), count=lots.choice((1, 2))),
            "mouse_down": act.MouseDown,
            "mouse_up": act.MouseUp,
            "drag": lambda: act.Drag(path=((x, y), self._place())),
            "scroll": lambda: act.Scroll(x=x, y=y, dy=lots.choice((-5, -1, 1, 5))),
            "tap": lambda: act.Tap(x=x, y=y),
            "long_press": lambda: act.LongPress(x=x, y=y),
            "swipe": lambda: act.Swipe(path=((x, y), self._place())),
            "pinch": lambda: act.Pinch(x=x, y=y, scale=lots.choice((0.5, 2.0))),
            "open_app": lambda: act.OpenApp(name=lots.choice(("settings", "clock"))),
            "type": lambda: act.Type(text=word),
            "press": lambda: act.Press(keys=key),
            "key_down": lambda: act.KeyDown(key="shift"),
            "key_up": lambda: act.KeyUp(key="shift"),
            "wait": lambda: act.Wait(seconds=1.0),
            "wait_for_change": lambda: act.WaitForChange(seconds=1.0),
            "run_code": lambda: act.RunCode(code="ls", language="shell"),
            "done": act.Done,
            "fail": lambda: act.Fail(reason="chance"),
            "answer": lambda: act.Answer(text=word),
            "ask_user": lambda: act.AskUser(question=f"Should I use {word}?"),
        }
        return makers[kind]()

    def _place(self) -> tuple[int, int]:
        width, height = self._brief.size
        return self._lots.randrange(width), self._lots.randrange(height)
