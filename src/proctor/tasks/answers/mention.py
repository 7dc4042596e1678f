"""A value as it stands in a text: a number, a time of day, a date, a weekday, a phone number."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "time", "date", "weekday", "phone"]
Place = tuple[int, int]
"""Where something begins and ends in a text."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What a few characters of a text mean."""

    kind: Kind
    start: int
    end: int
    meant: frozenset[Hashable]
    """What it may mean: half past five is either half of the day."""
    unit: str = ""
    """A currency, %, or the word for what is counted; nothing where none is named."""
    aside: bool = False
    """Whether it is told by the way: which row it is, of how many, how many more."""


def blank(text: str, places: Iterable[Place]) -> str:
    """Return a text as long as before with nothing at some places."""
    letters = list(text)
    for start, end in places:
        letters[start:end] = "\x00" * (end - start)
    return "".join(letters)
