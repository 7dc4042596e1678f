"""What becomes of the window that is in use."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Literal

from proctor.exam.disturbances.disturbance import Disturbance, Staged, Steps, close_by, find_step
from proctor.tasks.shelves import hand, make
from proctor.tasks.task import Task

How = Literal["move", "shrink", "minimise", "cover", "take_focus"]
COVER, ASKING, ENDED = "Tips for today", "System update", "Application ended"
OPEN_AGAIN = "Open Again"

ANSWERS: dict[How, Steps] = {
    "shrink": (hand.press("alt+F10"),),
    "minimise": (),
    "cover": close_by("Got it", COVER),
    "take_focus": close_by("Close", ASKING),
}
"""What somebody does who wants to go on; returning to the window is part of every answer."""
HAPPENINGS: tuple[tuple[str, How, str], ...] = (
    ("window_moved", "move", "the window in use is moved"),
    ("window_resized", "shrink", "the window in use becomes smaller"),
    ("window_minimised", "minimise", "the window in use is minimised"),
    ("window_covered", "cover", "another window comes to lie over the window in use"),
    ("focus_stolen", "take_focus", "another window opens and takes the focus"),
)


def _window(how: How, _draw: Random, _task: Task) -> Staged:
    return Staged(do=(make.disturb_window(how),), answer=ANSWERS.get(how))


def _kill(_draw: Random, task: Task) -> Staged | None:
    opened = find_step(task, "launch")
    if opened is None or len(task.tags.apps) > 1:
        return None  # others come back without what the task opened in them
    opening = close_by(OPEN_AGAIN, ENDED)
    return Staged(do=(make.end_application(list(opened.arguments["argv"])),), answer=opening, loses_work=True)


def _slow(draw: Random, _task: Task) -> Staged:
    return Staged(do=(make.slow_down(draw.choice((4, 8, 12))),))


WINDOWS = (
    *(Disturbance(name, about, partial(_window, how), harmless=how not in ANSWERS) for name, how, about in HAPPENINGS),
    Disturbance(
        "application_killed",
        "the application in use ends and is to be opened again",
        _kill,
        soon=True,
        wants="one application, which its setup launches",
    ),
    Disturbance(
        "application_slow", "the application in use answers only now and then for a while", _slow, harmless=True
    ),
)
