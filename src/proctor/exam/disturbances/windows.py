"""What becomes of the window that is in use."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Literal

from proctor.exam.disturbances.disturbance import Disturbance
from proctor.tasks.call import Call
from proctor.tasks.shelves import make

How = Literal["move", "shrink", "minimise", "cover", "take_focus"]


def _steps(how: How, _draw: Random) -> tuple[Call, ...]:
    return (make.disturb_window(how),)


def _slow(draw: Random) -> tuple[Call, ...]:
    return (make.slow_down(draw.choice((4, 8, 12))),)


HAPPENINGS: tuple[tuple[str, How, str], ...] = (
    ("window_moved", "move", "the window in use is moved"),
    ("window_resized", "shrink", "the window in use becomes smaller"),
    ("window_minimised", "minimise", "the window in use is minimised"),
    ("window_covered", "cover", "another window comes to lie over the window in use"),
    ("focus_stolen", "take_focus", "another window opens and takes the focus"),
)
WINDOWS = (
    *(Disturbance(name, about, partial(_steps, how)) for name, how, about in HAPPENINGS),
    Disturbance("application_slow", "the application in use answers only now and then for a while", _slow),
)
