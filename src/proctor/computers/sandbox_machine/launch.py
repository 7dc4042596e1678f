"""Start an application and wait for its window, with its last words when none comes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from proctor.computers.channels.x11.windows import XWindow
from proctor.computers.sandbox_machine.commands import check_command, not_started
from proctor.computers.sandbox_machine.session import GLANCE_SEC, DesktopSession
from proctor.errors import ComputerError, NotReady
from proctor.observations.box import Box

CLOCK_WIDTH = 180
"""Pixels at the end of a panel that its clock may take."""


def shown_windows(session: DesktopSession) -> list[XWindow]:
    """Return the windows of applications, without panels and desktop."""
    return [window for window in session.x.windows() if window.kind not in ("dock", "desktop")]


def clocks(session: DesktopSession) -> list[Box]:
    """Return where panels have their clocks: at the far end."""
    docks = [window.box for window in session.x.windows() if window.kind == "dock"]
    return [Box(max(x, x + width - CLOCK_WIDTH), y, min(width, CLOCK_WIDTH), height) for x, y, width, height in docks]


def spawn(session: DesktopSession, argv: Sequence[str], env: Mapping[str, str] | None) -> int:
    """Start a program, naming what is wrong when that fails."""
    check_command(argv)
    try:
        return session.spawn(argv, env=env)
    except OSError as error:
        raise not_started(argv, error) from error


def await_window(
    session: DesktopSession, pid: int, argv: Sequence[str], before: list[XWindow], title: str | None, timeout_sec: float
) -> XWindow:
    """Wait for a window that was not there before, or that a running application brought up for us."""
    deadline = time.monotonic() + timeout_sec
    known = {window.id: window.title for window in before}
    while True:
        for window in reversed(shown_windows(session)):
            if window.minimised or window.kind == "splash" or (title and title.lower() not in window.title.lower()):
                continue
            # A second start of a single-instance application shows in a window that changed its title or came up.
            if known.get(window.id) != window.title:
                return window
        end = session.machine.ended(pid)
        if end and end.code != 0:
            raise ComputerError(
                f"{argv[0]!r} ended with status {end.code} before it showed a window: {session.log_tail(pid)}"
            )
        left = deadline - time.monotonic()
        if left <= 0:
            titles = [window.title for window in shown_windows(session)]
            wanted = f"a window titled {title!r}" if title else "a window"
            raise NotReady(
                f"{argv[0]!r} showed no {wanted.removeprefix('a ')} within {timeout_sec:g} s; open windows: {titles}",
                remedy=f"the end of its log: {session.log_tail(pid) or '(none)'}",
            )
        if not session.x.wait(min(left, GLANCE_SEC)):
            session.x.nudge()
