"""What somebody does who was interrupted: deals with what came, and returns to the window."""

from __future__ import annotations

import re
from contextlib import suppress

from proctor.actions.action import Click
from proctor.computers.computer import Window
from proctor.errors import ComputerError
from proctor.runner.reactions import Reaction
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed, make_moves
from proctor.tasks.shelves import hand

TRIES = 2
"""A first click may only have closed a menu that was open."""
TITLE_BAR = 6
"""Pixels below the upper edge of a window where it can be clicked without harm."""
SOON_SEC = 3.0
AGAIN_SEC = 40.0
"""How long an application may take that is opened again."""
PANELS = ("xfce4-panel", "lxpanel")


def give_answer(answer: Reaction, context: MoveContext) -> None:
    """Answer a disturbance; it may be gone by itself, or by what was done anyway."""
    for _ in range(TRIES):
        with suppress(MoveFailed):
            make_moves(answer.moves, context)
            break
    if answer.loses_work:
        with suppress(MoveFailed):
            make_moves([hand.await_window(answer.window, timeout_sec=AGAIN_SEC)], context)
    with suppress(MoveFailed, ComputerError):
        return_to(answer.window, context)


def return_to(title: str, context: MoveContext) -> None:
    """Bring a window to the front by hand, unless it is there or was closed."""
    computer = context.computer
    listed = computer.windows() if title else []
    wanted = next((each for each in listed if each.title == title), None)
    if wanted is None or (wanted.active and not wanted.minimised):
        return
    if wanted.minimised:
        _bring_back(wanted, [each for each in listed if each.pid == wanted.pid], context)
    else:
        context.do(Click(x=wanted.box.x + wanted.box.width // 2, y=wanted.box.y + TITLE_BAR))
    computer.settle()


def _bring_back(wanted: Window, related: list[Window], context: MoveContext) -> None:
    """Click a window's button in the panel; dialogs have none and come back with their window."""
    for each in sorted(related, key=lambda each: each.id != wanted.id):
        for panel in PANELS:
            with suppress(MoveFailed):
                make_moves([hand.click(name=f"/^{re.escape(each.title)}$/", app=panel, timeout_sec=SOON_SEC)], context)
                return
    make_moves([hand.press("alt+Tab")], context)
