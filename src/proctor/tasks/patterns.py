"""Patterns of paths, thousands at a time: one walk along a path tells whether any fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_WORDS = re.compile(r"\*\*|\*|\?|.", re.DOTALL)


class _Place:
    """Where one may stand in some of the patterns after what was read of a path."""

    __slots__ = ("any", "deep", "end", "loop", "next", "one")

    def __init__(self, loop: str = "") -> None:
        self.loop = loop
        """`*` or `**`: what may be read here without moving on."""
        self.next: dict[str, _Place] = {}
        self.one: _Place | None = None
        self.any: _Place | None = None
        self.deep: _Place | None = None
        self.end = False

    def step(self, word: str) -> _Place:
        """Return the place after one more word of a pattern."""
        if word == "?":
            self.one = self.one or _Place()
            return self.one
        if word == "*":
            self.any = self.any or _Place("*")
            return self.any
        if word == "**":
            self.deep = self.deep or _Place("**")
            return self.deep
        return self.next.setdefault(word, _Place())

    def free(self) -> Iterator[_Place]:
        """Yield the place itself and those that are reached from it without reading anything."""
        yield self
        for place in (self.any, self.deep):
            if place is not None:
                yield from place.free()


class Patterns:
    """Patterns with `?` and `*` (within a name) and `**` (at any depth), all of them tried at once."""

    def __init__(self, texts: Iterable[str]) -> None:
        root = _Place()
        for text in texts:
            place = root
            for word in _WORDS.findall(text):
                place = place.step(word)
            place.end = True
        self._start = frozenset(root.free())
        self._folders: dict[str, frozenset[_Place]] = {"": self._start}

    def match(self, path: str) -> bool:
        """Tell whether a pattern fits the whole of a path."""
        folder, slash, name = path.rpartition("/")
        return any(place.end for place in _read(self._after(folder + slash), name))

    def _after(self, folder: str) -> frozenset[_Place]:
        """Return the places after a folder, which many paths begin with."""
        if folder not in self._folders:
            if len(self._folders) > 10_000:
                self._folders = {"": self._start}
            above = "".join(folder[:-1].rpartition("/")[:2])
            known = above if above in self._folders else ""
            self._folders[folder] = _read(self._folders[known], folder[len(known) :])
        return self._folders[folder]


def _read(places: frozenset[_Place], text: str) -> frozenset[_Place]:
    now: set[_Place] = set(places)
    for letter in text:
        then: set[_Place] = set()
        for place in now:
            if place.loop == "**" or (place.loop == "*" and letter != "/"):
                then.update(place.free())
            if (following := place.next.get(letter)) is not None:
                then.update(following.free())
            if place.one is not None and letter != "/":
                then.update(place.one.free())
        if not then:
            return frozenset()
        now = then
    return frozenset(now)
