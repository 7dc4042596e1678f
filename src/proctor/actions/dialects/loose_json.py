"""JSON as models write it: in prose, with single or Chinese quotes, trailing commas, comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_DEPTH = 40
MAX_FAILURES = 2000
"""Brackets that open no JSON; after so many the rest of a text is not searched."""

_CLOSERS = {'"': '"', "'": "'", "“": "”“", "”": "”“", "‘": "’‘", "’": "’‘"}
_CONTENT = {quote: re.compile(rf"[^\\{closers}]*") for quote, closers in _CLOSERS.items()}
_NUMBER = re.compile(r"[-+]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_WORD = re.compile(r"[^\W\d][\w$-]*")
_BLANK = re.compile(r"(?:\s+|//[^\n]*|#[^\n]*)+")
_OPENING = re.compile(r"[{\[]")
_WORDS: dict[str, object] = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None,
    "nan": float("nan"),
}  # fmt: skip
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": "", "/": "/", "\\": "\\"}


class FoundObject(dict[str, object]):
    """An object, and where it stood in the text."""

    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class FoundObjects:
    """The objects of a text."""

    values: tuple[FoundObject | list[object], ...]
    """Objects and lists of objects, in order."""
    end: int = 0
    """Where the last of them ends."""
    broken: str = ""
    """Why something that was meant as an object could not be read."""


class _NotJson(ValueError):
    """The text at this place is not JSON."""


def find(text: str) -> FoundObjects:
    """Return every object of a text, and every list of objects alone, in time proportional to it."""
    values: list[FoundObject | list[object]] = []
    broken, end, position, failures, wasted = "", 0, 0, 0, 0
    while opening := _OPENING.search(text, position):
        parser = _Parser(text, opening.start())
        try:
            value = parser.value()
        except _NotJson as error:
            failures += 1
            wasted += parser.position - opening.start()
            position = opening.start() + 1
            # Braces in prose are not broken JSON; a key and its colon are.
            if parser.keys and not broken:
                line, near = text.count("\n", 0, parser.position) + 1, max(parser.position - 20, 0)
                broken = f"JSON, line {line}, near {text[near : parser.position + 20]!r}: {error}"
            if parser.depth > MAX_DEPTH or failures > MAX_FAILURES or wasted > 2 * len(text):
                return FoundObjects((), 0, broken or "JSON: its brackets do not match")
        else:
            position = parser.position
            items = value if isinstance(value, list) else [value]
            if isinstance(value, FoundObject | list) and items and all(isinstance(item, FoundObject) for item in items):
                values.append(value)
                end = position
    return FoundObjects(tuple(values), end, broken)


class _Parser:
    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.depth = 0
        self.keys = 0

    def value(self) -> object:
        self._skip()
        start, char = self.position, self._peek()
        if char == "{":
            entry = self._object()
            entry.span = (start, self.position)
            return entry
        if char == "[":
            return self._list()
        if char in _CLOSERS:
            return self._string(char)
        if match := _NUMBER.match(self.text, self.position):
            self.position = match.end()
            return int(match[0]) if match[0].lstrip("+-").isdigit() and len(match[0]) < 20 else float(match[0])
        word = self._word()
        if word.lower() not in _WORDS:
            raise _NotJson(f"{word[:40]!r} is not quoted")
        return _WORDS[word.lower()]

    def _object(self) -> FoundObject:
        entry = FoundObject()
        self._open()
        while not self._closes("}"):
            key = self._string(self._peek()) if self._peek() in _CLOSERS else self._word()
            self._skip()
            if self._peek() not in ":：=":
                raise _NotJson(f"no colon after {key[:40]!r}")
            self.position += 1
            self.keys += 1
            entry[key] = self.value()
            self._separator("}")
        return entry

    def _list(self) -> list[object]:
        items: list[object] = []
        self._open()
        while not self._closes("]"):
            items.append(self.value())
            self._separator("]")
        return items

    def _open(self) -> None:
        self.position += 1
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _NotJson(f"more than {MAX_DEPTH} brackets inside one another")

    def _closes(self, bracket: str) -> bool:
        self._skip()
        if self._peek() != bracket:
            return False
        self.position += 1
        self.depth -= 1
        return True

    def _separator(self, bracket: str) -> None:
        self._skip()
        if self._peek() in ",，;、":
            self.position += 1
        elif self._peek() != bracket:
            raise _NotJson(f"a comma or {bracket} is missing")

    def _string(self, quote: str) -> str:
        closers, content = _CLOSERS[quote], _CONTENT[quote]
        pieces: list[str] = []
        self.position += 1
        while True:
            match = content.match(self.text, self.position)
            if match:
                pieces.append(match[0])
                self.position = match.end()
            char = self._peek()
            if char in closers:
                self.position += 1
                return "".join(pieces)
            pieces.append(self._escape())

    def _escape(self) -> str:
        char = self.text[self.position + 1 : self.position + 2]
        self.position += 2
        for letter, digits in (("u", 4), ("x", 2)):
            code = self.text[self.position : self.position + digits]
            if char == letter and re.fullmatch(rf"[0-9a-fA-F]{{{digits}}}", code):
                self.position += digits
                return self._character(int(code, 16))
        if char in _CLOSERS:
            return char
        # A model that writes C:\Users means the backslash.
        return _ESCAPES.get(char, "\\" + char)

    def _character(self, code: int) -> str:
        """Join the two halves of a surrogate pair."""
        low = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.text, self.position)
        if 0xD800 <= code < 0xDC00 and low:
            self.position = low.end()
            return chr(0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
        return chr(code)

    def _word(self) -> str:
        match = _WORD.match(self.text, self.position)
        if not match:
            raise _NotJson("this is not JSON")
        self.position = match.end()
        return match[0]

    def _skip(self) -> None:
        if match := _BLANK.match(self.text, self.position):
            self.position = match.end()

    def _peek(self) -> str:
        if self.position >= len(self.text):
            raise _NotJson("it is cut off before its end")
        return self.text[self.position]
