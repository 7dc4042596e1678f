"""Reading JSON with positions: the data, and on which line each part of it stands."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from json import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from proctor.tasks.call import DataPath

MOST_NESTING = 100
MOST_DIGITS = 1000

_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_DECODER = JSONDecoder()
_WORDS = {"true": True, "false": False, "null": None}


@dataclass
class Document:
    """What a JSON text says and where."""

    data: Any = None
    lines: dict[DataPath, int] = field(default_factory=dict)
    """The line of each part: of its key in an object, of itself in a list."""
    doubles: list[tuple[DataPath, str]] = field(default_factory=list)
    """Keys that stand in one object twice, with what is wrong."""

    def line(self, path: DataPath) -> int:
        """Return the line of a part, or of the nearest part around it that is there."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read(text: str) -> Document:
    """Read a JSON text; raises JSONDecodeError, which knows the line, at the first slip of syntax."""
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.breaks = [match.start() for match in re.finditer("\n", text)]
        self.found = Document()

    def document(self) -> Document:
        self.skip()
        self.found.data = self.value(())
        self.skip()
        if self.place < len(self.text):
            self.fail("something follows after the end")
        return self.found

    def fail(self, why: str) -> NoReturn:
        raise JSONDecodeError(why, self.text, self.place)

    def skip(self) -> None:
        match = _BLANK.match(self.text, self.place)
        self.place = match.end() if match else self.place

    def line(self, place: int) -> int:
        return bisect.bisect_left(self.breaks, place) + 1

    def take(self, char: str) -> bool:
        """Step over a character and the blanks after it, if it is there."""
        if not self.text.startswith(char, self.place):
            return False
        self.place += len(char)
        self.skip()
        return True

    def value(self, path: DataPath) -> Any:
        self.found.lines.setdefault(path, self.line(self.place))
        if len(path) > MOST_NESTING:
            self.fail("it is nested too deeply")
        if self.take("{"):
            return self.members(path)
        if self.take("["):
            return self.items(path)
        if self.text.startswith('"', self.place):
            return self.string()
        for word, meaning in _WORDS.items():
            if self.take(word):
                return meaning
        return self.number()

    def string(self) -> str:
        text, self.place = _DECODER.raw_decode(self.text, self.place)
        self.skip()
        return str(text)

    def number(self) -> int | float:
        match = _NUMBER.match(self.text, self.place)
        if match is None:
            self.fail("a value is missing here")
        if len(match[0]) > MOST_DIGITS:
            self.fail("a number has too many digits")
        self.place = match.end()
        self.skip()
        return float(match[0]) if match[1] or match[2] else int(match[0])

    def members(self, path: DataPath) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while not self.take("}"):
            if members and not self.take(","):
                self.fail("a comma or a closing brace is missing here")
            if not self.text.startswith('"', self.place):
                self.fail("a name in double quotes is missing here (no comma may stand after the last one)")
            start = self.place
            name = self.string()
            if name in members:
                first = self.found.lines[(*path, name)]
                self.found.doubles.append(((*path, name), f"{name!r} is given twice, first in line {first}"))
            self.found.lines[(*path, name)] = self.line(start)
            if not self.take(":"):
                self.fail("a colon is missing here")
            members[name] = self.value((*path, name))
        return members

    def items(self, path: DataPath) -> list[Any]:
        items: list[Any] = []
        while not self.take("]"):
            if items and not self.take(","):
                self.fail("a comma or a closing bracket is missing here")
            items.append(self.value((*path, len(items))))
        return items
