"""What changes about the desktop itself: clipboard and theme."""

from __future__ import annotations

from random import Random

from proctor.exam.disturbances.disturbance import Disturbance
from proctor.tasks.call import Call
from proctor.tasks.shelves import make

CLIPS = ("https://intranet.example/canteen", "order 20418", "See you at 9!")
DARK = "Adwaita-dark"


def _clipboard(draw: Random) -> tuple[Call, ...]:
    return (make.clipboard(draw.choice(CLIPS)),)


def _dark(_draw: Random) -> tuple[Call, ...]:
    return (make.xfconf("xsettings", "/Net/ThemeName", DARK),)


DESKTOP = (
    Disturbance("clipboard_replaced", "something else is copied to the clipboard", _clipboard, ("shell",)),
    Disturbance("dark_theme", "the desktop has a dark theme from the start", _dark, ("shell",), at_start=True),
)
