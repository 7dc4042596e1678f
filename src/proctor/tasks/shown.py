"""What an agent was shown until it ended: on its screen, by its commands, in what it was told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST_LINES = 20_000
MOST_CHARACTERS = 2_000_000
"""How much is kept in all; what comes later was shown for nothing."""
MOST_OF_A_LINE = 20_000
MOST_SEARCHES = 200
MOST_CODE = 4_000
"""Characters of a search that are kept."""
LATEST_WRITTEN = 50
"""Lines that were typed last, which a terminal may repeat."""


@dataclass(frozen=True)
class Search:
    """Something that was run, and which of the places that matter were read meanwhile."""

    code: str
    read: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """What was shown, each text once."""

    lines: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    """Titles of the windows that lay on top."""
    searches: tuple[Search, ...] = ()


class ShownCollector:
    """Gathers what is shown while an exam goes on, without what the agent wrote itself."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._windows: dict[str, None] = {}
        self._searches: list[Search] = []
        self._characters = 0
        self._wrote = ""

    def wrote(self, text: str) -> None:
        """Hear what the agent typed or ran: that this stands on the screen afterwards shows nothing."""
        if len(self._wrote) < MOST_CHARACTERS:
            self._wrote += text[:MOST_CHARACTERS]

    def end_line(self) -> str:
        """Hear that what was typed last was sent off; returns it."""
        line = self._wrote.rpartition("\n")[2]
        self.wrote("\n")
        return line

    def show(self, texts: Iterable[str], *, terminal: bool = False) -> None:
        """Take in texts; a terminal repeats what is typed, behind its prompt."""
        latest = self._wrote.splitlines()[-LATEST_WRITTEN:] if terminal else []
        typed = [line for each in latest if (line := each.strip())]
        for text in texts:
            for line in text.splitlines():
                self._take(line.strip()[:MOST_OF_A_LINE], typed)

    def show_window(self, title: str) -> None:
        """Take in that a window lies on top."""
        if title and len(self._windows) < MOST_LINES:
            self._windows[title] = None

    def search(self, code: str, read: Iterable[str]) -> None:
        """Take in that something was run, and what was read meanwhile."""
        if len(self._searches) < MOST_SEARCHES:
            self._searches.append(Search(code[:MOST_CODE], tuple(read)))

    def so_far(self) -> Shown:
        """Return what was shown until now."""
        return Shown(tuple(self._lines), tuple(self._windows), tuple(self._searches))

    def _take(self, line: str, typed: list[str]) -> None:
        for each in typed:
            line = line.removesuffix(each).rstrip()
        if not line or line in self._lines or line in self._wrote:
            return
        self._characters += len(line)
        if len(self._lines) < MOST_LINES and self._characters <= MOST_CHARACTERS:
            self._lines[line] = None
