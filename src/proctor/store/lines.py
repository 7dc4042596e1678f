"""A file of JSON lines that may still grow, or be damaged: each line is read once."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.store.bounds import load_json
from proctor.store.files import open_plain

LONGEST_LINE = 32 << 20
"""Bytes; a record keeps its lines far below this, so a longer one is damage."""
MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line that was read whole."""

    number: int
    start: int
    length: int
    data: dict[str, Any]


class JsonLines:
    """Returns each line of a growing file once; what no newline ends yet waits for the next look."""

    def __init__(self, path: Path, most: int) -> None:
        self.path = path
        self._most = most
        self.problems: list[str] = []
        """Lines that could not be read, in words."""
        self._offset = 0
        self._count = 0
        self.lock = threading.Lock()

    def more(self) -> list[LogLine]:
        """Return the lines that are new since the last call; none when the file does not exist."""
        found: list[LogLine] = []
        try:
            with os.fdopen(open_plain(self.path), "rb") as file:
                file.seek(self._offset)
                while (raw := file.readline(LONGEST_LINE)).endswith(b"\n") and self._count < self._most:
                    found += self._read(raw)
                    self._offset += len(raw)
                if len(raw) == LONGEST_LINE:
                    self._give_up(f"line {self._count + 1} of {self.path.name} is longer than {LONGEST_LINE >> 20} MB")
                elif raw.endswith(b"\n"):
                    self._give_up(f"{self.path.name} has more than {self._most:,} lines; the first ones are shown")
        except OSError:
            return []  # not there yet, or nothing that a record has
        return found

    def _read(self, raw: bytes) -> list[LogLine]:
        self._count += 1
        try:
            data = load_json(raw)
        except ValueError:  # broken JSON and broken UTF-8 alike
            data = None
        if not isinstance(data, dict):
            if len(self.problems) < MOST_PROBLEMS:
                self.problems.append(f"line {self._count} of {self.path.name} cannot be read")
            return []
        return [LogLine(self._count, self._offset, len(raw), data)]

    def _give_up(self, why: str) -> None:
        if why not in self.problems:
            self.problems.append(why)
        self._offset = self.path.lstat().st_size

    def again(self, line: LogLine) -> dict[str, Any]:
        """Read a line once more, so that long texts need not stay in memory."""
        with os.fdopen(open_plain(self.path), "rb") as file:
            file.seek(line.start)
            data: dict[str, Any] = load_json(file.read(line.length))
        return data
