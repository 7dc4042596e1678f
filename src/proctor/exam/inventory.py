"""What an agent could close or remove, to tell whether it took away what an event acts on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.computers.computer import Computer, Window
from proctor.tasks.call import Call

SHORTEST = 3
"""Characters of a name: shorter ones are found in any title."""


class Inventory:
    """The windows that have been open, and the files of which the computer knows how they were."""

    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self._windows: dict[int, Window] = {}
        """By their number, as each was seen last."""

    def look(self) -> None:
        """Note which windows are open."""
        self._windows |= {window.id: window for window in self._open()}

    def find_missing(self, steps: Sequence[Call]) -> str:
        """Return what of that these steps name is gone or was changed, in words; empty where nothing is."""
        names = [name for step in steps for name in _texts(step.arguments) if len(name) >= SHORTEST]
        opened = {window.id for window in self._open()}
        for window in self._windows.values():
            if window.id not in opened and any(_names_window(name, window) for name in names):
                return f"the window {window.title!r} was closed"
        if "changes" in self._computer.capabilities:
            home = self._computer.home
            for change in self._computer.changes():
                if change.kind != "created" and any(_names_path(name, change.path, home) for name in names):
                    return f"{change.path} was {change.kind}"
        return ""

    def _open(self) -> list[Window]:
        return self._computer.windows() if "windows" in self._computer.capabilities else []


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Call):
        yield from _texts(value.arguments)
    elif isinstance(value, dict):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _names_window(name: str, window: Window) -> bool:
    short = name.rstrip("/").rpartition("/")[2].casefold()
    return len(short) >= SHORTEST and (short in window.title.casefold() or short == window.app.casefold())


def _names_path(name: str, path: str, home: str) -> bool:
    full = name if name.startswith("/") else f"{home.rstrip('/')}/{name}"
    return f"{full}/".startswith(f"{path.rstrip('/')}/")
