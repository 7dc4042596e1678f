"""Evidence: what a probe saw, as data that every record can hold, whatever an agent put into it."""

from __future__ import annotations

import math

from proctor.tasks.findings import CannotSee

MOST_DEPTH = 100
"""How deep lists and objects may lie in each other: those who read a record follow them by recursion."""
MOST_CHARACTERS = 12 * 2**20
MOST_ITEMS = 1_000_000
MOST_BITS = 1000
"""Of a whole number; larger ones cannot be compared with others, which may have decimals."""


def presentable(value: object, label: str) -> object:
    """Return plain data as evidence: finite numbers, texts that can be written, bounded in every way.

    Raises:
        CannotSee: It holds what cannot be presented, by the doing of whoever made what was seen.
        TypeError: It is not plain data, which is a mistake of the probe.
    """
    return _Bounds(label).pass_on(value, 0)


def writable(text: str) -> str:
    """Return a text that can be written as UTF-8: halves of a character pair stand for no character."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Bounds:
    """Counts what passes through."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.items = 0
        self.characters = 0

    def pass_on(self, value: object, depth: int) -> object:
        self.items += 1
        if self.items > MOST_ITEMS or depth > MOST_DEPTH:
            raise CannotSee("refused", f"{self.label} holds more, or is nested deeper, than is looked at")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, dict):
            return {self._key(key): self.pass_on(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.pass_on(item, depth + 1) for item in value]
        raise TypeError(f"{type(value).__name__} is not plain data")

    def _text(self, text: str) -> str:
        self.characters += len(text)
        if self.characters > MOST_CHARACTERS:
            raise CannotSee("refused", f"{self.label} holds more text than is looked at")
        return writable(text)

    def _number(self, number: int | float) -> int | float:
        if isinstance(number, float) and not math.isfinite(number):
            raise CannotSee("unreadable", f"{self.label} holds {number}, which is not a number to judge by")
        if isinstance(number, int) and number.bit_length() > MOST_BITS:
            raise CannotSee("unreadable", f"{self.label} holds a number of {number.bit_length():,} bits")
        return number

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise TypeError(f"{type(key).__name__} is not the name of a field")
        return self._text(key)
