"""Recovery: after how many actions the application that was in use has the focus again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from proctor.computers.computer import Computer

MESSAGES_APP = "Desktop-messages"
"""The application of dialogs and notifications that come by themselves."""


class InUse(NamedTuple):
    """The window that is worked in; both empty where none is, or nobody can tell."""

    app: str = ""
    title: str = ""


def find_in_use(computer: Computer) -> InUse:
    """Return the window that has the focus."""
    found = computer.active_window() if "windows" in computer.capabilities else None
    return InUse(found.app, found.title) if found is not None and not found.minimised else InUse()


@dataclass
class _Disturbed:
    """One disturbance that is waited for the end of."""

    app: str
    seen: int | None = None
    """How many actions had been taken when it came into sight."""


class RecoveryWatch:
    """Counts the actions until the application that was in use has the focus again."""

    def __init__(self) -> None:
        self._open: dict[int, _Disturbed] = {}

    def begin(self, place: int, app: str) -> None:
        """Wait for an application to be in use again; where none was, there is nothing to wait for."""
        if app:
            self._open[place] = _Disturbed(app)

    def note_sight(self, place: int, actions: int) -> None:
        """Say that a disturbance has come into sight."""
        if place in self._open:
            self._open[place].seen = actions

    def find_ended(self, computer: Computer, actions: int) -> Iterator[tuple[int, int]]:
        """Yield which are over by now, and after how many actions."""
        seen = {place: each for place, each in self._open.items() if each.seen is not None}
        app = find_in_use(computer).app if seen else ""
        for place, each in seen.items():
            if app and each.app == app and each.seen is not None:
                del self._open[place]
                yield place, actions - each.seen
