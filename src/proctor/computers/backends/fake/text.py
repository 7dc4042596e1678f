"""A text with a caret, a selection and undo: what is inside the fake editor."""

from __future__ import annotations

from collections import deque


class TextBuffer:
    """A text being edited; the selection lies between `caret` and `anchor`, between characters."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.caret = 0
        self.anchor = 0
        self._undo: deque[tuple[str, int]] = deque(maxlen=100)

    @property
    def selection(self) -> tuple[int, int]:
        """Start and end of the selection; equal when nothing is selected."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def selected(self) -> str:
        """The selected text."""
        start, end = self.selection
        return self.text[start:end]

    @property
    def lines(self) -> list[str]:
        """The text line by line; there is always one."""
        return self.text.split("\n")

    def place(self, caret: int) -> tuple[int, int]:
        """Return line and column of a place."""
        before = self.text[:caret]
        return before.count("\n"), caret - (before.rfind("\n") + 1)

    def at(self, line: int, column: int) -> int:
        """Return the place nearest to a line and column."""
        lines = self.lines
        line = min(max(line, 0), len(lines) - 1)
        return sum(len(text) + 1 for text in lines[:line]) + min(max(column, 0), len(lines[line]))

    def move(self, caret: int, *, extend: bool = False) -> None:
        """Put the caret somewhere, keeping the other end of the selection if it is extended."""
        self.caret = min(max(caret, 0), len(self.text))
        if not extend:
            self.anchor = self.caret

    def select_all(self) -> None:
        """Select the whole text."""
        self.anchor, self.caret = 0, len(self.text)

    def select_word(self) -> None:
        """Select the word around the caret."""
        start = end = self.caret
        while start > 0 and self.text[start - 1].isalnum():
            start -= 1
        while end < len(self.text) and self.text[end].isalnum():
            end += 1
        self.anchor, self.caret = start, end

    def select_line(self) -> None:
        """Select the line of the caret."""
        line, _ = self.place(self.caret)
        self.anchor, self.caret = self.at(line, 0), self.at(line, len(self.lines[line]))

    def insert(self, text: str) -> None:
        """Replace the selection by a text."""
        self._undo.append((self.text, self.caret))
        start, end = self.selection
        self.text = self.text[:start] + text + self.text[end:]
        self.move(start + len(text))

    def delete(self, step: int) -> None:
        """Delete the selection, or one character before (-1) or after (1) the caret."""
        if self.caret == self.anchor:
            self.move(self.caret + step, extend=True)
        if self.caret != self.anchor:
            self.insert("")

    def undo(self) -> None:
        """Go back before the last change."""
        if self._undo:
            self.text, caret = self._undo.pop()
            self.move(caret)
