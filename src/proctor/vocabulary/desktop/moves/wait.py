"""Moves that wait for what a person would wait for."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from proctor.actions.action import Wait, WaitForChange
from proctor.computers.computer import Computer, Window
from proctor.computers.locator import PATIENCE_SEC
from proctor.tasks.findings import CannotSee
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import MOVES
from proctor.vocabulary.desktop.where import Where, sought_text


@MOVES.register
def await_element(
    context: MoveContext,
    name: str | None = None,
    role: str | None = None,
    text: str | None = None,
    app: str | None = None,
    window: str | None = None,
    gone: bool = False,
    timeout_sec: float = PATIENCE_SEC,
) -> None:
    """Wait until an element appears, or disappears."""
    where = Where(role=role, name=name, text=text, app=app, window=window)
    where.on(context.computer).wait(timeout_sec, gone=gone)


@MOVES.register
def await_window(context: MoveContext, title: str, gone: bool = False, timeout_sec: float = 20.0) -> None:
    """Wait until a window with this in its title is open and settled, or until none is."""
    state = "the disappearance of a" if gone else "a"
    context.computer.wait_for(
        lambda computer: bool(_windows_titled(computer, title)) != gone,
        what=f"{state} window titled {title!r}",
        timeout_sec=timeout_sec,
    )
    context.computer.settle()


@MOVES.register
def show_window(context: MoveContext, title: str) -> None:
    """Bring a window to the front by its button in the panel; the one that is in front stays there."""
    # A click on the button of the window in front would minimise it.
    if not any(window.active for window in _windows_titled(context.computer, title)):
        pattern = title if title.startswith("/") else f"/{re.escape(title)}/"
        Where(role="toggle button", name=pattern, app="xfce4-panel").on(context.computer).click()
    await_window(context, title)


@MOVES.register
def await_file(context: MoveContext, path: str, timeout_sec: float = 20.0) -> None:
    """Wait until a file exists and is not empty, for example after an export."""

    def is_written(computer: Computer) -> bool:
        try:
            info = ProbeContext(computer).info(path)
        except CannotSee:
            return False
        return info is not None and info.size > 0

    context.computer.wait_for(is_written, what=f"the file {path}", timeout_sec=timeout_sec)


@MOVES.register
def await_change(context: MoveContext, timeout_sec: float = 30.0) -> None:
    """Wait until something new is on the screen, for at most this long."""
    context.do(WaitForChange(seconds=timeout_sec))


@MOVES.register
def wait(context: MoveContext, seconds: Annotated[float, Field(gt=0, le=60)]) -> None:
    """Do nothing for so long; where something shows when to go on, wait for that instead."""
    context.do(Wait(seconds=seconds))


@MOVES.register
def await_ended(context: MoveContext, program: str, timeout_sec: float = 30.0) -> None:
    """Wait until no program of this name is running any more: its windows close first."""
    # The system keeps no more than this of a program's name.
    known = program[:15]
    context.computer.wait_for(
        lambda computer: computer.run(["pgrep", "-x", known]).code != 0,
        what=f"the end of {program}",
        timeout_sec=timeout_sec,
    )


def _windows_titled(computer: Computer, title: str) -> list[Window]:
    sought = sought_text(title)
    if isinstance(sought, str):
        return [window for window in computer.windows() if sought.casefold() in window.title.casefold()]
    return [window for window in computer.windows() if sought and sought.search(window.title)]
