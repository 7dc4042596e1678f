"""What becomes of the window that is in use."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Literal

from proctor.exam.disturbances.disturbance import Disturbance, Staged, Steps
from proctor.tasks.shelves import hand, make
from proctor.tasks.task import Task

How = Literal["move", "shrink", "minimise", "cover", "take_focus"]
COVER, ASKING = "Tips for today", "System update"

ANSWERS: dict[How, Steps] = {
    "shrink": (hand.press("alt+F10"),),
    "minimise": (hand.press("alt+Tab"),),
    "cover": (hand.click(name=COVER, window=COVER), hand.press("alt+F4"), hand.await_window(COVER, gone=True)),
    "take_focus": (hand.click(name="Close", window=ASKING), hand.await_window(ASKING, gone=True)),
}
"""What somebody does who wants to go on: make it large again, bring it back, close what lies over it."""
HAPPENINGS: tuple[tuple[str, How, str], ...] = (
    ("window_moved", "move", "the window in use is moved"),
    ("window_resized", "shrink", "the window in use becomes smaller"),
    ("window_minimised", "minimise", "the window in use is minimised"),
    ("window_covered", "cover", "another window comes to lie over the window in use"),
    ("focus_stolen", "take_focus", "another window opens and takes the focus"),
)


def _window(how: How, _draw: Random, _task: Task) -> Staged:
    return Staged(do=(make.disturb_window(how),), answer=ANSWERS.get(how, ()))


def _slow(draw: Random, _task: Task) -> Staged:
    return Staged(do=(make.slow_down(draw.choice((4, 8, 12))),))


WINDOWS = (
    *(Disturbance(name, about, partial(_window, how)) for name, how, about in HAPPENINGS),
    Disturbance("application_slow", "the application in use answers only now and then for a while", _slow),
)
